package workers

import (
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"pgregory.net/rapid"
)

// However many tasks n accounts have waiting, one part of 2^n of the workers stays free
// for others, an account that has nothing running can begin a task while one worker is
// free, and no limit is exceeded.
func TestShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config[*Task]{
			Workers: rapid.IntRange(1, 64).Draw(t, "workers"), PerGroup: rapid.IntRange(1, 8).Draw(t, "of a group"),
			PerAccount: rapid.IntRange(0, 64).Draw(t, "of an account"), ReadAhead: 16, Shared: true,
		}
		s := newShares(c)
		accounts := rapid.IntRange(1, 8).Draw(t, "accounts")
		type running struct {
			q *queue[*Task]
			v *Task
		}
		var runs []running
		now := time.Unix(0, 0)
		fill := func() {
			for {
				q, v, ok := s.next(now)
				if !ok {
					return
				}
				runs = append(runs, running{q, v})
			}
		}
		add := func(account byte, group int) {
			s.add(&Task{Job: store.Job{Account: store.AccountID{account}, Group: fmt.Sprint(account, "/", group)}})
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "seconds")) * time.Second)
			for range rapid.IntRange(0, 60).Draw(t, "new") {
				add(byte(rapid.IntRange(1, accounts).Draw(t, "account")), rapid.IntRange(0, 40).Draw(t, "group"))
			}
			for range min(len(runs), rapid.IntRange(0, 20).Draw(t, "ended")) {
				i := rapid.IntRange(0, len(runs)-1).Draw(t, "task")
				s.end(runs[i].q, runs[i].v, now)
				runs = append(runs[:i], runs[i+1:]...)
			}
			fill()
			checkShares(t, &s, c, len(runs))
			if free := c.Workers - s.used; free < c.Workers>>accounts {
				t.Fatalf("%d of %d workers are free beside %d accounts", free, c.Workers, accounts)
			}
			if free := c.Workers - s.used; free > 0 {
				add(99, rapid.IntRange(0, 3).Draw(t, "group of the idle account"))
				if _, v, ok := s.next(now); !ok || v.Job.Account != (store.AccountID{99}) {
					t.Fatalf("an idle account waits, %d workers are free", free)
				} else {
					s.end(s.queues[queueKey{groupOf(v.Job), v.Job.Account}], v, now)
				}
			}
		}
		for len(runs) > 0 {
			s.end(runs[0].q, runs[0].v, now)
			runs = runs[1:]
			fill()
		}
		if s.used != 0 || len(s.queues) != 0 || len(s.accounts) != 0 || len(s.turns) != 0 || len(s.byGroup) != 0 {
			t.Fatalf("left: %+v", s)
		}
	})
}

func checkShares(t *rapid.T, s *shares[*Task], c Config[*Task], running int) {
	used := 0
	for id, a := range s.accounts {
		if used += a.used; c.PerAccount > 0 && a.used > c.PerAccount {
			t.Fatalf("account %d has %d running", id[0], a.used)
		}
	}
	for g, n := range s.byGroup {
		if n > c.PerGroup {
			t.Fatalf("group %s has %d running", g.name, n)
		}
	}
	if used != s.used || used != running || used > c.Workers {
		t.Fatalf("%d tasks run, the accounts have %d, counted are %d", running, used, s.used)
	}
}
