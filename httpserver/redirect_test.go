package httpserver_test

import (
	"net/http/httptest"
	"testing"

	"github.com/landfallhq/tracking/httpserver"
)

func TestRedirectToHTTPS(t *testing.T) {
	for _, tt := range []struct {
		method, host, path string
		status             int
		location           string
	}{
		{"GET", "example.com", "/v2/shipments?page[size]=1", 301, "https://example.com/v2/shipments?page[size]=1"},
		{"HEAD", "example.com:8080", "/", 301, "https://example.com/"},
		{"POST", "example.com", "/v2/reports", 400, ""},
		{"GET", "", "/", 400, ""},
	} {
		r := httptest.NewRequest(tt.method, tt.path, nil)
		r.Host = tt.host
		w := httptest.NewRecorder()
		httpserver.RedirectToHTTPS(w, r)
		if w.Code != tt.status || w.Header().Get("Location") != tt.location {
			t.Errorf("%s %s%s: %d to %q", tt.method, tt.host, tt.path, w.Code, w.Header().Get("Location"))
		}
	}
}
