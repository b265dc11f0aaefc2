package dashboard

import (
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// maxSheets bounds the sheets that are kept for an account.
const maxSheets = 20

// waitingSheets are the sheets that are kept, by account, the oldest first. It is forgotten with
// the process: the age of sheets bounds those of an earlier one.
type waitingSheets struct {
	mu   sync.Mutex
	kept map[tracking.AccountID][]waitingSheet
}

// waitingSheet is a sheet with when it is not kept any more.
type waitingSheet struct {
	id    string
	until time.Time
}

// add adds a sheet, and returns the one that goes for it: the oldest whose requests are not
// being made; empty for none. ok is false if all are being tracked: then nothing is added.
func (w *waitingSheets) add(account tracking.AccountID, id string, now time.Time, running func(string) bool) (gone string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := slices.DeleteFunc(w.kept[account], func(s waitingSheet) bool { return !now.Before(s.until) })
	if len(list) >= maxSheets {
		i := slices.IndexFunc(list, func(s waitingSheet) bool { return !running(s.id) })
		if i < 0 {
			return "", false
		}
		gone = list[i].id
		list = slices.Delete(list, i, i+1)
	}
	if w.kept == nil {
		w.kept = map[tracking.AccountID][]waitingSheet{}
	}
	w.kept[account] = append(list, waitingSheet{id, now.Add(keptLife)})
	return gone, true
}

// keepSheet keeps a sheet, in the place of the oldest if there are too many. It returns why it
// cannot; empty if it has.
func (req *request) keepSheet(id string, s keptSheet) (problem string, err error) {
	gone, ok := req.waiting.add(req.actor.Account, id, req.Clock.Now(), func(id string) bool {
		_, running := req.running.Load(id)
		return running
	})
	if !ok {
		return req.texts.get("sheet.many", maxSheets), nil
	}
	if gone != "" {
		for _, name := range []string{"sheet/" + gone, "sheet-progress/" + gone} {
			if err := req.Sessions.Delete(name); err != nil {
				return "", err
			}
		}
	}
	return "", req.keep("sheet/"+id, s)
}
