package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/landfallhq/tracking/internal/browsertest"
)

// cardHost is a page with the card in a frame, as an assistant shows it: it answers what the card
// sends, and hands over the answer of the tool when the card is ready.
const cardHost = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><body style="margin:0">
<iframe title="card" src="/card" style="border:0;width:100%;height:40px"></iframe>
<script>
const frame = document.querySelector("iframe");
addEventListener("message", (e) => {
  const send = (message) => frame.contentWindow.postMessage(Object.assign({jsonrpc: "2.0"}, message), "*");
  if (e.data.method === "ui/initialize") send({id: e.data.id, result: {protocolVersion: "2026-01-26", hostInfo: {name: "test", version: "1"}, hostCapabilities: {}, hostContext: {theme: new URLSearchParams(location.search).get("theme")}}});
  if (e.data.method === "ui/notifications/initialized") fetch("/answer").then((a) => a.json()).then((params) => send({method: "ui/notifications/tool-result", params}));
  if (e.data.method === "ui/notifications/size-changed") { frame.style.height = e.data.params.height + "px"; document.title = "shown"; }
});
</script></body></html>`

// cardPolicy is what hosts let a card do that asks for nothing.
const cardPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

// serveCard serves the host, the card and an answer of get_container_route.
func (w *world) serveCard(container string) *httptest.Server {
	w.t.Helper()
	answer, fault := w.request(w.key, "tools/call", map[string]any{"name": "get_container_route", "arguments": map[string]any{"id": container}})
	if fault != nil {
		w.t.Fatal(fault)
	}
	read, fault := w.request(w.key, "resources/read", map[string]any{"uri": "ui://landfall/route"})
	var card struct{ Contents []struct{ Text string } }
	if err := json.Unmarshal(read, &card); err != nil || fault != nil || len(card.Contents) != 1 {
		w.t.Fatal(err, fault)
	}
	mux := http.NewServeMux()
	page := func(path, typ, policy, text string) {
		mux.HandleFunc("GET "+path, func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", typ)
			if policy != "" {
				out.Header().Set("Content-Security-Policy", policy)
			}
			fmt.Fprint(out, text)
		})
	}
	page("/{$}", "text/html", "", cardHost)
	page("/card", "text/html", cardPolicy, card.Contents[0].Text)
	page("/answer", "application/json", "", string(answer))
	page("/favicon.ico", "image/x-icon", "", "")
	server := httptest.NewServer(mux)
	w.t.Cleanup(server.Close)
	return server
}

// cardShown reads what the card shows. The width that does not fit is Over.
const cardShown = `(() => {
	const d = document.querySelector("iframe").contentDocument, n = (s) => d.querySelectorAll(s).length;
	return {Ports: n("circle"), Lines: n(".way"), Coast: d.querySelector("[data-coast]").getAttribute("d").length, Stops: n("li"),
		Over: d.documentElement.scrollWidth - d.documentElement.clientWidth, Note: d.getElementById("note").textContent, Background: getComputedStyle(d.body).backgroundColor};
})()`

// TestCardInChromium: a host shows the card, light and dark, wide and narrow, with the map and a
// line for each port, and the browser complains of nothing.
func TestCardInChromium(t *testing.T) {
	ctx, complained := browsertest.Start(t, time.Minute)
	w := newWorld(t)
	w.fill()
	server := w.serveCard(w.cases["on ship"].container)
	const light, dark = "rgb(255, 255, 255)", "rgb(13, 17, 23)"
	for _, row := range []struct {
		system, host string // color schemes
		width        int64
		background   string
	}{
		{"light", "", 320, light}, {"light", "", 800, light}, {"dark", "", 320, dark}, {"dark", "", 800, dark},
		{"light", "dark", 800, dark}, {"dark", "light", 800, light},
	} {
		name := fmt.Sprintf("card-%s%s-%d", row.system, row.host, row.width)
		var drawn struct {
			Ports, Lines, Coast, Stops, Over int
			Note, Background                 string
		}
		err := chromedp.Run(ctx,
			emulation.SetDeviceMetricsOverride(row.width, 600, 1, false),
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: row.system}}),
			chromedp.Navigate(server.URL+"/?theme="+row.host), chromedp.Poll(`document.title === "shown"`, nil),
			chromedp.Evaluate(cardShown, &drawn), keepPicture(name))
		if err != nil {
			t.Fatal(name, err)
		}
		if drawn.Ports != 2 || drawn.Lines == 0 || drawn.Stops != 2 || drawn.Coast < 1_000 || drawn.Over > 0 || drawn.Background != row.background || !strings.HasPrefix(drawn.Note, "Dashed: under way") {
			t.Errorf("%s: %+v", name, drawn)
		}
	}
	for _, c := range complained.Take() {
		t.Error(c)
	}
}

// keepPicture keeps what is in sight in the directory that LANDFALL_PICTURES names, if it does.
func keepPicture(name string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		dir := os.Getenv("LANDFALL_PICTURES")
		if dir == "" {
			return nil
		}
		var data []byte
		if err := chromedp.CaptureScreenshot(&data).Do(ctx); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600)
	})
}

// TestCoasts: each line of the coasts stays on the earth and has no step across the map.
func TestCoasts(t *testing.T) {
	text, err := os.ReadFile("coast.json")
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]int
	if err := json.Unmarshal(text, &lines); err != nil || len(lines) < 200 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	const degree, longest = 5, 25 // the longest straight part of a coast, in degrees
	for n, line := range lines {
		if len(line) < 4 || len(line)%2 != 0 {
			t.Fatalf("line %d has %d numbers", n, len(line))
		}
		lon, lat := 0, 0
		for i := 0; i < len(line); i += 2 {
			lon, lat = lon+line[i], lat+line[i+1]
			if lon < -180*degree || lon > 180*degree || lat < -90*degree || lat > 90*degree || i > 0 && max(line[i], -line[i]) > longest*degree {
				t.Fatalf("line %d goes to %d, %d, in fifths of a degree", n, lon, lat)
			}
		}
	}
}
