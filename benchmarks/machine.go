package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// surroundings are what the figures depend on, besides the code. None of them
// names a person, a host or a path.
type surroundings struct {
	when           time.Time
	commit         string
	dirty          bool
	processor      string
	cores          int
	memory         string
	system         string
	fileSystem     string
	goVersion      string
	background     string // load of the machine before the run
	parallel, gogc int
}

// unknown stands for what this system does not tell.
const unknown = "unknown"

func lookAround(ctx context.Context, dir string) surroundings {
	s := surroundings{
		when: time.Now().UTC(), cores: runtime.NumCPU(), parallel: runtime.GOMAXPROCS(0), gogc: gcPercent,
		goVersion: runtime.Version(), processor: field("/proc/cpuinfo", "model name"),
		system: runtime.GOOS + "/" + runtime.GOARCH, fileSystem: fileSystem(dir), memory: unknown, background: unknown,
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

// fileSystem is the type of the file system that holds dir.
func fileSystem(dir string) string {
	table, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return unknown
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return unknown
	}
	best, name := "", unknown
	for line := range strings.Lines(string(table)) {
		parts := strings.Fields(line)
		if len(parts) < 3 {
			continue
		}
		at := parts[1]
		if within := at == "/" || dir == at || strings.HasPrefix(dir, at+"/"); within && len(at) >= len(best) {
			best, name = at, parts[2]
		}
	}
	return name
}

// sqliteVersion reads which SQLite wrote a file from its header.
func sqliteVersion(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	header := make([]byte, 100)
	if _, err := io.ReadFull(f, header); err != nil {
		return "", err
	}
	n := binary.BigEndian.Uint32(header[96:])
	return fmt.Sprintf("%d.%d.%d", n/1_000_000, n/1000%1000, n%1000), nil
}
