package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// figures are what one load gives. A rate of 0 was not measured.
type figures struct {
	perSecond, p50, p99 float64 // us
	cpu                 float64 // us of the server for a request
	bytes               float64 // of the answer
}

// medians are those of each figure on its own.
func medians(rounds []figures) figures {
	of := func(figure func(figures) float64) float64 {
		var all []float64
		for _, f := range rounds {
			all = append(all, figure(f))
		}
		return median(all)
	}
	return figures{of(rate), of(func(f figures) float64 { return f.p50 }), of(func(f figures) float64 { return f.p99 }),
		of(func(f figures) float64 { return f.cpu }), of(func(f figures) float64 { return f.bytes })}
}

func rate(f figures) float64 { return f.perSecond }

func median[T cmp.Ordered](values []T) (none T) {
	if len(values) == 0 {
		return none
	}
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}

// compared is a rate over another, round by round. All are 0 when one was not measured.
type compared struct{ mid, least, most float64 }

func compare(one, other []figures) compared {
	var all []float64
	for i := range min(len(one), len(other)) {
		if other[i].perSecond > 0 {
			all = append(all, one[i].perSecond/other[i].perSecond)
		}
	}
	if len(all) == 0 {
		return compared{}
	}
	return compared{median(all), slices.Min(all), slices.Max(all)}
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// watch measures how long something takes, and how much of the processors.
type watch struct {
	begin time.Time
	used  time.Duration
	cpu   func() time.Duration
}

func startWatch(cpu func() time.Duration) *watch { return &watch{time.Now(), cpu(), cpu} }

// figures are those of n operations since the watch was started.
func (w *watch) figures(n int) figures {
	took := time.Since(w.begin)
	return figures{perSecond: float64(n) / took.Seconds(), cpu: micros(w.cpu()-w.used) / float64(max(1, n))}
}

// requests makes the requests of a load, at most n where each is sent once.
type requests func(n int) ([][]byte, error)

// side is one server that answers to a load.
type side struct {
	name, addr string
	cpu        func() time.Duration // what the server has used
	requests   requests
	// wants is what an answer must have; empty for nothing.
	wants string
	of    []figures // by round
}

// load is what is asked of several servers in turn.
type load struct {
	name        string
	connections int
	once        bool
	sides       []*side
}

func (l *load) add(name, addr string, cpu func() time.Duration, r requests) {
	l.sides = append(l.sides, &side{name: name, addr: addr, cpu: cpu, requests: r})
}

// of are the figures of the side of that name; none if it was not measured.
func (l *load) of(name string) []figures {
	for _, s := range l.sides {
		if s.name == name {
			return s.of
		}
	}
	return nil
}

// run loads one server for a while.
func (l *load) run(ctx context.Context, s *side, each time.Duration, seed uint64) error {
	all, err := s.requests(int(each.Seconds()*writesPerSecond) + l.connections)
	if err != nil {
		return err
	}
	j := job{Addr: s.addr, Requests: all, Once: l.once, Connections: l.connections, Seed: seed, Each: each}
	if !l.once {
		j.Warm = each / 10
	}
	var w *watch
	var used figures
	o, err := underLoad(ctx, j, func() { w = startWatch(s.cpu) }, func() { used = w.figures(1) })
	if err == nil && o.Requests == 0 {
		err = fmt.Errorf("no request was answered in %s", each)
	}
	if err != nil {
		return fmt.Errorf("%s, %s: %w", l.name, s.name, err)
	}
	n := float64(o.Requests)
	s.of = append(s.of, figures{n / o.Took.Seconds(), micros(o.P50), micros(o.P99), used.cpu / n, float64(o.Bytes) / n})
	return nil
}
