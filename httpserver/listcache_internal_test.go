package httpserver

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/landfallhq/tracking"
)

// TestListCacheIsBounded checks the size of the cache after random operations.
func TestListCacheIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	k := newListCache(50_000)
	state := tracking.ChangeToken{}
	for i := range 5000 {
		key := cacheKey{origin: origin{host: "host"}, path: "/v2/shipments", query: fmt.Sprint(r.IntN(100))}
		k.put(key, state, bytes.Repeat([]byte("x"), r.IntN(10_000)))
		k.get(cacheKey{origin: origin{host: "host"}, path: "/v2/shipments", query: fmt.Sprint(r.IntN(100))})
		sum := int64(0)
		for e := k.used.Front(); e != nil; e = e.Next() {
			a := e.Value.(*cachedList)
			sum += a.cost()
			if k.byKey[a.key] != e || int64(len(a.body)) > k.limit/8 {
				t.Fatalf("after %d: an answer of %d bytes that cannot be found, or is too large", i, len(a.body))
			}
		}
		if sum != k.bytes || k.bytes > k.limit || len(k.byKey) != k.used.Len() {
			t.Fatalf("after %d: %d answers of %d bytes, kept as %d of %d bytes, of %d", i, k.used.Len(), sum, len(k.byKey), k.bytes, k.limit)
		}
	}
	if k.used.Len() < 10 {
		t.Errorf("%d answers are left", k.used.Len())
	}
	body, _ := k.get(k.used.Front().Value.(*cachedList).key)
	if again, _ := k.get(k.used.Front().Value.(*cachedList).key); len(body) > 0 && &again[0] != &body[0] {
		t.Error("what is kept is copied for each answer")
	}
	if newListCache(0) != nil {
		t.Error("answers are kept in no memory")
	}
}
