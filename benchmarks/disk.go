package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// probe measures what the disk needs for the least that is durable: to write 4
// KB and to fsync them. It writes where it has written before, as SQLite does
// in its log.
type probe struct {
	file *os.File
	at   int64
}

const (
	probeBlock = 4 << 10
	probeSize  = 4 << 20
)

func newProbe(dir string) (*probe, error) {
	f, err := os.Create(filepath.Join(dir, "probe"))
	if err != nil {
		return nil, err
	}
	p := &probe{file: f}
	if _, err := f.Write(make([]byte, probeSize)); err != nil {
		return nil, err
	}
	return p, f.Sync()
}

// sample writes some times and returns the median in microseconds.
func (p *probe) sample(times int) (float64, error) {
	took := make([]float64, times)
	block := make([]byte, probeBlock)
	for i := range took {
		block[0] = byte(i)
		begin := time.Now()
		if _, err := p.file.WriteAt(block, p.at); err != nil {
			return 0, err
		}
		if err := p.file.Sync(); err != nil {
			return 0, err
		}
		took[i] = micros(time.Since(begin))
		p.at = (p.at + probeBlock) % probeSize
	}
	return median(took), nil
}

func (p *probe) close() error { return p.file.Close() }

// What a shipment takes on the disk at most, in bytes, logs included: one that
// the engine has made, with its facts, and a copy without.
const (
	spaceOfMade   = 80 << 10
	spaceOfCopied = 34 << 10
	spaceOfOthers = 4 << 30 // the log, the naive tables, what updates add, and the backlogs of notifications
)

// enoughSpace refuses to fill a disk.
func enoughSpace(dir string, s sizes) error {
	free, err := freeSpace(dir)
	if err != nil {
		return err
	}
	need := int64(s.few+s.working)*spaceOfMade + int64(s.large)*spaceOfCopied + spaceOfOthers
	if free < need {
		return fmt.Errorf("%d shipments need some %.1f GB and the disk has %.1f GB free: give fewer -shipments, or a -dir on another disk", s.large, gigabytes(need), gigabytes(free))
	}
	return nil
}

func gigabytes(bytes int64) float64 { return float64(bytes) / (1 << 30) }
