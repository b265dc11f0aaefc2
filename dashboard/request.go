package dashboard

import (
	"errors"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// maxForm bounds the body of a form, in bytes.
const maxForm = 1 << 20

// request is one request of a browser.
type request struct {
	*handler
	w        http.ResponseWriter
	r        *http.Request
	sessions *scs.SessionManager
	// now is the time that the page is made for, UTC.
	now time.Time
	// t acts for the session; nil on public routes without one.
	t     *tracking.Tracker
	actor tracking.Actor
	// places are those that the page has named so far.
	places *placeNames
	// parts are the rest of a form with files, and first its first one, read so far.
	parts *multipart.Reader
	first *multipart.Part
	// since is the last change of the account before anything was read, and shows are the
	// records that the page is about; nil for all.
	since int64
	// still: the page stays as it was read.
	still bool
	shows []tracking.ID
}

// serve returns the handler of a route.
func (h *handler) serve(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sessions := h.plain
		if h.IsHTTPS(r) {
			sessions = h.secure
		}
		sessions.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			req := &request{handler: h, w: w, r: r, sessions: sessions, now: h.Clock.Now().UTC()}
			w.Header().Set("Cache-Control", "no-store")
			if err := req.run(rt); err != nil {
				req.fail(err)
			}
		})).ServeHTTP(w, r.WithContext(withFoundSession(r.Context())))
	})
}

func (req *request) run(rt route) error {
	if err := req.identifyByProxy(rt); err != nil {
		return err
	}
	if err := req.identify(); err != nil {
		return err
	}
	if rt.public {
		return rt.serve(req)
	}
	if req.t == nil {
		return req.redirectToSignIn()
	}
	if req.r.Method == http.MethodPost {
		read := req.readForm
		if rt.files {
			read = req.readUpload
		}
		if err := read(); err != nil {
			return err
		}
		if !sameToken(req.r.PostForm.Get(csrfField), req.sessions.GetString(req.r.Context(), sessionCSRF)) {
			return &pageError{http.StatusForbidden, req.texts.get("error.csrf")}
		}
	}
	if rt.permission != "" && !req.actor.Can(rt.permission) {
		return &pageError{http.StatusForbidden, req.texts.get("error.permission", rt.permission)}
	}
	return rt.serve(req)
}

// readForm reads the body of a form.
func (req *request) readForm() error {
	req.r.Body = http.MaxBytesReader(req.w, req.r.Body, maxForm)
	var tooLarge *http.MaxBytesError
	switch err := req.r.ParseForm(); {
	case errors.As(err, &tooLarge):
		return &pageError{http.StatusRequestEntityTooLarge, req.texts.get("error.large")}
	case err != nil:
		return &pageError{http.StatusBadRequest, req.texts.get("error.form")}
	}
	return nil
}

// pathID returns the ID in the path; the zero ID, which no record has, if it is malformed.
func (req *request) pathID() tracking.ID { return parseID(req.r.PathValue("id")) }

func parseID(s string) tracking.ID {
	id, err := uuid.Parse(s)
	if err != nil || id.String() != strings.ToLower(s) {
		return tracking.ID{}
	}
	return id
}

// link returns an address of the dashboard.
func (h *handler) link(path string, query ...url.Values) string {
	if len(query) > 0 && len(query[0]) > 0 {
		path += "?" + query[0].Encode()
	}
	return h.Prefix + path
}

// redirect makes the browser get another page.
func (req *request) redirect(to string) error {
	http.Redirect(req.w, req.r, to, http.StatusSeeOther)
	return nil
}

// toShipment and toContainer are the addresses of pages.
func (req *request) toShipment(id tracking.ID) string { return req.link("/shipments/" + id.String()) }

func (req *request) toContainer(id tracking.ID) string { return req.link("/containers/" + id.String()) }
