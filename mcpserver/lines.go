package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

type linesResult struct {
	Summary       []string          `json:"summary"`
	TotalLines    int               `json:"total_lines"`
	ShippingLines []lineOfList      `json:"shipping_lines"`
	Metadata      presentationNotes `json:"_metadata"`
}

type lineOfList struct {
	SCAC      string `json:"scac"`
	Name      string `json:"name"`
	ShortName string `json:"short_name,omitempty"`
	Notes     string `json:"notes,omitempty"`
}

// testLine is the line of the sandbox.
const testLine = "TEST"

var getShippingLines = &tool{
	name: "get_supported_shipping_lines", title: "Shipping lines",
	about:      "Lists the shipping lines that the server knows, with their SCAC.",
	parameters: []parameter{{name: "search", kind: text, about: "A part of the SCAC or of the name."}},
	output:     linesResult{},
	guide: guide{
		Purpose:              "Find the SCAC of a line.",
		CanAnswer:            []string{"Is this line known?", "What is its SCAC?"},
		RequiresMoreData:     []string{"Whether a number is one of the line (track_container)"},
		RelevantFields:       []string{"shipping_lines.scac", "shipping_lines.name"},
		PresentationGuidance: "Name the line and its SCAC. That a line is known does not say that this server may ask it.",
		SuggestedFollowUps:   []string{"Track a number of this line"},
		SuggestedTools:       []string{"track_container"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		list, err := c.lines(ctx, c.args.text("search"))
		if err != nil {
			return nil, err
		}
		return &answer{result: linesResult{linesSummary(list, c.args.text("search")), len(list), list, presentationNotes{"Name the line and its SCAC."}}}, nil
	},
}

// lines returns the lines whose SCAC or name has the text, by name.
func (c *call) lines(ctx context.Context, part string) ([]lineOfList, error) {
	d, err := c.read(ctx, "/shipping_lines", url.Values{})
	if err != nil {
		return nil, err
	}
	list, part := []lineOfList{}, strings.ToLower(part)
	for _, l := range d.list {
		line := lineOfList{SCAC: l.str("scac"), Name: l.str("name"), ShortName: l.str("short_name"), Notes: notesOf(l)}
		if line.SCAC == testLine || !strings.Contains(strings.ToLower(line.SCAC+"\n"+line.Name+"\n"+line.ShortName), part) {
			continue
		}
		list = append(list, line)
	}
	slices.SortFunc(list, func(a, b lineOfList) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.SCAC, b.SCAC)) })
	return list, nil
}

// linesSummary names the lines, unless there are many.
func linesSummary(list []lineOfList, part string) []string {
	switch {
	case len(list) == 0:
		return []string{fmt.Sprintf("No line matches %s.", quote(part))}
	case len(list) > listedHits:
		return []string{plural(len(list), "line") + "."}
	}
	var lines []string
	for _, l := range list {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s has the SCAC %s. %s", l.Name, l.SCAC, l.Notes)))
	}
	return lines
}

// notesOf says by which numbers a line is not tracked.
func notesOf(l *resource) string {
	var not []string
	for _, of := range []struct{ attribute, noun string }{
		{"bill_of_lading_tracking_support", "bill of lading"}, {"booking_number_tracking_support", "booking"}, {"container_number_tracking_support", "container number"},
	} {
		if b := l.flag(of.attribute); b != nil && !*b {
			not = append(not, of.noun)
		}
	}
	switch len(not) {
	case 0:
		return ""
	case 3:
		return "This server does not ask the line."
	}
	return "Not tracked by " + strings.Join(not, " or ") + "."
}
