//go:build !linux

package extract

import (
	"os/exec"
	"time"
)

// On other systems than Linux there are no limits by the kernel, only those of time, pages
// and words, and those of the Go runtime.

func setGroup(cmd *exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func limitMemory(most int64) error { return nil }

func resetPeakMemory() {}

func lowPriority() {}

func limitProcess(pid int, cpu time.Duration) error { return nil }

type cpuWatch struct{}

func watchCPU(each, life time.Duration) cpuWatch { return cpuWatch{} }

func (cpuWatch) begin() error { return nil }

func (cpuWatch) expired() (bool, error) { return false, nil }
