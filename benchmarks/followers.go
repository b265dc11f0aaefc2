package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
)

// Followers of streams of events: so many of each account, over HTTP, while so many events of
// all accounts are committed in a second. The server is a process of its own, so that its
// memory is not that of the clients.
const (
	followersName      = "followers"
	mostFollowers      = 1_000
	followersOfAccount = 10
	eventsPerSecond    = 20
	// followedFor is how long events are measured, in lengths of a load.
	followedFor = 60
	// restFor is how long the server is left alone before its memory is measured, in lengths of
	// a load: it looks each five seconds whether it holds more than it needs.
	restFor = 15
	// The goals.
	followedWithin  = 250 * time.Millisecond
	memoryOfOne     = 40 << 10 // bytes
	followersSettle = 10 * time.Second
)

// followerFigures are those of the followers.
type followerFigures struct {
	followers, accounts, events int
	length                      time.Duration
	lags                        []time.Duration // from before the report until a follower had the event, ascending
	cpu                         time.Duration   // of the server, while events were measured
	alone, following, left      processMemory   // before the followers, with them, and after them
}

// processMemory is what the server takes, in bytes, after a collection.
type processMemory struct {
	heap   float64 // of objects in use
	stacks float64
	rss    float64 // 0 where the system does not say
}

// inUse is what Go has in use.
func (m processMemory) inUse() float64 { return m.heap + m.stacks }

// measureFollowers follows the events of many accounts of a new database.
func (r *run) measureFollowers(ctx context.Context) error {
	if !r.wanted(followersName) {
		return nil
	}
	f := &following{run: r, each: followersOfAccount, log: map[int]time.Time{}}
	f.accounts = max(1, min(mostFollowers, r.shipments/4)/f.each)
	if err := f.measure(ctx); err != nil {
		return fmt.Errorf("followers: %w", err)
	}
	return nil
}

// following is one measurement.
type following struct {
	*run
	accounts, each int
	keys           []string // of the accounts
	server         *exec.Cmd
	root, operator string // URLs of the interface and of operators
	client         *http.Client
	number         int // of the next report

	mu  sync.Mutex
	log map[int]time.Time // when each report was sent
}

func (f *following) measure(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	file := filepath.Join(f.dir, "followers.db")
	if err := f.makeKeys(ctx, file); err != nil {
		return err
	}
	if err := f.start(ctx, file); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.stop()) }()
	f.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
	defer f.client.CloseIdleConnections()
	length := followedFor * f.run.each
	f.say("%s: %d of %d accounts, %s", followersName, f.accounts*f.each, f.accounts, length)
	figures := &followerFigures{followers: f.accounts * f.each, accounts: f.accounts, length: length}
	if err := f.report(ctx, max(f.accounts, int(length.Seconds()))); err != nil { // what the first requests keep is not the followers'
		return err
	}
	if figures.alone, err = f.memoryAtRest(ctx); err != nil {
		return err
	}
	following, leave := context.WithCancel(ctx)
	defer leave()
	all, failed, err := f.follow(following)
	if err != nil {
		return err
	}
	first, before := f.number, f.cpu()
	profiled := f.profileServer(ctx, fmt.Sprintf("profile?seconds=%d", int(length.Seconds())))
	if err := f.report(ctx, int(length.Seconds()*eventsPerSecond)); err != nil {
		return err
	}
	figures.events, figures.cpu = f.number-first, f.cpu()-before
	if err := f.settle(ctx, all, failed); err != nil {
		return err
	}
	if figures.following, err = f.memoryAtRest(ctx); err != nil {
		return err
	}
	if err := errors.Join(<-profiled, <-f.profileServer(ctx, "heap"), <-f.profileServer(ctx, "goroutine")); err != nil {
		return err
	}
	leave()
	for range all {
		<-failed
	}
	if figures.left, err = f.memoryAfter(ctx, figures.following); err != nil {
		return err
	}
	for _, o := range all {
		figures.lags = append(figures.lags, o.lags(f.log, first)...)
	}
	slices.Sort(figures.lags)
	f.results.followers = figures
	return nil
}

// makeKeys makes the accounts with a key each, before the server has the file.
func (f *following) makeKeys(ctx context.Context, file string) (err error) {
	store, err := storage.Open(file)
	if err != nil {
		return err
	}
	operator, err := tracking.New(tracking.Config{Store: store, Logger: quiet})
	if err != nil {
		return errors.Join(err, store.Close())
	}
	defer func() { err = errors.Join(err, operator.Close()) }()
	for i := range f.accounts {
		account, _, err := operator.EnsureAccount(ctx, fmt.Sprint("account-", i))
		if err != nil {
			return err
		}
		key, _, err := operator.CreateKey(ctx, tracking.NewKey{Account: account.Scope()})
		if err != nil {
			return err
		}
		f.keys = append(f.keys, key)
	}
	return nil
}

// start starts the program as it is for users, but for limits that one machine would reach.
func (f *following) start(ctx context.Context, file string) error {
	program, err := f.build(ctx)
	if err != nil {
		return err
	}
	f.server = exec.CommandContext(ctx, program, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", "--db", file, "--blobs", filepath.Join(f.dir, "followers"),
		"--record-events", "--rate-default", "0", "--max-connections-per-address", strconv.Itoa(f.accounts*f.each+200))
	f.server.Dir, f.server.Env = f.dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + f.dir, "TMPDIR=" + f.dir}
	out, err := f.server.StdoutPipe()
	if err != nil {
		return err
	}
	f.server.Stderr = f.server.Stdout
	if err := f.server.Start(); err != nil {
		return err
	}
	f.root, f.operator, err = servingWithOperators(out)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return err
}

// servingWithOperators waits until the program has printed both of its addresses.
func servingWithOperators(out io.Reader) (root, operator string, err error) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "landfall: serving "); ok {
			root = url
		}
		if _, url, ok := strings.Cut(lines.Text(), `msg="serving operators" url=`); ok {
			operator = url
		}
		if root != "" && operator != "" {
			return root, operator, nil
		}
	}
	return "", "", errors.Join(lines.Err(), errors.New("the program does not serve"))
}

func (f *following) stop() error {
	err := f.server.Process.Signal(syscall.SIGTERM)
	return errors.Join(err, f.server.Wait())
}

// report sends n reports, each of one event, at an even pace, and one account after the other.
func (f *following) report(ctx context.Context, n int) error {
	beat := time.NewTicker(time.Second / eventsPerSecond)
	defer beat.Stop()
	errs := make(chan error, n)
	for range n {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-beat.C:
		}
		number := f.number
		f.number++
		go func() { errs <- f.reportContainer(ctx, number) }()
	}
	var err error
	for range n {
		err = cmp.Or(err, <-errs)
	}
	return err
}

func (f *following) reportContainer(ctx context.Context, number int) error {
	body := fmt.Sprintf(`{"source":"benchmark","facts":[{"id":"%d","event":"gate_out","at":"2026-03-01T10:00:00Z","place":{"locode":"USOAK"},"mode":"truck","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"NEWS%d"}]}]}`, number, number)
	r, err := f.newRequest(ctx, http.MethodPost, "/reports", number%f.accounts, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	f.mu.Lock()
	f.log[number] = time.Now()
	f.mu.Unlock()
	answer, err := f.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
		return fmt.Errorf("a report: %s: %s", answer.Status, text)
	}
	return nil
}

func (f *following) newRequest(ctx context.Context, method, path string, account int, body string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, f.root+path, strings.NewReader(body))
	if err == nil {
		r.Header.Set("Authorization", "Token "+f.keys[account])
	}
	return r, err
}

// follower reads one stream.
type follower struct {
	account int
	caught  chan struct{} // closed when it has all earlier events

	mu     sync.Mutex
	cursor int               // of the last event
	at     map[int]time.Time // when the event of each report came
}

// follow starts the followers, and waits until each has the events that there are. failed gets
// one value of each follower that has ended.
func (f *following) follow(ctx context.Context) (all []*follower, failed <-chan error, err error) {
	ended := make(chan error, f.accounts*f.each)
	for i := range f.accounts * f.each {
		o := &follower{account: i % f.accounts, caught: make(chan struct{}), at: map[int]time.Time{}}
		all = append(all, o)
		go func() {
			err := o.run(ctx, f)
			ended <- fmt.Errorf("a stream ended: %w", cmp.Or(err, io.EOF))
		}()
		select {
		case <-o.caught:
		case err := <-ended:
			return nil, nil, err
		}
	}
	return all, ended, nil
}

// run reads until ctx or the stream ends.
func (o *follower) run(ctx context.Context, f *following) error {
	r, err := f.newRequest(ctx, http.MethodGet, "/events", o.account, "")
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	answer, err := f.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	id, data := 0, false
	caughtUp := sync.OnceFunc(func() { close(o.caught) })
	for lines := bufio.NewReader(answer.Body); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return err
		}
		switch name, value, _ := strings.Cut(strings.TrimSpace(string(line)), ": "); name {
		case "id":
			id, _ = strconv.Atoi(value)
		case "data":
			data = true
			if err := o.note(id, value); err != nil {
				return err
			}
		case "":
			if !data && id > 0 {
				caughtUp()
			}
			id, data = 0, false
		}
	}
}

// note notes when an event came. It is an error if it is not the next one.
func (o *follower) note(cursor int, text string) error {
	now := time.Now()
	match := eventNumber.FindStringSubmatch(text)
	o.mu.Lock()
	defer o.mu.Unlock()
	if cursor != o.cursor+1 || match == nil {
		return fmt.Errorf("event %d came after %d: %.200s", cursor, o.cursor, text)
	}
	o.cursor = cursor
	number, err := strconv.Atoi(match[1])
	o.at[number] = now
	return err
}

// lags returns how long after it was reported each event came, from a report on.
func (o *follower) lags(reported map[int]time.Time, first int) (list []time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for number, at := range o.at {
		if number >= first {
			list = append(list, at.Sub(reported[number]))
		}
	}
	return list
}

// settle waits until each follower has each event of its account.
func (f *following) settle(ctx context.Context, all []*follower, failed <-chan error) error {
	want := make([]int, f.accounts)
	for number := range f.number {
		want[number%f.accounts]++
	}
	missing := func() (n int) {
		for _, o := range all {
			o.mu.Lock()
			n += want[o.account] - len(o.at)
			o.mu.Unlock()
		}
		return n
	}
	for end := time.Now().Add(followersSettle); missing() > 0; {
		if time.Now().After(end) {
			return fmt.Errorf("%d events have not come", missing())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// memoryAtRest is that of the server when it has had time to give back what it does not need.
func (f *following) memoryAtRest(ctx context.Context) (m processMemory, err error) {
	select {
	case <-ctx.Done():
		return m, ctx.Err()
	case <-time.After(restFor * f.run.each):
		return f.memory(ctx)
	}
}

// memory is that of the server after a collection.
func (f *following) memory(ctx context.Context) (m processMemory, err error) {
	for range 2 { // the first may leave what has finalizers
		if m, err = f.collect(ctx); err != nil {
			return m, err
		}
	}
	return m, nil
}

// memoryAfter is that after the followers have left, which the server notices a little later.
func (f *following) memoryAfter(ctx context.Context, with processMemory) (m processMemory, err error) {
	for end := time.Now().Add(followersSettle / 2); time.Now().Before(end); {
		if m, err = f.memory(ctx); err != nil || with.inUse()-m.inUse() > float64(4<<10*f.accounts*f.each) {
			break
		}
		select {
		case <-ctx.Done():
			return m, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return f.memory(ctx)
}

func (f *following) collect(ctx context.Context) (m processMemory, err error) {
	text, err := f.ask(ctx, "/debug/pprof/heap?debug=1&gc=1")
	if err != nil {
		return m, err
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "# "), " = ")
		value, _, _ = strings.Cut(strings.TrimSpace(value), " /")
		switch n, _ := strconv.ParseFloat(value, 64); name {
		case "HeapAlloc":
			m.heap = n
		case "Stack":
			m.stacks = n
		}
	}
	if m.heap == 0 || m.stacks == 0 {
		return m, errors.New("the profile of the heap has no sizes")
	}
	if runtime.GOOS == "linux" {
		kb, err := strconv.Atoi(strings.TrimSuffix(field(fmt.Sprintf("/proc/%d/status", f.server.Process.Pid), "VmRSS"), " kB"))
		if err != nil {
			return m, err
		}
		m.rss = float64(kb) * 1024
	}
	return m, nil
}

// cpu is the CPU time of the server; 0 where the system does not say.
func (f *following) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", f.server.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may have blanks
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	const tick = time.Second / 100 // of all Linux systems
	return time.Duration(user+system) * tick
}

// profileServer writes a profile of the server when profiles are wanted. The channel gets one
// value when it is written.
func (f *following) profileServer(ctx context.Context, name string) <-chan error {
	done := make(chan error, 1)
	if f.profiles == "" {
		done <- nil
		return done
	}
	go func() {
		text, err := f.ask(ctx, "/debug/pprof/"+name)
		if err == nil {
			name, _, _ = strings.Cut(name, "?")
			err = os.WriteFile(filepath.Join(f.profiles, "followers-"+name+".pprof"), text, 0o644)
		}
		done <- err
	}()
	return done
}

// ask asks the address of operators.
func (f *following) ask(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.operator+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := f.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, answer.Status)
	}
	return text, err
}

// perFollower is the memory that one follower takes, of Go and of the system.
func (f *followerFigures) perFollower() (inUse, rss float64) {
	n := float64(f.followers)
	return (f.following.inUse() - min(f.alone.inUse(), f.left.inUse())) / n, (f.following.rss - f.alone.rss) / n
}

// lag is a quantile of the lags, in ms.
func (f *followerFigures) lag(q float64) float64 {
	if len(f.lags) == 0 {
		return 0
	}
	return micros(f.lags[int(q*float64(len(f.lags)-1))]) / 1000
}

// byFollowers writes the figures.
func (r *results) byFollowers(b *strings.Builder) {
	f := r.followers
	if f == nil {
		return
	}
	fmt.Fprintf(b, "\n%d followers of the events of %d accounts, over HTTP, while %d events were committed in %s; landfall serve is a process of its own, the followers share its cores. From before the report until a follower has the event: p50 %s ms, p99 %s ms, at most %s ms, of %d; each event came once and in order. The server took %s s of CPU.\n",
		f.followers, f.accounts, f.events, f.length, number(f.lag(0.5)), number(f.lag(0.99)), number(f.lag(1)), len(f.lags), number(f.cpu.Seconds()))
	t := table{head: []string{"memory of the server at rest, after a collection, MB", "objects", "stacks", "resident"}}
	for _, m := range []struct {
		name string
		of   processMemory
	}{{"without followers", f.alone}, {"with them, after the events", f.following}, {"after they have left", f.left}} {
		t.add(m.name, number(m.of.heap/(1<<20)), number(m.of.stacks/(1<<20)), number(m.of.rss/(1<<20)))
	}
	t.write(b)
}

// followerGoal is that events come soon, and that a follower takes little memory.
func (r *results) followerGoal() (string, bool) {
	f := r.followers
	if f == nil || len(f.lags) == 0 {
		return "", false
	}
	inUse, rss := f.perFollower()
	return fmt.Sprintf("%d followers: p99 %s ms; %s KB of objects and stacks a follower, resident %s KB", f.followers, number(f.lag(0.99)), kilobytes(inUse), kilobytes(rss)),
		f.lag(0.99) < micros(followedWithin)/1000 && inUse < memoryOfOne
}
