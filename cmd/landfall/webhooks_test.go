package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/receiver"
)

// endpoint is a receiver of webhooks, on this machine.
type endpoint struct {
	*httptest.Server
	before func() // of each answer; nil for nothing

	mu      sync.Mutex
	secrets []string
	events  []string
	times   map[string]int // how often each notification came
	refused []string
}

func newEndpoint(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{times: map[string]int{}}
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(e.Close)
	return e
}

// serve verifies with the current secrets, and remembers repeats itself.
func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	secrets := slices.Clone(e.secrets)
	e.mu.Unlock()
	handler, err := receiver.New(receiver.Config{
		Secrets: secrets,
		On: func(_ context.Context, d receiver.Delivery) error {
			if e.before != nil {
				e.before()
			}
			e.mu.Lock()
			defer e.mu.Unlock()
			e.events = append(e.events, d.Event)
			e.times[d.ID]++
			return nil
		},
		Refused: func(_ *http.Request, err error) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.refused = append(e.refused, err.Error())
		},
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusTeapot)
		return
	}
	handler.ServeHTTP(w, r)
}

// received returns the number of notifications, and of deliveries.
func (e *endpoint) received() (notifications, deliveries int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, n := range e.times {
		deliveries += n
	}
	return len(e.times), deliveries
}

func (e *endpoint) knows(secrets ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.secrets = secrets
}

// createWebhook creates a webhook of the default account by the command.
func createWebhook(t *testing.T, db, url string, more ...string) (id, secret string) {
	t.Helper()
	out := must(t, append([]string{"webhooks", "create", "--account", "default", "--db", db, "--url", url, "--allow-private-webhooks"}, more...)...)
	id, secret, _ = strings.Cut(out, "\n")
	if len(id) != 36 || !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("webhooks create: %q", out)
	}
	return id, secret
}

// voyages imports reports about this many shipments.
func voyages(t *testing.T, db string, from, n int) {
	t.Helper()
	args := []string{"import", "--announce", "--account", "default", "--scac", "MAEU", "--db", db}
	for i := range n {
		args = append(args, write(t, fmt.Sprintf("voyage-%d.json", i), message(fmt.Sprintf("LFWH%05d", from+i), testContainer)))
	}
	must(t, args...)
}

// notifications reads those of the default account from the database.
func notifications(t *testing.T, db string, statuses ...tracking.DeliveryStatus) int {
	t.Helper()
	total := 0
	p := &program{stdout: io.Discard, stderr: io.Discard}
	err := onExistingDatabase(p, db, func(tr *tracking.Tracker) error {
		a, err := tr.Account(t.Context(), "default")
		if err != nil {
			return err
		}
		_, total, err = tr.For(tracking.Actor{Account: a.Scope()}).
			WebhookNotifications(t.Context(), tracking.WebhookNotificationQuery{Statuses: statuses}, tracking.Page{Number: 1, Size: 1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}

// delivered waits until nothing is pending.
func (p *process) delivered(key string) {
	p.t.Helper()
	eventually(p.t, 60*time.Second, func() error {
		if n := p.list(key, "/webhook_notifications?page[size]=1&filter[delivery_status]=pending").Meta.Total; n > 0 {
			return fmt.Errorf("%d notifications are pending", n)
		}
		return nil
	})
}

// A report leads to verified deliveries; the commands list, repeat and end them.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db, "--allow-private-webhooks", "--rate-default", "0")
	e := newEndpoint(t)
	id, secret := createWebhook(t, db, e.URL)
	e.knows(secret)
	account := []string{"--account", "default", "--db", db}
	since := formatTime(time.Now().Add(-time.Minute))

	voyages(t, db, 0, 1)
	total := notifications(t, db)
	p.delivered(p.key)
	if n, times := e.received(); n != total || times != total || total < 5 {
		t.Fatalf("%d notifications received in %d deliveries of %d", n, times, total)
	}
	if !slices.Contains(e.events, "container.transport.vessel_arrived") || len(e.refused) > 0 {
		t.Errorf("events %q, refused %q", e.events, e.refused)
	}

	tail := exec.Command(binary, "webhooks", "tail", "--since", since, "--db", db)
	var printed lockedBuffer
	tail.Stdout, tail.Stderr, tail.Env = &printed, &printed, environment()
	if err := tail.Start(); err != nil {
		t.Fatal(err)
	}
	defer tail.Process.Kill()
	tailed := func(lines int) {
		t.Helper()
		eventually(t, 20*time.Second, func() error {
			if n := strings.Count(printed.String(), " 204 "); n != lines {
				return fmt.Errorf("%d deliveries printed, want %d:\n%s", n, lines, printed.String())
			}
			return nil
		})
	}
	tailed(total)

	if list := must(t, append([]string{"webhooks", "list"}, account...)...); !strings.Contains(list, id) || strings.Contains(list, secret) {
		t.Errorf("webhooks list: %s", list)
	}
	next := must(t, append([]string{"webhooks", "rotate", id, "--overlap", "0s"}, account...)...)
	if next == secret || !strings.HasPrefix(next, "whsec_") {
		t.Errorf("webhooks rotate: %q", next)
	}
	e.knows(next)
	must(t, append([]string{"webhooks", "recover", id, "--since", since}, account...)...)
	eventually(t, 20*time.Second, func() error {
		if n, times := e.received(); n != total || times != 2*total {
			return fmt.Errorf("%d notifications in %d deliveries, want each of %d twice; refused %q", n, times, total, e.refused)
		}
		return nil
	})
	tailed(2 * total)
	if err := tail.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := tail.Wait(); err != nil {
		t.Errorf("webhooks tail ended with %v", err)
	}

	if out := must(t, append([]string{"webhooks", "delete", id}, account...)...); out != "deleted "+id {
		t.Error(out)
	}
	run(t, append([]string{"webhooks", "rotate", id}, account...)...).refused(t, 1, "no webhook "+id)
	voyages(t, db, 1, 1)
	if n := notifications(t, db); n != total {
		t.Errorf("%d notifications after the webhook ended, want %d", n, total)
	}
	p.stop()
}

// lockedBuffer is the output of a process so far.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

func TestWebhookCommandsRefused(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	must(t, "keys", "create", "--account", "default", "--db", db)
	account := []string{"--account", "default", "--db", db}
	for _, c := range []struct {
		args  string
		code  int
		words string
	}{
		{"webhooks create --url http://127.0.0.1:9/", 1, "plain http is not allowed"},
		{"webhooks create --url https://example.com/ --events container.flew", 1, "container.flew"},
		{"webhooks create --url https://example.com/ --header Host:x", 1, "set by the sender"},
		{"webhooks create", 2, "--url"},
		{"webhooks rotate 7", 2, "ID of a webhook"},
		{"webhooks recover 0198c0de-0000-7000-8000-000000000000", 2, "--since"},
		{"webhooks recover 0198c0de-0000-7000-8000-000000000000 --since yesterday", 2, "write a time as"},
		{"webhooks recover 0198c0de-0000-7000-8000-000000000000 --since 2026-01-01T00:00:00Z --until 2026-01-02T00:00:00Z", 1, "no webhook"},
		{"webhooks delete 0198c0de-0000-7000-8000-000000000000", 1, "no webhook"},
	} {
		r := run(t, append(strings.Fields(c.args), account...)...)
		// The first of them has created the key and logged it.
		r.stderr = r.stderr[strings.LastIndex(strings.TrimSuffix(r.stderr, "\n"), "\n")+1:]
		r.refused(t, c.code, c.words)
	}
	for flag, words := range map[string]string{
		"--webhook-workers=0": "--webhook-workers", "--webhook-per-endpoint=-1": "--webhook-per-endpoint",
		"--webhook-rate=NaN": "--webhook-rate", "--webhook-ips=10.0.0.0/8": "not an IP address", "--webhook-retention=24h": "5 days",
	} {
		run(t, "serve", "--addr", "127.0.0.1:0", "--db", db, flag).refused(t, 2, words)
	}
}

// Running deliveries are completed and recorded when the server shuts down; the
// others are sent after the next start, and none twice.
func TestDrainWithDeliveries(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	e := newEndpoint(t)
	e.before = func() { time.Sleep(100 * time.Millisecond) } // an endpoint that takes its time
	p := serve(t, db, "--allow-private-webhooks")
	_, secret := createWebhook(t, db, e.URL)
	e.knows(secret)
	voyages(t, db, 0, 20)
	total := notifications(t, db)
	eventually(t, 20*time.Second, func() error {
		if n, _ := e.received(); n < 4 {
			return fmt.Errorf("%d received", n)
		}
		return nil
	})
	p.signal(syscall.SIGTERM)
	if code := p.exit(30 * time.Second); code != 0 {
		t.Errorf("exit %d: %s", code, strings.Join(p.lines(), "\n"))
	}
	before, _ := e.received()
	if left := notifications(t, db, tracking.DeliveryPending); before+left != total || left == 0 {
		t.Errorf("%d received and %d pending of %d", before, left, total)
	}

	serve(t, db, "--allow-private-webhooks", "--rate-default", "0").delivered(p.key)
	if n, times := e.received(); n != total || times != total {
		t.Errorf("%d notifications in %d deliveries, want %d", n, times, total)
	}
	t.Logf("%d of %d before the restart", before, total)
}

// Secrets appear in no file, log or record, whatever happens to deliveries.
func TestCanaries(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	const headerValue = "canary-header-7b1e55"
	masterKey := aKey
	env := []string{"LANDFALL_MASTER_KEY=" + masterKey}
	// An endpoint that fails and echoes everything.
	var mu sync.Mutex
	answer := http.StatusInternalServerError
	e := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("X-Request-Id", r.Header.Get("X-Canary"))
		w.WriteHeader(answer)
		_ = r.Header.Write(w)
	}))
	defer e.Close()
	p := start(t, env, "--db", db, "--allow-private-webhooks", "--access-log", "--log-level", "debug", "--admin-addr", "127.0.0.1:0")
	r := runWith(t, "", env, "webhooks", "create", "--account", "default", "--db", db, "--url", e.URL, "--allow-private-webhooks", "--header", "X-Canary: "+headerValue)
	_, secret, _ := strings.Cut(strings.TrimSpace(r.stdout), "\n")
	if r.code != 0 || !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("%+v", r)
	}
	logs := r.stderr

	attempted := func(least int) {
		t.Helper()
		eventually(t, 30*time.Second, func() error {
			if n := len(attemptRecords(t, db)); n < least {
				return fmt.Errorf("%d attempts of %d", n, least)
			}
			return nil
		})
	}
	voyages(t, db, 0, 1)
	attempted(4) // fail
	mu.Lock()
	answer = http.StatusNoContent
	mu.Unlock()
	voyages(t, db, 1, 1)
	failed := len(attemptRecords(t, db))
	canaries := canariesOf(t, secret, headerValue, masterKey, p.key)
	noCanary(t, db, "", canaries) // while the log is there
	logs += p.signedTokens(canaries)
	p.stop()
	logs += strings.Join(slices.DeleteFunc(p.lines(), func(l string) bool { return strings.HasPrefix(l, "landfall: API key ") }), "\n")

	// The program has no notifier that panics, so the engine gets one.
	var panicked lockedBuffer
	log := slog.New(slog.NewTextHandler(&panicked, nil))
	key, err := hex.DecodeString(masterKey)
	if err != nil {
		t.Fatal(err)
	}
	store, err := storage.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := (&masterKeys{current: key}).open(db, tracking.Config{Store: store, Logger: log, Notifier: panicking{webhook.New(webhook.Config{})}})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	voyages(t, db, 2, 1)
	a, err := tr.Account(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := tr.For(tracking.Actor{Account: a.Scope()}).WebhookNotifications(t.Context(), tracking.WebhookNotificationQuery{}, tracking.Page{Number: 1, Size: 1})
	if err != nil || len(list) != 1 {
		t.Fatal(len(list), err)
	}
	if _, err := tr.For(tracking.Actor{Account: a.Scope()}).RedeliverNotification(t.Context(), list[0].ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, 20*time.Second, func() error {
		if _, err := tr.RunOnce(t.Context()); err != nil {
			return err
		}
		if !strings.Contains(panicked.String(), "the notifier panicked") {
			return fmt.Errorf("it has not panicked yet: %s", panicked.String())
		}
		return nil
	})
	noCanary(t, db, logs+panicked.String(), canaries)
	t.Logf("%d attempts, %d of them before the last start", len(attemptRecords(t, db)), failed)
}

// signedTokens sends tokens in paths, queries and headers, adds them to the canaries, and
// returns the metrics.
func (p *process) signedTokens(canaries map[string]string) (metrics string) {
	signed := p.upload("a.txt", "canary")
	status, body, err := p.create("a", signed)
	var made struct{ Data struct{ ID string } }
	if err := errors.Join(err, json.Unmarshal(body, &made)); err != nil || status != http.StatusCreated {
		p.t.Fatalf("%d %s %v", status, body, err)
	}
	var download struct {
		URL string `json:"download_url"`
	}
	p.ask(http.MethodGet, "/documents/"+made.Data.ID+"/download_url", "", &download)
	path := strings.TrimPrefix(download.URL, p.base)
	p.ask(http.MethodGet, path, "", nil)
	canaries["the signed ID of an upload"] = signed
	canaries["the token of a download"] = strings.TrimPrefix(path, "/blobs/")
	canaries["a query"], canaries["a part of a path"], canaries["a wrong key"] = "canary-query-52", "canary-path-52", "canary-key-52"
	for _, path := range []string{"/shipments?filter[tags]=canary-query-52", "/shipments/canary-path-52"} {
		if _, _, err := p.call(p.key, http.MethodGet, path, ""); err != nil {
			p.t.Error(err)
		}
	}
	if status, _, err := p.call("canary-key-52", http.MethodGet, "/shipments", ""); status != http.StatusUnauthorized {
		p.t.Error(status, err)
	}
	return p.metrics()
}

// panicking is a Notifier that panics with everything it knows.
type panicking struct{ tracking.Notifier }

func (panicking) Send(_ context.Context, d tracking.Dispatch) tracking.Outcome {
	panic(fmt.Sprintf("%q %v %s", d.Secrets, d.Headers, d.Body))
}

// canariesOf returns the secrets in all forms in which they could appear.
func canariesOf(t *testing.T, secret, header, master, apiKey string) map[string]string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := hex.DecodeString(master)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"the webhook's secret": strings.TrimPrefix(secret, "whsec_"), "its bytes": string(raw), "its hex": hex.EncodeToString(raw),
		"the header": header, "the header in base64": strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(header)), "="),
		"the master key": master, "the master key's bytes": string(key), "the master key in base64": base64.StdEncoding.EncodeToString(key),
		"the API key": secretPart(apiKey),
	}
}

// noCanary looks for them in all files next to the database, in records and logs.
func noCanary(t *testing.T, db, logs string, canaries map[string]string) {
	t.Helper()
	places := map[string]string{"the logs": logs, "the attempts": strings.Join(attemptRecords(t, db), "\n")}
	for name, data := range filesIn(t, filepath.Dir(db)) {
		places[name] = string(data)
	}
	if _, ok := places["landfall.db-wal"]; !ok {
		t.Errorf("there is no WAL to look into, in %d places", len(places))
	}
	for place, text := range places {
		for what, canary := range canaries {
			if strings.Contains(text, canary) {
				t.Errorf("%s is in %s", what, place)
			}
		}
	}
}

// attemptRecords returns the attempts of the default account as shown to users.
func attemptRecords(t *testing.T, db string) (texts []string) {
	t.Helper()
	p := &program{stdout: io.Discard, stderr: io.Discard}
	err := onExistingDatabase(p, db, func(tr *tracking.Tracker) error {
		a, err := tr.Account(t.Context(), "default")
		if err != nil {
			return err
		}
		list, err := everyPage(func(page tracking.Page) ([]*tracking.DeliveryAttempt, int, error) {
			return tr.For(tracking.Actor{Account: a.Scope()}).DeliveryAttempts(t.Context(), tracking.DeliveryAttemptQuery{}, page)
		})
		for _, d := range list {
			texts = append(texts, fmt.Sprintf("%+v", *d))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
