package freetime

import (
	"cmp"
	"math/bits"
	"slices"
)

// Fits reports whether what the tariff states of its scope is what the container is.
func (t *Tariff) Fits(c Container, place string) bool {
	return (t.Line == "" || t.Line == c.Line) &&
		(t.Terminal == "" || t.Terminal == c.Terminal) &&
		(t.Place == "" || t.Place == place) &&
		(t.EquipmentType == "" || t.EquipmentType == c.EquipmentType) &&
		(t.EquipmentLength == 0 || t.EquipmentLength == c.EquipmentLength)
}

// rank orders tariffs that fit: the one that states more of its scope is higher, and of
// as many, the one that states the earlier of terminal, place, line, type and length. Two
// that fit one container and have one rank have one scope.
func (t *Tariff) rank() int {
	var stated uint
	for _, is := range []bool{t.Terminal != "", t.Place != "", t.Line != "", t.EquipmentType != "", t.EquipmentLength != 0} {
		stated <<= 1
		if is {
			stated |= 1
		}
	}
	return bits.OnesCount(stated)<<5 | int(stated)
}

// candidate is a tariff that fits, and the first day that it gives the clock.
type candidate struct {
	tariff *Tariff
	first  Date // zero while not known
}

// isValid reports whether the tariff is valid on the first day that it gives, or on the
// day of the opening fact while that day is not known.
func (c candidate) isValid(opening Date) bool {
	if c.first == 0 {
		return c.tariff.isValidOn(opening)
	}
	return c.tariff.isValidOn(c.first)
}

// choose returns the tariff that counts, with its first day, or why there is none.
func (c *count) choose(tariffs []Tariff) (candidate, Reason) {
	var fitting []candidate
	for i := range tariffs {
		t := &tariffs[i]
		if t.Clock != c.clock || !t.Fits(c.container, c.place) {
			continue
		}
		if t.Check() != nil {
			return candidate{}, TariffInvalid
		}
		fitting = append(fitting, candidate{t, c.firstDay(t)})
	}
	var valid []candidate
	for _, f := range fitting {
		if f.isValid(c.opening.date()) {
			valid = append(valid, f)
		}
	}
	if len(valid) == 0 {
		valid = betweenTwo(fitting, c.opening.date())
	}
	return highest(valid)
}

// betweenTwo returns the tariffs of the day of the opening fact that are succeeded by
// others until the first day that they give. It is for a change of Starts: neither the
// former nor the new tariff is then valid on the first day that it gives itself.
func betweenTwo(fitting []candidate, opening Date) []candidate {
	var former []candidate
	for _, f := range fitting {
		succeeded := false
		for _, other := range fitting {
			succeeded = succeeded || other.tariff.isValidOn(f.first)
		}
		if f.tariff.isValidOn(opening) && succeeded {
			former = append(former, f)
		}
	}
	return former
}

// highest returns the tariff of the highest rank. Of several, which have one scope, it is
// the earliest: a change of Starts can make both the former and the new tariff valid.
func highest(valid []candidate) (candidate, Reason) {
	if len(valid) == 0 {
		return candidate{}, NoTariff
	}
	best := slices.MaxFunc(valid, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.tariff.rank(), b.tariff.rank()), cmp.Compare(b.tariff.ValidFrom, a.tariff.ValidFrom))
	})
	common := 0 // of this scope, and valid on a day on which best is: best itself is one
	for _, v := range valid {
		if v.tariff.rank() == best.tariff.rank() && v.tariff.ValidFrom <= best.tariff.lastDay() {
			common++
		}
	}
	if common > 1 {
		return candidate{}, TariffsOverlap
	}
	return best, ""
}
