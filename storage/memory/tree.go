package memory

import "math/rand/v2"

// ordered is a key with an order.
type ordered[K any] interface{ Compare(K) int }

// tree is an immutable sorted map: put and remove return a new tree that shares
// most nodes with the old one. A snapshot is a copied pointer, and a rollback drops
// one. It is a treap; the zero value is empty.
type tree[K ordered[K], V any] struct{ root *node[K, V] }

type node[K ordered[K], V any] struct {
	key         K
	value       V
	weight      uint64 // random; no node outweighs its parent, so the depth is logarithmic
	left, right *node[K, V]
}

func (t tree[K, V]) get(key K) (value V, ok bool) {
	for n := t.root; n != nil; {
		switch c := key.Compare(n.key); {
		case c == 0:
			return n.value, true
		case c < 0:
			n = n.left
		default:
			n = n.right
		}
	}
	return value, false
}

func (t tree[K, V]) put(key K, value V) tree[K, V] {
	less, _, more := split(t.root, key)
	n := &node[K, V]{key: key, value: value, weight: rand.Uint64()}
	return tree[K, V]{join(join(less, n), more)}
}

func (t tree[K, V]) remove(key K) tree[K, V] {
	less, _, more := split(t.root, key)
	return tree[K, V]{join(less, more)}
}

// from calls yield for every key from `first` on, in order, until yield returns
// false.
func (t tree[K, V]) from(first K, yield func(K, V) bool) { t.root.walk(&first, yield) }

// all calls yield for every key in order, until yield returns false.
func (t tree[K, V]) all(yield func(K, V) bool) { t.root.walk(nil, yield) }

func (n *node[K, V]) walk(first *K, yield func(K, V) bool) bool {
	if n == nil {
		return true
	}
	if first != nil && n.key.Compare(*first) < 0 {
		return n.right.walk(first, yield)
	}
	// All keys to the right of a key in the range are in the range.
	return n.left.walk(first, yield) && yield(n.key, n.value) && n.right.walk(nil, yield)
}

// split returns the nodes below, at and above key.
func split[K ordered[K], V any](n *node[K, V], key K) (less, at, more *node[K, V]) {
	if n == nil {
		return nil, nil, nil
	}
	c := key.Compare(n.key)
	if c == 0 {
		return n.left, n, n.right
	}
	copied := *n
	if c < 0 {
		less, at, copied.left = split(n.left, key)
		return less, at, &copied
	}
	copied.right, at, more = split(n.right, key)
	return &copied, at, more
}

// join joins two trees; all keys of a are below those of b.
func join[K ordered[K], V any](a, b *node[K, V]) *node[K, V] {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.weight > b.weight:
		copied := *a
		copied.right = join(a.right, b)
		return &copied
	default:
		copied := *b
		copied.left = join(a, b.left)
		return &copied
	}
}
