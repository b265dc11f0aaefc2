package mail

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// alert is an event as an e-mail shows it.
type alert struct {
	Title  string // what happened
	Number string // of the container, shipment or document that it is about
	Place  string
	Detail string // a sentence; may be empty
	Facts  []fact
	URL    string
}

// fact is a line of an alert.
type fact struct{ Name, Value string }

// alert describes an event.
func (w writer) alert(n *notification) alert {
	reference := n.find(n.reference)
	a := alert{Title: w.word("event", n.event), URL: w.address(n)}
	container, shipment := n.related("container", "container"), n.related("shipment", "shipment")
	add := func(name, value string) {
		if value != "" {
			a.Facts = append(a.Facts, fact{name, value})
		}
	}
	switch n.reference.Type {
	case "exception":
		a.Title = w.word("exception", reference.text("kind"))
		if reference.text("closed_at") != "" {
			a.Title += ", closed"
		}
		a.Detail = reference.text("detail")
	case "document":
		a.Number = cmp.Or(reference.text("name"), reference.text("file_name"))
		a.Detail = reference.text("extraction_failed_reason")
		add("Type", w.word("document_type", reference.text("document_type")))
		return a
	case "tracking_request":
		a.Number = reference.text("request_number")
		add("Line", reference.text("scac"))
		add("References", reference.text("ref_numbers"))
		if reference.text("status") != "created" {
			add("Reason", w.word("failed", reference.text("failed_reason")))
		}
		return a
	}
	a.Number = cmp.Or(container.text("number"), shipment.text("bill_of_lading_number"))
	a.Place = w.place(n, reference)
	add("Shipment", strings.Join(nonEmpty(shipment.text("bill_of_lading_number"), cmp.Or(shipment.text("shipping_line_short_name"), shipment.text("shipping_line_name"))), ", "))
	add("References", shipment.text("ref_numbers"))
	add("Place", a.Place)
	add("Terminal", n.related("terminal", "").text("name"))
	add("Vessel", strings.Join(nonEmpty(n.related("vessel", "").text("name"), reference.text("voyage_number")), ", voyage "))
	w.addTimes(n, reference, shipment, add)
	w.addChanges(reference, add)
	return a
}

// place is the place of an event: that of the reference object, or the port of discharge.
func (w writer) place(n *notification, reference resource) string {
	for _, name := range []string{"location", "port"} {
		if found := n.related(name, "").text("name"); found != "" {
			return found
		}
	}
	if code := reference.text("location_locode"); code != "" {
		for _, r := range n.included {
			if r.text("code") == code {
				return r.text("name")
			}
		}
		return code
	}
	return ""
}

// addTimes adds when it happened, or what is expected.
func (w writer) addTimes(n *notification, reference, shipment resource, add func(name, value string)) {
	zone := cmp.Or(reference.text("timezone"), shipment.text("pod_timezone"))
	switch {
	case n.reference.Type == "estimated_event":
		add("Estimated", w.moment(reference.time("estimated_timestamp"), zone))
	case strings.Contains(n.event, ".estimated."):
		add("Estimated", w.moment(reference.time("timestamp"), zone))
	case strings.Contains(n.event, ".pickup_lfd"):
		add("Last free day", w.localDay(reference.time("value"), zone))
	case strings.HasSuffix(n.event, ".pickup_appointment.changed"):
		add("Appointment", w.moment(reference.time("value"), zone))
	case n.reference.Type == "exception":
		add("Since", w.moment(reference.time("opened_at"), zone))
		add("Until", w.moment(reference.time("closed_at"), zone))
		add("Expected", w.moment(reference.time("expected_at"), zone))
	case strings.HasPrefix(n.event, "container.free_time."):
		add("Free time ends", w.day(reference.text("import_free_time_ends_on")))
	default:
		add("Time", w.moment(reference.time("timestamp"), zone))
	}
}

// localDay is the day of a time in the zone of its place.
func (w writer) localDay(at time.Time, zone string) string {
	shown := w.moment(at, zone)
	if comma := strings.IndexByte(shown, ','); comma > 0 {
		return shown[:comma]
	}
	return shown
}

// addChanges adds the members of a changeset, each with its values before and after.
func (w writer) addChanges(reference resource, add func(name, value string)) {
	changes, _ := reference.Attributes["changeset"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		pair, _ := changes[name].([]any)
		if len(pair) != 2 {
			continue
		}
		add(w.word("attribute", name), shown(pair[0])+" → "+shown(pair[1]))
	}
}

// shown is a JSON value as text: of an object its name.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return v
	case []any:
		if len(v) == 0 {
			return "none"
		}
		words := make([]string, len(v))
		for i, one := range v {
			words[i] = shown(one)
		}
		return strings.Join(words, ", ")
	case map[string]any:
		return strings.Join(nonEmpty(shownName(v["name"]), shownName(v["status"])), " ")
	}
	return fmt.Sprint(v)
}

func shownName(v any) string {
	s, _ := v.(string)
	return strings.ReplaceAll(s, "_", " ")
}

// address is the page of the dashboard about an event.
func (w writer) address(n *notification) string {
	paths := map[string]string{"container": "/containers/", "shipment": "/shipments/", "exception": "/exceptions/", "document": "/documents/"}
	if path, ok := paths[n.reference.Type]; ok {
		return w.base + path + n.reference.ID
	}
	for _, r := range []resource{n.related("container", ""), n.related("tracked_object", ""), n.related("shipment", "shipment")} {
		if path, ok := paths[r.Type]; ok && r.ID != "" {
			return w.base + path + r.ID
		}
	}
	return w.base + "/"
}

// subjectOf is the subject of an e-mail of alerts.
func subjectOf(list []alert) string {
	first := strings.Join(nonEmpty(list[0].Title, list[0].Number), ": ")
	if list[0].Place != "" {
		first += ", " + list[0].Place
	}
	switch more := len(list) - 1; more {
	case 0:
		return first
	case 1:
		return first + ", and 1 more event"
	default:
		return fmt.Sprintf("%s, and %d more events", first, more)
	}
}

func nonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(s string) bool { return s == "" })
}
