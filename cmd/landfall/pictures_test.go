package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/landfallhq/tracking"
)

// TestPictures takes the pictures of docs/dashboard/pages.md into the directory that LANDFALL_PICTURES
// names. It does so with what the tasks begin with, so that each page has something to show.
func TestPictures(t *testing.T) {
	dir := os.Getenv("LANDFALL_PICTURES")
	if dir == "" {
		t.Skip("LANDFALL_PICTURES names no directory for the pictures of the dashboard")
	}
	o := newOffice(t, officeTasks()[0])
	c := &photographer{o.signIn(t, "Root"), dir}
	acme := o.acme()
	slipped, owed, lot := acme.shipment("MAEUS0001"), acme.shipment("MAEUA0001"), acme.shipment("MAEUL0001")
	exceptions, _, err := acme.Exceptions().List(t.Context(), tracking.ExceptionQuery{Open: tracking.Yes}, tracking.Page{Number: 1, Size: 50})
	o.must(err)
	webhooks, _, err := acme.Webhooks(t.Context(), tracking.WebhookQuery{}, tracking.Page{Number: 1, Size: 1})
	o.must(err)
	c.takes("today", "/")
	c.takes("exceptions", "/exceptions?state=open")
	for _, e := range exceptions {
		if e.Kind == "rollover" {
			c.takes("exception", "/exceptions/"+e.ID.String())
		}
	}
	c.takes("shipments", "/shipments")
	c.takes("shipment", "/shipments/"+slipped.ID.String())
	c.open("/")
	c.follow("Cost money tomorrow")
	c.keep("containers")
	c.takes("container", "/containers/"+owed.Containers[0].String())
	c.takes("requests", "/tracking-requests")
	c.open("/track")
	c.write("Numbers, one in each line", "MAEUX0001 MAEU PO-7781")
	c.press("Check")
	c.keep("track")
	c.takes("search", "/search?q=MAEU")
	c.takes("share", "/shipments/"+slipped.ID.String()+"/share")
	field, err := acme.CustomFieldOf(t.Context(), tracking.Entity{Type: tracking.ShipmentEntity, ID: acme.shipment("MAEUQ0001").ID}, "delivery_date")
	o.must(err)
	c.takes("field", "/custom-fields/"+field.ID.String())
	for _, name := range []string{"webhooks", "users", "keys", "custom-fields", "tariffs", "carriers", "thresholds", "share-links", "audit"} {
		c.takes("settings-"+name, "/settings/"+name)
	}
	c.takes("webhook", "/settings/webhooks/"+webhooks[0].ID.String())
	c.takes("deliveries", deliveriesOf)
	c.takes("reference", "/docs")
	c.open("/shipments?tags=lot-44")
	c.choose("With rows of this list", "Stop tracking")
	c.press("Apply to all: 35 shipments")
	c.keep("bulk-action")
	c.press("Stop tracking")
	c.awaits("35 of 35 rows are done")
	c.keep("bulk-result")
	file := filepath.Join(t.TempDir(), "arrival notice.pdf")
	o.must(os.WriteFile(file, scannedNotice(t), 0o600))
	c.open("/documents")
	c.file("Files to upload", file)
	c.press("Upload")
	c.becomes("2026-06-19")
	c.keep("paper")
	c.takes("papers", "/documents")
	c.do("dark", emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	c.takes("today-dark", "/")
	c.takes("shipment-dark", "/shipments/"+lot.ID.String())
	c.do("small", emulation.SetDeviceMetricsOverride(320, 640, 1, true), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}))
	c.takes("today-small", "/")
	c.takes("container-small", "/containers/"+owed.Containers[0].String())
}

// deliveriesOf is the list of failed deliveries.
const deliveriesOf = "/settings/deliveries?delivery_status=failed"

// photographer keeps pictures of pages.
type photographer struct {
	*clerk
	dir string
}

func (p *photographer) takes(name, path string) {
	p.t.Helper()
	p.open(path)
	p.keep(name)
}

// keep keeps a picture of what is in sight.
func (p *photographer) keep(name string) {
	p.t.Helper()
	p.do("picture "+name, chromedp.ActionFunc(func(ctx context.Context) error {
		data, err := page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatWebp).WithQuality(60).Do(ctx)
		if err != nil {
			return err
		}
		if len(data) > 60<<10 {
			return fmt.Errorf("%s has %d bytes", name, len(data))
		}
		return os.WriteFile(filepath.Join(p.dir, name+".webp"), data, 0o644)
	}))
}
