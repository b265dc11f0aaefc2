package search_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/search"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
)

type crate struct {
	table.Identity
	Label  string `attr:"label"`
	Hidden bool   `attr:"hidden"`
}

var crates = table.New(table.Definition[crate]{
	Name:     "crate",
	Terms:    func(c *crate) []store.Term { return search.Terms(nil, strings.Fields(c.Label)) },
	Identity: func(c *crate) *table.Identity { return &c.Identity },
	NotFound: func(err error) error { return err },
})

// find returns the labels that a search finds among crates with these labels, created
// in their order.
func find(t *testing.T, text string, labels ...string) (found []string) {
	t.Helper()
	db := memory.New()
	defer db.Close()
	ctx := context.Background()
	if err := db.Prepare(ctx, []*store.Kind{crates.Kind}); err != nil {
		t.Fatal(err)
	}
	err := db.Update(ctx, store.AccountID(uuid.New()), func(records store.RecordTx) error {
		tx := &table.Tx{Context: ctx, Records: records}
		for _, label := range labels {
			if err := crates.Put(tx, &crate{Label: label, Hidden: strings.HasPrefix(label, "hidden")}); err != nil {
				return err
			}
		}
		s := search.New(tx, text, func(*crate) time.Time { return time.Time{} })
		also := func(search.Tier) []*store.Kind { return nil }
		more := func(search.Tier) ([]store.ID, error) { return nil, nil }
		err := search.Kind(s, search.NewView(crates, crates.Codec), also, more, func(c *crate) (*crate, error) {
			if c.Hidden {
				return nil, nil
			}
			return c, nil
		})
		for _, c := range s.Results() {
			found = append(found, c.Label)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestKind(t *testing.T) {
	labels := []string{"hidden RUSH", "brushes", "rushed", "rush", "a very-long-company-name-of-ningbo", "a very-long-company-name-of-busan"}
	for text, want := range map[string][]string{
		"Rush":                       {"rush", "rushed", "brushes"}, // whole, beginning, inside
		"ushe":                       {"rushed", "brushes"},
		"she":                        nil, // too short for inside
		"r-u-s-h":                    {"rush", "rushed", "brushes"},
		"--":                         nil,
		"long-company-name-of-busan": {"a very-long-company-name-of-busan"},
		"long-company-name-of-tokyo": nil,
	} {
		if got := find(t, text, labels...); !slices.Equal(got, want) {
			t.Errorf("search %q: %q, want %q", text, got, want)
		}
	}
}

// TestMaxResults: a search ends when it has enough results.
func TestMaxResults(t *testing.T) {
	var labels []string
	for i := range 40 {
		labels = append(labels, fmt.Sprintf("rush %d", i))
	}
	if got := find(t, "rush", labels...); len(got) != search.MaxResults {
		t.Errorf("%d results", len(got))
	}
}

// TestTerms: every text of at least 4 characters inside a word is the beginning of one
// of its terms, up to the length of a term.
func TestTerms(t *testing.T) {
	for _, word := range []string{"MAEU1234567", "ÄÖÜßÄÖÜ", "1234567890123456789012345678901234567890"} {
		runes := []rune(word)
		terms := search.Terms([]string{word}, nil)
		for from := range runes {
			for to := from + 4; to <= len(runes); to++ {
				text := search.Fold(string(runes[from:to]))
				if len(text) > 16 {
					break
				}
				if !slices.ContainsFunc(terms, func(t store.Term) bool { return strings.HasPrefix(t.Value, text) }) {
					t.Errorf("no term of %s begins with %s", word, text)
				}
			}
		}
	}
}

func TestFold(t *testing.T) {
	if got := search.Fold("bl-12 / ä"); got != "BL12Ä" {
		t.Errorf("got %s", got)
	}
}
