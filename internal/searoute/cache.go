package searoute

import (
	"sync"

	"github.com/landfallhq/tracking/freight"
)

// request is what a route was asked for.
type request struct {
	from, to freight.Point
	barred   set
}

// generation is the number of routes of half the cache: some 3 KB each.
const generation = 256

// cache keeps the routes that were asked for last: at least as many as a generation, at
// most twice as many. It is safe for concurrent use.
type cache struct {
	mu       sync.Mutex
	new, old map[request]answer
}

type answer struct {
	route Route
	err   error
}

var routes cache

func (c *cache) get(q request) (Route, error) {
	c.mu.Lock()
	a, ok := c.new[q]
	if !ok {
		if a, ok = c.old[q]; ok {
			c.keep(q, a)
		}
	}
	c.mu.Unlock()
	if !ok {
		a.route, a.err = lanes().find(q)
		c.mu.Lock()
		c.keep(q, a)
		c.mu.Unlock()
	}
	return a.route, a.err
}

// keep adds an answer. The caller has locked the cache.
func (c *cache) keep(q request, a answer) {
	if c.new == nil || len(c.new) >= generation {
		c.new, c.old = make(map[request]answer), c.new
	}
	c.new[q] = a
}
