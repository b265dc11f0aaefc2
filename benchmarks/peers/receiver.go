package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/landfallhq/tracking/webhook/signature"
)

// receiverMain is the process that receives deliveries and verifies each. It is given the
// secret, and reports its URL.
func receiverMain(ctx context.Context, p *parent) error {
	var secret string
	if err := p.hear(&secret); err != nil {
		return err
	}
	secrets := []string{secret}
	addr, err := serveHTTP(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = signature.Verify(r.Header, body, secrets, time.Hour)
		}
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	if err != nil {
		return err
	}
	if err := p.say("http://" + addr + "/hook"); err != nil {
		return err
	}
	p.wait()
	return nil
}
