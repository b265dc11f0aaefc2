package dashboard

import (
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// maxWaiting bounds the sheets, and the actions on records, that are kept for an account.
const maxWaiting = 20

// waitingRows are the rows that are kept, by account and kind of work, the oldest first. It is
// forgotten with the process: their age bounds those of an earlier one.
type waitingRows struct {
	mu   sync.Mutex
	kept map[waitingKey][]waiting
}

// waitingKey is an account with a kind of work, such as sheet.
type waitingKey struct {
	account tracking.AccountID
	kind    string
}

// waiting is the ID of some rows with when they are not kept any more.
type waiting struct {
	id    string
	until time.Time
}

// add adds rows, and returns those that go for them: the oldest that are not being worked off;
// empty for none. ok is false if all are: then nothing is added.
func (w *waitingRows) add(key waitingKey, id string, now time.Time, running func(string) bool) (gone string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := slices.DeleteFunc(w.kept[key], func(s waiting) bool { return !now.Before(s.until) })
	if len(list) >= maxWaiting {
		i := slices.IndexFunc(list, func(s waiting) bool { return !running(s.id) })
		if i < 0 {
			return "", false
		}
		gone = list[i].id
		list = slices.Delete(list, i, i+1)
	}
	if w.kept == nil {
		w.kept = map[waitingKey][]waiting{}
	}
	w.kept[key] = append(list, waiting{id, now.Add(keptLife)})
	return gone, true
}

// keepRows keeps what a kind of work is to be done with, in the place of the oldest if there are too
// many. It returns why it cannot; empty if it has.
func (req *request) keepRows(kind, id string, rows any) (problem string, err error) {
	gone, ok := req.waiting.add(waitingKey{req.actor.Account, kind}, id, req.Clock.Now(), func(id string) bool {
		_, running := req.running.Load(id)
		return running
	})
	if !ok {
		return req.texts.get(kind+".waiting", maxWaiting), nil
	}
	if gone != "" {
		for _, name := range []string{kind + "/" + gone, kind + "-progress/" + gone} {
			if err := req.Sessions.Delete(name); err != nil {
				return "", err
			}
		}
	}
	return "", req.keep(kind+"/"+id, rows)
}
