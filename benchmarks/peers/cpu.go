package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of the times in /proc.
const tick = 10 * time.Millisecond

// process is one process, as /proc shows it.
type process struct {
	parent    int
	own, gone time.Duration // CPU of itself, and of its children that have ended
}

// readProcess returns nothing on systems without /proc.
func readProcess(pid string) (p process) {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return p
	}
	// The name is in parentheses, and may have spaces.
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return p
	}
	number := func(i int) int { n, _ := strconv.Atoi(fields[i]); return n }
	p.parent = number(1)
	p.own = time.Duration(number(11)+number(12)) * tick
	p.gone = time.Duration(number(13)+number(14)) * tick
	return p
}

// cpuOf is what a process has used of the processors.
func cpuOf(pid int) time.Duration { return readProcess(fmt.Sprint(pid)).own }

// cpuWithChildren is what a process and its children have used.
func cpuWithChildren(pid int) time.Duration {
	self := readProcess(fmt.Sprint(pid))
	all := self.own + self.gone
	found, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range found {
		if p := readProcess(filepath.Base(dir)); p.parent == pid {
			all += p.own
		}
	}
	return all
}
