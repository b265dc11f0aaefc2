package dashboard

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"path"
	"strings"
)

// contentPolicy allows what the pages are made of: own files, no inline code, no other host.
var contentPolicy = strings.Join([]string{
	"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
	"form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
	"require-trusted-types-for 'script'", "trusted-types 'none'",
}, "; ")

// secured adds the headers of all responses, and refuses requests that pages of other origins
// send. The tokens of forms do the same for browsers that do not say where a request is from.
func (h *handler) secured(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(h.serve(route{public: true, serve: func(req *request) error {
		return &pageError{http.StatusForbidden, req.texts.get("error.csrf")}
	}}))
	protected := crossOrigin.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", contentPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		if p := r.URL.Path; p == "" || p[0] != '/' || p != path.Clean(p) && p != h.Prefix+"/" {
			// The mux would redirect to the clean path, which may be another host: //host/.
			h.serve(route{public: true, serve: func(req *request) error { return req.notFound() }}).ServeHTTP(w, r)
			return
		}
		protected.ServeHTTP(w, r)
	})
}

// csrfField is the name of the form field with the token.
const csrfField = "csrf"

func newToken() string { return rand.Text() }

// sameToken compares in constant time. An empty token equals none.
func sameToken(a, b string) bool {
	return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}
