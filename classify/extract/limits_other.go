//go:build !linux

package extract

import (
	"os/exec"
	"time"
)

// Elsewhere than on Linux the limits of the kernel are not used: what remains are
// those of time, pages and words, and those that Go keeps itself.

func group(cmd *exec.Cmd) {}

func endGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func limit(pid int, l Limits) error { return nil }

func limitMemory(most int64) error { return nil }

type cpuWatch struct{}

func watchCPU(each, life time.Duration) cpuWatch { return cpuWatch{} }

func (cpuWatch) begin() error { return nil }

func (cpuWatch) over() (bool, error) { return false, nil }
