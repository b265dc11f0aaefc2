package dashboard

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/browsertest"
)

// TestMap: the stops are on the page as text, and the map of a shipment has each port once,
// however many containers take the route. What is shown of the past has no map.
func TestMap(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for _, kind := range []string{"shipments", "containers"} {
		path := "/" + kind + "/" + w.ids[kind].String()
		body := w.get(path).body
		if !strings.Contains(body, `data-route="`+path+`/map.geojson"`) || !strings.Contains(body, `<ol class="stops">`) {
			t.Errorf("%s has no map", path)
		}
		a := w.get(path + "/map.geojson")
		var m struct {
			Features []struct {
				Properties struct {
					Type string `json:"feature_type"`
					Name string
				}
			}
		}
		if err := json.Unmarshal([]byte(a.body), &m); err != nil || a.header.Get("Content-Type") != typeGeoJSON {
			t.Fatalf("%s: %v %v", path, err, a.header)
		}
		ports := map[string]int{}
		for _, f := range m.Features {
			if f.Properties.Type == "port" {
				ports[f.Properties.Name]++
			}
		}
		for name, n := range ports {
			if n != 1 || !strings.Contains(body, "<b>"+name+"</b>") {
				t.Errorf("%s: %d ports %s", path, n, name)
			}
		}
		if len(ports) < 2 || len(m.Features) == len(ports) {
			t.Errorf("%s: %d ports, %d features", path, len(ports), len(m.Features))
		}
		past := path + "?as_of=" + w.Clock.Now().UTC().Format(asOfLayout)
		if strings.Contains(w.get(past).body, "data-route") {
			t.Errorf("%s has a map of the present", past)
		}
	}
}

// TestModules: modules import files by their addresses, so that none of another version is used.
func TestModules(t *testing.T) {
	a := readAssets()
	total := 0
	for name, file := range a.files {
		if strings.HasSuffix(name, "js") {
			for _, m := range importedFrom.FindAllStringSubmatch(string(file.data), -1) {
				if _, ok := a.files[strings.TrimPrefix(m[2], "./")]; !ok {
					t.Errorf("%s imports %s, which is not served", name, m[2])
				}
			}
		}
		if strings.HasPrefix(name, "vendor-") {
			total += len(file.zipped())
		}
	}
	if total > 250_000 {
		t.Errorf("the vendored files are %d bytes", total)
	}
}

// TestMapInChromium: the map is drawn, and changes with its buttons.
func TestMapInChromium(t *testing.T) {
	ctx, complained := browsertest.Start(t, browserTime)
	w := newWorld(t)
	secret, _, err := w.Operator.CreateKey(t.Context(), tracking.NewKey{Account: w.Account.Scope()})
	if err != nil {
		t.Fatal(err)
	}
	const shape, ports = `document.querySelector(".world .way").getAttribute("d")`, `document.querySelectorAll(".world .port").length`
	var before, after, fitted, name string
	var n int
	if err := chromedp.Run(ctx, chromedp.Navigate(w.server.URL+"/"), chromedp.SendKeys("#key", secret+"\r"), chromedp.WaitVisible(".tiles"),
		chromedp.Navigate(w.server.URL+"/containers/"+w.ids["containers"].String()), chromedp.WaitVisible(".world .way"),
		chromedp.Evaluate(ports, &n), chromedp.Evaluate(shape, &before), chromedp.AttributeValue(".world", "aria-label", &name, nil),
		chromedp.Focus(`.map-buttons button[aria-label="Zoom in"]`), chromedp.KeyEvent("\r"), chromedp.Evaluate(shape, &after),
		chromedp.Click(`.map-buttons button[aria-label="Show the whole route"]`), chromedp.Evaluate(shape, &fitted)); err != nil {
		t.Fatal(err)
	}
	if n < 2 || before == after || before != fitted || !strings.HasPrefix(name, "Map of the route: ") {
		t.Errorf("%d ports, named %q; zoomed: %t, fitted again: %t", n, name, before != after, before == fitted)
	}
	for _, c := range complained.Take() {
		t.Error(c)
	}
}
