package client

import (
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
)

// TestEveryConditionIsSent sets each field of each query, and expects the client to send it,
// or to refuse it: a condition that is silently ignored selects too much.
func TestEveryConditionIsSent(t *testing.T) {
	c, err := New(Config{URL: "https://tracking.example.com/v2", Key: "key"})
	if err != nil {
		t.Fatal(err)
	}
	checkConditions(t, func(q tracking.ShipmentQuery) (url.Values, error) { l := c.Shipments(q); return l.query, l.err })
	checkConditions(t, func(q tracking.ContainerQuery) (url.Values, error) { l := c.Containers(q); return l.query, l.err })
	checkConditions(t, func(q tracking.TrackingRequestQuery) (url.Values, error) {
		l := c.TrackingRequests(q)
		return l.query, l.err
	})
	checkConditions(t, func(q tracking.CustomFieldQuery) (url.Values, error) { l := c.CustomFields(q); return l.query, l.err })
	checkConditions(t, func(q tracking.CustomFieldDefinitionQuery) (url.Values, error) {
		l := c.CustomFieldDefinitions(q)
		return l.query, l.err
	})
	checkConditions(t, func(q freetime.Filter) (url.Values, error) {
		l := c.Tariffs(q, tracking.TimeRange{})
		return l.query, l.err
	})
	checkConditions(t, func(q tracking.ExceptionQuery) (url.Values, error) { l := c.Exceptions(q); return l.query, l.err })
	checkConditions(t, func(q tracking.DocumentQuery) (url.Values, error) { l := c.Documents(q); return l.query, l.err })
	checkConditions(t, func(q tracking.AuditEventQuery) (url.Values, error) { l := c.AuditEvents(q); return l.query, l.err })
	checkConditions(t, func(q tracking.PortQuery) (url.Values, error) { l := c.Ports(q); return l.query, l.err })
	checkConditions(t, func(q tracking.TerminalQuery) (url.Values, error) { l := c.Terminals(q); return l.query, l.err })
	checkConditions(t, func(q tracking.VesselQuery) (url.Values, error) { l := c.Vessels(q); return l.query, l.err })
	checkConditions(t, func(q tracking.WebhookQuery) (url.Values, error) { l := c.Webhooks(q); return l.query, l.err })
	checkConditions(t, func(q tracking.WebhookNotificationQuery) (url.Values, error) {
		l := c.WebhookNotifications(q)
		return l.query, l.err
	})
}

func checkConditions[Q any](t *testing.T, query func(Q) (url.Values, error)) {
	t.Helper()
	var none Q
	without, err := query(none)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Q]()) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		var q Q
		v := reflect.ValueOf(&q).Elem().FieldByIndex(f.Index)
		v.Set(sample(t, v.Type()))
		if with, err := query(q); err == nil && with.Encode() == without.Encode() {
			t.Errorf("%T.%s is not sent", q, f.Name)
		}
	}
}

// sample returns a value that selects something.
func sample(t *testing.T, typ reflect.Type) reflect.Value {
	t.Helper()
	v := reflect.New(typ).Elem()
	switch {
	case typ == reflect.TypeFor[tracking.ID]():
		v.Set(reflect.ValueOf(uuid.UUID{1}))
	case typ == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
	case typ.Kind() == reflect.String:
		v.SetString("x")
	case typ.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case typ.Kind() == reflect.Slice:
		v.Set(reflect.Append(v, sample(t, typ.Elem())))
	case typ.Kind() == reflect.Struct:
		for i := range typ.NumField() {
			v.Field(i).Set(sample(t, typ.Field(i).Type))
		}
	case typ.Kind() == reflect.Pointer:
		v.Set(reflect.New(typ.Elem()))
		v.Elem().Set(sample(t, typ.Elem()))
	default:
		t.Fatalf("no sample of %s", typ)
	}
	return v
}
