package crosscheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAgreement: a document that repeats what is known of its shipment contradicts nothing, in
// whatever spelling, and each value that it repeats agrees.
func TestAgreement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, list ...string) string { return rapid.SampledFrom(list).Draw(t, name) }
		s := &Shipment{
			SCAC: "MAEU", POL: pick("pol", "CNSHA", "VNHPH", "CNYTN"), POD: pick("pod", "NLRTM", "USLGB"),
			Ships: []Ship{{Name: pick("ship", "EVER GIVEN", "MSC OSCAR"), Voyages: []string{"025W"}}}, ShipsSince: "2026-07-01",
			Arrival: "2026-08-05", ArrivalSince: "2026-07-01", Departed: "2026-07-02",
			Containers: []Known{{Number: "MSKU1234565", Seals: []string{"CN0815"}, ISOType: "45G1", LastFreeDays: []string{"2026-08-12"}}, {Number: "CSQU3054383"}},
		}
		kg := rapid.IntRange(1, 26_000).Draw(t, "kg")
		s.Containers[0].WeightKg = float64(kg + rapid.IntRange(0, 5_000).Draw(t, "tare"))
		p := &testPaper{id: "a", typ: pick("type", bill, waybill, notice, order, booking)}
		p.add("issue_date", "07-20")
		p.add("port_of_lading", s.POL)
		p.add("port_of_discharge", s.POD)
		p.add("vessel", pick("prefix", "", "MV ", "M/V ", "m.v. ")+pick("name", s.Ships[0].Name, strings.ToLower(s.Ships[0].Name)))
		p.add("voyage", pick("voyage", "25W", "025W", "025w"))
		p.add("eta", pick("eta", "08-04", "08-05", "08-06"))
		p.add("last_free_day", "08-12")
		p.add("on_board_date", pick("on board", "07-01", "07-02", "06-30"))
		p.addRow("containers", []string{"number=" + pick("number", "MSKU1234565", "MSKU 123456-5"), "seal=" + pick("seal", "CN0815", "CN-0815"), "size_type=" + pick("size", "45G1", "40HC"), fmt.Sprint("gross_weight=", kg, "kg")})
		paper, payload := readPaper(t, p)
		checks := Compare(paper, s, nil)
		agreed := map[string]bool{}
		for _, k := range checks {
			if !k.Agrees {
				t.Fatalf("%+v", k)
			}
			agreed[k.Field] = true
		}
		for _, field := range []string{"port_of_lading", "port_of_discharge", "vessel", "voyage", "eta", "last_free_day", "on_board_date", "containers.number", "containers.seal", "containers.size_type"} {
			if !agreed[field] {
				t.Fatalf("%s does not agree", field)
			}
		}
		rescored, err := Rescore(payload, checks)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Rescore(rescored, nil)
		if err != nil || !bytes.Equal(again, payload) {
			t.Fatalf("%v: without checks the confidences of\n%s are not those that were read:\n%s", err, rescored, again)
		}
	})
}

func readPaper(t interface{ Fatal(...any) }, p *testPaper) (*Paper, []byte) {
	for table, rows := range p.rows {
		p.members = append(p.members, member{table, []byte("[" + strings.Join(rows, ",") + "]")})
	}
	payload := objectOf(p.members)
	paper, err := ReadPaper(p.id, p.typ, payload)
	if err != nil {
		t.Fatal(err)
	}
	return paper, payload
}

// TestConfidence: agreement never lowers a confidence and contradiction never raises it; more of
// the first is never less.
func TestConfidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		read := float64(rapid.IntRange(0, 100).Draw(t, "read")) / 100
		n := rapid.IntRange(0, 5).Draw(t, "agreements")
		is := confidence(read, n, false)
		if is < read || is > max(read, surest) || confidence(read, n+1, false) < is {
			t.Fatalf("%v with %d agreements is %v", read, n, is)
		}
		if is := confidence(read, n, true); is > read || is > doubtful {
			t.Fatalf("%v that differs is %v", read, is)
		}
	})
}

func TestRescore(t *testing.T) {
	payload := `{"vessel":{"value":"A","normalized":"A","confidence":0.8,"page":1},"eta":{"value":"x","confidence":1,"corrected":true},"containers":[{"seal":{"value":"1","confidence":0.9}},{"seal":{"value":"2","confidence":0.9}}]}`
	checks := []Check{
		{Agrees: true, Kind: Vessel, Field: "vessel", Other: OfShipment}, {Kind: Arrival, Field: "eta", Other: OfShipment},
		{Kind: Seal, Field: "containers.seal", Rows: []int{1}, Other: OfContainer},
	}
	want := `{"vessel":{"value":"A","normalized":"A","confidence":0.9,"read_confidence":0.8,"page":1},"eta":{"value":"x","confidence":1,"corrected":true},"containers":[{"seal":{"value":"1","confidence":0.9}},{"seal":{"value":"2","confidence":0.6,"read_confidence":0.9}}]}`
	got, err := Rescore([]byte(payload), checks)
	if err != nil || string(got) != want {
		t.Fatalf("%v\n%s\nwant\n%s", err, got, want)
	}
	if again, err := Rescore(got, checks); err != nil || !bytes.Equal(again, got) {
		t.Errorf("%v: a second time it is\n%s", err, again)
	}
	if back, err := Rescore(got, nil); err != nil || string(back) != payload {
		t.Errorf("%v: without checks it is\n%s", err, back)
	}
	for _, broken := range []string{``, `[]`, `{"a":1}`, `{"a":[1]}`, `{"a":{"confidence":"x"}}`} {
		if _, err := Rescore([]byte(broken), checks); err == nil {
			t.Errorf("no error for %s", broken)
		}
		if _, err := ReadPaper("", "", []byte(broken)); err == nil && json.Valid([]byte(broken)) && broken != `{"a":{"confidence":"x"}}` {
			t.Errorf("%s is read", broken)
		}
	}
}
