package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/landfallhq/tracking"
)

var exceptionsList = command{
	name:  "exceptions list",
	about: "list what goes wrong with an account's shipments",
	details: `
Prints a line for each exception, the most urgent first and of those the last opened
first: when it was opened and closed, its severity and kind, shipment, container and
assignee, and one sentence with the figures. docs/exceptions.md has the kinds.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		kind := f.String("kind", "", "`LIST` of kinds: rollover,hold (default all)")
		severity := f.String("severity", "", "`LIST` of severities: high,medium,low (default all)")
		state := f.String("state", "open", "`STATE` of the exceptions: open, closed or all")
		format := f.String("format", "text", "`FORMAT` of the output: text or json")
		return func(ctx context.Context, p *program, _ []string) (err error) {
			x, q := tracking.Exceptions{}, tracking.ExceptionQuery{Sort: []tracking.Order{{Name: "severity"}, {Name: "opened_at", Desc: true}}}
			if q.Kinds, err = knownOf("kind", *kind, x.Kinds()); err != nil {
				return err
			}
			if q.Severities, err = knownOf("severity", *severity, x.Severities()); err != nil {
				return err
			}
			var known bool
			if q.Open, known = map[string]tracking.Tri{"open": tracking.Yes, "closed": tracking.No, "all": tracking.Any}[*state]; !known {
				return usageErrorf("--state: %q is not open, closed or all", *state)
			}
			if *format != "text" && *format != "json" {
				return usageErrorf("--format: %q is not text or json", *format)
			}
			return onTariffs(ctx, p, *db, *account, func(tr *tracking.Tracker) error {
				list, err := listedExceptions(ctx, tr, q)
				if err != nil {
					return err
				}
				if *format == "json" {
					return writeJSON(p.stdout, map[string][]listedException{"exceptions": list})
				}
				return writeExceptions(p.stdout, list)
			})
		}
	},
}

// knownOf reads a list of values that are known.
func knownOf(flag, text string, known []string) (list []string, err error) {
	if text == "" {
		return nil, nil
	}
	list = strings.Split(text, ",")
	for _, value := range list {
		if !slices.Contains(known, value) {
			return nil, usageErrorf("--%s: %q is not one of %s", flag, value, strings.Join(known, ", "))
		}
	}
	return list, nil
}

// listedException is an exception as it is printed. Times are UTC; null as in the interface.
type listedException struct {
	ID              tracking.ID  `json:"id"`
	Kind            string       `json:"kind"`
	Severity        string       `json:"severity"`
	OpenedAt        time.Time    `json:"opened_at"`
	ClosedAt        *time.Time   `json:"closed_at"`
	Withdrawn       bool         `json:"withdrawn"`
	ShipmentID      tracking.ID  `json:"shipment_id"`
	ShipmentNumber  string       `json:"shipment_number"`
	ContainerID     *tracking.ID `json:"container_id"`
	ContainerNumber *string      `json:"container_number"`
	Detail          string       `json:"detail"`
	AcknowledgedAt  *time.Time   `json:"acknowledged_at"`
	Assignee        *string      `json:"assignee"`
	Note            *string      `json:"note"`
}

// listedExceptions returns the exceptions with the numbers of their shipments and containers.
func listedExceptions(ctx context.Context, tr *tracking.Tracker, q tracking.ExceptionQuery) ([]listedException, error) {
	found, err := everyPage(func(page tracking.Page) ([]*tracking.Exception, int, error) {
		return tr.Exceptions().List(ctx, q, page)
	})
	if err != nil {
		return nil, err
	}
	list, numbers := make([]listedException, len(found)), map[tracking.ID]string{}
	for i, e := range found {
		if _, known := numbers[e.Shipment]; !known {
			s, err := tr.Shipment(ctx, e.Shipment)
			if err != nil {
				return nil, err
			}
			numbers[s.ID] = s.BillOfLadingNumber
		}
		l := listedException{
			ID: e.ID, Kind: e.Kind, Severity: e.Severity, OpenedAt: e.OpenedAt, ClosedAt: orNull(e.ClosedAt), Withdrawn: e.Withdrawn,
			ShipmentID: e.Shipment, ShipmentNumber: numbers[e.Shipment], ContainerID: orNull(e.Container), Detail: e.Detail,
			AcknowledgedAt: orNull(e.AcknowledgedAt), Assignee: orNull(e.Assignee), Note: orNull(e.Note),
		}
		if e.Container != (tracking.ID{}) && numbers[e.Container] == "" {
			c, err := tr.Container(ctx, e.Container)
			if err != nil {
				return nil, err
			}
			numbers[c.ID] = c.Number
		}
		l.ContainerNumber = orNull(numbers[e.Container])
		list[i] = l
	}
	return list, nil
}

// orNull returns nil for the zero value.
func orNull[V comparable](v V) *V {
	if v == *new(V) {
		return nil
	}
	return &v
}

func writeExceptions(w io.Writer, list []listedException) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "OPENED\tCLOSED\tSEVERITY\tKIND\tSHIPMENT\tCONTAINER\tASSIGNEE\tDETAIL")
	for _, e := range list {
		closed := "-"
		if e.ClosedAt != nil {
			closed = e.ClosedAt.Format(time.RFC3339)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.OpenedAt.Format(time.RFC3339), closed, e.Severity, e.Kind,
			e.ShipmentNumber, shownText(e.ContainerNumber), shownText(e.Assignee), e.Detail)
	}
	return table.Flush()
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

var exceptionsSettings = command{
	name:  "exceptions settings",
	about: "show or change the thresholds of an account's exceptions",
	details: `
Prints each threshold, in days or hours as its name says, and whether it is the
default. With --set it changes some before: docs/exceptions.md says what each is for.
The exceptions of all shipments follow in the background, while landfall serve runs.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		set := f.String("set", "", "`LIST` of thresholds: hub_dwell_in_days=12,eta_slip_in_days=default")
		return func(ctx context.Context, p *program, _ []string) error {
			values, err := thresholdsOf(*set)
			if err != nil {
				return err
			}
			return onTariffs(ctx, p, *db, *account, func(tr *tracking.Tracker) error {
				x := tr.Exceptions()
				s, err := x.Settings(ctx)
				if err == nil && len(values) > 0 {
					s, err = x.UpdateSettings(ctx, values)
				}
				if err != nil {
					return err
				}
				return writeSettings(p.stdout, x, s)
			})
		}
	},
}

// thresholdsOf reads name=value,name=default.
func thresholdsOf(text string) (map[string]*int, error) {
	values := map[string]*int{}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(part, "=")
		if value == "default" {
			values[name] = nil
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, usageErrorf("--set: %q is not a name, = and a whole number or default", part)
		}
		values[name] = &n
	}
	return values, nil
}

func writeSettings(w io.Writer, x tracking.Exceptions, s *tracking.ExceptionSettings) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "THRESHOLD\tVALUE\t")
	for _, h := range x.Thresholds() {
		own := ""
		if s.Threshold(h.Name) == 0 {
			own = "default"
		}
		fmt.Fprintf(table, "%s\t%d\t%s\n", h.Name, cmp.Or(s.Threshold(h.Name), h.Default), own)
	}
	return table.Flush()
}
