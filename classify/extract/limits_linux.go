//go:build linux

package extract

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// group gives a process a group of its own, so that it is killed with whatever it
// may start.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills a process with its group. One that has ended is no error.
func endGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// limit bounds memory, CPU time, files and core dumps of another process.
func limit(pid int, l Limits) error {
	seconds := uint64((l.CPU + time.Second - 1) / time.Second)
	for resource, most := range map[int]uint64{
		unix.RLIMIT_DATA:  uint64(l.Memory),
		unix.RLIMIT_CPU:   seconds,
		unix.RLIMIT_FSIZE: 0,
		unix.RLIMIT_CORE:  0,
	} {
		err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) { // one that ended already says why itself
			return err
		}
	}
	return nil
}

// limitMemory bounds this process's memory, files and core dumps.
func limitMemory(most int64) error {
	return errors.Join(
		unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: uint64(most), Max: uint64(most)}),
		unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
	)
}

// watchCPU has the process exit when the CPU time of the file at hand is up. The
// function that it returns begins a file.
func watchCPU() func(each time.Duration) error {
	up := make(chan os.Signal, 1)
	signal.Notify(up, unix.SIGXCPU)
	go func() {
		<-up
		os.Exit(exitCPU)
	}()
	return func(each time.Duration) error {
		var used unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
			return err
		}
		soft := uint64(used.Utime.Sec+used.Stime.Sec) + 1 + uint64(each/time.Second)
		hard := uint64(childLife / time.Second)
		return unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: min(soft, hard), Max: hard})
	}
}
