package mcpserver

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompt is a message that a user can begin with.
type prompt struct {
	name, title, about string
	parameters         []parameter
	message            func(arguments) string
}

var prompts = []prompt{
	{
		name: "track-shipment", title: "Track a number", about: "Shows where a container or a shipment is, and begins to track it if needed.",
		parameters: []parameter{
			{name: "container_number", kind: text, about: "Container number, bill of lading or booking.", required: true, longest: 60},
			{name: "carrier", kind: text, about: "SCAC of the shipping line.", longest: 10},
		},
		message: func(a arguments) string {
			line := ""
			if scac := a.text("carrier"); scac != "" {
				line = fmt.Sprintf(" The shipping line is %s.", quote(scac))
			}
			return fmt.Sprintf("Track %s.%s Call track_container with this number. Then say in a few sentences where the cargo is, when it arrives, what holds it, how old these statements are and what is not known.", quote(a.text("container_number")), line)
		},
	},
	{
		name: "check-demurrage", title: "Check free time and costs", about: "Shows the last free day of a container, what it costs and what holds it.",
		parameters: []parameter{{name: "container_id", kind: identifier, about: "ID of the container.", required: true}},
		message: func(a arguments) string {
			return fmt.Sprintf("For the container with the ID %s, call get_container and get_charges. Say when free time ends, what is owed until today and what tomorrow adds, what holds the container, and by which fact each is known. State no figure that the tools do not state.", a.text("container_id"))
		},
	},
	{
		name: "analyze-delays", title: "Explain delays", about: "Shows why a container is late, from its events and the history of its ETA.",
		parameters: []parameter{{name: "container_id", kind: identifier, about: "ID of the container.", required: true}},
		message: func(a arguments) string {
			return fmt.Sprintf("For the container with the ID %s, call get_container_transport_events and explain_eta. Say how the ETA moved, when and by whose statement, what is late, and what is not known about the cause.", a.text("container_id"))
		},
	},
}

func (s *Server) addPrompts(to *mcp.Server) {
	for _, p := range prompts {
		d := &mcp.Prompt{Name: p.name, Title: p.title, Description: p.about}
		for _, a := range p.parameters {
			d.Arguments = append(d.Arguments, &mcp.PromptArgument{Name: a.name, Description: a.about, Required: a.required})
		}
		to.AddPrompt(d, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			given := encode(r.Params.Arguments)
			args, err := readArguments(p.parameters, given)
			if err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: p.name + ": " + err.Error()}
			}
			return &mcp.GetPromptResult{Description: p.about, Messages: []*mcp.PromptMessage{
				{Role: "user", Content: &mcp.TextContent{Text: p.message(args)}},
			}}, nil
		})
	}
}

// maxCompletions is the most that the protocol allows.
const maxCompletions = 100

// complete completes the carrier of track-shipment to SCACs. Without an answer of the server
// there are none.
func (s *Server) complete(ctx context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	scacs := []string{}
	if r.Params.Ref != nil && r.Params.Ref.Name == "track-shipment" && r.Params.Argument.Name == "carrier" {
		scacs = s.scacs(ctx, headerOf(r.Extra), r.Params.Argument.Value)
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{
		Values: scacs[:min(len(scacs), maxCompletions)], Total: len(scacs), HasMore: len(scacs) > maxCompletions,
	}}, nil
}

// scacs returns the SCACs with the prefix, sorted; none without an answer of the server.
func (s *Server) scacs(ctx context.Context, header http.Header, prefix string) []string {
	found := []string{}
	api, err := s.client(header)
	if err != nil {
		return found
	}
	list, err := (&call{api: api, server: s}).lines(ctx, "")
	if err != nil {
		return found
	}
	for _, l := range list {
		if strings.HasPrefix(l.SCAC, strings.ToUpper(strings.TrimSpace(prefix))) {
			found = append(found, l.SCAC)
		}
	}
	slices.Sort(found)
	return found
}
