package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage"
)

// oursConfig is the configuration of the process of our server.
type oursConfig struct{ File string }

// oursServes are the addresses of our server without caches and with them, on one file.
type oursServes struct{ Plain, Cached string }

// What the server with caches has: those of the program.
const (
	cacheBytes  = 64 << 20
	answerBytes = 32 << 20
)

// quiet discards the log.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// oursMain is the process of our server, with its background work.
func oursMain(ctx context.Context, p *parent) (err error) {
	var c oursConfig
	if err := p.hear(&c); err != nil {
		return err
	}
	var serves oursServes
	var operators []*tracking.Tracker
	defer func() {
		for _, t := range operators {
			err = errors.Join(err, t.Close())
		}
	}()
	for _, s := range []struct {
		addr  *string
		cache int64
	}{{&serves.Plain, 0}, {&serves.Cached, cacheBytes}} {
		operator, addr, err := serveOurs(ctx, c.File, s.cache)
		if err != nil {
			return err
		}
		operators, *s.addr = append(operators, operator), addr
	}
	working, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = operators[0].Run(working) // it has no error but the end of its context
	}()
	if err = p.say(serves); err == nil {
		p.wait()
	}
	stop()
	<-done
	return err
}

// serveOurs serves a file as the program does: keys are asked for, limits are off.
func serveOurs(ctx context.Context, file string, cache int64) (*tracking.Tracker, string, error) {
	store, err := storage.OpenWith(file, storage.Options{CacheBytes: cache})
	if err != nil {
		return nil, "", err
	}
	operator, err := tracking.New(tracking.Config{Store: store, Logger: quiet})
	if err != nil {
		return nil, "", errors.Join(err, store.Close())
	}
	config := httpserver.Config{
		Tracker: operator, Logger: quiet,
		Limits: httpserver.Limits{Default: -1, Create: -1, Infer: -1, Refresh: -1},
	}
	if cache > 0 {
		config.ListCacheBytes = answerBytes
	}
	addr, err := serveHTTP(ctx, httpserver.New(config))
	if err != nil {
		return nil, "", errors.Join(err, operator.Close())
	}
	return operator, addr, nil
}

// filled is what the program of benchmarks says of the database that it has made.
var filled = regexp.MustCompile(`key (\S+): (\d+) shipments`)

// fillOurs makes a database with the program that measures us alone: the same voyages,
// written by the engine.
func fillOurs(ctx context.Context, file string, shipments int, seed uint64, progress io.Writer) (s source, err error) {
	root, err := rootDirectory(ctx)
	if err != nil {
		return s, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "-C", filepath.Join(root, "benchmarks"), ".",
		"-fill", strconv.Itoa(shipments), "-seed", strconv.FormatUint(seed, 10), "-memory", "1024", "-db", file)
	cmd.Stderr = progress
	out, err := cmd.Output()
	if err != nil {
		return s, fmt.Errorf("filling: %w", err)
	}
	found := filled.FindStringSubmatch(string(out))
	if found == nil {
		return s, fmt.Errorf("filling has said %q", out)
	}
	s.Key = found[1]
	s.Total, err = strconv.Atoi(found[2])
	return s, err
}

// rootDirectory is that of the module which this one replaces.
func rootDirectory(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/landfallhq/tracking")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run this in its own directory, as go run -C does: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// box is a container that the writes are about.
type box struct {
	id, number, port, bill, scac string
}

// held are the records that requests name.
type held struct {
	shipments []string
	boxes     []box
	next      int // place of the next write
	from      time.Time
}

// readHeld reads what our server has.
func readHeld(ctx context.Context, from source, seed uint64) (*held, error) {
	h := &held{from: time.Now().UTC().Truncate(time.Second)}
	err := from.each(ctx, func(all []record) error {
		of := map[string]*shipmentRow{}
		for _, r := range all {
			if s, ok := r.(*shipmentRow); ok {
				of[s.ID] = s
				h.shipments = append(h.shipments, s.ID)
			}
		}
		for _, r := range all {
			if c, ok := r.(*containerRow); ok && of[c.Shipment] != nil {
				s := of[c.Shipment]
				h.boxes = append(h.boxes, box{c.ID, c.Number, textOf(s.PortOfDischargeLOCODE), s.BillOfLadingNumber, textOf(s.ShippingLineSCAC)})
			}
		}
		return nil
	})
	rand.New(rand.NewPCG(seed, 3)).Shuffle(len(h.boxes), func(i, j int) { h.boxes[i], h.boxes[j] = h.boxes[j], h.boxes[i] })
	return h, err
}

// movements are the next n words of terminals, about another container each until all have
// had their turn. No two are alike.
func (h *held) movements(n int) (boxes []box, moves []movement) {
	for range n {
		i := h.next
		h.next++
		b := h.boxes[i%len(h.boxes)]
		boxes = append(boxes, b)
		moves = append(moves, movement{
			Container: b.id, Yard: fmt.Sprintf("Row %d", i), Fee: float64(100 + i), Available: i%2 == 0,
			At: h.from.Add(time.Duration(i/len(h.boxes)) * time.Minute).Format(time.RFC3339),
		})
	}
	return boxes, moves
}

// reportOf is a movement as our interface takes it.
func reportOf(b box, m movement) (string, error) {
	at, err := time.Parse(time.RFC3339, m.At)
	if err != nil {
		return "", err
	}
	f := tracking.Fact{
		Activity: freight.TerminalStatus, Place: tracking.Place{LOCODE: b.port}, SCAC: b.scac,
		Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: b.bill}},
		ID:      fmt.Sprintf("%s/%s/%s", b.bill, b.number, m.Yard),
		At:      tracking.Moment{Time: at}, RecordedAt: at,
		Containers: []string{b.number}, DataSource: freight.FromTerminal,
		Terminal: &freight.TerminalFacts{
			Available: &m.Available, Yard: m.Yard,
			Fees: []tracking.Fee{{Type: "demurrage", Amount: m.Fee, CurrencyCode: "USD"}},
		},
	}
	if !m.Available {
		f.Terminal.Holds = []tracking.Hold{{Name: "customs", Status: "hold"}}
	}
	text, err := json.Marshal(tracking.Report{Source: "benchmark", Facts: []tracking.Fact{f}})
	return string(text), err
}

// The names of our sides.
const (
	ourName   = "ours"
	ourCached = "ours, with caches"
)

// startOurs fills our server and starts it.
func (r *run) startOurs(ctx context.Context) (err error) {
	file := r.file("ours.db")
	if r.from, err = fillOurs(ctx, file, r.shipments, r.seed, r.progress); err != nil {
		return err
	}
	var serves oursServes
	c, err := r.startServer(ctx, roleOurs, oursConfig{file}, &serves)
	if err != nil {
		return err
	}
	r.from.Addr = serves.Plain
	if r.held, err = readHeld(ctx, r.from, r.seed); err != nil {
		return err
	}
	cpu := func() time.Duration { return cpuOf(c.pid()) }
	for _, s := range []struct{ name, addr string }{{ourName, serves.Plain}, {ourCached, serves.Cached}} {
		r.reads(s.name, s.addr, r.from.Key, "", cpu)
		r.singles(s.name, s.addr, r.from.Key, cpu)
		r.writes(s.name, s.addr, cpu, func(b box, m movement) ([]byte, error) {
			text, err := reportOf(b, m)
			return wire(http.MethodPost, s.addr, "/v2/reports", r.from.Key, text), err
		})
	}
	for _, s := range r.write.sides {
		s.wants = `"new":1`
	}
	return nil
}
