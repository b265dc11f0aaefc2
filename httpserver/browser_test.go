package httpserver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// maliciousFiles has files with scripts that send a request to the server when they run.
var maliciousFiles = map[string]string{
	"page.html":   `<!DOCTYPE html><html><body>hello<script>new Image().src="/ran?by=html"</script><img src=x onerror="fetch('/ran?by=handler')"></body></html>`,
	"drawing.svg": `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="fetch('/ran?by=onload')"><script>fetch("/ran?by=svg")</script></svg>`,
	"script.js":   `fetch("/ran?by=js")`,
}

// TestBrowserRunsNoDocument opens uploaded HTML, SVG and JavaScript in Chromium,
// directly and embedded in a page of the same origin. No script may run. Served with
// their own content type, all scripts run.
func TestBrowserRunsNoDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := findBrowser()
	if browser == "" {
		t.Skip("there is no Chromium here: that uploaded HTML and SVG run no script was not shown")
	}
	b := newBench(t)
	var mu sync.Mutex
	ran, pages := map[string]bool{}, map[string]string{}
	mux := http.NewServeMux()
	mux.Handle("/", b.server)
	mux.HandleFunc("/ran", func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		ran[r.FormValue("by")] = true
	})
	mux.HandleFunc("/plain/{name}", func(w http.ResponseWriter, r *http.Request) { // as a careless server would
		name := r.PathValue("name")
		w.Header().Set("Content-Type", map[string]string{"page.html": "text/html", "drawing.svg": "image/svg+xml", "script.js": "text/javascript"}[name])
		_, _ = w.Write([]byte(maliciousFiles[name]))
	})
	mux.HandleFunc("/embedding/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(pages[r.PathValue("name")]))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	var stored, plain []string
	for name, content := range maliciousFiles {
		stored, plain = append(stored, b.downloadOf(name, content)), append(plain, "/plain/"+name)
	}
	pages["stored"], pages["plain"] = embeddingPage(stored), embeddingPage(plain)
	for page, want := range map[string]int{"stored": 0, "plain": 5} {
		clear(ran)
		openInBrowser(t, browser, server.URL+"/embedding/"+page)
		mu.Lock()
		if len(ran) != want {
			t.Errorf("%s: the scripts that ran are %v, want %d", page, ran, want)
		}
		mu.Unlock()
	}
}

// embeddingPage returns a page that embeds files in every way, and navigates to the last
// one.
func embeddingPage(links []string) string {
	page := "<!DOCTYPE html><html><body>"
	for _, link := range links {
		page += `<iframe src="` + link + `"></iframe><object data="` + link + `"></object><embed src="` + link + `"><img src="` + link + `"><script src="` + link + `"></script>`
	}
	return page + `<script>onload = () => setTimeout(() => { location = "` + links[len(links)-1] + `" }, 500)</script></body></html>`
}

// downloadOf creates a document and returns the path of its download URL.
func (b *bench) downloadOf(name, content string) string {
	b.tb.Helper()
	id := b.document(b.mine, name, content).id()
	b.Settle()
	var link struct {
		URL string `json:"download_url"`
	}
	if err := json.Unmarshal(b.as(b.mine, "GET", "/v2/documents/"+id+"/download_url", "").want(200).body, &link); err != nil {
		b.tb.Fatal(err)
	}
	return strings.TrimPrefix(link.URL, "http://host")
}

func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// openInBrowser opens a page and gives its scripts time to run.
func openInBrowser(t *testing.T, browser, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--timeout=2500", "--dump-dom", url)
	cmd.WaitDelay = 5 * time.Second
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Logf("%s: %v: %s", url, err, short(string(text)))
	}
}

// Every download is sent as an attachment.
func TestDownloadsAreFiles(t *testing.T) {
	b := newBench(t)
	for name, row := range map[string]struct{ content, typ, named string }{
		"page.html":                      {maliciousFiles["page.html"], "application/octet-stream", `filename="page.html"`},
		"drawing.svg":                    {maliciousFiles["drawing.svg"], "application/octet-stream", `filename="drawing.svg"`},
		"a \"quoted\" %41 name;.pdf":     {"%PDF-1.7", "application/pdf", `filename="a ?quoted? ?41 name;.pdf"; filename*=UTF-8''a%20%22quoted%22%20%2541%20name%3B.pdf`},
		"../../etc/passwd":               {"text", "text/plain", `filename=".._.._etc_passwd"`},
		"\u202efdp.exe":                  {"more text", "text/plain", `filename="_fdp.exe"; filename*=UTF-8''_fdp.exe`},
		"بوليصة.txt":                     {"still more", "text/plain", `filename="??????.txt"; filename*=UTF-8''%D8%A8%D9%88%D9%84%D9%8A%D8%B5%D8%A9.txt`},
		strings.Repeat("ü", 300) + ".tx": {"long", "text/plain", "''" + strings.Repeat("%C3%BC", 300) + ".tx"},
	} {
		ticket := b.announce(b.mine, name, row.content)
		b.do("PUT", ticket.DirectUpload.URL, row.content, headersFor(ticket)...).want(204)
		body, err := json.Marshal(map[string]any{"data": map[string]any{"type": "document", "attributes": map[string]string{"name": "x", "attached_document": ticket.SignedID}}})
		if err != nil {
			t.Fatal(err)
		}
		made := b.as(b.mine, "POST", "/v2/documents", string(body)).want(201)
		if got := made.attributes()["file_name"]; got != name {
			t.Errorf("%q became %q", name, got)
		}
		var link struct {
			URL string `json:"download_url"`
		}
		if err := json.Unmarshal(b.as(b.mine, "GET", "/v2/documents/"+made.id()+"/download_url", "").want(200).body, &link); err != nil {
			t.Fatal(err)
		}
		a := b.do("GET", strings.TrimPrefix(link.URL, "http://host"), "").want(200)
		disposition := a.header.Get("Content-Disposition")
		if a.header.Get("Content-Type") != row.typ || !strings.HasPrefix(disposition, "attachment; ") || !strings.Contains(disposition, row.named) ||
			a.header.Get("Content-Security-Policy") != "sandbox; default-src 'none'" || string(a.body) != row.content {
			t.Errorf("%q is handed out as %v", name, a.header)
		}
		b.Clock.Advance(5 * time.Minute)
		b.do("GET", strings.TrimPrefix(link.URL, "http://host"), "").want(403)
	}
}
