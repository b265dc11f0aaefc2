package simulator

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reportedEvent is an event of a shipment.
type reportedEvent struct {
	shipment *shipment
	*event
}

func (t reportedEvent) created() time.Time { return t.shipment.created(t.event) }
func (t reportedEvent) text() string       { return t.shipment.text(t.event) }

// query is a call for events: filters, order and page.
type query struct {
	filter
	sort  []order
	limit int
}

type order struct {
	field string
	down  bool
}

// cursor is the content of a page link. It has the time of the first page, so that
// new events do not move later pages.
type cursor struct {
	Query  string    `json:"q"`
	AsOf   time.Time `json:"t"`
	Offset int       `json:"o"`
}

func (c *Carrier) getEvents(w http.ResponseWriter, r *http.Request) {
	q, at, err := c.parseCall(r.URL)
	if err != nil {
		c.counts.change(func(s *Stats) { s.Calls++; s.Refused++ })
		refuse(w, r, http.StatusBadRequest, err.Error())
		return
	}
	about := q.number()
	flight := c.flights.enter(about)
	defer flight.leave()
	c.counts.change(func(s *Stats) { s.Calls++ })
	if at.AsOf.IsZero() {
		at.AsOf = c.config.Clock.Now()
	}
	luck := c.drawOutcome(about)
	if luck.fault == Foreign {
		q.filter = c.otherShipment(q.filter)
	}
	page, total := c.page(q, at, luck)
	body := array(page)
	switch luck.fault {
	case "":
		c.counts.change(func(s *Stats) { s.Events += len(page) })
	case Foreign: // handled below
	default:
		c.fail(w, r, luck, flight, body)
		return
	}
	at.setLinks(w.Header(), r, q.limit, total)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	flight.leave()
	write(w, body)
}

// parseCall reads the parameters of a call, or those in its cursor.
func (c *Carrier) parseCall(u *url.URL) (q query, at cursor, err error) {
	values := u.Query()
	at.Query = u.RawQuery
	if text := values.Get("cursor"); text != "" {
		if at, err = parseCursor(text); err == nil {
			values, err = url.ParseQuery(at.Query)
		}
		if err != nil {
			return q, at, errors.New("cursor is not one of this carrier")
		}
	}
	q, err = parseQuery(values)
	q.limit = min(q.limit, c.config.PageSize)
	return q, at, err
}

// page returns the page of the query at the cursor; total is the number of events
// of all pages.
func (c *Carrier) page(q query, at cursor, l outcome) (page []reportedEvent, total int) {
	all := c.find(q.filter, at.AsOf)
	slices.SortStableFunc(all, q.compare)
	from := min(at.Offset, len(all))
	page = slices.Clone(all[from:min(from+q.limit, len(all))])
	if l.disorder {
		if from > 0 {
			page = append(page, all[from-1])
		}
		l.random.Shuffle(len(page), func(i, j int) { page[i], page[j] = page[j], page[i] })
	}
	return page, len(all)
}

// find returns the events known at a time that match a filter.
func (c *Carrier) find(f filter, at time.Time) (list []reportedEvent) {
	for _, s := range f.shipments(c) {
		for _, e := range s.known(at) {
			if t := (reportedEvent{s, e}); f.match(t) {
				list = append(list, t)
			}
		}
	}
	return list
}

// otherShipment is the filter of a carrier that confuses its shipments: it finds
// everything of the next shipment.
func (c *Carrier) otherShipment(f filter) filter {
	asked := f.shipments(c)
	if len(asked) == 0 || len(c.shipments) < 2 {
		return f
	}
	i := slices.Index(c.shipments, asked[0])
	return filter{"carrierBookingReference": {c.shipments[(i+1)%len(c.shipments)].Booking}}
}

func (q query) compare(a, b reportedEvent) int {
	for _, o := range q.sort {
		sign := 0
		switch o.field {
		case "eventCreatedDateTime":
			sign = a.created().Compare(b.created())
		case "eventDateTime":
			sign = a.at.Add(a.shipment.shifted).Compare(b.at.Add(b.shipment.shifted))
		}
		if o.down {
			sign = -sign
		}
		if sign != 0 {
			return sign
		}
	}
	return 0
}

// setLinks sets the paging headers.
func (at cursor) setLinks(h http.Header, r *http.Request, limit, total int) {
	h.Set("Current-Page", at.link(r, at.Offset))
	h.Set("First-Page", at.link(r, 0))
	h.Set("Last-Page", at.link(r, max(0, total-1)/limit*limit))
	if at.Offset > 0 {
		h.Set("Prev-Page", at.link(r, max(0, at.Offset-limit)))
	}
	if next := at.Offset + limit; next < total {
		h.Set("Next-Page", at.link(r, next))
	}
}

// link returns the URL of another page of the same call.
func (at cursor) link(r *http.Request, offset int) string {
	at.Offset = offset
	text, err := json.Marshal(at)
	if err != nil {
		panic(err) // cannot happen for texts, times and numbers
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	path, _, _ := strings.Cut(r.RequestURI, "?") // with the prefix of a mount
	return fmt.Sprintf("%s://%s%s?cursor=%s", scheme, r.Host, path, base64.RawURLEncoding.EncodeToString(text))
}

func parseCursor(text string) (at cursor, err error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &at)
	}
	if err == nil && at.Offset < 0 {
		err = errors.New("the offset is negative")
	}
	return at, err
}

// parseQuery reads the parameters of a call, without its cursor.
func parseQuery(values url.Values) (q query, err error) {
	q.limit, q.filter = 100, filter{}
	for name, list := range values {
		if len(list) > 1 {
			return q, fmt.Errorf("%s is set twice", name)
		}
		switch name {
		case "limit":
			if q.limit, err = strconv.Atoi(list[0]); err != nil || q.limit < 1 {
				return q, errors.New("limit must be a whole number from 1")
			}
		case "sort":
			if q.sort, err = parseSort(list[0]); err != nil {
				return q, err
			}
		default:
			if err := q.filter.add(name, strings.Split(list[0], ",")); err != nil {
				return q, err
			}
		}
	}
	if q.sort == nil {
		q.sort = []order{{field: "eventCreatedDateTime"}}
	}
	return q, nil
}

func parseSort(text string) (list []order, err error) {
	for part := range strings.SplitSeq(text, ",") {
		field, way, _ := strings.Cut(part, ":")
		if field != "eventCreatedDateTime" && field != "eventDateTime" {
			return nil, fmt.Errorf("sort: %q is neither eventCreatedDateTime nor eventDateTime", field)
		}
		if way != "" && way != "ASC" && way != "DESC" {
			return nil, fmt.Errorf("sort: %q is neither ASC nor DESC", way)
		}
		list = append(list, order{field: field, down: way == "DESC"})
	}
	return list, nil
}

func (c *Carrier) getEvent(w http.ResponseWriter, r *http.Request) {
	now := c.config.Clock.Now()
	for _, s := range c.shipments {
		for _, e := range s.known(now) {
			if s.id(e) == r.PathValue("id") {
				w.Header().Set("Content-Type", "application/json")
				write(w, s.text(e))
				return
			}
		}
	}
	refuse(w, r, http.StatusNotFound, "There is no such event.")
}

// array returns the document of a page.
func array(page []reportedEvent) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, t := range page {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(t.text())
	}
	b.WriteByte(']')
	return b.String()
}

// refuse answers with an error in the format of the standard.
func refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	body, err := json.Marshal(map[string]any{
		"httpMethod": r.Method, "requestUri": r.URL.Path, "statusCode": status, "statusCodeText": http.StatusText(status),
		"errorDateTime": time.Now().UTC().Format(time.RFC3339),
		"errors":        []any{map[string]any{"reason": http.StatusText(status), "message": message}},
	})
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	write(w, string(body))
}
