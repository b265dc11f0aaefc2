package httpserver_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/storage"
)

func scratch(tb testing.TB) (*httpserver.Server, map[string]*http.Request) {
	store, err := storage.Open(tb.TempDir() + "/x.db")
	if err != nil {
		tb.Fatal(err)
	}
	tr, err := tracking.New(tracking.Config{Store: store})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { tr.Close() })
	acc, _, err := tr.EnsureAccount(tb.Context(), "a")
	if err != nil {
		tb.Fatal(err)
	}
	secret, _, err := tr.CreateKey(tb.Context(), tracking.NewKey{Account: acc.Scope()})
	if err != nil {
		tb.Fatal(err)
	}
	t := tr.For(tracking.Actor{Account: acc.Scope()})
	pods := []string{"USOAK", "USLAX", "USLGB", "USSEA", "USNYC", "USSAV", "USHOU", "USMIA", "NLRTM", "DEHAM", "BEANR", "GBFXT"}
	pols := []string{"CNSHA", "CNNGB", "CNYTN", "HKHKG", "SGSIN", "KRPUS", "JPTYO", "VNSGN", "THLCH", "INNSA", "MYPKG", "TWKHH"}
	var fid int
	for i := range 100 {
		num := []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: fmt.Sprintf("MAEU9900%03d", i)}}
		boxes := []string{fmt.Sprintf("MRKU94657%02d", i), fmt.Sprintf("TCLU67181%02d", i)}
		boxes = []string{box("MRKU", i), box("TCLU", i)}
		f := func(w tracking.What, loc string, boxes []string) tracking.Fact {
			fid++
			return tracking.Fact{ID: fmt.Sprint(fid), What: w, Mode: tracking.ByVessel, Place: tracking.Place{LOCODE: loc, SMDG: "T" + fmt.Sprint(i%5), Facility: "Term"}, Numbers: num, Containers: boxes,
				Vessel: tracking.Vessel{IMO: "9321483", Name: "X"}, Voyage: "12E"}
		}
		if _, err := t.Ingest(tb.Context(), tracking.Report{Source: "s", SCAC: "MAEU", Facts: []tracking.Fact{
			f(tracking.Loading, pols[i%12], boxes), f(tracking.Discharge, pods[i%12], boxes),
		}}); err != nil {
			tb.Fatal(err)
		}
	}
	list, _, err := t.Shipments(tb.Context(), tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: 1})
	if err != nil {
		tb.Fatal(err)
	}
	s := httpserver.New(httpserver.Config{Tracker: tr, Limits: httpserver.Limits{Default: 1 << 30}})
	auth := "Authorization: Token " + secret
	return s, map[string]*http.Request{
		"single":  request("GET", "/v2/shipments/"+list[0].ID.String(), "", auth),
		"list":    request("GET", "/v2/shipments?page[size]=30", "", auth),
		"include": request("GET", "/v2/shipments?page%5Bnumber%5D=1&page%5Bsize%5D=30&include=containers,port_of_lading,port_of_discharge,pod_terminal", "", auth),
		"boxes":   request("GET", "/v2/containers?page%5Bsize%5D=30&include=shipment,pod_terminal", "", auth),
	}
}

func box(p string, i int) string {
	s := fmt.Sprintf("%s%06d", p, 100000+i)
	vals := "0123456789A_BCDEFGHIJK_LMNOPQRSTU_VWXYZ"
	sum, w := 0, 1
	for _, c := range s {
		for v, x := range vals {
			if x == c {
				sum += v * w
			}
		}
		w *= 2
	}
	return s + fmt.Sprint(sum%11%10)
}

func BenchmarkScratch(b *testing.B) {
	s, requests := scratch(b)
	for _, name := range sorted(requests) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			w := &discard{header: http.Header{}}
			for b.Loop() {
				clear(w.header)
				s.ServeHTTP(w, requests[name])
			}
		})
	}
}
