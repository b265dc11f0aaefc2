package dashboard

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
)

//go:embed templates/*.html
var templateFiles embed.FS

// pages are functions that return the templates, by the name of the page. Files that begin with
// _ are shared by all. A page is parsed when it is first shown: all of them take a tenth of the
// start of a program.
type pages map[string]func() *template.Template

func (h *handler) newPages() pages {
	files, err := fs.Glob(templateFiles, "templates/[a-z]*.html")
	if err != nil {
		panic(err)
	}
	shared, all := sync.OnceValue(h.parseShared), pages{}
	for _, file := range files {
		all[strings.TrimSuffix(path.Base(file), ".html")] = sync.OnceValue(func() *template.Template {
			return template.Must(template.Must(shared().Clone()).ParseFS(templateFiles, file))
		})
	}
	return all
}

// parseShared parses what all pages share.
func (h *handler) parseShared() *template.Template {
	shared := template.New("").Funcs(template.FuncMap{
		"t": h.texts.get, "tn": h.texts.count, "word": h.texts.word,
		"link":   func(p string) string { return h.Prefix + p },
		"asset":  func(name string) string { return h.Prefix + "/static/" + readAssets().names[name] },
		"number": grouped,
	})
	return template.Must(shared.ParseFS(templateFiles, "templates/_*.html"))
}

// page is what the layout shows.
type page struct {
	Title string
	// Account is empty before signing in.
	Account string
	CSRF    string
	// Section is the entry of the navigation that the page belongs to.
	Section  string
	Sections []section
	// Live is the address of the stream of changes; empty for a page that does not change.
	Live string
	// Notice is a sentence about what was just done.
	Notice  string
	Content any
}

// section is an entry of the navigation.
type section struct{ Name, Path string }

var sections = []section{
	{"today", "/"}, {"exceptions", "/exceptions"}, {"shipments", "/shipments"}, {"containers", "/containers"}, {"tracking-requests", "/tracking-requests"}, {"documents", "/documents"}, {"track", "/track"}, {"settings", "/settings"},
}

// render answers with a page.
func (req *request) render(status int, name, title string, content any) error {
	p := page{Title: title, Content: content, Section: req.section()}
	if req.t != nil {
		ctx := req.r.Context()
		p.Account, p.CSRF = req.sessions.GetString(ctx, sessionAccount), req.sessions.GetString(ctx, sessionCSRF)
		p.Sections, p.Live = sections, req.liveAddress(status)
		if !req.isBackground() {
			p.Notice = req.sessions.PopString(ctx, sessionFlash)
		}
	}
	var b bytes.Buffer
	if err := req.pages[name]().ExecuteTemplate(&b, "layout", p); err != nil {
		return err
	}
	req.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	req.w.WriteHeader(status)
	_, _ = req.w.Write(b.Bytes()) // the browser may have gone
	return nil
}

// section is the part of the dashboard that the address is in.
func (req *request) section() string {
	at := strings.TrimPrefix(req.r.URL.Path, req.Prefix)
	for _, s := range sections {
		if at == s.Path || s.Path != "/" && strings.HasPrefix(at, s.Path+"/") {
			return s.Name
		}
	}
	return ""
}

// can reports whether the session has a permission, for what pages offer.
func (req *request) can(p tracking.Permission) bool { return req.t != nil && req.actor.Can(p) }
