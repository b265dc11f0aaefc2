package httpserver

import (
	"net"
	"net/http"
)

// RedirectToHTTPS is the handler of a port of plain HTTP: it sends clients to the same
// path on HTTPS, at its standard port. Requests that write are refused with a 400: their
// body, and their key, have gone over the net already, and a redirect would hide that.
func RedirectToHTTPS(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if host == "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "use https", http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, "https://"+host+r.URL.RequestURI(), http.StatusMovedPermanently)
}
