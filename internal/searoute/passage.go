package searoute

import (
	"fmt"
	"slices"
	"strings"
)

// Passage is a canal or a strait that ships may have to avoid.
type Passage string

// The passages of the network. Those of the Arctic are not in it.
const (
	Suez           Passage = "suez" // the canal
	Panama         Passage = "panama"
	Malacca        Passage = "malacca"
	Gibraltar      Passage = "gibraltar"
	BabElMandeb    Passage = "bab_el_mandeb"
	Hormuz         Passage = "hormuz"
	Bosporus       Passage = "bosporus"
	Dardanelles    Passage = "dardanelles"
	Sunda          Passage = "sunda"
	CapeOfGoodHope Passage = "cape_of_good_hope" // all ways south of Africa
	CapeHorn       Passage = "cape_horn"         // likewise of America, and the Strait of Magellan
)

// passages are numbered as in the packed network, where 0 is none.
var passages = [...]Passage{"", Suez, Panama, Malacca, Gibraltar, BabElMandeb, Hormuz, Bosporus, Dardanelles, Sunda, CapeOfGoodHope, CapeHorn}

// Passages returns all passages.
func Passages() []Passage { return slices.Clone(passages[1:]) }

// Check returns an error for a name that is no passage.
func Check(list ...Passage) error {
	_, err := setOf(list)
	return err
}

// set is a set of passages by their numbers.
type set uint16

func (s set) has(passage uint8) bool { return s>>passage&1 != 0 }

// setOf returns a set of passages. An unknown one is an error that lists all.
func setOf(list []Passage) (s set, err error) {
	for _, p := range list {
		i := slices.Index(passages[1:], p)
		if i < 0 {
			return 0, fmt.Errorf("%q is no passage: use %s", p, names())
		}
		s |= 1 << (i + 1)
	}
	return s, nil
}

func names() string {
	var list []string
	for _, p := range passages[1:] {
		list = append(list, string(p))
	}
	return strings.Join(list, ", ")
}
