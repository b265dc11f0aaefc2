package tracking_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exportedNames are the exported names of a package: "Shipment", "Tracker.Close", and the
// fields of structs.
func exportedNames(t *testing.T, dir string) (names map[string]bool, comments []string) {
	t.Helper()
	parsed, err := parser.ParseDir(token.NewFileSet(), dir, func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	names = map[string]bool{}
	for _, p := range parsed {
		for _, f := range p.Files {
			for _, c := range f.Comments {
				comments = append(comments, c.Text())
			}
		}
		described := doc.New(p, dir, 0)
		values := func(list []*doc.Value) {
			for _, v := range list {
				for _, name := range v.Names {
					names[name] = token.IsExported(name)
				}
			}
		}
		functions := func(list []*doc.Func, of string) {
			for _, f := range list {
				names[of+f.Name] = true
			}
		}
		values(described.Consts)
		values(described.Vars)
		functions(described.Funcs, "")
		for _, typ := range described.Types {
			names[typ.Name] = true
			values(typ.Consts)
			values(typ.Vars)
			functions(typ.Funcs, "")
			functions(typ.Methods, typ.Name+".")
			for _, spec := range typ.Decl.Specs {
				if s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType); ok {
					for _, field := range s.Fields.List {
						for _, name := range field.Names {
							names[typ.Name+"."+name.Name] = name.IsExported()
						}
					}
				}
			}
		}
	}
	maps.DeleteFunc(names, func(_ string, exported bool) bool { return !exported })
	return names, comments
}

// TestPublicNames holds the size of the public API: what is not for users of the library
// belongs in an internal package, or in one value such as Rendered.
func TestPublicNames(t *testing.T) {
	names, _ := exportedNames(t, ".")
	top := slices.DeleteFunc(slices.Collect(maps.Keys(names)), func(name string) bool { return strings.Contains(name, ".") })
	methods := 0
	parsed := slices.Collect(maps.Keys(names))
	for _, name := range parsed {
		if strings.HasPrefix(name, "Tracker.") {
			methods++
		}
	}
	if len(top) > 350 || methods > 120 {
		t.Errorf("%d exported names and %d methods of Tracker; at most 350 and 120", len(top), methods)
	}
}

var docLink = regexp.MustCompile(`\[\*?([A-Z]\w+(?:\.[A-Z]\w*)?)\]`)

// TestDocLinks finds links in comments to names that do not exist.
func TestDocLinks(t *testing.T) {
	for _, dir := range []string{
		".", "freight", "store", "storage", "storage/sqlite", "storage/memory", "storage/storagetest", "httpserver", "client", "jsonapi", "refdata",
		"webhook", "webhook/signature", "webhook/receiver", "blob/dir", "blob/memory", "blob/blobtest", "classify", "classify/extract",
		"source/dcsa", "source/dcsa/simulator", "source/sandbox", "trackingtest",
	} {
		names, comments := exportedNames(t, dir)
		for _, text := range comments {
			for _, link := range docLink.FindAllStringSubmatch(text, -1) {
				if !names[link[1]] {
					t.Errorf("%s: a comment links to %s, which is no exported name: %.80q", dir, link[1], text)
				}
			}
		}
	}
}
