package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/landfallhq/tracking"
)

const carriersPath = "/settings/carriers"

func carrierRoutes() []route {
	return []route{{pattern: "GET " + carriersPath, permission: tracking.Show, serve: listCarriers}}
}

// carrierSample is how many shipments of a line, the last changed ones, its state is taken from.
const carrierSample = 20

// carrierRow is a shipping line that shipments are tracked at.
type carrierRow struct {
	*tracking.ShippingLine
	tracked int
	// sampled shipments are looked at; failing of them got no answer at the last attempt.
	sampled, failing int
	// asked and answered are when the line was last asked, and last answered, UTC.
	asked, answered time.Time
}

func (r carrierRow) recordID() tracking.ID { return r.ID }

// hasSource reports whether the line is asked here.
func (r carrierRow) hasSource() bool {
	return r.BillOfLadingSupport || r.BookingNumberSupport || r.ContainerNumberSupport
}

// carrierRows are the lines that have a source, and those with tracked shipments.
func (req *request) carrierRows(ctx context.Context) (rows []carrierRow, err error) {
	lines, err := req.t.ShippingLines(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		r := carrierRow{ShippingLine: l}
		q := tracking.ShipmentQuery{Stopped: tracking.No}
		q.SCACs, q.Sort = []string{l.SCAC}, []tracking.Order{{Name: "updated_at", Desc: true}}
		list, total, err := req.t.Shipments(ctx, q, tracking.Page{Number: 1, Size: carrierSample})
		if err != nil {
			return nil, err
		}
		if r.tracked = total; total == 0 && !r.hasSource() {
			continue
		}
		for _, s := range list {
			r.add(s)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// add takes in the state of a shipment.
func (r *carrierRow) add(s *tracking.Shipment) {
	r.sampled++
	if s.LineTrackingFailedReason != "" {
		r.failing++
	}
	if s.LineTrackingLastAttempted.After(r.asked) {
		r.asked = s.LineTrackingLastAttempted
	}
	if s.LineTrackingLastSucceeded.After(r.answered) {
		r.answered = s.LineTrackingLastSucceeded
	}
}

// state is whether the line answers.
func (r carrierRow) state(c catalog) cell {
	switch {
	case !r.hasSource():
		return cell{Text: c.get("carrier.no_source"), Tone: "warn"}
	case r.asked.IsZero():
		return cell{Text: c.get("carrier.not_asked"), Tone: "info"}
	case r.failing == r.sampled:
		return cell{Text: c.get("carrier.silent"), Tone: "bad"}
	case r.failing > 0:
		return cell{Text: c.get("carrier.failing"), Tone: "warn", Note: c.get("carrier.failing.note", r.failing, r.sampled)}
	}
	return cell{Text: c.get("carrier.answers"), Tone: "good"}
}

func carrierColumns(req *request) []column[carrierRow] {
	c := req.texts
	return []column[carrierRow]{
		{name: "shipping_line", cell: func(r carrierRow) cell { return cell{Text: r.Name, Note: r.SCAC} }},
		{name: "state", cell: func(r carrierRow) cell { return r.state(c) }},
		{name: "tracked", numeric: true, cell: func(r carrierRow) cell {
			n := number(r.tracked)
			n.Href = req.link("/shipments", url.Values{"scac": {r.SCAC}, "tracking_stopped": {"false"}})
			return n
		}},
		{name: "asked_last", cell: func(r carrierRow) cell { return c.moment(r.asked, "") }},
		{name: "asked_at", cell: func(r carrierRow) cell { return c.moment(r.answered, "") }},
		{name: "numbers", cell: func(r carrierRow) cell {
			var words []string
			for i, supported := range []bool{r.BillOfLadingSupport, r.BookingNumberSupport, r.ContainerNumberSupport} {
				if supported {
					words = append(words, c.word("request_type", requestTypes[i]))
				}
			}
			return joined(words)
		}},
	}
}

func listCarriers(req *request) error {
	rows, err := req.carrierRows(req.r.Context())
	if err != nil {
		return err
	}
	c := req.texts
	return req.render(http.StatusOK, "settings-list", c.get("settings.carriers"), settingsList{
		Crumbs: req.settingsCrumbs(), Table: fill(req, carrierColumns(req), rows), None: c.get("carriers.none"), Lead: c.get("settings.carriers.lead"),
	})
}
