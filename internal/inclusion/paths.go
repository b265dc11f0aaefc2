package inclusion

import (
	"slices"
	"strings"
)

// Paths is what to include.
type Paths []path

// path is one step, and the steps that follow it.
type path struct {
	name string
	bit  uint64 // its own among all steps
	next Paths  // by name
}

// Paths checks dotted paths that begin at a type against the relationships that
// there are.
func (g *Graph[Tx]) Paths(typ string, include []string) (Paths, error) {
	if len(include) == 0 {
		return nil, nil
	}
	all, bit := make(Paths, 0, len(include)), uint64(1)
	for _, dotted := range include {
		types, at := []string{typ}, &all
		for more := true; more; {
			var name string
			name, dotted, more = strings.Cut(dotted, ".")
			if to, ok := g.Aliases[name]; ok {
				name = to
			}
			next, ok := g.targets(types, name)
			if !ok {
				return nil, refuse("'%s' is not specified as a relationship on %s", name, strings.Join(types, " or "))
			}
			i := at.index(name)
			if i < 0 {
				i = len(*at)
				*at = append(*at, path{name: name, bit: bit})
				bit <<= 1
			}
			types, at = next, &(*at)[i].next
		}
	}
	if bit == 0 {
		return nil, refuse("include names more than %d relationships", maxSteps)
	}
	all.sort()
	return all, nil
}

func (p Paths) sort() {
	slices.SortFunc(p, func(a, b path) int { return strings.Compare(a.name, b.name) })
	for _, step := range p {
		step.next.sort()
	}
}

// index returns the index of the step with a name; -1 for none.
func (p Paths) index(name string) int {
	for i := range p {
		if p[i].name == name {
			return i
		}
	}
	return -1
}

// First returns the first relationship in the paths that match accepts; empty for none.
func (p Paths) First(match func(name string) bool) string {
	for _, step := range p {
		if match(step.name) {
			return step.name
		}
		if name := step.next.First(match); name != "" {
			return name
		}
	}
	return ""
}

// Names reports whether a relationship of this name is in the paths.
func (p Paths) Names(name string) bool {
	return p.First(func(n string) bool { return n == name }) != ""
}

// targets returns the types that a relationship of any of the types leads to.
func (g *Graph[Tx]) targets(types []string, name string) (next []string, ok bool) {
	for _, typ := range types {
		schema := g.Schemas[typ]
		if schema == nil {
			continue
		}
		f, has := schema.Relationship(name)
		switch {
		case has && !ok:
			next, ok = slices.Clip(f.Types), true // nearly always all there is
		case has:
			next = append(next, f.Types...)
		}
	}
	return next, ok
}
