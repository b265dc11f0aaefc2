package eventcatalog_test

import (
	"testing"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/eventcatalog"
)

// TestEvents: 41 events of freight, two about documents and five about exceptions, each once
// and complete. The first 43, which webhooks for all events get, are in categories that are not
// opted in to.
// Document events are described only partly.
func TestEvents(t *testing.T) {
	categories := map[string]int{}
	for _, c := range eventcatalog.Categories {
		categories[c.ID] = 0
		if optIn := c.ID == "exception-events"; c.OptIn != optIn || !eventcatalog.IsCategory(c.ID) {
			t.Errorf("%+v, want OptIn %t", c, optIn)
		}
	}
	seen := map[freight.EventName]bool{}
	ofFreight := 0
	for _, e := range eventcatalog.Events() {
		if found := eventcatalog.Find(e.Name); found == nil || found.Name != e.Name || seen[e.Name] {
			t.Errorf("%s is found as %+v", e.Name, found)
		}
		seen[e.Name] = true
		if _, known := categories[e.Category]; !known {
			t.Errorf("%s is in the category %q", e.Name, e.Category)
		}
		categories[e.Category]++
		if e.Condition == "" || e.Reference == "" || len(e.Include) == 0 {
			t.Errorf("%+v", e)
		}
		if e.AboutDocument() {
			continue
		}
		if !e.AboutException() {
			ofFreight++
		}
		if len(e.Sources) == 0 || len(e.Unless) == 0 || e.Correction == "" || e.Withdrawal == "" {
			t.Errorf("%s: %+v", e.Name, e)
		}
	}
	if ofFreight != 41 || len(seen) != 48 {
		t.Errorf("%d events of freight, %d events", ofFreight, len(seen))
	}
	for id, events := range categories {
		if events == 0 {
			t.Errorf("%s is empty", id)
		}
	}
	if eventcatalog.Find("container.lost") != nil || eventcatalog.IsCategory("container.created") {
		t.Error("an event is found that does not exist")
	}
}
