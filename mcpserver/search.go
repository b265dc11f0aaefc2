package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

type searchResult struct {
	Summary          []string          `json:"summary"`
	Containers       []foundContainer  `json:"containers"`
	Shipments        []foundShipment   `json:"shipments"`
	TrackingRequests []foundRequest    `json:"tracking_requests" about:"requests that have found no shipment yet, or failed"`
	TotalResults     int               `json:"total_results"`
	Metadata         presentationNotes `json:"_metadata"`
}

// presentationNotes say how a result is presented.
type presentationNotes struct {
	PresentationGuidance string `json:"presentation_guidance"`
}

type foundContainer struct {
	ID              string  `json:"id"`
	ContainerNumber string  `json:"container_number"`
	Status          string  `json:"status"`
	ShippingLine    string  `json:"shipping_line"`
	ShipmentID      *string `json:"shipment_id"`
	PODTerminal     string  `json:"pod_terminal,omitempty"`
	POLTerminal     string  `json:"pol_terminal,omitempty"`
	Destination     string  `json:"destination,omitempty"`
	DuplicateNumber bool    `json:"duplicate_number,omitempty" about:"several containers have this number: boxes are used again"`
}

type foundShipment struct {
	ID                 string   `json:"id"`
	BillOfLadingNumber string   `json:"bill_of_lading_number"`
	RefNumbers         []string `json:"ref_numbers"`
	ShippingLine       string   `json:"shipping_line"`
	ContainerCount     int      `json:"container_count"`
	PortOfLading       *string  `json:"port_of_lading"`
	PortOfDischarge    *string  `json:"port_of_discharge"`
	TrackingStopped    bool     `json:"tracking_stopped"`
}

type foundRequest struct {
	ID            string  `json:"id"`
	RequestNumber string  `json:"request_number"`
	Status        *string `json:"status"`
	FailedReason  *string `json:"failed_reason"`
}

var searchContainer = &tool{
	name: "search_container", title: "Search",
	about:      "Finds containers, shipments and tracking requests by container number, bill of lading, booking, reference, tag, vessel or customer. Use it first to get the IDs that other tools take.",
	parameters: []parameter{{name: "query", kind: text, about: "A number, a reference or a name; a part of it is enough.", required: true}},
	output:     searchResult{},
	guide: guide{
		Purpose:              "Find records and their IDs.",
		CanAnswer:            []string{"Is this number tracked?", "Which containers does this bill of lading have?"},
		RequiresMoreData:     []string{"Where is the container?", "What does it cost?"},
		RelevantFields:       []string{"containers.id", "containers.container_number", "shipments.id", "total_results"},
		PresentationGuidance: "Name the number, the line and the status. If nothing is found, say that the account does not track it, and offer to track it.",
		SuggestedFollowUps:   []string{"Show the status of a container", "Track the number if nothing is found"},
		SuggestedTools:       []string{"get_container", "get_shipment_details", "track_container"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		r, err := c.search(ctx, c.args.text("query"))
		if err != nil {
			return nil, err
		}
		c.addStatuses(ctx, r)
		r.summarize(c.args.text("query"))
		return &answer{result: r}, nil
	},
}

// search reads what the server finds, at most 25 records.
func (c *call) search(ctx context.Context, query string) (*searchResult, error) {
	d, err := c.read(ctx, "/search", url.Values{"query": {query}})
	if err != nil {
		return nil, err
	}
	r := &searchResult{
		Containers: []foundContainer{}, Shipments: []foundShipment{}, TrackingRequests: []foundRequest{},
		Metadata: presentationNotes{"List the hits with number, line and status, and name the IDs only when the reader asks."},
	}
	for _, row := range d.list {
		r.add(row)
	}
	r.TotalResults = len(r.Containers) + len(r.Shipments) + len(r.TrackingRequests)
	r.completeContainers()
	return r, nil
}

// addStatuses reads the statuses of the containers, which rows of a search do not have. An
// answer is complete without them, so that a failure leaves them unknown.
func (c *call) addStatuses(ctx context.Context, r *searchResult) {
	var numbers []string
	for _, b := range r.Containers {
		if b.Status == unknownStatus {
			numbers = append(numbers, b.ContainerNumber)
		}
	}
	if len(numbers) == 0 {
		return
	}
	d, err := c.read(ctx, "/containers", url.Values{"filter[number]": {strings.Join(numbers, ",")}, "include": {""}, "page[size]": {strconv.Itoa(mostRows)}})
	if err != nil {
		return
	}
	known := map[string]string{}
	for _, box := range d.list {
		known[box.ID] = box.str("current_status")
	}
	for i := range r.Containers {
		if status := known[r.Containers[i].ID]; status != "" {
			r.Containers[i].Status = status
		}
	}
}

// unknownStatus is the status of a container that has none.
const unknownStatus = "unknown"

func statusText(status string) string {
	if status == unknownStatus {
		return ""
	}
	return ", " + words(status)
}

func (r *searchResult) add(row *resource) {
	switch row.str("entity_type") {
	case "cargo", "container":
		r.Containers = append(r.Containers, foundContainer{
			ID: row.ID, ContainerNumber: orElse(row.str("number"), "Unknown"), Status: orElse(row.str("status"), unknownStatus),
			ShippingLine: orElse(row.str("scac"), "Unknown"), ShipmentID: row.text("shipment_id"),
			PODTerminal: row.str("port_of_discharge_name"), POLTerminal: row.str("port_of_lading_name"), Destination: row.str("port_of_discharge_name"),
		})
	case "shipment":
		s := foundShipment{
			ID: row.ID, BillOfLadingNumber: row.str("number"), RefNumbers: row.texts("ref_numbers"), ShippingLine: orElse(row.str("scac"), "Unknown"),
			PortOfLading: row.text("port_of_lading_name"), PortOfDischarge: row.text("port_of_discharge_name"), TrackingStopped: row.is("tracking_stopped"),
		}
		if n := row.number("containers_count"); n != nil {
			s.ContainerCount = int(*n)
		}
		r.Shipments = append(r.Shipments, s)
	case "tracking_request":
		r.TrackingRequests = append(r.TrackingRequests, foundRequest{row.ID, row.str("number"), row.text("status"), row.text("failed_reason")})
	}
}

// completeContainers marks equal numbers, and takes the ports from the shipments that were
// found too.
func (r *searchResult) completeContainers() {
	times := map[string]int{}
	for _, b := range r.Containers {
		times[b.ContainerNumber]++
	}
	for i := range r.Containers {
		b := &r.Containers[i]
		b.DuplicateNumber = times[b.ContainerNumber] > 1
		for _, s := range r.Shipments {
			if b.ShipmentID != nil && *b.ShipmentID == s.ID && b.Destination == "" {
				b.PODTerminal, b.POLTerminal, b.Destination = orNone(s.PortOfDischarge), orNone(s.PortOfLading), orNone(s.PortOfDischarge)
			}
		}
	}
}

func (r *searchResult) summarize(query string) {
	if r.TotalResults == 0 {
		r.Summary = []string{fmt.Sprintf("Nothing in this account matches %s. It is not tracked, or written differently.", quote(query))}
		return
	}
	line := "Found " + listed(counted(
		number{len(r.Containers), "container"}, number{len(r.Shipments), "shipment"}, number{len(r.TrackingRequests), "tracking request"},
	)) + "."
	if r.TotalResults >= 25 {
		line += " There may be more: a search returns at most 25."
	}
	r.Summary = []string{line}
	for _, b := range r.Containers[:min(len(r.Containers), listedHits)] {
		r.Summary = append(r.Summary, fmt.Sprintf("Container %s of %s%s%s.", quote(b.ContainerNumber), b.ShippingLine, portsText(b.POLTerminal, b.Destination), statusText(b.Status)))
	}
	for _, s := range r.Shipments[:min(len(r.Shipments), listedHits)] {
		r.Summary = append(r.Summary, fmt.Sprintf("Shipment %s of %s%s, %s.", quote(s.BillOfLadingNumber), s.ShippingLine, portsText(orNone(s.PortOfLading), orNone(s.PortOfDischarge)), plural(s.ContainerCount, "container")+stoppedText(s.TrackingStopped)))
	}
	for _, q := range r.TrackingRequests {
		r.Summary = append(r.Summary, requestSentence(q.RequestNumber, orNone(q.Status), orNone(q.FailedReason)))
	}
}

func stoppedText(stopped bool) string {
	if stopped {
		return ", tracking stopped"
	}
	return ""
}

// listedHits is how many hits of a kind a summary has.
const listedHits = 5

// portsText writes the ports of a voyage, as far as they are known.
func portsText(from, to string) string {
	if from == "" && to == "" {
		return ""
	}
	return ", " + quoteOr(from, "a port that is not known") + " to " + quoteOr(to, "a port that is not known")
}

// number is how many there are of something.
type number struct {
	n    int
	noun string
}

// counted writes what there is more than none of.
func counted(list ...number) (parts []string) {
	for _, of := range list {
		if of.n > 0 {
			parts = append(parts, plural(of.n, of.noun))
		}
	}
	return parts
}

// requestSentence says what became of a tracking request.
func requestSentence(number, status, reason string) string {
	switch status {
	case "pending":
		return fmt.Sprintf("The request to track %s is pending: its line has not answered yet, so nothing is known about the cargo.", quote(number))
	case "awaiting_manifest":
		return fmt.Sprintf("The request to track %s waits for the manifest: the line knows the number, and has no details yet.", quote(number))
	case "failed":
		return fmt.Sprintf("The request to track %s failed: %s. Nothing is known about the cargo.", quote(number), orElse(words(reason), "the reason is not known"))
	case "created":
		return fmt.Sprintf("The request to track %s has succeeded.", quote(number))
	case "tracking_stopped":
		return fmt.Sprintf("Tracking of %s has stopped.", quote(number))
	}
	return fmt.Sprintf("The state of the request to track %s is not known.", quote(number))
}
