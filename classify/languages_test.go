package classify

import (
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// wordsOf are words set one after the other.
func wordsOf(s string) []*word {
	page := tracking.TextPage{Width: 600, Height: 800}
	setAt(&page, 50, 100, 8, s)
	var all []*word
	for _, w := range page.Words {
		all = append(all, &word{TextWord: w, pieces: pieces(w.Text), page: 1})
	}
	return all
}

// TestTongues: a caption leads to its field in whatever language, and one that no list
// has, by its gist. What only sounds like one leads nowhere.
func TestTongues(t *testing.T) {
	indexes := New().captions().types
	for typ, all := range map[string]map[string]string{
		"bill_of_lading": {
			"N° du connaissement": "bl_number", "Conocimiento núm.": "bl_number", "Konnossementsnummer": "bl_number",
			"Puerto de descarga": "port_of_discharge", "Porto di sbarco": "port_of_discharge", "Löschhafen": "port_of_discharge",
			"Lieu de livraison": "place_of_delivery", "Notificar a": "notify_party", "Ablader": "shipper", "Chargeur": "shipper",
			"Who is to be notified": "notify_party", "To be discharged at": "port_of_discharge", "Anzahl der Originale": "originals",
			"Shipper's agent": "-", "Discharge agent": "-",
		},
		"delivery_order": {
			"Lagergeldfrei bis": "last_free_day", "Vrij tot en met": "last_free_day", "Franchigia fino al": "last_free_day", "Storage free through": "last_free_day",
			"Terminate empty at": "empty_return", "Leerrückgabe": "empty_return", "Devolver el vacío en": "empty_return", "Detention free until": "-",
		},
		"booking_confirmation": {
			"Buchungsnummer": "booking_number", "Reserva N°": "booking_number", "VGM uiterlijk": "vgm_cutoff", "Documenten (SI) uiterlijk": "si_cutoff",
			"Aanlevering volle container uiterlijk": "cy_cutoff", "Douane uiterlijk": "customs_cutoff", "Voraussichtliche Ankunft": "eta", "CY opening": "-",
		},
	} {
		for said, want := range all {
			got := "-"
			if e, n := indexes[typ].match(wordsOf(said)); n == len(wordsOf(said)) && len(e.fields) > 0 {
				got = e.fields[0].name
			} else if e, n := indexes[typ].announced(wordsOf(said)); n > 0 && len(e.fields) > 0 {
				got = e.fields[0].name
			}
			if got != want {
				t.Errorf("%s, %q: %s, want %s", typ, said, got, want)
			}
		}
	}
}

func TestFreightInWords(t *testing.T) {
	for said, want := range map[string]string{
		"FRET PAYABLE À DESTINATION": "collect", "Flete por cobrar": "collect", "unfrei": "collect", "FLETE PAGADO": "prepaid", "Fracht bezahlt": "prepaid", "as arranged": "",
	} {
		if got := freightIn(pieces(said)); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// fieldsOf reads a page of one type: a row for each line, cells parted by strokes that
// stand at every 130 points.
func fieldsOf(t *testing.T, typ string, size float64, rows ...string) tracking.DocumentFields {
	t.Helper()
	page := tracking.TextPage{Width: 800, Height: 800}
	for i, row := range rows {
		for k, cell := range strings.Split(row, "|") {
			setAt(&page, 40+130*float64(k), 60+1.4*size*float64(i), size, cell)
		}
	}
	fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{page}}, typ)
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

func holds(t *testing.T, fields tracking.DocumentFields, want map[string]any) {
	t.Helper()
	for name, value := range want {
		got, _ := fields.Get(name)
		if got.Normal != value {
			t.Errorf("%s: %v, want %v", name, got.Normal, value)
		}
	}
}

func TestSentences(t *testing.T) {
	holds(t, fieldsOf(t, "delivery_order", 8,
		"Please pick up the containers below from HUTCHINSON QUAY (FIRMS E618), pickup # 646117. LFD is",
		"THURSDAY, FEBRUARY 19, 2026, no demurrage please. They arrived on BUXTEHUDE voyage KH938W.",
		"Return the empty to UNITED SERVICES, GATE 3. Call the warehouse ahead.",
	), map[string]any{
		"terminal": "HUTCHINSON QUAY", "firms_code": "E618", "pickup_number": "646117", "last_free_day": "2026-02-19",
		"vessel": "BUXTEHUDE", "voyage": "KH938W", "empty_return": "UNITED SERVICES, GATE 3.",
	})
}

func TestCaptionsUnderValues(t *testing.T) {
	holds(t, fieldsOf(t, "arrival_notice", 8,
		"263449149|26/74696 C", "Master B/L No.|House B/L No.", "",
		"CAPE HERON|JM556W|09/27/2026", "Vessel|Voyage No.|ETA", "",
		"SHANGHAI|OAKLAND|CHICAGO", "Port of loading|Port of discharge|Place of delivery", "",
		"650120388|09/28/2026|10/12/2026", "I.T. No.|I.T. date|G.O. date",
	), map[string]any{
		"bl_number": "263449149", "hbl_number": "2674696C", "vessel": "CAPE HERON", "voyage": "JM556W", "eta": "2026-09-27",
		"port_of_lading": "CNSHA", "port_of_discharge": "USOAK", "it_number": "650120388", "it_date": "2026-09-28", "go_date": "2026-10-12",
	})
}

// TestSumsAreNoGoods: a row that only adds up others is none of its own, whatever words
// it has; its figures are those of the paper.
func TestSumsAreNoGoods(t *testing.T) {
	fields := fieldsOf(t, "packing_list", 8,
		"Description|Cartons|Net weight kg|Gross weight kg|Volume m3",
		"RED TEA|10|100.5|110.5|1.5",
		"GREEN TEA|20|200.0|220.0|2.5",
		"So far|30|300.5|330.5|4.0",
		"WHITE TEA|5|50.0|55.0|1.0",
		"Pallets in all|35|350.5|385.5|5.0",
	)
	holds(t, fields, map[string]any{
		"packages": int64(35), "net_weight": tracking.Quantity{Value: 350.5, Unit: "kg"}, "gross_weight": tracking.Quantity{Value: 385.5, Unit: "kg"},
	})
	if lines, _ := fields.Get("lines"); len(lines.Rows) != 3 {
		t.Errorf("%d lines, want 3", len(lines.Rows))
	}
}

// TestChargesWithoutTitles: lines that end with amounts are charges where a sum follows.
func TestChargesWithoutTitles(t *testing.T) {
	for _, c := range []struct {
		last string
		want int
	}{{"TOTAL USD|735.00", 2}, {"SOMETHING ELSE|999.00", 0}} {
		fields := fieldsOf(t, "arrival_notice", 8, "DOCUMENT TRANSFER|575.00", "CHASSIS|160.00", c.last)
		if charges, _ := fields.Get("charges"); len(charges.Rows) != c.want {
			t.Errorf("%s: %d charges, want %d", c.last, len(charges.Rows), c.want)
		}
	}
}

// TestItemsInBlocks: goods in numbered blocks are lines; a block of sums is none.
func TestItemsInBlocks(t *testing.T) {
	fields := fieldsOf(t, "packing_list", 8,
		"1) WOODEN TOYS, TRAIN SETS", "560 CTNS, 28,000 SETS", "N.W. 11,760.0 KGS|G.W. 12,700.8 KGS|MEAS. 15.680 CBM",
		"2) RED TEA, LOOSE", "540 CTNS, 5,400 BAGS", "N.W. 13,230.0 KGS|G.W. 14,288.4 KGS|MEAS. 16.200 CBM",
		"TOTAL: 1,100 CTNS", "N.W. 24,990.0 KGS|G.W. 26,989.2 KGS|MEAS. 31.880 CBM",
	)
	lines, _ := fields.Get("lines")
	if len(lines.Rows) != 2 {
		t.Fatalf("%d lines, want 2", len(lines.Rows))
	}
	holds(t, lines.Rows[1], map[string]any{
		"description": "RED TEA, LOOSE", "quantity": int64(5400), "packages": int64(540), "net_weight": tracking.Quantity{Value: 13230, Unit: "kg"},
		"gross_weight": tracking.Quantity{Value: 14288.4, Unit: "kg"}, "volume": tracking.Quantity{Value: 16.2, Unit: "m3"},
	})
}
