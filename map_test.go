package tracking_test

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var updateMap = flag.Bool("update-map", false, "write docs/map.txt again")

// TestMap compares docs/map.txt with the imports of the packages. A package stands one
// floor above the highest that it imports, so every arrow points down.
func TestMap(t *testing.T) {
	imports := packageImports(t)
	floors := map[string]int{}
	var floor func(string) int
	floor = func(pkg string) int {
		if n, known := floors[pkg]; known {
			return n
		}
		n := 0
		for _, below := range imports[pkg] {
			n = max(n, floor(below)+1)
		}
		floors[pkg] = n
		return n
	}
	top := 0
	for pkg := range imports {
		top = max(top, floor(pkg))
	}
	var b strings.Builder
	b.WriteString("Packages and what they import of this module, tests aside. Written by TestMap.\n")
	for n := top; n >= 0; n-- {
		fmt.Fprintf(&b, "\nfloor %d\n", n)
		for _, pkg := range slices.Sorted(maps.Keys(imports)) {
			if floors[pkg] == n {
				b.WriteString(strings.TrimRight(fmt.Sprintf("  %-28s -> %s", pkg, strings.Join(imports[pkg], ", ")), " ->") + "\n")
			}
		}
	}
	const file = "docs/map.txt"
	if *updateMap {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if written, err := os.ReadFile(file); err != nil || string(written) != b.String() {
		t.Errorf("%s is not how the packages import one another (%v): go test . -run='^TestMap$' -update-map", file, err)
	}
}

// packageImports returns for each package of the module and of its nested modules what it
// imports of them, sorted. The root is ".".
func packageImports(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(file string, e fs.DirEntry, err error) error {
		file = filepath.ToSlash(file)
		if err != nil || e.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(file)
		list := imports[pkg]
		for _, spec := range parsed.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if name == module {
				list = append(list, ".")
			} else if below, ours := strings.CutPrefix(name, module+"/"); ours {
				list = append(list, below)
			}
		}
		slices.Sort(list)
		imports[pkg] = slices.Compact(list)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}
