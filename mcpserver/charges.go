package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/landfallhq/tracking/freetime"
)

type chargesResult struct {
	Summary         []string          `json:"summary"`
	ContainerID     string            `json:"container_id"`
	ContainerNumber string            `json:"container_number"`
	AsOf            string            `json:"as_of"`
	Accruing        bool              `json:"accruing"`
	FreeTimeEndsOn  *string           `json:"free_time_ends_on" about:"a date at the place"`
	Totals          []freetime.Total  `json:"totals" about:"by currency"`
	Clocks          []clockOf         `json:"clocks"`
	Days            []dayOf           `json:"days,omitempty" about:"of each clock, with include_days"`
	Facts           []factOf          `json:"facts" about:"the facts that the figures follow from"`
	Metadata        presentationNotes `json:"_metadata"`
}

type clockOf struct {
	Clock               string  `json:"clock"`
	LocationLOCODE      *string `json:"location_locode"`
	Timezone            *string `json:"timezone"`
	TariffName          *string `json:"tariff_name"`
	LastFreeDay         *string `json:"last_free_day"`
	ComputedLastFreeDay *string `json:"computed_last_free_day"`
	ReportedLastFreeDay *string `json:"reported_last_free_day"`
	ReportedBy          *string `json:"reported_by"`
	FirstChargedDay     *string `json:"first_charged_day"`
	DaysCharged         *int    `json:"days_charged"`
	Currency            *string `json:"currency"`
	Total               *string `json:"total"`
	Tomorrow            *string `json:"tomorrow"`
	Unknown             *string `json:"unknown" about:"why there is no total; null if there is one"`
}

type dayOf struct {
	Clock  string  `json:"clock"`
	Date   string  `json:"date"`
	Kind   string  `json:"kind"`
	Amount *string `json:"amount"`
	Rule   string  `json:"rule"`
	Fact   *string `json:"fact"`
}

type factOf struct {
	ID           string  `json:"id"`
	Event        string  `json:"event"`
	Source       string  `json:"source"`
	DataSource   string  `json:"data_source"`
	HappenedAt   *string `json:"happened_at"`
	Timezone     *string `json:"timezone"`
	LocationName *string `json:"location_name"`
	ReceivedAt   string  `json:"received_at"`
}

var getCharges = &tool{
	name: "get_charges", title: "Charges of a container",
	about: "Shows what a container costs: demurrage, detention and storage by the tariffs of the account, until when it is free, what tomorrow adds, and the facts behind it.",
	parameters: []parameter{
		{name: "id", kind: identifier, about: "ID of the container.", required: true},
		{name: "as_of", kind: moment, about: "As it was known at the end of this second, such as 2026-03-01T12:00:00Z. Defaults to now."},
		{name: "include_days", kind: flag, about: "Whether each day is listed. Defaults to false."},
	},
	output: chargesResult{},
	guide: guide{
		Purpose:              "Say what a container costs, and why.",
		CanAnswer:            []string{"What is owed?", "Until when is it free?", "What does tomorrow cost?", "Which fact says so?"},
		RequiresMoreData:     []string{"Fees that a terminal states (get_container)"},
		RelevantFields:       []string{"summary", "totals", "clocks.unknown"},
		PresentationGuidance: "Quote the amounts as they are, by currency. Where a clock is unknown, say why and give no amount.",
		SuggestedFollowUps:   []string{"List the days", "What holds the container?"},
		SuggestedTools:       []string{"get_container", "what_needs_attention"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		charges, err := c.charges(ctx)
		if err != nil {
			return nil, err
		}
		r := chargesOf(charges, c.args.flag("include_days", false))
		r.Summary = c.chargesSummary(charges)
		return &answer{result: r}, nil
	},
}

// charges reads the charges, with cleaned texts.
func (c *call) charges(ctx context.Context) (*freetime.Charges, error) {
	query := url.Values{}
	if at := c.args.time("as_of"); !at.IsZero() {
		query.Set("as_of", at.UTC().Format("2006-01-02T15:04:05Z"))
	}
	body, err := c.api.Read(ctx, "/containers/"+c.args.text("id")+"/charges", query)
	if err != nil {
		return nil, err
	}
	var read any
	charges := &freetime.Charges{}
	if err := json.Unmarshal(body, &read); err != nil {
		return nil, errUnreadable
	}
	if err := json.Unmarshal(encode(cleanAll(read)), charges); err != nil {
		return nil, errUnreadable
	}
	return charges, nil
}

// dateText returns a date as text; nil for null.
func dateText(d *freetime.Date) *string {
	if d == nil {
		return nil
	}
	return given(d.String())
}

// plainText returns a text of another type; nil for null.
func plainText[T ~string](s *T) *string {
	if s == nil {
		return nil
	}
	return given(string(*s))
}

func chargesOf(charges *freetime.Charges, days bool) *chargesResult {
	r := &chargesResult{
		ContainerID: charges.ContainerID, ContainerNumber: charges.ContainerNumber, AsOf: charges.AsOf.Format("2006-01-02T15:04:05Z"), Accruing: charges.Accruing,
		FreeTimeEndsOn: dateText(charges.FreeTimeEndsOn), Totals: append([]freetime.Total{}, charges.Totals...), Clocks: []clockOf{}, Facts: []factOf{},
		Metadata: presentationNotes{"Quote the amounts as they are. null is not known, and not zero."},
	}
	for i := range charges.Clocks {
		l := &charges.Clocks[i]
		r.Clocks = append(r.Clocks, clockOf{
			string(l.Clock), l.LocationLOCODE, l.Timezone, l.TariffName, dateText(l.LastFreeDay), dateText(l.ComputedLastFreeDay), dateText(l.ReportedLastFreeDay),
			plainText(l.ReportedBy), dateText(l.FirstChargedDay), l.DaysCharged, l.Currency, l.Total, l.Tomorrow, plainText(l.Unknown),
		})
		for _, d := range l.Days {
			if days {
				r.Days = append(r.Days, dayOf{string(l.Clock), d.Date.String(), string(d.Kind), d.Amount, string(d.Rule), d.Fact})
			}
		}
	}
	for _, f := range charges.Facts {
		fact := factOf{f.ID, f.Event, f.Source, f.DataSource, nil, f.Timezone, f.LocationName, f.ReceivedAt.Format("2006-01-02T15:04:05Z")}
		if f.HappenedAt != nil {
			fact.HappenedAt = given(f.HappenedAt.Format("2006-01-02T15:04:05Z"))
		}
		r.Facts = append(r.Facts, fact)
	}
	return r
}

// unknownReasons say why a clock has no total.
var unknownReasons = map[freetime.Reason]string{
	freetime.NoZone: "the time zone of the place is not known", freetime.NotOpened: "no event that starts it is reported",
	freetime.NoTariff: "the account has no tariff that fits", freetime.TariffInvalid: "the tariff that fits is faulty",
	freetime.TariffsOverlap: "two tariffs fit and nothing decides between them", freetime.NotStarted: "the container is not reported as available, and no last free day is reported",
	freetime.TooLong: "it has run for too long to be counted",
}

func (c *call) chargesSummary(charges *freetime.Charges) []string {
	lines := []string{}
	for _, t := range charges.Totals {
		lines = append(lines, fmt.Sprintf("%s costs %s %s until today by the tariffs of the account; tomorrow adds %s.", quote(charges.ContainerNumber), t.Amount, t.Currency, t.Tomorrow))
	}
	if len(lines) == 0 {
		lines = append(lines, fmt.Sprintf("No cost of %s is known.", quote(charges.ContainerNumber)))
	}
	if len(charges.Clocks) == 0 {
		lines = append(lines, "No tariff of the account fits, and no last free day is reported.")
	}
	for i := range charges.Clocks {
		lines = append(lines, c.clockSentence(&charges.Clocks[i]))
	}
	if len(charges.Facts) > 0 {
		last := charges.Facts[0]
		for _, f := range charges.Facts {
			if f.ReceivedAt.After(last.ReceivedAt) {
				last = f
			}
		}
		lines = append(lines, fmt.Sprintf("How old this is: the last report behind it, %s by %s, was received %s.", words(last.Event), quote(last.Source), c.ago(last.ReceivedAt)))
	}
	return lines
}

func (c *call) clockSentence(l *freetime.ClockCharges) string {
	line := sentence(words(string(l.Clock))) + " at " + orElse(orNone(l.LocationLOCODE), "a place that is not known") + ": "
	switch {
	case l.Total != nil && l.DaysCharged != nil && *l.DaysCharged > 0:
		line += fmt.Sprintf("%s %s for %s", *l.Total, orNone(l.Currency), plural(*l.DaysCharged, "day"))
	case l.Total != nil && l.EndedBy != nil:
		line += "nothing is owed, because it ended within the free time"
	case l.Total != nil:
		line += "nothing is owed yet"
	case l.Unknown != nil:
		line += "no amount is known, because " + orElse(unknownReasons[*l.Unknown], words(string(*l.Unknown)))
	default:
		line += "no amount is known"
	}
	if l.LastFreeDay != nil {
		line += ". Last free day: " + dateWords(*l.LastFreeDay)
		if l.ReportedBy != nil {
			line += ", stated by the " + words(string(*l.ReportedBy))
		} else {
			line += ", by the tariff"
		}
	}
	if l.Disagreement != nil && *l.Disagreement != 0 && l.ComputedLastFreeDay != nil {
		line += ". The tariff gives " + dateWords(*l.ComputedLastFreeDay)
	}
	return line + "."
}

// dateWords writes a date as other dates of an answer are.
func dateWords(d freetime.Date) string {
	t, err := time.Parse(time.DateOnly, d.String())
	if err != nil {
		return d.String()
	}
	return day(t)
}
