//go:build linux

package extract

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// setGroup gives a process its own group, so that its own children are killed with it.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a process group. It is no error if it has ended.
func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// limitMemory bounds this process's memory, files and core dumps. What compiling has left
// mapped but unused counts as memory, so a file is given leastData more than that in any case.
// Where PDFium need not be compiled, about as much of most is left for it. The stacks of threads
// that start later count as memory too, 8 MiB each, although they are hardly used: a busy machine
// makes the runtime start more of them.
func limitMemory(most int64) error {
	const leastData = 192 << 20
	most = max(most, dataSize()+leastData) + threadStacks + detectorMemory
	return errors.Join(
		unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: uint64(most), Max: uint64(most)}),
		unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
	)
}

// resetPeakMemory makes the present memory the most that this process had, so that getrusage shows
// what files took without what compiling took, which depends on how busy the machine is. Where
// the kernel cannot do so, it shows both.
func resetPeakMemory() { os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// dataSize returns how much writable memory is mapped, in bytes. Where there is no /proc, it is
// that of Go and of eight threads, each with a stack of C.
func dataSize() int64 {
	var pages [6]int64
	text, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(text), &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5])
	}
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.Sys) + 8*(8<<20)
	}
	return pages[5] * int64(os.Getpagesize())
}

// lowPriority lets other processes have the processor first.
func lowPriority() { unix.Setpriority(unix.PRIO_PROCESS, 0, 10) }

// limitProcess bounds the CPU time of another process. It has the other limits of this one.
func limitProcess(pid int, cpu time.Duration) error {
	return unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds(cpu), Max: seconds(cpu)}, nil)
}

// cpuWatch exits the process when the CPU time of the current file is used up.
type cpuWatch struct{ each, life time.Duration }

func watchCPU(each, life time.Duration) cpuWatch {
	up := make(chan os.Signal, 1)
	signal.Notify(up, unix.SIGXCPU)
	go func() {
		<-up
		os.Exit(exitCPU)
	}()
	return cpuWatch{each, life}
}

// begin sets the CPU limit of a file, in whole seconds as the kernel counts it. The hard
// limit stays the same, because it cannot be raised. It permits the full time to each file
// that starts before the end of childConfig.Life.
func (w cpuWatch) begin() error {
	used, err := usedCPU()
	if err != nil {
		return err
	}
	hard := seconds(w.life + w.each + time.Second)
	return unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: min(seconds(used+w.each), hard), Max: hard})
}

// expired reports whether childConfig.Life is used up.
func (w cpuWatch) expired() (bool, error) {
	used, err := usedCPU()
	return used >= w.life, err
}

func usedCPU() (time.Duration, error) {
	var used unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), err
}

// seconds rounds up.
func seconds(d time.Duration) uint64 { return uint64((d + time.Second - 1) / time.Second) }
