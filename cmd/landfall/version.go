package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

var versionCommand = command{
	name:  "version",
	about: "print the version and build of the program",
	declare: func(*flags) action {
		return func(_ context.Context, p *program, _ []string) error {
			fmt.Fprintln(p.stdout, version())
			return nil
		}
	},
}

// release returns the version alone: v1.2.0.
func release() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}

// version describes the build: landfall v1.2.0 (1f0c9e2d4b5a, 2026-11-21T10:00:00Z, go1.26.8, linux/amd64).
func version() string {
	details := []string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				details = append(details, s.Value[:min(12, len(s.Value))])
			case s.Key == "vcs.time":
				details = append(details, s.Value)
			case s.Key == "vcs.modified" && s.Value == "true":
				details = append(details, "modified")
			}
		}
	}
	details = append(details, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	return fmt.Sprintf("landfall %s (%s)", release(), strings.Join(details, ", "))
}
