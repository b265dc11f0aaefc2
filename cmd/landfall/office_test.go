package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/browsertest"
	"github.com/landfallhq/tracking/password"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/trackingtest"
	"github.com/landfallhq/tracking/webhook"
)

// officeNow is the time of the tasks of docs/dashboard/tasks.md.
const officeNow = "2026-06-10T16:00Z"

// officePassword is that of all users.
const officePassword = "three small boats"

// furtherShipments is how many shipments each account has in which nothing goes wrong.
const furtherShipments = 200

// office is the common data of the ten tasks: a server that serves a file of SQLite to a
// browser, on a clock that the test moves, with the accounts Acme and Other.
type office struct {
	t     *testing.T
	clock *trackingtest.Clock
	db    string
	// operator is the engine: at first that which makes the history, then the server's.
	operator *tracking.Tracker
	// accounts are Acme and Other.
	accounts [2]*tracking.Account
	users    map[string]*tracking.User
	steps    []step
	port     string // of the server
	browser  context.Context
	axe      browsertest.Axe
	erp      *erp // the receivers of webhooks; nil if no task has some
	sandbox  bool // the server asks the line of the sandbox
}

// step is a part of the history, in both accounts.
type step struct {
	at time.Time
	do func(h history)
}

// history acts in an account at a time in the past.
type history struct {
	*tracking.Tracker
	o *office
	// acme: the account is Acme, and not Other.
	acme bool
}

// newOffice makes the history and starts the server.
func newOffice(t *testing.T, tasks []officeTask) *office {
	t.Helper()
	o := &office{t: t, clock: trackingtest.NewClock(), db: newDB(t), users: map[string]*tracking.User{}, axe: browsertest.ReadAxe(t)}
	o.browser, _ = browsertest.Start(t, officeTime)
	o.at("2026-05-20T08:00Z", history.addUsers)
	o.at("2026-06-09T06:00Z", history.addShipments)
	for _, task := range tasks {
		if task.history != nil {
			task.history(o)
		}
	}
	o.makeHistory()
	o.start()
	return o
}

// at adds a step to the history; at is a time of RFC 3339 without seconds.
func (o *office) at(at string, do func(history)) {
	o.steps = append(o.steps, step{moment(o.t, at).Time, do})
}

func moment(t *testing.T, s string) freight.Moment {
	t.Helper()
	m, err := freight.ParseMoment(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// makeHistory does the steps in order of time, and the background work between them.
func (o *office) makeHistory() {
	t, ctx := o.t, o.t.Context()
	t.Helper()
	store, err := storage.Open(o.db)
	if err != nil {
		t.Fatal(err)
	}
	hasher, err := password.New(password.Config{Memory: 8, Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	var keys masterKeys
	config := tracking.Config{Store: store, Clock: o.clock, Passwords: hasher, Logger: newLogger(&program{stderr: io.Discard}), Notifier: webhook.New(webhook.Config{AllowPrivate: true, AllowHTTP: true}), Rand: func() float64 { return 0 }}
	if o.sandbox {
		config.Sources = tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})}
	}
	if o.operator, err = keys.open(o.db, config); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(o.steps, func(a, b step) int { return a.at.Compare(b.at) })
	o.clock.Set(o.steps[0].at)
	for i, name := range []string{"Acme", "Other"} {
		if o.accounts[i], _, err = o.operator.EnsureAccount(ctx, strings.ToLower(name)); err == nil {
			err = o.operator.SetCompanyName(ctx, strings.ToLower(name), name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range o.steps {
		o.pass(s.at)
		for i, account := range o.accounts {
			s.do(history{o.operator.For(tracking.Actor{Account: account.Scope()}), o, i == 0})
		}
	}
	o.pass(moment(t, officeNow).Time)
	if err := o.operator.Close(); err != nil {
		t.Fatal(err)
	}
}

// pass moves the clock, and does the background work that falls due, each job at its time.
func (o *office) pass(until time.Time) {
	o.t.Helper()
	for range 10_000 {
		next, err := o.operator.RunOnce(o.t.Context())
		if err != nil {
			o.t.Fatal(err)
		}
		if next.IsZero() || next.After(until) {
			if until.After(o.clock.Now()) {
				o.clock.Set(until)
				continue
			}
			return
		}
		if next.After(o.clock.Now()) {
			o.clock.Set(next)
		}
	}
	o.t.Fatal("the background work does not come to an end")
}

// start starts the server, as landfall serve does.
func (o *office) start() {
	t := o.t
	t.Helper()
	s, db := declareServer(newFlags(serveCommand))
	var out output
	s.program = &program{stdin: strings.NewReader(""), stdout: &out, stderr: &out, getenv: func(string) string { return "" }, lookupenv: func(string) (string, bool) { return "", false }}
	*db = o.db
	s.db, s.addr, s.clock, s.webhooks.private, s.sandbox = o.db, "127.0.0.1:0", o.clock, true, o.sandbox
	s.documents.blobs = filepath.Join(filepath.Dir(o.db), "blobs")
	s.documents.ocr.program = ocrOff // the text under a scan of the tasks is the only one of its picture
	s.log, s.accessLog = s.logs.open(&out)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, "level=ERROR") {
				t.Error(line)
			}
		}
	})
	eventually(t, time.Minute, func() error {
		for line := range strings.Lines(out.String()) {
			if base, ok := strings.CutPrefix(line, "landfall: serving "); ok {
				u, err := url.Parse(strings.TrimSpace(base))
				if err == nil {
					o.port = u.Port()
				}
				return err
			}
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the server ended: %v %s", err, out.String())
		default:
		}
		return errors.New("the server does not listen")
	})
	o.operator = s.tracker
}

// output is what a server writes.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// acme is the engine for the account Acme, without a user: by it a test reads what has become
// true, and reports what carriers say.
func (o *office) acme() history {
	return history{o.operator.For(tracking.Actor{Account: o.accounts[0].Scope()}), o, true}
}

// must fails the test for an error.
func (o *office) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// addUsers adds the users, and to Other one of the same name as Ann.
func (h history) addUsers() {
	all := []tracking.Permission{tracking.Show, tracking.Create, tracking.Update, tracking.Delete}
	users := map[string][]tracking.Permission{"Ann": all, "Ben": all, "Dora": {tracking.Show}, "Root": append(slices.Clone(all), tracking.Admin)}
	if !h.acme {
		users = map[string][]tracking.Permission{"Eve": append(slices.Clone(all), tracking.Admin)}
	}
	for name, permissions := range users {
		user, err := h.Users().Create(h.o.t.Context(), tracking.NewUser{Name: name, Email: address(name), Permissions: permissions, Password: officePassword})
		h.o.must(err)
		h.o.users[name] = user
	}
}

func address(name string) string { return strings.ToLower(name) + "@example.com" }

// addShipments adds the shipments in which nothing goes wrong: at sea, and not due for weeks.
func (h history) addShipments() {
	var facts []freight.Fact
	for n := range furtherShipments {
		facts = append(facts, h.o.facts(fmt.Sprintf("MAEUF%05d", n), []string{boxNumber(9000 + n)}, `
			actual load CNSHA 2026-06-01T10:00 ship=Tern
			actual depart CNSHA 2026-06-02T10:00 ship=Tern
			estimated arrive NLRTM 2026-07-08T10:00 ship=Tern`)...)
	}
	h.ingest(facts)
}

// ingest reports facts of the line MAEU.
func (h history) ingest(facts []freight.Fact) {
	h.o.t.Helper()
	h.o.must(errorOf(h.Ingest(h.o.t.Context(), tracking.Report{Source: "dcsa", SCAC: "MAEU", Facts: facts})))
}

func errorOf[T any](_ T, err error) error { return err }

// report reports facts about a bill of lading; see facts.
func (h history) report(number string, boxes []string, text string) {
	h.o.t.Helper()
	h.ingest(h.o.facts(number, boxes, text))
}

// ships are those that the histories name.
var ships = map[string]freight.VesselRef{
	"Alpha": {IMO: "9321483", Name: "Alpha"}, "Beta": {IMO: "9454436", Name: "Beta"}, "Orion": {IMO: "9778791", Name: "Orion"}, "Vega": {IMO: "9074729", Name: "Vega"},
	"Lyra": {IMO: "9811000", Name: "Lyra"}, "Tern": {IMO: "9703291", Name: "Tern"},
}

// facts reads the facts about a bill of lading, one a line:
//
//	CLASSIFIER ACTIVITY LOCODE TIME [ship=NAME] [of=N,N] [said=TIME] [id=ID] [load=empty]
//	route ROLE LOCODE
//
// TIME is local to the place. of are numbers of boxes, from 1; all unless given. said is
// when the line recorded the fact; when it was received unless given.
func (o *office) facts(number string, boxes []string, text string) (list []freight.Fact) {
	o.t.Helper()
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		f := freight.Fact{RecordedAt: o.clock.Now(), LoadStatus: freight.Laden, Containers: boxes, Numbers: []freight.ShipmentNumber{{Type: freight.BillOfLading, Number: number}}, SCAC: "MAEU"}
		f.Place.LOCODE = words[2]
		rest := words[3:]
		if words[0] == "route" {
			f.Activity, f.Place.Role, f.LoadStatus, f.Containers = freight.Route, freight.Role(words[1]), "", nil
		} else {
			f.Classifier, f.Activity, f.At, rest = freight.Classifier(words[0]), freight.Activity(words[1]), moment(o.t, words[3]), words[4:]
		}
		for _, word := range rest {
			name, value, _ := strings.Cut(word, "=")
			switch name {
			case "ship":
				f.Vessel, f.Mode, f.Voyage = ships[value], freight.ByVessel, "26W"
			case "of":
				f.Containers = nil
				for n := range strings.SplitSeq(value, ",") {
					f.Containers = append(f.Containers, boxes[int(n[0]-'1')])
				}
			case "said":
				f.RecordedAt = moment(o.t, value).Time
			case "id":
				f.ID = value
			case "load":
				f.LoadStatus = freight.LoadStatus(value)
			case "line":
				f.SCAC = value
			default:
				o.t.Fatalf("%q in %q", name, line)
			}
		}
		list = append(list, f)
	}
	return list
}

// boxNumber is a container number with its check digit.
func boxNumber(n int) string {
	body := fmt.Sprintf("MSKU%06d", n)
	_, digit := refdata.CheckDigit(body + "0")
	return fmt.Sprintf("%s%d", body, digit)
}

// officeFields are the custom fields of shipments that several tasks use.
var officeFields = []tracking.NewCustomFieldDefinition{
	{EntityType: tracking.ShipmentEntity, APISlug: "po", DisplayName: "Purchase order", DataType: tracking.ShortTextField, Validation: []byte(`{"pattern":"^PO-[0-9]{4}$"}`)},
	{EntityType: tracking.ShipmentEntity, APISlug: "buyer", DisplayName: "Buyer", DataType: tracking.ShortTextField},
	{EntityType: tracking.ShipmentEntity, APISlug: "remark", DisplayName: "Remark", DataType: tracking.ShortTextField},
	{EntityType: tracking.ShipmentEntity, APISlug: "margin", DisplayName: "Margin", DataType: tracking.ShortTextField},
}

// define defines custom fields of officeFields, which an earlier task may have done.
func (h history) define(slugs ...string) {
	h.o.t.Helper()
	there, _, err := h.CustomFieldDefinitions(h.o.t.Context(), tracking.CustomFieldDefinitionQuery{}, tracking.Page{})
	h.o.must(err)
	for _, d := range officeFields {
		if slices.Contains(slugs, d.APISlug) && !slices.ContainsFunc(there, func(e *tracking.CustomFieldDefinition) bool { return e.APISlug == d.APISlug }) {
			h.o.must(errorOf(h.CreateCustomFieldDefinition(h.o.t.Context(), d)))
		}
	}
}

// shipment returns the shipment of a bill of lading.
func (h history) shipment(number string) *tracking.Shipment {
	h.o.t.Helper()
	list, _, err := h.Shipments(h.o.t.Context(), tracking.ShipmentQuery{Number: number}, tracking.Page{})
	h.o.must(err)
	if len(list) != 1 {
		h.o.t.Fatalf("%d shipments have the number %s", len(list), number)
	}
	return list[0]
}

// by is the engine for a user of Acme.
func (h history) by(name string) *tracking.Tracker {
	return h.o.operator.For(tracking.Actor{Account: h.o.accounts[0].Scope(), User: h.o.users[name].ID, Via: tracking.SetByAPI})
}

// accountOf is the account that a history is of.
func (o *office) accountOf(h history) tracking.AccountID {
	if h.acme {
		return o.accounts[0].Scope()
	}
	return o.accounts[1].Scope()
}

// replaced puts the number of a shipment in the place of % in facts.
func replaced(text, number string) string { return strings.ReplaceAll(text, "%", number) }

// later moves the clock to another day.
func (o *office) later(at string) {
	o.t.Helper()
	if to := moment(o.t, at).Time; to.After(o.clock.Now()) {
		o.clock.Set(to)
	}
}

// audited checks that the audit log has an operation of a user at the present time.
func (h history) audited(t *testing.T, name, operation string) {
	t.Helper()
	list, _, err := h.by("Root").AuditEvents(t.Context(), tracking.AuditEventQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.HasPrefix(e.Operation, operation) && e.User == h.o.users[name].ID && e.CreatedAt.Equal(h.o.clock.Now()) {
			return
		}
	}
	t.Errorf("the audit log has no %s of %s", operation, name)
}
