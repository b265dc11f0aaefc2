// Package program knows the version of the program that it is part of.
package program

import (
	"reflect"
	"runtime/debug"
	"strings"
)

type here struct{}

// Version returns the version of the module landfallhq/tracking that the program was built
// from, such as v1.2.0; empty if Go has not built it in.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	module := strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/program")
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Version != "(devel)" {
			return m.Version
		}
	}
	return ""
}
