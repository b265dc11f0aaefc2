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

// limit bounds memory, CPU time, files and core dumps of another process.
func limit(pid int, l Limits) error {
	for resource, most := range map[int]uint64{
		unix.RLIMIT_DATA:  uint64(l.Memory),
		unix.RLIMIT_CPU:   seconds(l.CPU),
		unix.RLIMIT_FSIZE: 0,
		unix.RLIMIT_CORE:  0,
	} {
		err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) { // a process that has ended reports the cause by its exit
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
