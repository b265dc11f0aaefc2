package dcsa_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/source/dcsa"
)

// BenchmarkTrack is the cost of a query without the network: 40 events of one
// booking on one page. BenchmarkReadAnswer is the part for reading the document.
func BenchmarkTrack(b *testing.B) {
	text := answerOf(40)
	client, err := dcsa.New(dcsa.Config{
		SCAC: "MAEU", BaseURL: "https://carrier.example", RequestsPerSecond: -1,
		Transport: roundTrip(func(*http.Request) *http.Response {
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(text)), ContentLength: int64(len(text))}
		}),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if answer, err := client.Track(context.Background(), theBooking); err != nil || len(answer.Report.Facts) != 40 {
			b.Fatal(len(answer.Report.Facts), err)
		}
	}
}

func BenchmarkReadAnswer(b *testing.B) {
	text := answerOf(40)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := dcsa.Read(strings.NewReader(text), dcsa.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func answerOf(n int) string {
	events := make([]string, n)
	for i := range events {
		events[i] = strings.Replace(transport("DEPA", call), `"e1"`, fmt.Sprintf(`"e%d"`, i), 1)
	}
	return "[" + strings.Join(events, ",") + "]"
}
