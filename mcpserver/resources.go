package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The addresses of resources.
const (
	scheme       = "landfall"
	containerURI = scheme + "://container/"
	glossaryURI  = scheme + "://docs/milestone-glossary"
	guidanceURI  = scheme + "://docs/mcp-query-guidance"
	columnsURI   = scheme + "://docs/list-display-columns"
)

func (s *Server) addResources(to *mcp.Server) {
	addText(to, glossaryURI, "milestone-glossary", "Milestones", "What the events of containers mean.", "text/markdown", glossaryText())
	addText(to, guidanceURI, "mcp-query-guidance", "Which tool for which question", "Which tool answers which question, and how answers are read.", "text/markdown", guidanceText)
	list, _ := json.MarshalIndent(columns, "", "  ")
	addText(to, columnsURI, "list-display-columns", "Columns of lists", "The columns that lists can be shown with, and where their values are.", "application/json", string(list))
	to.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: containerURI + "{id}", Name: "container", Title: "Container", Description: "Summary of a container.", MIMEType: "text/markdown",
	}, s.readContainer)
}

func addText(to *mcp.Server, uri, name, title, about, kind, content string) {
	to.AddResource(&mcp.Resource{URI: uri, Name: name, Title: title, Description: about, MIMEType: kind, Size: int64(len(content))},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return contentOf(uri, kind, content), nil
		})
}

func contentOf(uri, kind, content string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: kind, Text: content}}}
}

// readContainer returns the summary of a container.
func (s *Server) readContainer(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	failure := func(text string) error { return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: text} }
	id, fault := readID(strings.TrimPrefix(r.Params.URI, containerURI))
	if fault != "" {
		return nil, failure("The address must be " + containerURI + "ID.")
	}
	api, err := s.client(headerOf(r.Extra))
	if err != nil {
		return nil, failure("Unauthorized: " + err.Error())
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	c := &call{api: api, server: s, reader: reader{now: s.config.Clock.Now()}}
	box, err := c.container(ctx, id.(string), nil)
	if err != nil {
		return nil, failure(explain("container", err))
	}
	text := fmt.Sprintf("# Container %s\n\nStatus: %s\n\n", quoteOr(orNone(box.ContainerNumber), "without a number"), words(box.Status))
	for _, line := range box.Summary {
		text += "- " + line + "\n"
	}
	return contentOf(r.Params.URI, "text/markdown", text+"\n"+dataNotice+"\n"), nil
}

// anyScheme reads resources under any scheme: addresses that were noted down with another
// server of this interface stay good.
func anyScheme(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if read, ok := r.(*mcp.ReadResourceRequest); ok {
			if u, err := url.Parse(read.Params.URI); err == nil && (u.Host == "container" || u.Host == "docs") {
				read.Params.URI = scheme + "://" + u.Host + u.EscapedPath()
			}
		}
		return next(ctx, method, r)
	}
}

// milestones say what each event means.
var milestones = map[string]string{
	"empty_out": "The empty container was picked up to be loaded.", "full_in": "It entered the port of lading laden.",
	"vessel_loaded": "It was loaded on the vessel at the port of lading.", "vessel_departed": "Its vessel left the port of lading.",
	"vessel_arrived": "Its vessel arrived at the port of discharge.", "vessel_berthed": "Its vessel is at the berth there.",
	"vessel_discharged":        "It was discharged at the port of discharge.",
	"transshipment_arrived":    "Its vessel arrived at a port where it changes vessels.",
	"transshipment_discharged": "It was discharged there.", "transshipment_loaded": "It was loaded on the next vessel.", "transshipment_departed": "That vessel left.",
	"feeder_arrived": "A feeder arrived with it.", "feeder_discharged": "It was discharged from a feeder.", "feeder_loaded": "It was loaded on a feeder.", "feeder_departed": "A feeder left with it.",
	"rail_loaded": "It was loaded on a train.", "rail_departed": "The train left.", "rail_arrived": "The train arrived.", "rail_unloaded": "It was unloaded from the train.",
	"arrived_at_inland_destination": "It arrived at the inland destination.",
	"available":                     "A terminal would release it.", "not_available": "A terminal would not release it.",
	"full_out": "It left the terminal laden. That is no delivery.", "delivered": "It was delivered to the consignee.", "empty_in": "It was returned empty.",
}

func glossaryText() string {
	out := "# Milestones of a container\n\nAn event is a statement of a carrier, a terminal or a person. One that proves wrong is invalidated, and no longer listed. A name with `estimated` is an estimate.\n\n"
	for _, name := range eventNames(milestones) {
		out += "- `" + name + "`: " + milestones[name] + "\n"
	}
	return out
}

const guidanceText = `# Which tool for which question

| Question | Tool |
|---|---|
| Do we track this number? What is its ID? | search_container |
| Track this number | track_container |
| What needs attention? | what_needs_attention |
| Where is the container, can it be picked up, what holds it? | get_container |
| What does it cost, until when is it free? | get_charges |
| When does it arrive, and why did that change? | explain_eta |
| What has happened to it? | get_container_transport_events |
| Through which ports, on which ships? | get_container_route |
| What goes wrong? | list_exceptions |
| Does this paper agree with the shipment? | compare_document |
| What was known at that time? | as_of |

# How answers are read

- summary is for people, in the zone of each place unless timezone is given. The members behind it are UTC.
- null is not known. It is not zero, and not no.
- A last free day is the midnight that begins it at the place.
- An estimate is one until the actual time replaces it. That an estimated time has passed does not say that it happened.
- Figures of costs come from tariffs of the account or from a terminal. Where they are null, there is no figure.
`
