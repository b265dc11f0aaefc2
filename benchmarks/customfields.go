package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/landfallhq/tracking"
)

const (
	// fieldsEach is how many custom fields a shipment has.
	fieldsEach = 10
	// mostWithFields is how many shipments of an account get them at most, the
	// newest ones: to set a million values takes minutes.
	mostWithFields = 10_000
)

// The names of what is measured of custom fields.
const (
	fieldsPlain   = "page 1"
	fieldsFew     = "page 1, a text that 1 % have"
	fieldsFewMore = "page 1, the highest 1 % of a number"
	fieldsHalf    = "page 1, true, as half are"
	fieldsSorted  = "page 1, sorted by a number"
	fieldsSet     = "another value, one caller"
	fieldsPatch   = "PATCH of a shipment, one caller"
)

var fieldCalls = []string{fieldsPlain, fieldsFew, fieldsFewMore, fieldsHalf, fieldsSorted, fieldsSet, fieldsPatch}

// fieldFigures are those of one account, by name and round.
type fieldFigures struct {
	account string
	rows    int // shipments, and how many of them have fields
	with    int
	of      map[string][]figures
}

// fieldValues are the fields of the i-th shipment: the first four are asked for.
func fieldValues(i int) map[string]any {
	values := map[string]any{
		"buyer": fmt.Sprintf("Buyer %d", i%100), "urgent": i%2 == 0, "weight": float64(i*7919%10_000) / 4,
		"due": epoch.AddDate(0, 0, i%365).Format("2006-01-02"),
	}
	for n := len(values); n < fieldsEach; n++ {
		values[fmt.Sprintf("text_%d", n)] = fmt.Sprintf("%d/%d", n, i)
	}
	return values
}

// measureFields measures lists by custom fields, in this process, and the
// setting of values. It comes last, and leaves out a database that is kept:
// nothing else is to be measured with the fields in it.
func (r *run) measureFields(ctx context.Context) (err error) {
	if !r.wanted("custom fields") || r.keep != "" {
		return nil
	}
	s, err := newServer(r.data.file, caches{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.operator.Close()) }()
	for _, a := range []struct {
		name string
		account
	}{{"small", r.data.small}, {"large", r.data.large}} {
		f := &fieldFigures{account: a.name, rows: a.rows, of: map[string][]figures{}}
		t := s.operator.For(tracking.Actor{Account: a.scope})
		r.say("custom fields of the %s account", a.name)
		list, err := setFields(ctx, t)
		if err != nil {
			return err
		}
		f.with = len(list)
		r.fields = append(r.fields, f)
		all := f.reads(s, a.account)
		next := 0
		all[fieldsSet] = func() error {
			next++
			id := list[next%len(list)]
			_, err := t.SetCustomField(ctx, tracking.NewCustomField{Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: id}, APISlug: "text_9", Value: json.RawMessage(fmt.Sprintf(`"%d"`, next))})
			return err
		}
		all[fieldsPatch] = func() error {
			next++
			_, err := t.UpdateShipment(ctx, list[next%len(list)], tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{fmt.Sprint(next)})})
			return err
		}
		if err := r.fieldRounds(ctx, f, all); err != nil {
			return err
		}
	}
	return nil
}

// fieldRounds measures all calls in each round, in random order.
func (r *run) fieldRounds(ctx context.Context, f *fieldFigures, calls map[string]func() error) error {
	each := r.each / callShare
	for n := range r.rounds {
		r.round("lists by custom fields", n, len(fieldCalls), each)
		var all []func() error
		for _, name := range fieldCalls {
			all = append(all, func() error {
				got, _, err := repeat(1, each, func() (bool, error) { return ctx.Err() == nil, calls[name]() })
				f.of[name] = append(f.of[name], got)
				return err
			})
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// reads are the lists, as requests of the handler.
func (f *fieldFigures) reads(s *server, a account) map[string]func() error {
	field := func(slug, value string) []request {
		return []request{a.shipments(1, "&filter%5Bcustom_fields%5D%5B"+slug+"%5D"+value)}
	}
	return map[string]func() error{
		fieldsPlain:   s.caller(calls{fieldsPlain, []request{a.shipments(1, "")}}),
		fieldsFew:     s.caller(calls{fieldsFew, field("buyer", "=Buyer%207")}),
		fieldsFewMore: s.caller(calls{fieldsFewMore, field("weight", "%5Bgte%5D=2475")}),
		fieldsHalf:    s.caller(calls{fieldsHalf, field("urgent", "=true")}),
		fieldsSorted:  s.caller(calls{fieldsSorted, []request{a.shipments(1, "&sort=-custom_fields.weight")}}),
	}
}

// setFields defines the fields and gives the newest shipments their values. It
// returns these shipments.
func setFields(ctx context.Context, t *tracking.Tracker) (ids []tracking.ID, err error) {
	for slug, v := range fieldValues(0) {
		n := tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: slug, DisplayName: slug, DataType: tracking.ShortTextField}
		switch v.(type) {
		case bool:
			n.DataType = tracking.BooleanField
		case float64:
			n.DataType = tracking.NumberField
		}
		if slug == "due" {
			n.DataType = tracking.DateField
		}
		if _, err := t.CreateCustomFieldDefinition(ctx, n); err != nil {
			return nil, err
		}
	}
	var batch []tracking.NewCustomField
	set := func() error {
		_, err := t.SetCustomFields(ctx, tracking.BulkCustomFields{Items: batch, Atomic: true})
		batch = batch[:0]
		return err
	}
	for page := 1; len(ids) < mostWithFields; page++ {
		list, total, err := t.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: page, Size: 1000})
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			for slug, v := range fieldValues(len(ids)) {
				raw, err := tracking.FieldJSON(v)
				if err != nil {
					return nil, err
				}
				batch = append(batch, tracking.NewCustomField{Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: s.ID}, APISlug: slug, Value: raw})
			}
			if ids = append(ids, s.ID); len(batch)+fieldsEach > tracking.MaxBulkFields {
				if err := set(); err != nil {
					return nil, err
				}
			}
		}
		if len(ids) >= total {
			break
		}
	}
	if len(batch) > 0 {
		err = set()
	}
	return ids, err
}

func (r *results) byFields(b *strings.Builder) {
	if len(r.fields) == 0 {
		return
	}
	fmt.Fprintf(b, "\nCustom fields, %d for a shipment; lists by the handler alone, writes from Go with a commit for each:\n", fieldsEach)
	t := table{head: []string{"account", "", "us", "CPU us", "beside page 1", "allocs"}}
	for _, f := range r.fields {
		for _, name := range fieldCalls {
			m := medians(f.of[name])
			beside := ""
			if name != fieldsSet && name != fieldsPatch {
				beside = times(f.beside(name, fieldsPlain))
			}
			t.add(fmt.Sprintf("%s: %d of %d shipments", f.account, f.with, f.rows), name, number(1e6/m[perSecond]), m.text(cpu), beside, m.text(allocs))
		}
	}
	t.write(b)
}

// beside compares the CPU of two of the calls.
func (f *fieldFigures) beside(one, other string) float64 {
	mid, _, _ := ratio(f.of[one], f.of[other], used)
	return mid
}

// fieldListGoal is for filters that 1 % match; the others are told.
func (r *results) fieldListGoal() (string, bool) {
	var seen []string
	worst := 0.0
	for _, f := range r.fields {
		seen = append(seen, fmt.Sprintf("of %d shipments %s with a value, %s with a range; half %s, sorted %s",
			f.rows, times(f.beside(fieldsFew, fieldsPlain)), times(f.beside(fieldsFewMore, fieldsPlain)), times(f.beside(fieldsHalf, fieldsPlain)), times(f.beside(fieldsSorted, fieldsPlain))))
		worst = math.Max(worst, math.Max(f.beside(fieldsFew, fieldsPlain), f.beside(fieldsFewMore, fieldsPlain)))
	}
	return strings.Join(seen, "; "), worst <= 1.5
}

func (r *results) fieldSetGoal() (string, bool) {
	var seen []string
	worst := 0.0
	for _, f := range r.fields {
		seen = append(seen, fmt.Sprintf("%s of %d shipments", times(f.beside(fieldsSet, fieldsPatch)), f.rows))
		worst = math.Max(worst, f.beside(fieldsSet, fieldsPatch))
	}
	return strings.Join(seen, ", "), worst <= 1.3
}
