//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of the processors.
func cpuTime() time.Duration { return usage(syscall.RUSAGE_SELF) }

// childTime is what those of its children have used that have ended.
func childTime() time.Duration { return usage(syscall.RUSAGE_CHILDREN) }

func usage(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
