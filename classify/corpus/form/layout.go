package form

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Layout is one way to print a type of document; Draw prints a shipment in it.
type Layout struct {
	Name, Type string
	Copies     int // how many documents the corpus has of it
	Draw       func(*Form)
}

// Build draws all copies of the layouts: the same bytes each time, whatever other
// layouts there are.
func Build(part string, layouts []Layout) ([]truth.Document, error) {
	var all []truth.Document
	var faults []error
	for _, l := range layouts {
		for i := range l.Copies {
			d, err := l.build(part, i)
			if err != nil {
				faults = append(faults, fmt.Errorf("layout %s, copy %d: %w", l.Name, i+1, err))
			}
			all = append(all, d)
		}
	}
	return all, errors.Join(faults...)
}

func (l Layout) build(part string, i int) (truth.Document, error) {
	seed := fnv.New64a()
	fmt.Fprintf(seed, "%s/%s", part, l.Name)
	r := rand.New(rand.NewPCG(seed.Sum64(), uint64(i)))
	f := newForm(r, trade.New(r))
	l.Draw(f)
	pdf, err := f.bytes()
	return truth.Document{
		Name: fmt.Sprintf("%s-%s-%02d", part, l.Name, i+1), Part: part, Layout: l.Name,
		Type: l.Type, Fields: f.set, PDF: pdf, Drawn: hex.EncodeToString(f.drawn.Sum(nil)),
	}, err
}
