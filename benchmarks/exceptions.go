package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// exceptionsName is what -only selects these measurements by.
const exceptionsName = "exceptions"

var (
	// withoutFacts: lists do not read the facts, and a million shipments with them would take
	// twice the space.
	withoutFacts = []string{"raw_event"}
	// listsOnly leaves out all that lists of exceptions and costs do not read.
	listsOnly = []string{"raw_event", "transport_event"}
)

// assignees take care of one exception in ten, and of one in a hundred.
var assignees = [2]string{"Ann", "Bo"}

// assignExceptions has people take care of some exceptions of an account.
func (f *filler) assignExceptions(ctx context.Context, to account) error {
	x := f.operator.For(tracking.Actor{Account: to.scope}).Exceptions()
	list, _, err := x.List(ctx, tracking.ExceptionQuery{}, tracking.Page{Number: 1, Size: math.MaxInt32})
	for i, e := range list {
		u := tracking.ExceptionUpdate{Assignee: tracking.Set(assignees[0]), Acknowledged: tracking.Set(true)}
		switch {
		case i%100 == 1:
			u.Assignee = tracking.Set(assignees[1])
		case i%10 != 0:
			continue
		}
		if _, err := x.Update(ctx, e.ID, u); err != nil {
			return err
		}
	}
	return err
}

// exceptionCall is a list that is compared with another, its plain list.
type exceptionCall struct{ name, plain, path string }

// The plain lists.
const (
	plainContainers = "containers"
	plainShipments  = "shipments, include=containers"
	plainExceptions = "exceptions"
)

// exceptionCalls are the lists, each after its plain list.
func exceptionCalls() []exceptionCall {
	var all []exceptionCall
	escape := strings.NewReplacer("[", "%5B", "]", "%5D")
	of := func(plain, path string, queries ...string) {
		all = append(all, exceptionCall{plain, plain, path})
		path, _, _ = strings.Cut(path, "?")
		for _, q := range queries {
			at, query := path, q
			if of, counted := strings.CutPrefix(q, "counts"); counted {
				at, query = path+"/counts", strings.TrimSpace(of)
			}
			all = append(all, exceptionCall{plain + ", " + q, plain, at + "?" + escape.Replace(query)})
		}
	}
	day := func(later int) string {
		return url.QueryEscape(time.Now().UTC().AddDate(0, 0, later).Format(time.DateOnly))
	}
	of(plainContainers, "/v2/containers", "sort=cost", "sort=-cost", "filter[accruing]=true", "filter[accruing]=false",
		"filter[free_time_ends][start]="+day(-1)+"&filter[free_time_ends][end]="+day(2), "filter[accruing]=true&sort=-cost", "include=exceptions")
	of(plainShipments, "/v2/shipments?include=containers", "include=containers,exceptions")
	of(plainExceptions, "/v2/exceptions", "sort=opened_at", "sort=-opened_at", "sort=created_at", "sort=-updated_at", "sort=severity", "sort=-severity",
		"filter[kind]=hold", "filter[kind]=hold,not_returned", "filter[severity]=high", "filter[state]=open", "filter[state]=closed", "filter[assignee]="+assignees[0], "filter[assignee]="+assignees[1],
		"filter[acknowledged]=false", "filter[state]=open&filter[severity]=high", "filter[state]=open&filter[kind]=hold", "filter[state]=open&filter[assignee]="+assignees[0],
		"filter[state]=open&sort=severity", "filter[state]=open&sort=-opened_at", "filter[state]=open&filter[acknowledged]=false&sort=severity",
		"counts", "counts filter[state]=open", "counts filter[state]=open&filter[assignee]="+assignees[0])
	return all
}

// exceptionFigures are those of the lists, by name and round: of lists whose number is
// remembered, and of the first after something was written.
type exceptionFigures struct {
	open, costs, records, containers int
	warm, cold                       map[string][]figures
}

// measureExceptions measures lists of exceptions and costs of the large account, in this
// process.
func (r *run) measureExceptions(ctx context.Context) (err error) {
	if !r.wanted(exceptionsName) {
		return nil
	}
	s, err := newServer(r.data.file, caches{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.operator.Close()) }()
	// What another store commits invalidates all numbers that this one remembers.
	other, err := newServer(r.data.file, caches{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, other.operator.Close()) }()
	f := &exceptionFigures{warm: map[string][]figures{}, cold: map[string][]figures{}}
	if err := f.count(ctx, s.operator.For(tracking.Actor{Account: r.data.large.scope})); err != nil {
		return err
	}
	named := 0
	commit := func() error {
		named++
		_, err := other.operator.For(tracking.Actor{Account: r.data.thinned.scope}).CreateParty(ctx, tracking.NewParty{CompanyName: fmt.Sprintf("Shipper %d %d", named, time.Now().UnixNano())})
		return err
	}
	r.exceptions = f
	list := exceptionCalls()
	each := r.each / callShare
	for n := range r.rounds {
		r.round("lists of exceptions and costs", n, 2*len(list), each)
		var all []func() error
		for _, c := range list {
			path := c.path
			if !strings.Contains(path, "/counts") {
				path += map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + fmt.Sprintf("page%%5Bsize%%5D=%d", pageSize)
			}
			call := s.caller(calls{c.name, []request{{path: path, key: r.data.large.key}}})
			all = append(all, func() error { return measureTwice(ctx, c.name, each, commit, call, f.cold, f.warm) })
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// count counts what there is to find.
func (f *exceptionFigures) count(ctx context.Context, t *tracking.Tracker) (err error) {
	one := tracking.Page{Number: 1, Size: 1}
	for _, n := range []struct {
		to *int
		q  tracking.ExceptionQuery
	}{{&f.records, tracking.ExceptionQuery{}}, {&f.open, tracking.ExceptionQuery{Open: tracking.Yes}}} {
		if _, *n.to, err = t.Exceptions().List(ctx, n.q, one); err != nil {
			return err
		}
	}
	for _, n := range []struct {
		to *int
		q  tracking.ContainerQuery
	}{{&f.containers, tracking.ContainerQuery{}}, {&f.costs, tracking.ContainerQuery{Accruing: tracking.Yes}}} {
		if _, *n.to, err = t.Containers(ctx, n.q, one); err != nil {
			return err
		}
	}
	return nil
}

// measureTwice measures a call after commits, and then the same repeated, and adds both by name.
func measureTwice(ctx context.Context, name string, each time.Duration, commit, call func() error, cold, warm map[string][]figures) error {
	got, err := first(each, commit, call)
	if err != nil {
		return err
	}
	cold[name] = append(cold[name], got)
	got, _, err = repeat(1, each, func() (bool, error) { return ctx.Err() == nil, call() })
	warm[name] = append(warm[name], got)
	return cmp.Or(err, ctx.Err())
}

// first measures a call after each of some commits, which are not measured.
func first(length time.Duration, commit, call func() error) (f figures, err error) {
	runtime.GC()
	var used, took time.Duration
	n := 0
	for begin := time.Now(); n == 0 || time.Since(begin) < length; n++ {
		if err := commit(); err != nil {
			return f, err
		}
		w := startWatch()
		if err := call(); err != nil {
			return f, err
		}
		w = w.stop()
		used, took = used+w.cpu, took+w.took
	}
	f[cpu], f[perSecond] = micros(used)/float64(n), float64(n)/took.Seconds()
	return f, nil
}

func (r *results) byExceptions(b *strings.Builder) {
	f := r.exceptions
	if f == nil {
		return
	}
	fmt.Fprintf(b, "\nLists of %d containers, of which %d cost money, and of %d exceptions, of which %d are open, by the handler alone, page 1 of %d. After a commit of another process every number is counted again:\n",
		f.containers, f.costs, f.records, f.open, pageSize)
	t := table{head: []string{"", "us", "CPU us", "beside its plain list", "allocs", "after a commit, CPU us", "beside its plain list"}}
	for _, c := range exceptionCalls() {
		warm, cold := medians(f.warm[c.name]), medians(f.cold[c.name])
		t.add(c.name, number(1e6/warm[perSecond]), warm.text(cpu), times(beside(f.warm, c)), warm.text(allocs), cold.text(cpu), times(beside(f.cold, c)))
	}
	t.write(b)
}

// beside compares the CPU of a list with that of its plain list.
func beside(of map[string][]figures, c exceptionCall) float64 {
	mid, _, _ := ratio(of[c.name], of[c.plain], used)
	return mid
}

func (r *results) exceptionGoal() (string, bool) {
	f := r.exceptions
	if f == nil {
		return "", false
	}
	worst := func(of map[string][]figures) (most float64, name string) {
		for _, c := range exceptionCalls() {
			if x := beside(of, c); x > most {
				most, name = x, c.name
			}
		}
		return most, name
	}
	warm, at := worst(f.warm)
	cold, coldAt := worst(f.cold)
	return fmt.Sprintf("at most %s (%s); after a commit %s (%s)", times(warm), at, times(cold), coldAt), warm <= 1.5
}
