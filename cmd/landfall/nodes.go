package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/store"
)

var nodesCommand = command{
	name:  "nodes",
	about: "list the servers that run on a database, and which wait for others",
	details: `
Lists version, start, age of the last heartbeat, schema, and the generations of rules
and records in which the servers differ. While a server of an earlier version runs, the
others do not rewrite records of earlier generations, and remove no columns. A server
that has not been heard of for 30 seconds is not listed.

The database is opened for reading alone.`,
	declare: func(f *flags) action {
		db := f.database()
		return func(ctx context.Context, p *program, _ []string) error {
			if isMemory(*db) {
				return usageErrorf("--db: a database in memory has no other servers")
			}
			if err := mustExist(*db); err != nil {
				return err
			}
			opened, err := storage.OpenWith(*db, storage.Options{ReadOnly: true})
			if errors.Is(err, store.ErrReadOnly) {
				return fmt.Errorf("%w: no server of this version has run on it", err)
			}
			if err != nil {
				return err
			}
			nodes, err := tracking.Nodes(ctx, opened)
			if err := errors.Join(err, opened.Close()); err != nil {
				return err
			}
			return printNodes(p.stdout, nodes)
		}
	},
}

func printNodes(w io.Writer, nodes []tracking.Node) error {
	if len(nodes) == 0 {
		_, err := fmt.Fprintln(w, "no server runs on this database")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tVERSION\tSTARTED\tHEARTBEAT\tSCHEMA\tDIFFERENT GENERATIONS")
	differ := differentGenerations(nodes)
	var older []string
	for _, n := range nodes {
		version := n.Version
		if version == "" {
			version = "unknown"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s ago\t%d\t%s\n", n.ID, version, formatTime(n.StartedAt), n.Age.Round(100*time.Millisecond), n.Schema, generationsOf(n, differ))
		if n.Older != nil {
			older = append(older, n.ID.String())
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	text := "all servers write the same generations"
	if older != nil {
		text = "records of earlier generations stay as they are, and no column is removed, until these have ended: " + strings.Join(older, ", ")
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// differentGenerations returns the kinds, and rules, of which the nodes have different
// generations, sorted.
func differentGenerations(nodes []tracking.Node) (names []string) {
	for _, n := range nodes {
		names = append(names, n.Older...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// generationsOf returns the generations of a node: "rules 77, shipment 5"; a kind that its
// program does not know has 0.
func generationsOf(n tracking.Node, names []string) string {
	if len(names) == 0 {
		return "-"
	}
	var list []string
	for _, name := range names {
		generation := n.Generations[name]
		if name == "rules" {
			generation = n.Rules
		}
		list = append(list, fmt.Sprintf("%s %d", name, generation))
	}
	return strings.Join(list, ", ")
}
