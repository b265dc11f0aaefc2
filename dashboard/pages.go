package dashboard

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/landfallhq/tracking"
)

//go:embed templates/*.html
var templateFiles embed.FS

// pages are the parsed templates, by the name of the page. Files that begin with _ are shared
// by all.
type pages map[string]*template.Template

func (h *handler) parsePages() pages {
	shared := template.New("").Funcs(template.FuncMap{
		"t": h.texts.get, "tn": h.texts.count, "word": h.texts.word,
		"link":   func(p string) string { return h.Prefix + p },
		"asset":  func(name string) string { return h.Prefix + "/static/" + h.assets.names[name] },
		"number": grouped,
	})
	shared = template.Must(shared.ParseFS(templateFiles, "templates/_*.html"))
	files, err := fs.Glob(templateFiles, "templates/[a-z]*.html")
	if err != nil {
		panic(err)
	}
	parsed := pages{}
	for _, file := range files {
		page := template.Must(template.Must(shared.Clone()).ParseFS(templateFiles, file))
		parsed[strings.TrimSuffix(path.Base(file), ".html")] = page
	}
	return parsed
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
	if err := req.pages[name].ExecuteTemplate(&b, "layout", p); err != nil {
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
