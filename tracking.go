package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/apikey"
	"github.com/landfallhq/tracking/internal/exceptions"
	"github.com/landfallhq/tracking/internal/keyring"
	"github.com/landfallhq/tracking/internal/openings"
	"github.com/landfallhq/tracking/internal/ratelimit"
	"github.com/landfallhq/tracking/internal/report"
	"github.com/landfallhq/tracking/internal/searoute"
	"github.com/landfallhq/tracking/internal/signin"
	"github.com/landfallhq/tracking/internal/workers"
	"github.com/landfallhq/tracking/store"
)

// Clock returns the time. Tests move it; see trackingtest.
type Clock interface {
	// Now returns the current time; any zone.
	Now() time.Time
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

// Types of package store in the signatures of this package.
type (
	// Store keeps the records. Package storage opens one.
	Store = store.Store
	// ID identifies a record: a UUID, rendered in its usual text form.
	ID = store.ID
	// AccountID identifies an account. The zero AccountID is the system scope.
	AccountID = store.AccountID
	// Page is one page of a list: Number counts from 1, Size is at least 1. The
	// zero Page means the whole list.
	Page = store.Page
	// Order sorts a list by an attribute; the empty name is the order of creation.
	Order = store.Order
)

// Config has the arguments of New, which copies and checks it.
type Config struct {
	// Store keeps the records. Required; storage.Open makes one.
	Store Store
	// Clock returns the time. Defaults to the system clock.
	Clock Clock
	// Sources are the sources of shipping lines, by SCAC. Defaults to none: then
	// facts come by Ingest only.
	Sources Sources
	// Reference has ports and shipping lines. Defaults to the tables of package
	// refdata.
	Reference Reference
	// Account is the account of a Tracker that For did not return, for programs
	// with one account. Defaults to none.
	Account AccountID
	// Logger is for the operator. Defaults to slog.Default().
	Logger *slog.Logger
	// RefreshEvery is the interval at which a source is polled about a shipment,
	// unless its answer or Refresh sets another; the defaults of Refresh follow it.
	// Defaults to 6 hours; at least 1 second.
	RefreshEvery time.Duration
	// Refresh has the intervals by state of the shipment.
	Refresh RefreshIntervals
	// StopWindows are the times after which a shipment is no longer followed.
	StopWindows StopWindows
	// FlapWindow limits the announcements of a feed that alternates between values.
	// If a value (an estimate, deadline, hold or the like) returns within this time
	// to what was announced before, that is not announced, unless it still stands
	// when the time is over. 0 means the refresh interval of the shipment, see
	// Refresh; the least is 1 second.
	FlapWindow time.Duration
	// RequestWindow is how long a tracking request may go without success.
	// Defaults to 7 days.
	RequestWindow time.Duration
	// SourceTimeout limits one question to a source. Defaults to 60 seconds.
	SourceTimeout time.Duration
	// Workers is the number of concurrent jobs. Half as many documents are read
	// besides. Defaults to 8.
	Workers int
	// WriteWait limits how long a write waits for its turn at the store; then it
	// fails with ErrUnavailable. Defaults to 5 seconds.
	WriteWait time.Duration
	// OnAnnounce is called with the events of each committed transaction, in order,
	// on the goroutine that committed it. It must be quick, and must not call the
	// Tracker. After a crash between commit and call it is not called, but the
	// reference object of the event exists. Defaults to nil.
	OnAnnounce func(context.Context, []Announcement)
	// Observer is told what the engine does, for metrics. Defaults to nothing.
	Observer Observer
	// Notifier sends notifications to the endpoints of webhooks; webhook.New
	// returns one. Defaults to nil: then notifications wait for a process that has
	// one.
	Notifier Notifier
	// Mailer sends notifications and digests to users by e-mail; mail.New of package mail
	// returns one. Its endpoints are URLs such as mailto:jane@example.com. Defaults to nil:
	// then nobody can subscribe to e-mails.
	Mailer Notifier
	// MailsPerHour is how many alerts one user gets by e-mail in an hour; what happens
	// meanwhile is in the next one. Defaults to 12.
	MailsPerHour int
	// Positions returns positions of ships. Defaults to nil: then requests that
	// need positions are refused.
	Positions Positions
	// AvoidPassages are canals and straits that the ships of maps avoid, such as suez,
	// panama or bab_el_mandeb; New refuses other names with a list of all. Defaults to
	// none: then maps show the shortest way.
	AvoidPassages []string
	// Delivery has the limits of deliveries.
	Delivery DeliverySettings
	// MasterKey encrypts the secrets of webhooks in the store: at least 32 bytes.
	// Defaults to nil: then webhooks cannot be created.
	MasterKey []byte
	// OldMasterKeys decrypt what was encrypted before MasterKey was changed.
	OldMasterKeys [][]byte
	// Blobs stores the bytes of documents; dir.Open of blob/dir returns one.
	// Defaults to nil: then uploads are refused.
	Blobs Blobs
	// Extractor reads the text of documents, and Classifier finds their type and
	// fields; see packages classify/extract and classify. Default to nil: then
	// documents are stored and linked by their users only.
	Extractor  Extractor
	Classifier Classifier
	// MaxDocumentBytes limits the size of a document. Defaults to 25 MiB.
	MaxDocumentBytes int64
	// Passwords hashes the passwords of users; password.New of package password returns
	// one. Defaults to nil: then users have no passwords.
	Passwords Passwords
	// AuditRetention is how long the audit log is kept. Defaults to 365 days; at least
	// one hour.
	AuditRetention time.Duration
	// RecordEvents records the events of all accounts, for Tracker.Events. Defaults to
	// false: those of an account are recorded from the first time that they are read on,
	// until they were not read for as long as they are kept.
	RecordEvents bool
	// Rand returns the jitter of retries and refreshes, 0 <= x < 1. Defaults to
	// math/rand/v2.
	Rand func() float64
}

func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = realClock{}
	}
	if c.Reference == nil {
		c.Reference = builtin{}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.RefreshEvery = cmp.Or(c.RefreshEvery, 6*time.Hour)
	c.Refresh = c.Refresh.withDefaults(c.RefreshEvery)
	c.StopWindows = c.StopWindows.withDefaults()
	c.RequestWindow = cmp.Or(c.RequestWindow, 7*24*time.Hour)
	c.SourceTimeout = cmp.Or(c.SourceTimeout, time.Minute)
	c.Workers = cmp.Or(c.Workers, 8)
	c.MailsPerHour = cmp.Or(c.MailsPerHour, 12)
	c.WriteWait = cmp.Or(c.WriteWait, 5*time.Second)
	c.MaxDocumentBytes = cmp.Or(c.MaxDocumentBytes, 25<<20)
	c.AuditRetention = cmp.Or(c.AuditRetention, defaultAuditWindow)
	c.Delivery = c.Delivery.withDefaults()
	if c.Rand == nil {
		c.Rand = rand.Float64
	}
	return c
}

func (c Config) masterKeys() [][]byte {
	if c.MasterKey == nil {
		return nil
	}
	return append([][]byte{c.MasterKey}, c.OldMasterKeys...)
}

// avoided returns AvoidPassages.
func (c Config) avoided() (list []searoute.Passage) {
	for _, name := range c.AvoidPassages {
		list = append(list, searoute.Passage(name))
	}
	return list
}

func (c Config) validate() error {
	switch {
	case c.Store == nil:
		return errors.New(`tracking: Config.Store is nil: add a line such as store, err := storage.Open("landfall.db") and set Store: store`)
	case c.RefreshEvery < time.Second:
		return errors.New("tracking: Config.RefreshEvery must be at least one second")
	case c.FlapWindow != 0 && c.FlapWindow < time.Second:
		return errors.New("tracking: Config.FlapWindow must be at least one second")
	case c.RequestWindow < time.Minute:
		return errors.New("tracking: Config.RequestWindow must be at least one minute")
	case c.SourceTimeout < time.Millisecond:
		return errors.New("tracking: Config.SourceTimeout must be at least one millisecond")
	case c.Workers < 1:
		return errors.New("tracking: Config.Workers must be at least 1")
	case c.MailsPerHour < 1:
		return errors.New("tracking: Config.MailsPerHour must be at least 1")
	case c.MaxDocumentBytes < 1:
		return errors.New("tracking: Config.MaxDocumentBytes must be at least 1")
	case (c.Extractor == nil) != (c.Classifier == nil):
		return errors.New("tracking: Config.Extractor and Config.Classifier go together: set both or neither")
	case c.AuditRetention < time.Hour:
		return errors.New("tracking: Config.AuditRetention must be at least one hour")
	case c.WriteWait < time.Millisecond:
		return errors.New("tracking: Config.WriteWait must be at least one millisecond")
	}
	if err := searoute.Check(c.avoided()...); err != nil {
		return fmt.Errorf("tracking: Config.AvoidPassages: %w", err)
	}
	for scac, s := range c.Sources {
		if !report.IsSCAC(scac) {
			return fmt.Errorf("tracking: the key %q of Config.Sources is no SCAC: give two to four capital letters or digits, such as MAEU", scac)
		}
		if s == nil {
			return fmt.Errorf("tracking: Config.Sources[%q] is nil", scac)
		}
	}
	return errors.Join(c.Refresh.validate(), c.Delivery.validate())
}

// engine is shared by all Trackers of one New.
type engine struct {
	config Config // not embedded: a Tracker must not hand out its store
	log    *slog.Logger
	refs   *references
	keys   *keyring.Ring
	closed atomic.Bool
	upkeep upkeep
	// node is this process among the nodes of the store.
	node    ownNode
	outages outages
	keyUses *apikey.UseRecorder
	// openings are those of share links, and openingsID names this counter in the store.
	openings   *openings.Counter[openedLink]
	openingsID ID
	signIns    *signin.Throttle
	// watchers are the functions of Watch.
	watchers watchers
	// followers wait for recorded events.
	followers eventFollowers
	places    placeMemory
	tariffs   accountCache[accountTariffs]
	// thresholds are those of the exceptions.
	thresholds accountCache[exceptions.Settings]
	// pastErrors are the errors of past ETAs, from which bands are made.
	pastErrors errorCache
	// noSource has the SCACs that logNoSource has logged.
	noSource sync.Map
	// reading runs the jobs that read the files of documents, recognition those that recognise
	// text in pictures, jobs the other background jobs, deliveries sends notifications.
	jobs, reading, recognition *workers.Pool[*workers.Task]
	deliveries                 *workers.Pool[*delivery]
	mailings                   *workers.Pool[*mailing]
}

// Tracker is the engine, used by one actor. Its methods apply every domain rule:
// they check the actor's permission and their arguments, and change records in one
// transaction. It is safe for concurrent use.
//
// Methods return an *Error (or Errors) for what the caller can correct; any other
// error is a fault of the system.
type Tracker struct {
	*engine
	actor Actor
	bound bool // made by For: acts for a user
}

// New returns a Tracker and prepares its store.
func New(config Config) (*Tracker, error) {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		return nil, err
	}
	keys, err := keyring.New(config.masterKeys()...)
	if err != nil {
		return nil, err
	}
	e := &engine{config: config, log: config.Logger, keys: keys, openingsID: uuid.New(), node: ownNode{id: uuid.New()}}
	e.refs, e.keyUses, e.openings = newReferences(e), newKeyUses(e), newOpenings(e)
	if err := config.Store.Prepare(context.Background(), allKinds()); err != nil {
		return nil, e.describeNewer(err)
	}
	if err := e.verifyMasterKey(context.Background()); err != nil {
		return nil, err
	}
	if err := e.recordProgram(context.Background()); err != nil {
		e.log.Warn("the version of the program was not stored", "error", err) // it only helps to describe errors
	}
	t := &Tracker{engine: e, actor: Actor{Account: config.Account}}
	e.signIns = signin.NewThrottle(t.Windows)
	e.jobs, e.reading, e.recognition, e.deliveries, e.mailings = t.newJobs(), t.newReading(), t.newRecognition(), t.newDeliveries(), t.newMailings()
	return t, nil
}

// For returns the engine for an actor. It costs nothing.
func (t *Tracker) For(a Actor) *Tracker {
	return &Tracker{engine: t.engine, actor: a, bound: true}
}

// Close stops the engine and closes its store. Run returns soon after.
func (t *Tracker) Close() error {
	if t.closed.Swap(true) {
		return nil
	}
	t.jobs.Close()
	t.reading.Close()
	t.recognition.Close()
	t.deliveries.Close()
	t.mailings.Close()
	t.keyUses.Close()
	t.openings.Close()
	t.followers.close()
	t.leave()
	return t.config.Store.Close()
}

// Windows returns rolling windows in which events are counted, for limits. A store that
// several processes share counts for all of them, those with one name together: see
// [store.WindowStore]. Otherwise each call returns windows of its own, in the memory of this
// process. length is in whole milliseconds, at most a day.
func (t *Tracker) Windows(name string, length time.Duration) store.Windows {
	if s, ok := t.config.Store.(store.WindowStore); ok {
		return s.Windows(name, length)
	}
	return ratelimit.Local(length)
}

// now returns the time in UTC, in whole seconds, as everything is shown.
func (e *engine) now() time.Time { return e.config.Clock.Now().UTC().Truncate(time.Second) }
