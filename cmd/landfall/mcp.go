package main

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/landfallhq/tracking/mcpserver"
)

// serverKeyVariable has the key of the commands that call a server.
const serverKeyVariable = "LANDFALL_API_KEY"

var mcpCommand = command{
	name:  "mcp",
	about: "give an assistant the tools of a server, over stdin and stdout",
	details: `
An assistant starts this program and talks to it by the Model Context Protocol. Each
tool calls the server with the key, so an assistant may what the key may: give it a key
of its own, with the permission show alone unless it shall track numbers (landfall keys
create --permissions show). The configuration of an assistant looks like this:

  {"mcpServers": {"landfall": {"command": "landfall", "args": ["mcp"],
   "env": {"LANDFALL_URL": "http://127.0.0.1:8080/v2", "LANDFALL_API_KEY": "lf_..."}}}}

A server also has the tools at /mcp, without this program. See docs/agents.md.`,
	declare: func(f *flags) action {
		url := f.String("url", "http://127.0.0.1:8080/v2", "`URL` of the API of the server, with /v2")
		key := f.String("api-key", "", "API `KEY`; other users of the machine can read flags, so better set the variable")
		return func(ctx context.Context, p *program, _ []string) error {
			if *key == "" {
				return usageErrorf("%s or --api-key is missing: the key of the server", serverKeyVariable)
			}
			s, err := mcpserver.New(mcpserver.Config{URL: strings.TrimSuffix(*url, "/"), Key: *key, Transport: http.DefaultTransport, Retries: 2, Version: release()})
			if err != nil {
				return usageErrorf("%v", err)
			}
			return s.ServeStream(ctx, io.NopCloser(p.stdin), writeCloser{p.stdout})
		}
	},
}

// writeCloser leaves the standard output open.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }
