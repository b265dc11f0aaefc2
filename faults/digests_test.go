package faults

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	netmail "net/mail"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/mail"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// LANDFALL_DIGESTS users of a tenth as many accounts get a digest at the same minute, over a mail
// server that refuses some e-mails and takes others without an answer, while the program is killed
// LANDFALL_DIGEST_KILLS times: each user gets the digest of the day, and no user gets two. A
// mailbox can get the same e-mail again, by its Message-ID: SMTP has no answer that is part of a
// transaction. The figures say how many. With a new Message-ID for each attempt, 5 of 60 users
// got two.
func TestKillDigests(t *testing.T) {
	r := drill.Random(t)
	users, kills := drill.Count(t, "LANDFALL_DIGESTS", 60), drill.Count(t, "LANDFALL_DIGEST_KILLS", 3)
	box := startMailbox(t, r)
	db := newDB(t)
	subscribeAll(t, db, users)
	flags := []string{"--smtp", "smtp://" + box.address, "--smtp-allow-plain", "--mail-from", "landfall@example.com", "--public-url", "http://127.0.0.1:8080"}
	for kill := range kills {
		s := serve(t, db, flags...)
		share := users * (kill + 1) / (kills + 1)
		eventually(t, 5*time.Minute, func() error { return box.has(share) })
		s.kill()
		checkFile(t, db)
	}
	box.beReliable()
	for range 2 { // what was refused is tried again
		letTimePass(t, db, 20*time.Minute)
		s := serve(t, db, flags...)
		eventually(t, 5*time.Minute, func() error { return box.has(users) })
		s.stop()
	}
	checkFile(t, db)
	again := 0
	for to, ids := range box.received {
		if len(ids) != 1 {
			t.Errorf("%s has %d digests", to, len(ids))
		}
		for _, n := range ids {
			again += n - 1
		}
	}
	if t.Failed() {
		return
	}
	t.Logf("%d digests of %d accounts, %d kills: 0 lost, 0 twice; %d times a mailbox got the same Message-ID again; in %d of these cases the mail server had not answered",
		users, (users+9)/10, kills, again, box.cuts)
}

// subscribeAll makes accounts of ten users, whose digests are due already.
func subscribeAll(t *testing.T, db string, n int) {
	t.Helper()
	key := bytes.Repeat([]byte("digests!"), 4)
	if err := os.WriteFile(db+".key", []byte(base64.StdEncoding.EncodeToString(key)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sender, err := mail.New(mail.Config{Server: "smtp://localhost", From: "landfall@example.com", PublicURL: "http://127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	// In a zone where it is the afternoon, half an hour ago.
	hour := (time.Now().UTC().Hour() - 14 + 24) % 24
	zone := fmt.Sprintf("Etc/GMT%+d", hour)
	if hour > 12 {
		zone = fmt.Sprintf("Etc/GMT%+d", hour-24)
	}
	local, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	ago := time.Now().Add(-30 * time.Minute)
	operator, err := tracking.New(tracking.Config{Store: store, Logger: slog.New(slog.DiscardHandler), MasterKey: key, Mailer: sender, Clock: clockAt(ago)})
	if err != nil {
		t.Fatal(errors.Join(err, store.Close()))
	}
	defer operator.Close()
	settings := tracking.MailSettings{Digest: true, DigestAt: ago.Add(time.Minute).In(local).Format("15:04"), DigestDays: []time.Weekday{0, 1, 2, 3, 4, 5, 6}, Timezone: zone}
	var all sync.WaitGroup
	atOnce := make(chan struct{}, 16)
	for first := 0; first < n; first += 10 {
		atOnce <- struct{}{}
		all.Go(func() {
			defer func() { <-atOnce }()
			if err := subscribeSome(t.Context(), operator, settings, first, min(first+10, n)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// subscribeSome makes an account with some users.
func subscribeSome(ctx context.Context, operator *tracking.Tracker, settings tracking.MailSettings, first, end int) error {
	account, _, err := operator.EnsureAccount(ctx, fmt.Sprintf("account-%d", first/10))
	if err != nil {
		return err
	}
	tr := operator.For(tracking.Actor{Account: account.Scope()})
	for i := first; i < end; i++ {
		u, err := tr.Users().Create(ctx, tracking.NewUser{Email: fmt.Sprintf("user-%d@example.com", i), Permissions: []tracking.Permission{tracking.Show}})
		if err != nil {
			return err
		}
		if _, err := tr.Mail().Save(ctx, u.ID, settings); err != nil {
			return err
		}
	}
	return nil
}

type clockAt time.Time

func (c clockAt) Now() time.Time { return time.Time(c) }

// mailbox is a mail server for all users.
type mailbox struct {
	address string

	mu       sync.Mutex
	random   *rand.Rand
	reliable bool
	cuts     int
	received map[string]map[string]int // by address, how often each Message-ID came
}

func startMailbox(t *testing.T, r *rand.Rand) *mailbox {
	t.Helper()
	b := &mailbox{random: r, received: map[string]map[string]int{}}
	srv := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &mailSession{mailbox: b, conn: c}, nil }))
	srv.Domain, srv.ErrorLog = "localhost", silent{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.address = listener.Addr().String()
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(listener) }()
	t.Cleanup(func() { srv.Close(); <-done })
	return b
}

func (b *mailbox) beReliable() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reliable = true
}

// has returns an error if fewer users have a digest.
func (b *mailbox) has(users int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.received) < users {
		return fmt.Errorf("%d of %d users have a digest", len(b.received), users)
	}
	return nil
}

type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

type mailSession struct {
	*mailbox
	conn *smtp.Conn
	to   string
}

func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }
func (s *mailSession) Reset()                               {}
func (s *mailSession) Logout() error                        { return nil }

// Rcpt refuses one of twenty for now.
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
	if !s.reliable && s.random.IntN(20) == 0 {
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "later"}
	}
	return nil
}

// Data takes the e-mail, and does not answer to one of fifty.
func (s *mailSession) Data(r io.Reader) error {
	m, err := netmail.ReadMessage(r)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, m.Body); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.received[s.to] == nil {
		s.received[s.to] = map[string]int{}
	}
	s.received[s.to][strings.TrimSpace(m.Header.Get("Message-Id"))]++
	if !s.reliable && s.random.IntN(50) == 0 {
		s.cuts++
		s.conn.Conn().Close()
	}
	return nil
}
