package tracking_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// What is posted of a shipment with so many boxes: the document of the success of
// the request for it.
func posted(t *testing.T, boxes int) string {
	t.Helper()
	b := trackingtest.New(t)
	subscribe(t, b, hookURL, freight.TrackingRequestSucceeded)
	facts := voyage("B1")
	for i := range boxes {
		if i%500 == 0 { // no fact names very many
			facts = append(facts, facts[0])
			facts[len(facts)-1].ID, facts[len(facts)-1].Containers = fmt.Sprint("of ", i), nil
		}
		of := &facts[len(facts)-1]
		of.Containers = append(of.Containers, fmt.Sprintf("TEST%07d", i))
	}
	b.Source.Script("B1", trackingtest.Reply{Facts: facts})
	happen(t, b, "B1")
	b.Settle()
	sent := b.Notifier.Sent()
	if len(sent) != 1 {
		t.Fatalf("%d deliveries of %d boxes", len(sent), boxes)
	}
	return string(sent[0].Body)
}

// A payload of more than 256 KiB leaves its documents out and says so; none that has
// them is larger.
func TestPayloadsThatAreTooLarge(t *testing.T) {
	const most, omitted = 256 << 10, `"included":[],"meta":{"included_omitted":true,`
	low, high := 10, 1_000 // boxes: the most that fit are between
	for low+1 < high {
		n := (low + high) / 2
		body := posted(t, n)
		switch {
		case !strings.Contains(body, omitted):
			low = n
		default:
			high = n
		}
		if len(body) > most {
			t.Errorf("%d bytes with %d boxes", len(body), n)
		}
	}
	fits, next := len(posted(t, low)), len(posted(t, high))
	if each := (fits - len(posted(t, low-10))) / 10; fits+2*each < most || next > 2_000 {
		t.Errorf("%d boxes make %d bytes, one more %d, and %d are allowed", low, fits, next, most)
	}
	if testing.Short() {
		return
	}
	if body := posted(t, 5_100); !strings.Contains(body, omitted) { // more than any document may include
		t.Errorf("5,100 boxes make %d bytes and no word of what is left out", len(body))
	}
}
