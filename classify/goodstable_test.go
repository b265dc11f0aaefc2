package classify

import (
	"testing"

	"github.com/landfallhq/tracking"
)

func TestGoodsTables(t *testing.T) {
	for name, test := range map[string]struct {
		document string
		page     tracking.TextPage
		want     string
	}{
		"two titles as near as words": {"commercial_invoice", printedAt(
			"30|100|Quantity", "90|100|Description", "300|100|Sortiment Unit price", "420|100|Amount",
			"30|120|198", "90|120|Solar mounting rails", "300|120|76109", "352|120|12.50", "420|120|2,475.00",
			"30|132|392", "90|132|Refined cane sugar", "300|132|17019", "352|132|540.00", "420|132|211,680.00",
		), "Solar mounting rails 198 12.5  2475 ; Refined cane sugar 392 540  211680 "},
		"lines above the goods that they hold": {"packing_list", printedAt(
			"30|100|Goods", "200|100|Packages", "300|100|Net kg", "400|100|Gross kg",
			"30|118|Container MSKU6011672",
			"30|136|Hand-knotted wool carpets", "200|136|134", "300|136|7,809.52", "400|136|8,308.00",
			"30|154|Container HLBU7170615",
			"30|172|Garden hose reels", "200|172|128", "300|172|1,118.98", "400|172|1,190.40",
		), "Hand-knotted wool carpets 134 7809.52 kg 8308 kg; Garden hose reels 128 1118.98 kg 1190.4 kg"},
		"tariff codes below the goods": {"commercial_invoice", printedAt(
			"30|100|Description", "250|100|Quantity", "350|100|Amount",
			"30|120|Solar garden bollard", "250|120|198", "350|120|2,475.00", "30|130|H.S. CODE: 9405.41.00",
			"30|148|Kreiselpumpe", "250|148|392", "350|148|211,680.00", "30|158|Zolltarifnr. 84137021",
		), "Solar garden bollard 94054100 198 2475 ; Kreiselpumpe 84137021 392 211680 "},
	} {
		fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{test.page}}, test.document)
		if err != nil {
			t.Fatal(err)
		}
		lines, _ := fields.Get("lines")
		if got := rowsText(lines); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
