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
	for resource, most := range map[int]uint64{
		unix.RLIMIT_DATA:  uint64(l.Memory),
		unix.RLIMIT_CPU:   seconds(l.CPU),
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

// cpuWatch has the process exit when the CPU time of the file at hand is up.
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

// begin gives a file its CPU time, rounded up to whole seconds as the kernel counts
// it. The hard limit is the same each time: it cannot be raised again. It leaves
// each file that is begun before the end of the life its full time.
func (w cpuWatch) begin() error {
	used, err := usedCPU()
	if err != nil {
		return err
	}
	hard := seconds(w.life + w.each + time.Second)
	return unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: min(seconds(used+w.each), hard), Max: hard})
}

// over reports whether the process has lived long enough.
func (w cpuWatch) over() (bool, error) {
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
