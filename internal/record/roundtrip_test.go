package record_test

import (
	"reflect"
	"testing"
)

func TestRoundTripSample(t *testing.T) {
	doc, private := shipments.Encode(&sample)
	var got shipment
	if err := shipments.Decode(doc, private, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample) {
		t.Errorf("got %+v\nwant %+v", got, sample)
	}
}
