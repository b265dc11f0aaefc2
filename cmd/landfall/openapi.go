package main

import (
	"context"

	"github.com/landfallhq/tracking/httpserver"
)

var openAPICommand = command{
	name:  "openapi",
	about: "print the description of the interface, OpenAPI 3.1",
	details: `A running server shows the same at /v2/openapi.json, without a key. The
description is made from the program: it is always that of its version.`,
	declare: func(f *flags) action {
		prefix := f.String("prefix", "/v2", "what the paths of the interface begin with")
		return func(_ context.Context, p *program, _ []string) error {
			text, err := httpserver.OpenAPI(*prefix)
			if err != nil {
				return err
			}
			_, err = p.stdout.Write(text)
			return err
		}
	},
}
