package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
)

var eventsCommand = command{
	name:  "events",
	about: "print the events of an account, and with --follow each further one",
	details: `
Prints one line for each event of the account of the key, first committed first: its cursor,
time, name and reference object. They are recorded from the first time on that somebody asks
a server for them, or always with landfall serve --record-events, and kept as long as
notifications of webhooks.

With --follow it goes on until it is interrupted, and connects again for as long as the
server is away: each event is printed once. With --after and the cursor of the last line of
an earlier run, nothing is missed between the two. With --json each line is a JSON object
with the payload that webhooks get.`,
	declare: func(f *flags) action {
		url := f.String("url", "http://127.0.0.1:8080/v2", "`URL` of the API of the server, with /v2")
		key := f.String("api-key", "", "API `KEY`; other users of the machine can read flags, so better set the variable")
		follow := f.Bool("follow", false, "wait for further events")
		after := f.String("after", "", "begin behind the event with this `CURSOR` (default with the oldest event that is kept)")
		names := f.String("event", "", "`NAMES` of events, separated by commas (default all)")
		asJSON := f.Bool("json", false, "print each event as a line of JSON")
		return func(ctx context.Context, p *program, _ []string) error {
			if *key == "" {
				return usageErrorf("%s or --api-key is missing: the key of the server", serverKeyVariable)
			}
			c, err := client.New(client.Config{URL: strings.TrimSuffix(*url, "/"), Key: *key})
			if err != nil {
				return usageErrorf("%v", err)
			}
			q := tracking.EventQuery{After: *after}
			for name := range strings.SplitSeq(*names, ",") {
				if name = strings.TrimSpace(name); name != "" {
					q.Events = append(q.Events, tracking.EventName(name))
				}
			}
			events := listedEvents(ctx, c, q)
			if *follow {
				events = c.FollowEvents(ctx, q)
			}
			for e, err := range events {
				if err == nil {
					err = printEvent(p.stdout, e, *asJSON)
				}
				if err != nil {
					return ignoreInterrupt(ctx, err)
				}
			}
			return nil
		}
	},
}

// listedEvents iterates over the events that there are.
func listedEvents(ctx context.Context, c *client.Client, q tracking.EventQuery) iter.Seq2[*tracking.Event, error] {
	return func(yield func(*tracking.Event, error) bool) {
		for left := 1; left > 0; {
			page, err := c.Events(ctx, q, 100)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, e := range page.Events {
				if !yield(e, nil) {
					return
				}
			}
			q.After, left = page.Cursor, page.Left
		}
	}
}

// eventLine is the line of --json.
type eventLine struct {
	Cursor    string             `json:"cursor"`
	ID        tracking.ID        `json:"id"`
	Event     tracking.EventName `json:"event"`
	CreatedAt string             `json:"created_at"`
	Payload   json.RawMessage    `json:"payload"`
}

func printEvent(w io.Writer, e *tracking.Event, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(eventLine{e.Cursor, e.ID, e.Event, formatTime(e.CreatedAt), e.Payload})
	}
	_, err := fmt.Fprintf(w, "%-8s  %-20s  %-48s  %s %s\n", e.Cursor, formatTime(e.CreatedAt), e.Event, e.Reference.Type, e.Reference.ID)
	return err
}
