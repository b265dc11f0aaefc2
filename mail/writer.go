package mail

import (
	"bytes"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"strings"
	texttemplate "text/template"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/dashboard/catalog"
	"github.com/landfallhq/tracking/freight"
)

//go:embed templates
var templateFiles embed.FS

var (
	textTemplates = texttemplate.Must(texttemplate.ParseFS(templateFiles, "templates/*.txt"))
	htmlTemplates = htmltemplate.Must(htmltemplate.ParseFS(templateFiles, "templates/*.html"))
)

// writer writes e-mails.
type writer struct {
	base  string            // the PublicURL
	texts map[string]string // of the dashboard, by key
}

// written is an e-mail.
type written struct {
	subject, text, html string
	unsubscribe         string // address by which the user ends the e-mails; empty for a test without one
}

// page is what the templates show.
type page struct {
	Subject     string
	Dashboard   string // address
	Settings    string // address
	Unsubscribe string // address; may be empty
	Zone        string // of the user
	Alerts      []alert
	Digest      *digest
}

// write writes the e-mail of a dispatch.
func (w writer) write(d tracking.Dispatch) (out written, err error) {
	p := page{Dashboard: w.base + "/", Settings: w.base + "/settings/mail", Zone: d.Mail.Timezone}
	if d.Mail.UnsubscribeToken != "" {
		p.Unsubscribe = w.base + "/unsubscribe/" + d.Mail.UnsubscribeToken
	}
	name := "alerts"
	for _, body := range d.Mail.Bodies {
		n, err := readNotification(body)
		if err != nil {
			return out, err
		}
		if n.digest != nil {
			name, p.Digest = "digest", w.digest(n.digest)
			continue
		}
		p.Alerts = append(p.Alerts, w.alert(n))
	}
	switch {
	case p.Digest != nil:
		p.Subject = p.Digest.subject()
	case len(p.Alerts) == 0:
		return out, fmt.Errorf("an e-mail of nothing")
	default:
		p.Subject = subjectOf(p.Alerts)
	}
	out.subject, out.unsubscribe = p.Subject, p.Unsubscribe
	var text, html bytes.Buffer
	if err := textTemplates.ExecuteTemplate(&text, name+".txt", p); err != nil {
		return out, err
	}
	if err := htmlTemplates.ExecuteTemplate(&html, name+".html", p); err != nil {
		return out, err
	}
	out.text, out.html = tidy(text.String()), html.String()
	return out, nil
}

// tidy removes blanks at the ends of lines, and all but one of consecutive empty lines.
func tidy(text string) string {
	var b strings.Builder
	empty := true
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if line == "" && empty {
			continue
		}
		empty = line == ""
		b.WriteString(line + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// word is the text of a value of the engine; one that the catalogue does not know is shown with
// blanks for underscores.
func (w writer) word(kind, value string) string {
	if value == "" {
		return ""
	}
	if text, ok := w.texts[kind+"."+value]; ok {
		return text
	}
	text := strings.ReplaceAll(value[strings.LastIndexByte(value, '.')+1:], "_", " ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// moment shows a time in the zone of its place.
func (w writer) moment(at time.Time, zone string) string {
	if at.IsZero() {
		return ""
	}
	location := freight.LoadZone(zone)
	if location == nil {
		location = time.UTC
	}
	at = at.In(location)
	return at.Format("Mon "+w.texts["format.time"]) + " " + catalog.ZoneLabel(at)
}

// day shows a date such as 2026-11-28.
func (w writer) day(date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return at.Format("Mon " + w.texts["format.date"])
}
