package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
)

// The names of what is searched for over HTTP.
const (
	searchPrefix = "GET /search for the beginning of a number"
	searchInside = "GET /search for what stands inside of a number"
)

// searched is how many numbers are searched for in turn.
const searched = 64

// searches look for parts of the numbers of shipments that are there: beginnings
// of 6 characters to the whole, and 4 to 8 characters from anywhere else.
func (e *engine) searches(p plan) ([]*target, error) {
	random := rand.New(rand.NewPCG(e.fleet.seed, 5))
	var begin, inside []request
	for range searched {
		number, err := e.numberOf(random)
		if err != nil {
			return nil, err
		}
		begin = append(begin, e.large.search(number[:min(len(number), 6+random.IntN(max(1, len(number)-5)))]))
		from := 1 + random.IntN(len(number)-4)
		inside = append(inside, e.large.search(number[from:min(len(number), from+4+random.IntN(5))]))
	}
	ours := []side{{oursPlain, e.plain.addr}, {oursCached, e.cached.addr}}
	all := []*target{{name: searchPrefix, sides: ours, asks: begin}, {name: searchInside, sides: ours, asks: inside}}
	for _, t := range all {
		t.connections = p.connections
		t.requests = t.wires
	}
	// How long one takes, and not how long it waits for others: with all connections
	// the cores are taken whatever a search costs.
	all[1].connections = 1
	return all, nil
}

func (a account) search(text string) request {
	return request{path: "/v2/search?query=" + url.QueryEscape(text), key: a.key}
}

// numberOf is the number of a shipment of the large account.
func (e *engine) numberOf(random *rand.Rand) (string, error) {
	body, err := e.plain.answer(oneOf(random, e.large.singles()))
	if err != nil {
		return "", err
	}
	var s struct {
		Data struct {
			Attributes struct {
				Number string `json:"bill_of_lading_number"`
			} `json:"attributes"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &s); err != nil {
		return "", err
	}
	if len(s.Data.Attributes.Number) < 8 {
		return "", fmt.Errorf("the number %q is too short to search for parts of it", s.Data.Attributes.Number)
	}
	return s.Data.Attributes.Number, nil
}

// searchGoal: a beginning costs at most ten times a single shipment, and 99 of 100
// searches inside of numbers are answered within 20 ms, one after the other.
func (r *results) searchGoal() (string, bool) {
	prefix, inside, single := r.sides(searchPrefix, oursPlain), r.sides(searchInside, oursPlain), r.sides(readSingle, oursPlain)
	if prefix == nil || inside == nil || single == nil {
		return "", false
	}
	used, least, most := ratio(prefix.of[oursPlain], single.of[oursPlain], func(f figures) float64 { return f[cpu] })
	nearly := medians(inside.of[oursPlain])[p99] / 1000
	return fmt.Sprintf("%s (%s to %s) the CPU of one shipment; p99 on one connection %s ms", times(used), times(least), times(most), number(nearly)), used <= 10 && nearly <= 20
}
