package tracking

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/exceptions"
)

// TestExceptionStateForm: what a shipment remembers is read as it was written, also in the form
// without discrepancies, and nothing else is.
func TestExceptionStateForm(t *testing.T) {
	at := time.Date(2026, 2, 18, 10, 0, 0, 0, time.UTC)
	s := exceptionState{
		reviewAt: at, notes: []exceptionNote{{id: uuid.New(), sum: 7, open: true, waits: true}}, expected: []exceptionNote{{id: uuid.New(), sum: 8}},
		estimates: []exceptions.Estimate{{LearnedAt: at, At: at.AddDate(0, 0, 3)}}, comparedSum: 9,
	}
	read := func(data []byte) (got exceptionState, err error) { return got, got.UnmarshalBinary(data) }
	plain, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	former := append([]byte{3}, plain[1:len(plain)-9]...) // without the sum and the number of discrepancies
	want := s
	want.comparedSum = 0
	if got, err := read(former); err != nil || got.comparedSum != 0 || !reflect.DeepEqual(got.notes, want.notes) || !reflect.DeepEqual(got.expected, want.expected) {
		t.Errorf("form 3 is read as %+v, %v", got, err)
	}
	s.discrepancies = []exceptions.Discrepancy{{Key: "a/port", High: true, OpenedAt: at, Text: "It says so."}, {Key: "a/seal", OpenedAt: at}}
	data, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(data); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, %v is read of %+v", got, err, s)
	}
	for n := 1; n < len(data); n++ {
		if got, err := read(data[:n]); err == nil {
			t.Fatalf("%d of %d bytes are read as %+v", n, len(data), got)
		}
	}
}
