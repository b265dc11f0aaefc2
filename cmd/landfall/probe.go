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

// With the build tag landfall_probe, the program prints one line about its memory
// to standard error for each SIGUSR1. The tag is for the soak test in faults;
// released programs are built without it.
func init() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		for range asked {
			fmt.Fprintln(os.Stderr, probe())
		}
	}()
}

// probe returns, in bytes, the heap in use after the last collection and the memory
// that the runtime uses besides heap and stacks; the number of goroutines; and an
// address in the heap, which differs between runs.
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
