package invoice

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/freetime"
)

func TestWriteCSV(t *testing.T) {
	s := NewSheet(invoiceOf(t, box+",demurrage,2026-03-06,2026-03-07,,150,,USD", "=SUM(A1),demurrage,2026-03-07,2026-03-07,,100,,USD"), []freetime.Charges{costs(stay(), mar(20, 0), tiers(nil))}, mar(20, 0))
	var b bytes.Buffer
	if err := s.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows[:7] {
		got = append(got, strings.TrimRight(strings.Join(row, ","), ","))
	}
	want := []string{
		strings.Join(csvColumns, ","),
		"day,1,MRKU9465770,demurrage,2026-03-06,2026-03-06,USD,150.00,USD,0.00,150.00,free_time,free,,free_days,off,vessel_discharged,terminal,2026-03-02T18:00:00Z,2026-03-02T19:00:00Z,2026-03-02T20:00:00Z",
		"day,1,MRKU9465770,demurrage,2026-03-07,2026-03-07,USD,150.00,USD,100.00,50.00,rate,charged,1,tiers,off,vessel_discharged,terminal,2026-03-02T18:00:00Z,2026-03-02T19:00:00Z,2026-03-02T20:00:00Z",
		"line,1,MRKU9465770,demurrage,2026-03-06,2026-03-07,USD,300.00,USD,100.00,200.00,free_time",
		"day,2,'=SUM(A1),demurrage,2026-03-07,2026-03-07,USD,100.00,,,,container_unknown",
		"line,2,'=SUM(A1),demurrage,2026-03-07,2026-03-07,USD,100.00,,,,container_unknown",
		"total,,,,,,USD,400.00,USD,100.00,200.00",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if last := strings.Join(rows[len(rows)-1], ","); last != "element"+strings.Repeat(",", 22)+"541.6(e)(2),certifies_performance,missing," {
		t.Errorf("last row %q", last)
	}
}
