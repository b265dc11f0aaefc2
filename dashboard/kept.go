package dashboard

import (
	"context"
	"encoding/json"
	"net/url"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/landfallhq/tracking"
)

const (
	// keptLife is how long rows wait to be confirmed, and their results to be looked at.
	keptLife = 24 * time.Hour
	// keptPage is how many rows a page shows.
	keptPage = 200
	// workPatience is how long the answer to a confirmation waits for the end of the work, so
	// that little of it is seen done at once.
	workPatience = time.Second
)

// keep stores a value with the sessions for a day, for the account; see note 199.
func (req *request) keep(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	until := req.Clock.Now().Add(keptLife)
	coded, err := scs.GobCodec{}.Encode(until, map[string]any{sessionAccountID: tracking.ID(req.actor.Account).String(), "kept": string(data)})
	if err != nil {
		return err
	}
	return req.Sessions.Commit(name, coded, until)
}

// kept reads what keep has stored; found is false for another account.
func (req *request) kept(name string, v any) (found bool, err error) {
	data, found, err := req.Sessions.Find(name)
	if err != nil || !found {
		return false, err
	}
	_, values, err := scs.GobCodec{}.Decode(data)
	if err != nil {
		return false, err
	}
	text, _ := values["kept"].(string)
	if values[sessionAccountID] != tracking.ID(req.actor.Account).String() || text == "" {
		return false, nil
	}
	return true, json.Unmarshal([]byte(text), v)
}

// work works rows off in the background, unless that is under way for this ID. begin reads or
// stores what was confirmed. What do has done so far is logged when it fails; its page offers to
// go on.
func (req *request) work(id string, begin func() error, do func(context.Context) error) error {
	if _, running := req.running.LoadOrStore(id, true); running {
		return nil
	}
	if err := begin(); err != nil {
		req.running.Delete(id)
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer req.running.Delete(id)
		defer func() {
			if fault := recover(); fault != nil { // it ends this work, and not the server
				req.Logger.Error("dashboard: background work stopped; its page offers to go on", "work", id, "panic", fault, "stack", string(debug.Stack()))
			}
		}()
		if err := do(context.WithoutCancel(req.r.Context())); err != nil {
			req.Logger.Error("dashboard: background work stopped; its page offers to go on", "work", id, "error", err)
		}
	}()
	select {
	case <-ended:
	case <-time.After(workPatience):
	}
	return nil
}

// workView is how far rows are that are worked off.
type workView struct {
	// Action is where the work is confirmed, and may be gone on with.
	Action, CSRF string
	// Confirmed: it has begun. Running: this process is at it. Ended: all rows are done.
	Confirmed, Running, Ended bool
	Done, Total               int
	// Allowed: the session may confirm it.
	Allowed bool
	pager
}

// workView returns the view before the progress is read: the work may end in between.
func (req *request) workView(id, path string, total int, needs tracking.Permission) workView {
	req.still = true // it follows its progress by itself
	v := workView{Action: req.link(path), CSRF: req.sessions.GetString(req.r.Context(), sessionCSRF), Total: total, Allowed: req.can(needs)}
	_, v.Running = req.running.Load(id)
	v.pager = req.pager(path, total)
	return v
}

// reached adds how many rows are done. A page of work that goes on reloads itself; once it has
// ended, the page shows later changes as others do.
func (v *workView) reached(req *request, done int) {
	v.Confirmed, v.Done, v.Ended = true, done, done == v.Total
	req.still = !v.Ended
	if v.Running && !v.Ended {
		req.w.Header().Set("Refresh", "1")
	}
}

// pager is a page of kept rows.
type pager struct {
	// First and Last are the numbers of its rows, and Previous and Next empty where there is no
	// such page.
	First, Last    int
	Previous, Next string
}

func (req *request) pager(path string, total int) (p pager) {
	q := req.r.URL.Query()
	n, err := strconv.Atoi(q.Get(paramPage))
	if err != nil || n < 1 || (n-1)*keptPage >= total {
		n = 1
	}
	to := func(n int) string {
		v := url.Values{}
		for name, values := range q {
			v[name] = values
		}
		v.Set(paramPage, strconv.Itoa(n))
		return req.link(path, v)
	}
	p.First, p.Last = (n-1)*keptPage+1, min(n*keptPage, total)
	if n > 1 {
		p.Previous = to(n - 1)
	}
	if p.Last < total {
		p.Next = to(n + 1)
	}
	return p
}
