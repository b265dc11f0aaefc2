package simulation

import (
	"slices"
	"testing"
)

// At a ramp on the way a container is on rail where its load or its departure is
// reported. The arrival alone leaves it open whether it also waits for its next train.
func TestArrivalAtARampOnTheWay(t *testing.T) {
	for _, test := range []struct {
		without []string
		right   []string
	}{
		{nil, []string{"on_rail"}},
		{[]string{"load"}, []string{"on_rail"}},
		{[]string{"depart"}, []string{"on_rail"}},
		{[]string{"load", "depart"}, []string{"on_rail", "awaiting_inland_transfer"}},
	} {
		w := New(2937)
		w.Statements()
		w.statements = slices.DeleteFunc(w.statements, func(s Statement) bool {
			return s.Mode == "rail" && s.Class == "actual" && slices.Contains(test.without, s.What)
		})
		w.indexSubjects()
		if got := w.Expect().Containers[0].Status.OneOf; !slices.Equal(got, test.right) {
			t.Errorf("without %v: %v, want %v", test.without, got, test.right)
		}
	}
}
