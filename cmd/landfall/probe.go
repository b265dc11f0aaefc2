//go:build landfall_probe && unix

package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/metrics"
	"syscall"
	"unsafe"
)

// A program that is built with the tag landfall_probe tells of its memory in one
// line on standard error for each SIGUSR1. It is for the soak (faults), and in no
// program that is handed out.
func init() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		for range asked {
			fmt.Fprintln(os.Stderr, probe())
		}
	}()
}

// probe tells, in bytes, what the last collection found in use and what the
// runtime keeps beside heap and stacks, the number of goroutines, and an address of
// the heap: its place differs from run to run.
func probe() string {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/sched/goroutines:goroutines"},
		{Name: "/memory/classes/metadata/mcache/free:bytes"},
		{Name: "/memory/classes/metadata/mcache/inuse:bytes"},
		{Name: "/memory/classes/metadata/mspan/free:bytes"},
		{Name: "/memory/classes/metadata/mspan/inuse:bytes"},
		{Name: "/memory/classes/metadata/other:bytes"},
		{Name: "/memory/classes/other:bytes"},
		{Name: "/memory/classes/profiling/buckets:bytes"},
	}
	metrics.Read(samples)
	books := uint64(0)
	for _, s := range samples[2:] {
		books += s.Value.Uint64()
	}
	return fmt.Sprintf("probe: live=%d books=%d goroutines=%d heap=%d",
		samples[0].Value.Uint64(), books, samples[1].Value.Uint64(), uintptr(unsafe.Pointer(&samples[0])))
}
