package tracking

import (
	"slices"
	"testing"
	"time"
)

// What was announced last is remembered for as long as there is nothing to
// announce, and so is what changes meanwhile.
func TestMutedEstimates(t *testing.T) {
	const a, b = 1, 2
	arrival := func(day int) time.Time { return noon.AddDate(0, 0, day) }
	for _, row := range []struct {
		name  string
		steps []Shipment // an hour apart
		want  []topic
	}{
		{"taken back and told again, after another topic's change", []Shipment{
			{POLETDAt: arrival(0), PODETAAt: arrival(a)}, {POLETDAt: arrival(0), PODETAAt: arrival(b)}, {POLETDAt: arrival(0)},
			{POLETDAt: arrival(1)}, {POLETDAt: arrival(1), PODETAAt: arrival(b)},
		}, []topic{topicETA, topicETD}},
		{"changed while the actual time was known", []Shipment{
			{PODETAAt: arrival(a)}, {PODETAAt: arrival(a), PODATAAt: arrival(a)}, {PODETAAt: arrival(b), PODATAAt: arrival(a)}, {PODETAAt: arrival(b)},
		}, []topic{topicETA}},
		{"changed there and back while the actual time was known", []Shipment{
			{PODETAAt: arrival(a)}, {PODETAAt: arrival(a), PODATAAt: arrival(a)}, {PODETAAt: arrival(b), PODATAAt: arrival(a)},
			{PODETAAt: arrival(a), PODATAAt: arrival(a)}, {PODETAAt: arrival(a)},
		}, nil},
	} {
		var got []topic
		var told announcementStates
		now := noon
		for i := 1; i < len(row.steps); i++ {
			now = now.Add(time.Hour)
			h := debouncer{now: now, window: func() time.Duration { return 15 * time.Minute }}
			var due []topicChange
			due, told = changes(h, shipmentTopics, told, &row.steps[i-1], &row.steps[i], unknownSource)
			for _, c := range due {
				got = append(got, c.topic)
			}
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
