package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/browsertest"
)

const (
	sharedNumber   = "MAEUP0001"
	returnedNumber = "MAEUP0002"
)

// sharedLinks are the addresses that the later part of the task opens.
var sharedLinks struct{ lasting, returned string }

// sharedShipment: share this shipment. Its later part is on the last day of all tasks.
var sharedShipment = officeTask{name: "4 share this shipment", history: func(o *office) {
	boxes, other := []string{boxNumber(400), boxNumber(401)}, []string{boxNumber(410)}
	o.at("2026-05-30T08:00Z", func(h history) {
		h.report(sharedNumber, boxes, `
			actual load CNSHA 2026-05-02T10:00 ship=Lyra of=1
			actual depart CNSHA 2026-05-03T10:00 ship=Lyra of=1
			actual load CNSHA 2026-05-09T10:00 ship=Tern of=2
			actual depart CNSHA 2026-05-10T10:00 ship=Tern of=2
			estimated arrive NLRTM 2026-06-18T08:00 ship=Tern of=2 id=shared-eta`)
		h.report(returnedNumber, other, `
			actual load CNSHA 2026-05-02T10:00 ship=Lyra
			actual depart CNSHA 2026-05-03T10:00 ship=Lyra
			estimated arrive NLRTM 2026-06-12T08:00 ship=Lyra`)
		h.define("po", "margin")
		for slug, value := range map[string]string{"po": "PO-4711", "margin": "18 %"} {
			raw, err := tracking.FieldJSON(value)
			o.must(err)
			entity := tracking.Entity{Type: tracking.ShipmentEntity, ID: h.shipment(sharedNumber).ID}
			o.must(errorOf(h.SetCustomField(o.t.Context(), tracking.NewCustomField{Entity: entity, APISlug: slug, Value: raw})))
		}
		promise := tracking.ShipmentUpdate{PromisedArrivalAt: tracking.Set(moment(o.t, "2026-06-12T00:00+02:00").Time)}
		o.must(errorOf(h.UpdateShipment(o.t.Context(), h.shipment(sharedNumber).ID, promise)))
	})
	o.at("2026-06-09T16:00Z", func(h history) {
		h.report(sharedNumber, boxes, `
			actual discharge NLRTM 2026-06-02T10:00 ship=Lyra of=1
			actual gate_out NLRTM 2026-06-09T15:00 of=1`)
		list, _, err := h.Exceptions().List(o.t.Context(), tracking.ExceptionQuery{Shipments: []tracking.ID{h.shipment(sharedNumber).ID}}, tracking.Page{})
		o.must(err)
		if len(list) == 0 {
			o.t.Fatal("the shared shipment has no exception")
		}
		for _, e := range list {
			o.must(errorOf(h.Exceptions().Update(o.t.Context(), e.ID, tracking.ExceptionUpdate{Note: tracking.Set("do not mention")})))
		}
	})
}, do: func(t *testing.T, o *office) {
	acme, ctx := o.acme(), t.Context()
	shipment := acme.shipment(sharedNumber)
	o.must(errorOf(acme.CreateDocument(ctx, tracking.NewDocument{Name: "Commercial invoice 4711", Content: []byte("COMMERCIAL INVOICE No. 4711\nTotal USD 99,000.00\n"), Shipment: shipment.ID})))
	costs, err := acme.Tariffs().Costs(ctx, shipment.Containers...)
	o.must(err)
	owed := false
	for _, c := range costs {
		owed = owed || c.Amount != "" && c.Amount != "0.00"
	}
	if !owed || len(shipment.Containers) != 2 {
		t.Fatalf("%d containers cost %+v", len(shipment.Containers), costs)
	}
	ann := o.signIn(t, "Ann")
	ann.begin()
	ann.write("Search by number", sharedNumber)
	ann.enter()
	ann.follow("Share")
	ann.sees("Purchase order", "Margin")
	if value := evaluate[string](ann, element("field", "Until the end of", nil)+`.value`); value != "2026-07-10" {
		t.Errorf("the last day is %s unless another is chosen", value)
	}
	ann.tick("Purchase order")
	ann.write("Until the end of", "2026-06-30")
	ann.press("Make the link")
	ann.sees("Share link made", "30 Jun 2026", "Europe/Amsterdam, UTC+2")
	ann.done()
	acme.audited(t, "Ann", "share_link.create")
	address, err := url.Parse(evaluate[string](ann, `document.querySelector("code.once").textContent`))
	o.must(err)

	guest := o.visit(t, "guest")
	guest.opensShared(address.Path, "18 Jun 2026, 08:00 UTC+2")
	acme.report(sharedNumber, []string{boxNumber(401)}, `estimated arrive NLRTM 2026-06-21T08:00 ship=Tern id=shared-eta`)
	guest.opensShared(address.Path, "21 Jun 2026, 08:00 UTC+2")
	o.refusesChanges(t, address.Path, shipment.ID)

	ann.begin()
	ann.write("Search by number", sharedNumber)
	ann.enter()
	ann.sees("Share links", "Active", "2", "10 Jun 2026, 16:00 UTC", "30 Jun 2026", "Purchase order", address.Path[len(address.Path)-6:], "Ann", "Revoke")
	ann.done()
	dora := o.signIn(t, "Dora")
	ann.reopens(dora, "Share links", "10 Jun 2026, 16:00 UTC")
	for _, name := range []string{"Share", "Revoke"} {
		if evaluate[bool](dora, `[...document.querySelectorAll("a, button")].some(e => e.textContent.trim() === `+browsertest.Quote(name)+`)`) {
			t.Errorf("Dora is offered %s", name)
		}
	}
	sharedLinks.lasting, sharedLinks.returned = o.shareUntil(shipment.ID), o.shareUntil(acme.shipment(returnedNumber).ID)

	ann.begin()
	ann.write("Search by number", sharedNumber)
	ann.enter()
	ann.follow("Revoke", address.Path[len(address.Path)-6:])
	ann.sees(address.Path[len(address.Path)-6:])
	ann.press("Revoke the link")
	ann.sees("The share link is revoked", "Revoked")
	ann.done()
	acme.audited(t, "Ann", "share_link.revoke")
	guest.opensNothing(address.Path)
	guest.opensNothing("/shared/" + strings.Repeat("A", 64))
}, later: func(t *testing.T, o *office) {
	acme, guest := o.acme(), o.visit(t, "guest")
	o.later("2026-06-16T10:00Z")
	guest.opensShared(sharedLinks.lasting, "21 Jun 2026")
	guest.open(sharedLinks.returned)
	guest.sees(returnedNumber)
	acme.report(returnedNumber, []string{boxNumber(410)}, `
		actual discharge NLRTM 2026-06-12T10:00 ship=Lyra
		actual gate_out NLRTM 2026-06-13T10:00
		actual gate_in NLRTM 2026-06-15T10:00 load=empty`)
	guest.opensNothing(sharedLinks.returned)
	ben := o.signIn(t, "Ben")
	ben.open("/settings/share-links")
	ben.sees("3 links", "Journey is over", "Active", "Revoked")
	o.later("2026-06-30T21:59Z") // 23:59 at Rotterdam
	guest.opensShared(sharedLinks.lasting, "21 Jun 2026")
	o.later("2026-06-30T22:00Z")
	guest.opensNothing(sharedLinks.lasting)
	ben.open("/settings/share-links")
	ben.sees("3 links", "Expired", "Expired", "Revoked")
}}

// visit returns somebody who has not signed in.
func (o *office) visit(t *testing.T, name string) *clerk {
	t.Helper()
	ctx, complaints := browsertest.Page(t, o.browser)
	return &clerk{t: t, o: o, name: name, ctx: ctx, complaints: complaints}
}

// opensShared opens the shared shipment, and checks that it shows what was chosen and nothing
// else, even in its source.
func (c *clerk) opensShared(path, arrival string) {
	c.t.Helper()
	c.open(path)
	c.sees(sharedNumber, "Departed", arrival, "PO-4711", boxNumber(400), "Picked up", boxNumber(401))
	source := evaluate[string](c, `document.documentElement.outerHTML`)
	acme := c.o.acme().shipment(sharedNumber)
	for _, hidden := range []string{"Margin", "18 %", "EUR", "240", "do not mention", "invoice", "99,000", "Ann<", "example.com", "/shipments", "/containers", "/sign-", "<form", "<script", acme.ID.String(), acme.Containers[0].String(), tracking.ID(c.o.accounts[0].Scope()).String()} {
		if strings.Contains(source, hidden) {
			c.t.Errorf("the source of %s has %q", path, hidden)
		}
	}
	if n := evaluate[int](c, `document.querySelectorAll("main a, form, button, input").length`); n != 0 {
		c.t.Errorf("%s has %d links or controls", path, n)
	}
}

// opensNothing opens an address that shows nothing of the shipment.
func (c *clerk) opensNothing(path string) {
	c.t.Helper()
	c.open(path)
	c.sees("Nothing is shared here")
	c.seesNot("MAEUP", "PO-4711", "MSKU")
	if got, want := c.o.answer(c.t, "GET", path), c.o.answer(c.t, "GET", "/shared/never"); got != want || !strings.HasPrefix(got, "404") {
		c.t.Errorf("%s answers otherwise than an address that never existed:\n%s\n%s", path, got, want)
	}
}

// answer is the status, the headers and the body of an answer to somebody without a session.
func (o *office) answer(t *testing.T, method, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:"+o.port+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	res.Header.Del("Date")
	res.Header.Del("X-Request-Id")
	var head strings.Builder
	if err := res.Header.Write(&head); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(res.StatusCode, "\n", head.String(), string(body))
}

// refusesChanges checks that nothing can be changed by a shared address, nor another shipment
// be reached.
func (o *office) refusesChanges(t *testing.T, path string, shipment tracking.ID) {
	t.Helper()
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		if a := o.answer(t, method, path); !strings.HasPrefix(a, "405") {
			t.Errorf("%s: %s", method, a)
		}
	}
	end := path[len(path)-1:]
	other := strings.TrimSuffix(path, end) + map[bool]string{true: "B", false: "A"}[end == "A"]
	for _, changed := range []string{other, path + "x", path + "/map.geojson", "/shared/" + shipment.String(), strings.ToUpper(path[:8]) + path[8:]} {
		if a := o.answer(t, "GET", changed); !strings.HasPrefix(a, "404") {
			t.Errorf("%s: %.200s", changed, a)
		}
	}
}

// shareUntil makes a link of the same kind, and returns its path.
func (o *office) shareUntil(shipment tracking.ID) string {
	o.t.Helper()
	acme := o.acme()
	list, _, err := acme.ShareLinks().List(o.t.Context(), tracking.ShareLinkQuery{}, tracking.Page{})
	o.must(err)
	first := list[len(list)-1]
	token, _, err := acme.by("Ann").ShareLinks().Create(o.t.Context(), tracking.NewShareLink{Shipment: shipment, Columns: first.Columns, Fields: first.Fields, ExpiresAt: first.ExpiresAt, Timezone: first.Timezone})
	o.must(err)
	return "/shared/" + token
}
