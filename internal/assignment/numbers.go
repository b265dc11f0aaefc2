package assignment

import (
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// Numbers finds one form for each number. Lines and people write a number in several
// forms, such as with the SCAC and without it; two numbers that have a form in common are
// the same. First all numbers are joined, then types are observed, then roots are found.
type Numbers struct {
	keys  map[lineNumber][]string // the forms, because facts repeat the same few numbers
	roots map[string]string       // union-find over the forms
	// types are the types of numbers, by root.
	types map[string]numberTypes
	// written has the first number of each root, as facts write it.
	written map[string]freight.ShipmentNumber
}

// lineNumber is a number in the facts of one shipping line.
type lineNumber struct {
	freight.ShipmentNumber
	scac string
}

type numberTypes struct{ document, booking bool }

// Keys returns the forms of a number.
func (n *Numbers) Keys(number freight.ShipmentNumber, scac string) []string {
	of := lineNumber{number, scac}
	keys, ok := n.keys[of]
	if !ok {
		if n.keys == nil {
			n.keys = map[lineNumber][]string{}
		}
		keys = number.Keys(scac)
		n.keys[of] = keys
	}
	return keys
}

// Reset forgets the numbers.
func (n *Numbers) Reset() {
	n.roots, n.types, n.written = map[string]string{}, map[string]numberTypes{}, map[string]freight.ShipmentNumber{}
}

// Join joins the forms of a number. Containers have one form.
func (n *Numbers) Join(number freight.ShipmentNumber, scac string) {
	if number.Type == freight.ContainerNumber {
		return
	}
	keys := n.Keys(number, scac)
	for _, k := range keys {
		if a, b := n.find(keys[0]), n.find(k); a != b {
			n.roots[max(a, b)] = min(a, b)
		}
	}
}

func (n *Numbers) find(key string) string {
	for n.roots[key] != "" && n.roots[key] != key {
		key = n.roots[key]
	}
	return key
}

// Observe notes the type that a valid fact gives a number. People and sources confuse
// bookings and documents, so the type matters only for numbers that facts use as both.
func (n *Numbers) Observe(number freight.ShipmentNumber, scac string) {
	keys := n.Keys(number, scac)
	if number.Type == freight.ContainerNumber || len(keys) == 0 {
		return
	}
	root := n.find(keys[0])
	t := n.types[root]
	t.document = t.document || number.Type == freight.BillOfLading
	t.booking = t.booking || number.Type == freight.BookingNumber
	n.types[root] = t
}

// Root returns the form that stands for all forms of a number; empty for a number without
// any.
func (n *Numbers) Root(number freight.ShipmentNumber, scac string) string {
	keys := n.Keys(number, scac)
	switch {
	case len(keys) == 0:
		return ""
	case number.Type == freight.ContainerNumber:
		return "container/" + keys[0]
	}
	root := n.find(keys[0])
	if t := n.types[root]; number.Type == freight.BookingNumber && t.document && t.booking {
		return "booking/" + root
	}
	return root
}

// Fact returns the numbers that a fact of a line names, and remembers how it writes them.
func (n *Numbers) Fact(numbers []freight.ShipmentNumber, containers []string, scac string) (f Fact) {
	f.SCAC, f.Containers = scac, containers
	for _, number := range numbers {
		root := n.Root(number, scac)
		if root == "" {
			continue
		}
		if w, ok := n.written[root]; !ok || number.Type == freight.BillOfLading && w.Type != freight.BillOfLading {
			n.written[root] = number
		}
		switch number.Type {
		case freight.BillOfLading:
			f.Documents = append(f.Documents, root)
		case freight.BookingNumber:
			f.Bookings = append(f.Bookings, root)
		case freight.ContainerNumber:
			f.Units = append(f.Units, root)
		}
	}
	return f
}

// Written returns the number of a root as the first fact writes it.
func (n *Numbers) Written(root string) string { return n.written[root].Number }

// AddDropped adds to Dropped what an earlier version of the fact names, and this version
// does not.
func (n *Numbers) AddDropped(f *Fact, numbers []freight.ShipmentNumber, containers []string, scac string) {
	for _, number := range numbers {
		document := n.Root(number, scac)
		if number.Type != freight.BillOfLading || document == "" {
			continue
		}
		for _, c := range containers {
			if !slices.Contains(f.Documents, document) || !slices.Contains(f.Containers, c) {
				f.Dropped = append(f.Dropped, DocumentContainer{document, c})
			}
		}
	}
}
