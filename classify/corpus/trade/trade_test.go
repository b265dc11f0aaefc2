package trade_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/refdata"
)

// TestNew holds what a clerk would stumble over: sums that do not agree, numbers with
// wrong check digits, dates out of order.
func TestNew(t *testing.T) {
	for seed := range uint64(500) {
		s := trade.New(rand.New(rand.NewPCG(seed, 0)))
		cartons := 0
		for _, g := range s.Goods {
			cartons += g.Cartons
		}
		if s.Packages() != cartons || s.Gross() <= s.Net() || s.Volume() <= 0 || s.Total() <= 0 {
			t.Fatalf("seed %d: %d packages for %d cartons, gross %v, net %v, volume %v, total %d", seed, s.Packages(), cartons, s.Gross(), s.Net(), s.Volume(), s.Total())
		}
		for _, b := range s.Containers {
			if valid, _ := refdata.CheckDigit(b.Number); !valid || b.Packages == 0 {
				t.Fatalf("seed %d: %+v", seed, b)
			}
		}
		if !refdata.ValidIMO(s.Ship.IMO) || len(s.NVOCC) != 4 || (s.Terminal.FIRMS != "") != (s.Unlading.Country == "US") {
			t.Fatalf("seed %d: ship %+v, NVOCC %q, terminal %+v", seed, s.Ship, s.NVOCC, s.Terminal)
		}
		if !(s.Booked.Before(s.Cutoff) && s.Cutoff.Before(s.Sailed) && s.Sailed.Before(s.Noticed) && s.Noticed.Before(s.Arrives) && s.Arrives.Before(s.FreeUntil) && s.FreeUntil.Before(s.GeneralOrder)) {
			t.Fatalf("seed %d: dates out of order: %+v", seed, s)
		}
	}
}

func Example() {
	s := trade.New(rand.New(rand.NewPCG(1, 0)))
	again := trade.New(rand.New(rand.NewPCG(1, 0)))
	fmt.Println(s.BL == again.BL, s.Line.SCAC == s.BL[:4])
	// Output: true true
}
