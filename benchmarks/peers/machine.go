package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// surroundings are what the figures depend on, besides the code. None of them names a
// person, a host or a path.
type surroundings struct {
	when       time.Time
	commit     string
	dirty      bool
	processor  string
	cores      int
	memory     string
	system     string
	background string // load of the machine before the run
}

// unknown stands for what this system does not tell.
const unknown = "unknown"

func lookAround(ctx context.Context) surroundings {
	s := surroundings{
		when: time.Now().UTC(), cores: runtime.NumCPU(), processor: field("/proc/cpuinfo", "model name"),
		system: runtime.GOOS + "/" + runtime.GOARCH, memory: unknown, background: unknown,
	}
	if kernel, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		s.system += ", kernel " + strings.TrimSpace(string(kernel))
	}
	if kb, err := strconv.Atoi(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB")); err == nil {
		s.memory = fmt.Sprintf("%.0f GB", float64(kb)/(1<<20))
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		s.background, _, _ = strings.Cut(string(load), " ")
	}
	s.commit = git(ctx, "rev-parse", "HEAD")
	s.dirty = git(ctx, "status", "--porcelain", "--", ":/", ":(exclude,top)"+resultsFile) != ""
	return s
}

// git answers in one line, or not.
func git(ctx context.Context, args ...string) string {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return unknown
	}
	return strings.TrimSpace(string(out))
}

// field is the first value of that name in a file of /proc.
func field(file, name string) string {
	f, err := os.Open(file)
	if err != nil {
		return unknown
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}

// version is that of a module in this program.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	for _, m := range info.Deps {
		if m.Path == module {
			return m.Version
		}
	}
	return unknown
}
