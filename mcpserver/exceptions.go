package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

type exceptionsResult struct {
	Summary    []string          `json:"summary"`
	Total      int               `json:"total" about:"all that match, on every page"`
	Page       int               `json:"page"`
	NextPage   *int              `json:"next_page"`
	Exceptions []shownException  `json:"exceptions"`
	Metadata   presentationNotes `json:"_metadata"`
}

type shownException struct {
	ID             string  `json:"id"`
	Kind           string  `json:"kind"`
	Severity       string  `json:"severity"`
	Detail         string  `json:"detail"`
	ShipmentID     *string `json:"shipment_id"`
	ContainerID    *string `json:"container_id"`
	OpenedAt       *string `json:"opened_at"`
	ClosedAt       *string `json:"closed_at"`
	Withdrawn      bool    `json:"withdrawn" about:"the facts were corrected: it never was"`
	AcknowledgedAt *string `json:"acknowledged_at"`
	Assignee       *string `json:"assignee"`
	Note           *string `json:"note"`
}

var listExceptions = &tool{
	name: "list_exceptions", title: "Exceptions",
	about: "Lists what goes wrong with shipments and containers, the most urgent first: holds, slipped ETAs, rollovers, missed connections, overdue milestones, free time that ends, papers that contradict.",
	parameters: append([]parameter{
		{name: "state", kind: text, about: "open, closed or all. Defaults to open.", allowed: []string{"open", "closed", "all"}},
		{name: "kinds", kind: texts, about: "Kinds, such as hold, eta_slipped or milestone_overdue."},
		{name: "severities", kind: texts, about: "high, medium or low.", allowed: []string{"high", "medium", "low"}},
		{name: "shipment_id", kind: identifier, about: "Only of this shipment and its containers."},
		{name: "container_id", kind: identifier, about: "Only of this container."},
	}, paging...),
	output: exceptionsResult{},
	guide: guide{
		Purpose:              "List what goes wrong.",
		CanAnswer:            []string{"What is wrong?", "Which containers are held?", "Which milestones are overdue?"},
		RequiresMoreData:     []string{"What it costs (get_charges)"},
		RelevantFields:       []string{"exceptions.detail", "exceptions.severity", "total"},
		PresentationGuidance: "Quote the details, the most urgent first. They have the figures; add none.",
		SuggestedFollowUps:   []string{"Show the container", "What does it cost?"},
		SuggestedTools:       []string{"get_container", "get_charges", "explain_eta"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		query := url.Values{"sort": {"severity"}}
		if state := orElse(c.args.text("state"), "open"); state != "all" {
			query.Set("filter[state]", state)
		}
		for name, list := range map[string][]string{"kind": c.args.list("kinds"), "severity": c.args.list("severities")} {
			if len(list) > 0 {
				query.Set("filter["+name+"]", strings.Join(list, ","))
			}
		}
		for name, id := range map[string]string{"shipment": c.args.text("shipment_id"), "container": c.args.text("container_id")} {
			if id != "" {
				query.Set("filter["+name+"]", id)
			}
		}
		if err := c.checkFilters(ctx); err != nil {
			return nil, err
		}
		r, err := c.exceptions(ctx, query)
		if err != nil {
			return nil, err
		}
		return &answer{result: r, adjust: reliableTotal}, nil
	},
}

// checkFilters refuses IDs of nothing: that nothing is wrong with them is no answer.
func (c *call) checkFilters(ctx context.Context) error {
	for argument, path := range map[string]string{"shipment_id": "/shipments", "container_id": "/containers"} {
		if id := c.args.text(argument); id != "" {
			if _, _, err := c.readOne(ctx, path, id, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *call) exceptions(ctx context.Context, query url.Values) (*exceptionsResult, error) {
	d, err := c.read(ctx, "/exceptions", c.rowsQuery(query))
	if err != nil {
		return nil, err
	}
	r := &exceptionsResult{Total: d.total(), Page: max(1, c.args.number("page")), Exceptions: []shownException{}, Metadata: presentationNotes{"Quote the details as they are."}}
	for _, e := range d.list {
		r.Exceptions = append(r.Exceptions, exceptionOf(e))
	}
	if d.links["next"] != "" {
		next := r.Page + 1
		r.NextPage = &next
	}
	r.Summary = []string{c.pageSentence(len(r.Exceptions), r.Total, "exception", selects(query))}
	for i, e := range r.Exceptions {
		if i == listedExceptions {
			r.Summary = append(r.Summary, "The others are in the list.")
			break
		}
		r.Summary = append(r.Summary, c.exceptionSentence(&e))
	}
	return r, nil
}

// listedExceptions is how many a summary has.
const listedExceptions = 5

func exceptionOf(e *resource) shownException {
	s := shownException{
		ID: e.ID, Kind: e.str("kind"), Severity: e.str("severity"), Detail: e.str("detail"), OpenedAt: e.text("opened_at"), ClosedAt: e.text("closed_at"),
		Withdrawn: e.is("withdrawn"), AcknowledgedAt: e.text("acknowledged_at"), Assignee: e.text("assignee"), Note: e.text("note"),
	}
	if to, ok := e.to("shipment"); ok {
		s.ShipmentID = &to.ID
	}
	if to, ok := e.to("container"); ok {
		s.ContainerID = &to.ID
	}
	return s
}

// exceptionSentence quotes the detail, which can have the words of a terminal or of a paper.
func (c *call) exceptionSentence(e *shownException) string {
	line := fmt.Sprintf("%s (%s, opened %s): %s", sentence(words(e.Kind)), e.Severity, c.ago(parsedTime(orNone(e.OpenedAt))), quote(e.Detail))
	if e.ClosedAt != nil {
		line = fmt.Sprintf("%s (%s, closed %s): %s", sentence(words(e.Kind)), e.Severity, c.ago(parsedTime(*e.ClosedAt)), quote(e.Detail))
	}
	if e.Assignee != nil {
		line += ", assigned to " + quote(*e.Assignee)
	}
	return line
}

type attentionResult struct {
	Summary    []string          `json:"summary"`
	AsOf       string            `json:"as_of"`
	Exceptions attentionOpen     `json:"exceptions"`
	Costs      attentionCosts    `json:"costs_tomorrow"`
	Requests   attentionRequests `json:"failed_requests"`
	Metadata   presentationNotes `json:"_metadata"`
}

type attentionOpen struct {
	Total  int              `json:"total"`
	ByKind map[string]int   `json:"by_kind"`
	First  []shownException `json:"first" about:"the most urgent"`
}

type attentionCosts struct {
	Total      int             `json:"total" about:"containers whose next day costs something"`
	Containers []costingNotice `json:"containers" about:"by currency, the dearest first"`
}

type costingNotice struct {
	ID             string  `json:"id"`
	Number         *string `json:"number"`
	Currency       *string `json:"currency"`
	Owed           *string `json:"owed_until_today"`
	Tomorrow       *string `json:"tomorrow_adds"`
	FreeTimeEndsOn *string `json:"free_time_ends_on"`
}

type attentionRequests struct {
	Total    int            `json:"total"`
	Requests []foundRequest `json:"requests" about:"the last ones"`
}

// attentionRows is how many of each kind an overview has.
const attentionRows = "5"

var whatNeedsAttention = &tool{
	name: "what_needs_attention", title: "What needs attention",
	about:  "Gives an overview of the account: what goes wrong, the most urgent first, which containers cost money tomorrow, and which numbers could not be tracked.",
	output: attentionResult{},
	guide: guide{
		Purpose:              "Say what somebody should do today.",
		CanAnswer:            []string{"What needs attention?", "What costs money tomorrow?", "Which requests failed?"},
		RequiresMoreData:     []string{"Everything that is wrong (list_exceptions)", "A container by days (get_charges)"},
		RelevantFields:       []string{"summary", "exceptions", "costs_tomorrow", "failed_requests"},
		PresentationGuidance: "Begin with what costs money or is held. Amounts are those of the account's tariffs; do not add different currencies.",
		SuggestedFollowUps:   []string{"Show one of the containers", "List all exceptions"},
		SuggestedTools:       []string{"list_exceptions", "get_charges", "get_container"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		r := &attentionResult{AsOf: c.now.UTC().Format("2006-01-02T15:04:05Z"), Metadata: presentationNotes{"Begin with the summary. What is not listed is not wrong as far as is known."}}
		if err := c.addExceptions(ctx, r); err != nil {
			return nil, err
		}
		if err := c.addCosts(ctx, r); err != nil {
			return nil, err
		}
		if err := c.addFailures(ctx, r); err != nil {
			return nil, err
		}
		return &answer{result: r}, nil
	},
}

func (c *call) addExceptions(ctx context.Context, r *attentionResult) error {
	counts, err := c.api.ExceptionCounts(ctx, tracking.ExceptionQuery{Open: tracking.Yes})
	if err != nil {
		return err
	}
	d, err := c.read(ctx, "/exceptions", url.Values{"filter[state]": {"open"}, "sort": {"severity"}, "page[size]": {attentionRows}})
	if err != nil {
		return err
	}
	r.Exceptions = attentionOpen{d.total(), counts, []shownException{}}
	var kinds []number
	for kind, n := range counts {
		kinds = append(kinds, number{n, words(kind)})
	}
	slices.SortFunc(kinds, func(a, b number) int { return strings.Compare(a.noun, b.noun) })
	if r.Exceptions.Total == 0 {
		r.Summary = append(r.Summary, "No exception is open.")
		return nil
	}
	var parts []string
	for _, k := range kinds {
		parts = append(parts, fmt.Sprintf("%s: %d", k.noun, k.n))
	}
	r.Summary = append(r.Summary, fmt.Sprintf("Open: %s (%s). The most urgent:", plural(r.Exceptions.Total, "exception"), strings.Join(parts, ", ")))
	for _, e := range d.list {
		shown := exceptionOf(e)
		r.Exceptions.First = append(r.Exceptions.First, shown)
		r.Summary = append(r.Summary, c.exceptionSentence(&shown))
	}
	return nil
}

func (c *call) addCosts(ctx context.Context, r *attentionResult) error {
	d, err := c.read(ctx, "/containers", url.Values{"filter[costs_tomorrow]": {"true"}, "sort": {"-cost_tomorrow"}, "page[size]": {attentionRows}, "include": {""}})
	if err != nil {
		return err
	}
	r.Costs = attentionCosts{d.total(), []costingNotice{}}
	for _, b := range d.list {
		r.Costs.Containers = append(r.Costs.Containers, costingNotice{
			b.ID, b.text("number"), b.text("import_cost_currency"), b.text("import_cost_amount"), b.text("import_cost_tomorrow"), b.text("import_free_time_ends_on"),
		})
	}
	if r.Costs.Total == 0 {
		r.Summary = append(r.Summary, "No container is known to cost something tomorrow. That is known only for containers that a tariff of the account fits.")
		return nil
	}
	r.Summary = append(r.Summary, plural(r.Costs.Total, "container")+" "+verb(r.Costs.Total, "cost")+" something tomorrow:")
	for _, b := range r.Costs.Containers {
		r.Summary = append(r.Summary, fmt.Sprintf("%s: %s %s until today, tomorrow adds %s.", quote(orNone(b.Number)), orNone(b.Owed), orNone(b.Currency), orNone(b.Tomorrow)))
	}
	return nil
}

func (c *call) addFailures(ctx context.Context, r *attentionResult) error {
	d, err := c.read(ctx, "/tracking_requests", url.Values{"filter[status]": {"failed"}, "page[size]": {attentionRows}, "include": {""}})
	if err != nil {
		return err
	}
	r.Requests = attentionRequests{d.total(), []foundRequest{}}
	for _, q := range d.list {
		r.Requests.Requests = append(r.Requests.Requests, foundRequest{q.ID, q.str("request_number"), q.text("status"), q.text("failed_reason")})
	}
	if r.Requests.Total > 0 {
		r.Summary = append(r.Summary, plural(r.Requests.Total, "number")+" could not be tracked:")
	}
	for _, q := range r.Requests.Requests {
		r.Summary = append(r.Summary, requestSentence(q.RequestNumber, orNone(q.Status), orNone(q.FailedReason)))
	}
	return nil
}
