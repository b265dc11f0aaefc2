// Package docstrings reads from Go source what programs do not know of
// themselves: the comments of types and fields, and the values of types that are
// texts.
package docstrings

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Type is what the source says of a type.
type Type struct {
	// Doc is its comment.
	Doc string `json:"doc,omitempty"`
	// Fields are the comments of its fields, by name.
	Fields map[string]string `json:"fields,omitempty"`
	// Values are the constants of a type that is a text, in the order of the
	// source.
	Values []string `json:"values,omitempty"`
}

// Read adds to types what the Go files of a directory, tests aside, say of their
// types. Names are led by the package's: "tracking.Shipment".
func Read(dir string, types map[string]*Type) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	read := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		read++
		r := reader{pkg: file.Name.Name, types: types}
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok {
				r.declaration(d)
			}
		}
	}
	if read == 0 {
		return &os.PathError{Op: "read Go files in", Path: dir, Err: os.ErrNotExist}
	}
	return nil
}

type reader struct {
	pkg   string
	types map[string]*Type
}

func (r *reader) of(name string) *Type {
	name = r.pkg + "." + name
	if r.types[name] == nil {
		r.types[name] = &Type{}
	}
	return r.types[name]
}

func (r *reader) declaration(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			r.typeSpec(d, s)
		case *ast.ValueSpec:
			if d.Tok == token.CONST {
				r.constants(s)
			}
		}
	}
}

// typeSpec notes a struct whose fields have tags, with the comments of these, and
// any type that is a text.
func (r *reader) typeSpec(d *ast.GenDecl, s *ast.TypeSpec) {
	text := said(s.Doc)
	if text == "" && len(d.Specs) == 1 {
		text = said(d.Doc)
	}
	switch body := s.Type.(type) {
	case *ast.StructType:
		fields := map[string]string{}
		tagged := 0
		for _, f := range body.Fields.List {
			if f.Tag == nil {
				continue
			}
			tagged++
			about := said(f.Doc)
			if about == "" {
				about = said(f.Comment)
			}
			if about != "" && len(f.Names) > 0 && f.Names[0].Name != "_" {
				fields[f.Names[0].Name] = about
			}
		}
		if tagged > 0 {
			t := r.of(s.Name.Name)
			t.Doc, t.Fields = text, fields
		}
	case *ast.Ident:
		if body.Name == "string" {
			r.of(s.Name.Name).Doc = text
		}
	}
}

// constants notes those that name their type and are a text.
func (r *reader) constants(s *ast.ValueSpec) {
	typ, ok := s.Type.(*ast.Ident)
	if !ok || typ.Name == "string" {
		return
	}
	for _, v := range s.Values {
		lit, ok := v.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			continue
		}
		if text, err := strconv.Unquote(lit.Value); err == nil {
			t := r.of(typ.Name)
			t.Values = append(t.Values, text)
		}
	}
}

// said is a comment as one line.
func said(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
