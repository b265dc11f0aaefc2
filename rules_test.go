package tracking

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
)

// ShownNow is what Shipment.follow and Container.follow leave alone.
func TestShownNow(t *testing.T) {
	e := &engine{config: Config{}.withDefaults()}
	e.refs = newReferences(e)
	tx := &transaction{engine: e}
	follow := map[string]func() (before, after any){
		"shipment": func() (any, any) {
			s, d := filled[Shipment](), &draft{}
			before := s
			d.ship = &s
			s.ShippingLineSCAC = "" // what the look at the past does itself
			s.applyJourney(tx, d)
			return before, s
		},
		"container": func() (any, any) {
			c := filled[Container]()
			before := c
			c.RemovedAt = time.Time{} // likewise
			c.applyJourney(tx, &journey.ContainerJourney{}, &journey.Journey{})
			return before, c
		},
	}
	for typ, run := range follow {
		before, after := run()
		var same []string
		for _, f := range registry[typ].Fields {
			if tag := structField(before, f.Name); tag != "" && reflect.DeepEqual(valueOf(before, tag), valueOf(after, tag)) {
				same = append(same, f.Name)
			}
		}
		if typ == "shipment" { // it follows from the number that is shown as it is now
			same = append(same, "normalized_number")
		}
		want := slices.Sorted(slices.Values(shownNow[typ]))
		slices.Sort(same)
		if !slices.Equal(want, same) {
			t.Errorf("%s: follow leaves alone\n%q\nShownNow says\n%q", typ, same, want)
		}
	}
}

func valueOf(v any, field string) any { return reflect.ValueOf(v).FieldByName(field).Interface() }

// structField is the field with that attribute or relationship; empty for what
// is not shown or not stored.
func structField(v any, name string) string {
	typ := reflect.TypeOf(v)
	for i := range typ.NumField() {
		for _, key := range []string{"attr", "rel"} {
			tag := typ.Field(i).Tag.Get(key)
			if f := typ.Field(i); f.IsExported() && (tag == name || len(tag) > len(name) && tag[:len(name)+1] == name+",") {
				return f.Name
			}
		}
	}
	return ""
}

// filled is a value with something in every member.
func filled[T any]() (v T) {
	fill(reflect.ValueOf(&v).Elem())
	return v
}

func fill(v reflect.Value) {
	switch {
	case !v.CanSet():
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(noon))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case v.Kind() == reflect.String:
		v.SetString("x y")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(1)
	}
}
