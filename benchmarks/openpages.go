package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// Open pages: so many at a time, of people who have so many each, while so many changes are
// committed in a second.
const (
	openPages        = 500
	pagesOfBrowser   = 20
	changesPerSecond = 50
	openFor          = 10 * time.Second
	// settle is how long after the last change each page must show it.
	settle = 2 * time.Second
)

// openFigures are those of open pages.
type openFigures struct {
	pages, changes, reads, stale int
	lags                         []time.Duration // from the commit of a change until a page showed it
	cpu                          time.Duration   // of server and browsers, which are one process
	length                       time.Duration
}

// openPage is a page that a browser has open: it reads itself again whenever its stream says so.
type openPage struct {
	address, cookie string
	about           tracking.ID // the only shipment that it shows; zero for a list
	client          *http.Client
	log             *changeLog
	wake            chan struct{}

	mu       sync.Mutex
	position int64
	reads    int
	lags     []time.Duration
}

// shipmentChange is when a change of a shipment was committed.
type shipmentChange struct {
	of tracking.ID
	at time.Time
}

// changeLog has the changes in the order of their commits.
type changeLog struct {
	mu    sync.Mutex
	first int64 // the position before the first
	all   []shipmentChange
}

func (l *changeLog) add(of tracking.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, shipmentChange{of, time.Now()})
}

// between returns when the changes that a page shows were committed, after a position up to another.
func (l *changeLog) between(from, to int64, about tracking.ID) (list []time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from, to = max(from-l.first, 0), min(to-l.first, int64(len(l.all)))
	for _, c := range l.all[min(from, to):max(to, 0)] {
		if about == (tracking.ID{}) || c.of == about {
			list = append(list, c.at)
		}
	}
	return list
}

// read gets the page, and notes how long after their commit it showed changes.
func (p *openPage) read(ctx context.Context) (live string, err error) {
	live, position, err := getPage(ctx, p.client, p.address, p.cookie)
	if err != nil {
		return "", err
	}
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.position != 0 {
		for _, at := range p.log.between(p.position, position, p.about) {
			p.lags = append(p.lags, now.Sub(at))
		}
	}
	p.position = position
	p.reads++
	return live, nil
}

// run reads the page and its stream until ctx ends.
func (p *openPage) run(ctx context.Context, opened func()) error {
	live, err := p.read(ctx)
	opened()
	if err != nil {
		return err
	}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-p.wake:
				_, _ = p.read(ctx) // a failure leaves the page stale, which is counted
			}
		}
	}()
	host := p.address[:strings.Index(p.address[len("http://"):], "/")+len("http://")]
	return stream(ctx, p.client, host+live, p.cookie, func() {
		select {
		case p.wake <- struct{}{}:
		default:
		}
	})
}

// measureOpenPages keeps pages of the large account open while its shipments change.
func (r *run) measureOpenPages(ctx context.Context, s *server) (_ *openFigures, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	handler := newDashboard(s)
	addr, err := serveHTTP(ctx, handler)
	if err != nil {
		return nil, err
	}
	number := openPages
	if r.shipments <= smokeShipments {
		number = pagesOfBrowser
	}
	r.say("%d open pages", number)
	log := &changeLog{}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * number, DisableCompression: true}}
	pages := make([]*openPage, 0, number)
	paths := []string{"/", "/shipments", "/containers", "/exceptions"}
	for len(pages) < number {
		b, err := signIn(handler, r.data.large.key)
		if err != nil {
			return nil, err
		}
		for i := range pagesOfBrowser {
			path, about := paths[i/2%len(paths)], tracking.ID{}
			if i%2 == 1 {
				about = r.data.large.ids[(len(pages)+i)%len(r.data.large.ids)]
				path = "/shipments/" + about.String()
			}
			pages = append(pages, &openPage{about: about, address: "http://" + addr + path, cookie: b.cookie(), client: client, log: log, wake: make(chan struct{}, 1)})
		}
	}
	var opening, running sync.WaitGroup
	failed := make(chan error, number)
	for _, p := range pages {
		opening.Add(1)
		running.Go(func() {
			if err := p.run(ctx, opening.Done); ctx.Err() == nil {
				failed <- cmp.Or(err, errors.New("a stream ended"))
			}
		})
	}
	opening.Wait()
	log.first = slices.MaxFunc(pages, func(a, b *openPage) int { return cmp.Compare(a.position, b.position) }).position
	w := startWatch()
	length := openFor
	if number < openPages {
		length = time.Second
	}
	if err := r.changeShipments(ctx, s, length, log); err != nil {
		return nil, err
	}
	select {
	case <-time.After(settle):
	case err := <-failed:
		return nil, err
	}
	w = w.stop()
	f := &openFigures{pages: len(pages), changes: len(log.all), cpu: w.cpu, length: w.took}
	last := log.first + int64(len(log.all))
	for _, p := range pages {
		p.mu.Lock()
		f.reads += p.reads - 1
		f.lags = append(f.lags, p.lags...)
		if len(log.between(p.position, last, p.about)) > 0 {
			f.stale++
		}
		p.mu.Unlock()
	}
	slices.Sort(f.lags)
	cancel()
	running.Wait()
	return f, nil
}

// changeShipments changes shipments of the large account, so many a second.
func (r *run) changeShipments(ctx context.Context, s *server, length time.Duration, log *changeLog) error {
	t := s.operator.For(tracking.Actor{Account: r.data.large.scope})
	begun := time.Now().UnixNano() // a kept file has the numbers of an earlier run
	tick := time.NewTicker(time.Second / changesPerSecond)
	defer tick.Stop()
	for n := 0; n < int(length/(time.Second/changesPerSecond)); n++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		id := r.data.large.ids[n%len(r.data.large.ids)]
		if _, err := t.UpdateShipment(ctx, id, tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{fmt.Sprintf("PO-%d-%d", begun, n)})}); err != nil {
			return err
		}
		log.add(id)
	}
	return nil
}

func (f *openFigures) write(b *strings.Builder) {
	at := func(share float64) string {
		if len(f.lags) == 0 {
			return "-"
		}
		return number(f.lags[min(int(share*float64(len(f.lags))), len(f.lags)-1)].Seconds() * 1e3)
	}
	fmt.Fprintf(b, "\n%d open pages of 20 a browser, half of them lists and Today, half of one shipment, while %d changes were committed in %.0f s: %d reads, %.1f s of CPU with the browsers'. From the commit of a change until a page showed it: p50 %s ms, p99 %s ms, at most %s ms. %d did not show the last change %s after it.\n",
		f.pages, f.changes, f.length.Seconds(), f.reads, f.cpu.Seconds(), at(.5), at(.99), at(1), f.stale, settle)
}

// openGoal is that each page shows the last state within two seconds.
func (r *results) openGoal() (string, bool) {
	if r.pages == nil || r.pages.open == nil {
		return "", false
	}
	f := r.pages.open
	most := time.Duration(0)
	if len(f.lags) > 0 {
		most = f.lags[len(f.lags)-1]
	}
	return fmt.Sprintf("%d pages: at most %s ms, %d stale", f.pages, number(most.Seconds()*1e3), f.stale), f.stale == 0 && most <= settle
}
