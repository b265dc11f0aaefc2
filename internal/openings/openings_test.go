package openings

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// sink is where a Counter writes.
type sink struct {
	mu     sync.Mutex
	stored map[string]Count
	number int64 // of the last batch
	writes int
	fails  bool
}

func (s *sink) write(_ context.Context, batch Batch[string]) map[string]Count {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	if s.fails {
		return batch.Counts
	}
	s.number = batch.Number
	for key, n := range batch.Counts {
		s.stored[key] = s.stored[key].plus(n)
	}
	return nil
}

func (s *sink) counted(key string) (Count, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stored[key], s.writes
}

var noon = time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)

// TestPace: a thousand openings in a minute are a write every few seconds, and each counts.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sink{stored: map[string]Count{}}
		c := New(s.write)
		defer c.Close()
		for range 1000 {
			c.Add("a", noon)
			time.Sleep(time.Minute / 1000)
		}
		c.Add("b", noon.Add(time.Second))
		time.Sleep(2 * Pace)
		a, writes := s.counted("a")
		if most := int(time.Minute/Pace) + 2; a.N != 1000 || writes > most || writes < 2 {
			t.Errorf("%d openings in %d writes, want 1000 in at most %d", a.N, writes, most)
		}
		if b, _ := s.counted("b"); b != (Count{1, noon.Add(time.Second)}) {
			t.Errorf("another key has %+v", b)
		}
	})
}

// TestRead: a reader finds each opening once, stored or not written yet, whatever is written
// while it reads.
func TestRead(t *testing.T) {
	s := &sink{stored: map[string]Count{}}
	c := New(s.write)
	c.pace = time.Microsecond
	for n := range 2000 {
		c.Add("a", noon)
		unwritten := c.Unwritten()
		if n%3 == 0 {
			time.Sleep(time.Microsecond)
		}
		s.mu.Lock()
		got := s.stored["a"].N + unwritten.After(s.number, "a").N
		s.mu.Unlock()
		if got != n+1 {
			t.Fatalf("%d openings are read after %d", got, n+1)
		}
	}
	c.Close()
}

// TestFailures: what could not be written is written later, and at the latest by Close.
func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sink{stored: map[string]Count{}, fails: true}
		c := New(s.write)
		c.Add("a", noon)
		time.Sleep(3 * Pace)
		c.Add("a", noon.Add(time.Hour))
		s.mu.Lock()
		s.fails = false
		s.mu.Unlock()
		c.Close()
		c.Add("a", noon) // is not counted
		c.Close()
		if a, writes := s.counted("a"); a != (Count{2, noon.Add(time.Hour)}) || writes < 3 {
			t.Errorf("%+v after %d writes", a, writes)
		}
	})
}
