package tracking

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/deliveryrules"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/internal/workers"
	"github.com/landfallhq/tracking/store"
)

const (
	// mailWait is how long an event waits for others that the same e-mail can have.
	mailWait = 30 * time.Second
	// digestWait is the same for a digest, which is alone.
	digestWait = 2 * time.Second
	// maxMailEvents is how many notifications an e-mail has. The rest is in the next one.
	maxMailEvents = 50
	// mailTimeout is the most that one attempt takes.
	mailTimeout = time.Minute
	// mailWorkers is the number of e-mails that are sent at a time.
	mailWorkers = 16
	// mailReadAhead is how many subscriptions are claimed for each e-mail that is sent.
	mailReadAhead = 4
)

// mailDelay is how long the event waits before it is mailed.
func (s *eventSnapshot) mailDelay() time.Duration {
	if s.Event == digestEvent {
		return digestWait
	}
	return mailWait
}

// mailing is a claimed job to send what is due of one subscription in one e-mail. There is one
// job for each subscription, so that never two e-mails have the same notification.
type mailing struct {
	workers.Task
	webhook      *Webhook // nil if it does not exist
	subscription *MailSubscription
	manual       *manualRun
	// batch are the notifications that the e-mail is about, oldest first, and expired those that
	// are too old.
	batch, expired []*WebhookNotification
	// newer: a newer program has stored a record that the result would be written to.
	newer    bool
	dispatch Dispatch

	started, ended time.Time
	outcome        Outcome
	recorded       *transaction
}

// newMailings returns the workers that send e-mails.
func (t *Tracker) newMailings() *workers.Pool[*mailing] {
	c := &t.config
	return workers.New(workers.Config[*mailing]{
		Name: "mail", Log: t.log, Store: c.Store, WriteWait: c.WriteWait, Now: c.Clock.Now,
		Kinds: []store.JobKind{jobMail}, Lease: mailReadAhead*mailTimeout + 30*time.Second,
		Workers: mailWorkers, PerGroup: 1, PerAccount: (mailWorkers + 1) / 2,
		Shared: true, ReadAhead: mailReadAhead, GroupReadAhead: 1,
		New:  func() *mailing { return new(mailing) },
		Load: t.loadMailings, Run: func(_ context.Context, m *mailing) { t.mail(m) },
		Record: t.recordMailings, Recorded: t.mailingsRecorded,
	})
}

// loadMailings loads what the e-mails of one account are about.
func (t *Tracker) loadMailings(ctx context.Context, r store.RecordTx, account AccountID, list []*mailing) error {
	tx := t.newTransaction(ctx, r, account)
	for _, m := range list {
		m.Plan = workers.PlanSkip
		m.manual = manualRunOf(m.Job)
		if err := m.load(tx); err != nil {
			return err
		}
		if len(m.batch) > 0 {
			m.Plan = workers.PlanRun
		}
	}
	return nil
}

// load reads the subscription, chooses the notifications, and renders what is sent.
func (m *mailing) load(tx *transaction) error {
	id := m.Job.Ref
	if m.manual != nil {
		n, err := notifications.Get(tx, id)
		if err != nil {
			return ignoreNotFound(err)
		}
		m.batch, id = []*WebhookNotification{n}, n.Webhook
	}
	s, w, err := getMailSubscription(tx, id)
	if err != nil {
		m.batch = nil
		return ignoreNotFound(err)
	}
	m.webhook, m.subscription = w, s
	if m.manual == nil {
		if !w.Active {
			return nil
		}
		if err := m.choose(tx); err != nil {
			return err
		}
	}
	return m.render(tx)
}

// choose chooses the notifications that are due: a digest, or all alerts up to the first digest.
// It depends on the time at which the job was due and not on that of the claim: an e-mail that is
// sent again, because a process has ended before it recorded the first attempt, has the same
// notifications and so the same Message-ID.
func (m *mailing) choose(tx *transaction) error {
	list, err := pendingMail(tx, m.webhook.ID)
	if err != nil {
		return err
	}
	for _, n := range list {
		switch isDigest := n.Event == digestEvent; {
		case !tx.Now.Before(n.ExpiresAt):
			m.expired = append(m.expired, n)
		case !n.CreatedAt.Before(m.Job.Due.Truncate(time.Second)) || n.NextAttemptAt.After(m.Job.Due):
		case len(m.batch) > 0 && (isDigest || m.batch[0].Event == digestEvent):
			return nil
		case isDigest || m.subscription.mayAlertAt(tx) <= 0:
			m.batch = append(m.batch, n)
		}
	}
	return nil
}

// pendingMail returns the first notifications that wait to be mailed, oldest first.
func pendingMail(tx *transaction, webhook ID) ([]*WebhookNotification, error) {
	q := WebhookNotificationQuery{Webhooks: []ID{webhook}, Statuses: []DeliveryStatus{DeliveryPending}, OldestFirst: true}
	list, _, err := notifications.List(tx, q.where(), Page{Number: 1, Size: maxMailEvents})
	return list, err
}

// mayAlertAt is how long alerts must wait, because there were so many in the last hour.
func (s *MailSubscription) mayAlertAt(tx *transaction) time.Duration {
	if most := tx.engine.config.MailsPerHour; len(s.SentAt) >= most {
		return s.SentAt[len(s.SentAt)-most].Add(time.Hour).Sub(tx.Now)
	}
	return 0
}

// render makes the e-mail of the chosen notifications.
func (m *mailing) render(tx *transaction) error {
	if len(m.batch) == 0 {
		return nil
	}
	u, err := users.Get(tx, m.subscription.User)
	if isNotFound(err) {
		m.batch, m.expired = nil, append(m.expired, m.batch...)
		return nil
	}
	if err != nil {
		return err
	}
	events := make([]ID, len(m.batch))
	for i, n := range m.batch {
		events[i] = n.Occurrence
	}
	newer := map[ID]bool{}
	snapshots, err := getSnapshots(tx, events, newer)
	if err != nil {
		return err
	}
	if m.newer, err = m.isNewer(tx); m.newer || len(newer) > 0 || err != nil {
		m.newer, m.batch = true, nil // it would be sent again and again
		return err
	}
	d := MailDispatch{Name: u.Name, Timezone: m.subscription.Timezone, Account: tx.Account}
	m.batch = slices.DeleteFunc(m.batch, func(n *WebhookNotification) bool {
		s := snapshots[n.Occurrence]
		if s == nil { // kept no longer
			m.expired = append(m.expired, n)
			return true
		}
		body, err := renderPayload(n, s)
		if err != nil {
			tx.engine.log.Error("a notification is damaged", "notification", n.ID, "error", err)
			m.expired = append(m.expired, n)
			return true
		}
		d.Bodies = append(d.Bodies, body)
		return false
	})
	if len(m.batch) == 0 {
		return nil
	}
	m.dispatch = Dispatch{ID: mailID(m.batch), Webhook: m.webhook.ID, URL: m.webhook.URL, Body: d.Bodies[0], Mail: &d}
	d.UnsubscribeToken, err = tx.engine.unsubscribeToken(tx.Account, m.webhook.ID, tx.Now)
	return err
}

// isNewer reports whether no result could be recorded, because a newer program has stored a record
// that it belongs to.
func (m *mailing) isNewer(tx *transaction) (bool, error) {
	ids := make([]ID, len(m.batch))
	for i, n := range m.batch {
		ids[i] = n.ID
	}
	for _, read := range []func() (map[ID]bool, error){
		func() (map[ID]bool, error) { return newerRecords(tx, notifications, ids) },
		func() (map[ID]bool, error) { return newerRecords(tx, webhooks, []ID{m.webhook.ID}) },
		func() (map[ID]bool, error) { return newerRecords(tx, mailSubscriptions, []ID{m.webhook.ID}) },
		func() (map[ID]bool, error) { return newerRecords(tx, ledgers, []ID{ledgerID}) },
	} {
		if found, err := read(); len(found) > 0 || err != nil {
			return true, err
		}
	}
	return false, nil
}

// mailID identifies an e-mail by its notifications: the same for all its attempts.
func mailID(batch []*WebhookNotification) ID {
	if len(batch) == 1 {
		return batch[0].ID
	}
	h := sha256.New()
	for _, n := range batch {
		h.Write(n.ID[:])
	}
	id, err := uuid.FromBytes(h.Sum(nil)[:16])
	if err != nil {
		panic(err) // the length is right
	}
	return id
}

// mail makes the attempt if the lease leaves time for it.
func (t *Tracker) mail(m *mailing) {
	m.started = t.now()
	if m.LeaseEnd.Sub(m.started) < mailTimeout {
		m.outcome = Outcome{Failure: FailCanceled}
		return
	}
	m.dispatch.At = m.started
	// An attempt under way is completed when the engine stops.
	ctx, cancel := context.WithTimeout(context.Background(), mailTimeout)
	defer cancel()
	began := time.Now()
	m.outcome = t.callNotifier(ctx, m.dispatch)
	m.ended = t.now()
	t.config.Observer.deliveryEnded(began, &m.outcome)
}

// recordMailings records the results of e-mails of one account.
func (t *Tracker) recordMailings(ctx context.Context, r store.RecordTx, account AccountID, list []*mailing) ([]string, error) {
	tx := t.newTransaction(ctx, r, account)
	tx.collectChanges()
	return nil, tx.run(func(tx *transaction) error {
		for _, m := range list {
			if err := m.record(tx); err != nil {
				return err
			}
			m.recorded = tx
		}
		return nil
	}, false)
}

func (t *Tracker) mailingsRecorded(list []*mailing) {
	for _, m := range list {
		if m.recorded != nil {
			t.notifyWatchers(m.recorded) // one transaction records them all
			return
		}
	}
}

// record records the result of one e-mail for each of its notifications, and enqueues the next
// one. The job has just been finished.
func (m *mailing) record(tx *transaction) error {
	rec := recorder{tx: tx}
	if err := m.fail(&rec); err != nil {
		return err
	}
	if m.Plan != workers.PlanRun || m.outcome.Failure == FailCanceled {
		return m.enqueueNext(tx)
	}
	for _, loaded := range m.batch {
		n, err := notifications.Get(tx, loaded.ID)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := recordLost(tx, m.Job.Attempt, m.manual.trigger(), n); err != nil {
			return err
		}
		result, err := n.recordAttempt(tx, madeAttempt{m.manual, m.started, m.ended, &m.outcome})
		if err != nil {
			return err
		}
		if err := rec.countForRecovery(m.manual, result == deliveryrules.Succeeded); err != nil {
			return err
		}
	}
	if err := rec.save(); err != nil {
		return err
	}
	if err := m.recordSubscription(tx); err != nil {
		return err
	}
	return m.enqueueNext(tx)
}

// fail fails the notifications that are too old.
func (m *mailing) fail(rec *recorder) error {
	for _, loaded := range m.expired {
		n, err := notifications.Get(rec.tx, loaded.ID)
		if err == nil {
			err = rec.fail(n, FailedExpired)
		}
		if ignoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// recordSubscription counts the e-mail for the limit of an hour, and a refusal as a bounce.
func (m *mailing) recordSubscription(tx *transaction) error {
	s, w, err := getMailSubscription(tx, m.webhook.ID)
	if err != nil {
		return ignoreNotFound(err)
	}
	switch {
	case m.outcome.Failure == FailRejected:
		if err := s.bounce(tx, w, m.outcome.Gone); err != nil {
			return err
		}
	case m.outcome.Failure != "" || m.manual != nil || m.batch[0].Event == digestEvent:
		return nil
	default:
		s.SentAt = append(slices.DeleteFunc(s.SentAt, func(at time.Time) bool { return tx.Now.Sub(at) >= time.Hour }), tx.Now)
	}
	return mailSubscriptions.Put(tx, s)
}

// enqueueNext enqueues the job for what is still pending.
func (m *mailing) enqueueNext(tx *transaction) error {
	if m.newer {
		m.Job.Due = tx.clock().Add(deliveryrules.BreakerMax)
		return tx.enqueue(m.Job)
	}
	if m.manual != nil {
		if m.outcome.Failure != FailCanceled {
			return nil
		}
		return tx.enqueue(m.Job) // as if it had not been claimed
	}
	s, w, err := getMailSubscription(tx, m.Job.Ref)
	if err != nil || !w.Active {
		return ignoreNotFound(err)
	}
	list, err := pendingMail(tx, w.ID)
	if err != nil || len(list) == 0 {
		return err
	}
	return tx.enqueue(mailJob(w.ID, s.nextMail(tx, list)))
}

// nextMail is when the next e-mail is due.
func (s *MailSubscription) nextMail(tx *transaction, pending []*WebhookNotification) (due time.Time) {
	for _, n := range pending {
		at, wait := n.NextAttemptAt, mailWait
		if n.Event == digestEvent {
			wait = digestWait
		} else {
			at = schedule.Latest(at, tx.Now.Add(s.mayAlertAt(tx)))
		}
		at = schedule.Latest(at, n.CreatedAt.Add(wait), tx.clock())
		if due.IsZero() || at.Before(due) {
			due = at
		}
	}
	return due
}

// resume makes what has waited for the subscription due, and schedules its digest.
func (s *MailSubscription) resume(tx *transaction) error {
	list, err := pendingMail(tx, s.ID)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		if err := enqueueMail(tx, s.ID, tx.clock()); err != nil {
			return err
		}
	}
	return s.enqueueDigest(tx, tx.clock())
}

// mailTest is what an e-mail for a test has besides the example.
func mailTest(tx *transaction, id ID) (*MailDispatch, error) {
	s, _, err := getMailSubscription(tx, id)
	if err != nil {
		return nil, err
	}
	u, err := users.Get(tx, s.User)
	if err != nil {
		return nil, err
	}
	d := &MailDispatch{Name: u.Name, Timezone: s.Timezone, Account: tx.Account}
	d.UnsubscribeToken, err = tx.engine.unsubscribeToken(tx.Account, id, tx.Now)
	return d, err
}
