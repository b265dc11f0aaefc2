package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"time"
)

const (
	pageSize = 30
	// readers and callers are how many requests are made at a time, to read and to write.
	readers, callers = 16, 64
	// mostSingles is how many single shipments are asked for.
	mostSingles = 5_000
	// writesPerSecond is more than any server takes.
	writesPerSecond = 8_000
	// carrier is the one whose shipments are filtered: one of eight.
	carrier = "MAEU"
)

// run is one run: all servers, filled with the same records, and loaded in turn.
type run struct {
	plan
	dir      string
	progress io.Writer
	begun    time.Time
	random   *rand.Rand

	from source
	held *held
	// skipped says of each peer that is not there why.
	skipped []string
	ends    []func() error

	page, single, deep, filtered, write *load
	backlog                             *backlog
	drains                              []*drain

	around   surroundings
	postgres string // its version; empty if it is not there
}

// drain is one that delivers the backlog.
type drain struct {
	name    string
	deliver func(context.Context) (figures, error)
	of      []figures // by round
}

func (r *run) say(format string, args ...any) {
	fmt.Fprintf(r.progress, "%4.0f s  %s\n", time.Since(r.begun).Seconds(), fmt.Sprintf(format, args...))
}

// skip leaves a peer out, in one line.
func (r *run) skip(what string, why error) {
	line := fmt.Sprintf("%s: left out: %v", what, why)
	r.skipped = append(r.skipped, line)
	r.say("%s", line)
}

// atEnd calls fn when the run ends.
func (r *run) atEnd(fn func() error) { r.ends = append(r.ends, fn) }

// end ends what was started, the last first.
func (r *run) end() (err error) {
	for i := len(r.ends) - 1; i >= 0; i-- {
		err = errors.Join(err, r.ends[i]())
	}
	return err
}

// loads are in the order in which they are shown.
func (r *run) loads() []*load { return []*load{r.page, r.single, r.deep, r.filtered, r.write} }

// measure starts and fills all servers, and loads them in turn.
func (r *run) measure(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, r.end()) }()
	r.random = rand.New(rand.NewPCG(r.seed, 4))
	if busy, err := strconv.ParseFloat(r.around.background, 64); err == nil && busy > float64(r.around.cores)/4 {
		r.say("the load average is %s: this machine is not quiet, and the figures will tell", r.around.background)
	}
	r.page = &load{name: "page of 30 with includes", connections: readers}
	r.single = &load{name: "one shipment", connections: readers}
	r.deep = &load{name: "deep page", connections: readers}
	r.filtered = &load{name: "page of one carrier", connections: readers}
	r.write = &load{name: "write", connections: callers, once: true}
	for _, start := range []func(context.Context) error{r.startOurs, r.startPocketBase, r.startNaive, r.startBacklog, r.startPostgres} {
		if err := start(ctx); err != nil {
			return err
		}
	}
	for _, l := range r.loads() {
		for _, s := range l.sides {
			if err := try(s); err != nil {
				return fmt.Errorf("%s, %s: %w", l.name, s.name, err)
			}
		}
	}
	if err := r.warmUp(ctx); err != nil {
		return err
	}
	for n := range r.rounds {
		if err := r.round(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// warmUp loads each side for a moment: how long connections, statements and pages take when
// they are new is not what is measured.
func (r *run) warmUp(ctx context.Context) error {
	r.say("warming up")
	for _, l := range r.loads() {
		for _, s := range l.sides {
			if err := l.run(ctx, s, r.each/4, r.seed); err != nil {
				return err
			}
			s.of = nil
		}
	}
	return nil
}

// round loads each side once, all in random order.
func (r *run) round(ctx context.Context, n int) error {
	var all []func() error
	for _, l := range r.loads() {
		for _, s := range l.sides {
			all = append(all, func() error { return l.run(ctx, s, r.each, r.random.Uint64()) })
		}
	}
	for _, d := range r.drains {
		all = append(all, func() error {
			f, err := d.deliver(ctx)
			if err != nil {
				return fmt.Errorf("deliveries, %s: %w", d.name, err)
			}
			d.of = append(d.of, f)
			return nil
		})
	}
	r.say("round %d of %d: %d loads", n+1, r.rounds, len(all))
	for _, i := range r.random.Perm(len(all)) {
		if err := all[i](); err != nil {
			return err
		}
	}
	return nil
}

// startServer starts a server as a process of its own, until the end of the run.
func (r *run) startServer(ctx context.Context, role string, with, answer any) (*child, error) {
	r.say("starting and filling: %s", role)
	c, err := startServer(ctx, role, with, answer)
	if err == nil {
		r.atEnd(c.end)
	}
	return c, err
}

func (r *run) file(name string) string { return filepath.Join(r.dir, name) }

// deepPage is a page so far from the first that its depth matters.
func (r *run) deepPage() int { return max(1, r.from.Total/pageSize*9/10) }

// reads adds a server with our interface to the loads that read pages, with what its
// requests end in.
func (r *run) reads(name, addr, key, more string, cpu func() time.Duration) {
	r.page.add(name, addr, cpu, getPage(addr, key, 1, more))
	r.deep.add(name, addr, cpu, getPage(addr, key, r.deepPage(), more))
	r.filtered.add(name, addr, cpu, getPage(addr, key, 1, "&filter%5Bscac%5D="+carrier+more))
}

// getPage asks for a page with all that clients usually include.
func getPage(addr, key string, page int, more string) requests {
	return one(wire(http.MethodGet, addr, pagePath(page, pageSize, "&include="+includes+more), key, ""))
}

// singles adds a server with our interface to the load of single shipments.
func (r *run) singles(name, addr, key string, cpu func() time.Duration) {
	r.single.add(name, addr, cpu, r.eachShipment(func(id string) []byte {
		return wire(http.MethodGet, addr, "/v2/shipments/"+id, key, "")
	}))
}

// eachShipment asks for some of the shipments.
func (r *run) eachShipment(request func(id string) []byte) requests {
	return func(int) (all [][]byte, err error) {
		for _, id := range r.held.shipments[:min(mostSingles, len(r.held.shipments))] {
			all = append(all, request(id))
		}
		return all, nil
	}
}

// writes adds a server to the load that writes.
func (r *run) writes(name, addr string, cpu func() time.Duration, request func(box, movement) ([]byte, error)) {
	r.write.add(name, addr, cpu, func(n int) (all [][]byte, err error) {
		boxes, moves := r.held.movements(n)
		for i := range boxes {
			one, err := request(boxes[i], moves[i])
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	})
}

// one is a load of one request.
func one(request []byte) requests {
	return func(int) ([][]byte, error) { return [][]byte{request}, nil }
}

// try sends one request, and checks what a load does not look at.
func try(s *side) error {
	all, err := s.requests(1)
	if err != nil {
		return err
	}
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	if _, err := conn.Write(all[0]); err != nil {
		return err
	}
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		return err
	case r.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: %.500s", r.Status, body)
	case s.wants != "" && !bytes.Contains(body, []byte(s.wants)):
		return fmt.Errorf("an answer without %s: %.500s", s.wants, body)
	}
	return nil
}
