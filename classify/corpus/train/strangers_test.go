package train

import (
	"math/rand/v2"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
)

// TestAssorted holds that goods split into kinds weigh and count what they did before.
func TestAssorted(t *testing.T) {
	for seed := range uint64(50) {
		f := &form.Form{S: trade.New(rand.New(rand.NewPCG(seed, 0)))}
		split := assorted(f, "RED", "BLUE", "GREEN")
		if got, want := together(split), together(f.S.Goods); got != want || len(split) != 3*len(f.S.Goods) {
			t.Fatalf("seed %d: %d lines of %+v, want %+v", seed, len(split), got, want)
		}
		for _, g := range split {
			if g.Cartons <= 0 || g.Gross <= g.Net || g.Volume <= 0 {
				t.Fatalf("seed %d: %+v", seed, g)
			}
		}
	}
}

// TestStrange holds that the sums of a shipment's containers and of its goods agree.
func TestStrange(t *testing.T) {
	for seed := range uint64(50) {
		f := &form.Form{R: rand.New(rand.NewPCG(seed, 0))}
		f.S = trade.New(f.R)
		s := strange(f, "2006-01-02", anywhere)
		if sum := together(s.Goods); s.Net() != sum.Net || s.Gross() != sum.Gross || s.Volume() != sum.Volume || s.Packages() != sum.Cartons {
			t.Fatalf("seed %d: %v and %v kg, %v m3, %d packages in containers; goods %+v", seed, s.Net(), s.Gross(), s.Volume(), s.Packages(), sum)
		}
	}
}

// TestStrangeDay holds that days are not written after a layout without a month.
func TestStrangeDay(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("JAN was taken for a month")
		}
	}()
	f := &form.Form{R: rand.New(rand.NewPCG(1, 0))}
	f.S = trade.New(f.R)
	strange(f, "02 JAN 2006", func(s trade.Shipment) bool { return s.Sailed.Month() > 1 })
}
