package tracking_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestInferNumber: the results of package inference, in the types of the root.
func TestInferNumber(t *testing.T) {
	i, err := tracking.InferNumber(" mrku 946577-1 ")
	if err != nil {
		t.Fatal(err)
	}
	want := tracking.LineCandidate{SCAC: "MAEU", Name: "Maersk Line", Confidence: 0.85, Rule: tracking.ContainerOwner}
	if i.Number != "MRKU9465771" || i.Type != tracking.InferredContainer || i.Rule != tracking.ISO6346 || i.Decision != tracking.NeedsConfirmation || *i.Selected() != want {
		t.Errorf("%+v", i)
	}
	if v := i.Validation; *v.Valid || *v.CheckDigitPassed || v.Reason == "" {
		t.Errorf("%+v", v)
	}
	i, err = tracking.InferNumber("EXDO-621128151")
	if err != nil || i.Type != tracking.InferredBillOfLading || i.Rule != tracking.HouseBill || i.Selected() != nil || i.Hint == nil || i.Hint.ForwarderSCAC != "EXDO" {
		t.Errorf("%+v, %v", i, err)
	}
}

func TestInferNumberRefuses(t *testing.T) {
	for number, code := range map[string]string{
		"":                      "blank",
		" \t ":                  "blank",
		"---":                   "invalid",
		"the blue box":          "invalid",
		"123":                   "invalid",
		"12\x0034":              "invalid",
		"ΜΑΕU123456789":         "invalid", // two Greek letters
		"1234５6789":             "invalid", // a digit of another script
		strings.Repeat("1", 36): "invalid",
		strings.Repeat("1", 51): "too_long",
	} {
		i, err := tracking.InferNumber(number)
		var e *tracking.Error
		if !errors.As(err, &e) || e.Kind != tracking.Invalid || e.Field != "number" || e.Code != code {
			t.Errorf("%q: %+v, %v; want code %s", number, i, err, code)
		}
	}
}

// TestTrackerInfersWithItsOwnLines: the sandbox is a line where it is configured,
// and only who may read may ask.
func TestTrackerInfersWithItsOwnLines(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.Sources = tracking.Sources{tracking.SandboxSCAC: &trackingtest.Source{}} })
	i, err := b.InferNumber(ctx, "TEST-TR-SUCCEEDED")
	if err != nil || i.Decision != tracking.AutoSelect || i.Selected().SCAC != tracking.SandboxSCAC {
		t.Errorf("%+v, %v", i, err)
	}
	blind := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{tracking.Create}})
	var e *tracking.Error
	if _, err := blind.InferNumber(ctx, "TEST-TR-SUCCEEDED"); !errors.As(err, &e) || e.Kind != tracking.Forbidden {
		t.Errorf("without show: %v", err)
	}
}
