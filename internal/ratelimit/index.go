package ratelimit

// index maps hashes to scopes: a hash table with open addressing. An entry is the
// position of a scope plus one, and in the top byte eight bits of its hash. It is
// much smaller than a map, and a look-up reads one scope.
type index []uint32

const (
	placeBits = 24 // about 16 million scopes in a shard
	placeMask = 1<<placeBits - 1
	minIndex  = 8
)

func entry(hash uint64, place int) uint32 { return uint32(hash>>56)<<placeBits | uint32(place+1) }

// place returns the position of the scope of an entry; -1 for an empty entry.
func place(e uint32) int { return int(e&placeMask) - 1 }

// home returns the preferred slot of a hash. The lowest bits have selected the shard.
func (x index) home(hash uint64) int { return int(hash/shardCount) & (len(x) - 1) }

func (x index) next(at int) int { return (at + 1) & (len(x) - 1) }

// add adds a scope that is not in the index. The index must have room.
func (x index) add(hash uint64, place int) {
	at := x.home(hash)
	for x[at] != 0 {
		at = x.next(at)
	}
	x[at] = entry(hash, place)
}

// find returns the slot of the scope with this hash for which is returns true; -1 for
// none.
func (x index) find(hash uint64, is func(place int) bool) int {
	if len(x) == 0 {
		return -1
	}
	for at := x.home(hash); x[at] != 0; at = x.next(at) {
		if x[at]>>placeBits == uint32(hash>>56) && is(place(x[at])) {
			return at
		}
	}
	return -1
}

// remove clears a slot and moves displaced entries behind it forward.
func (x index) remove(at int, hashOf func(place int) uint64) {
	for gap := at; ; {
		x[gap] = 0
		for {
			if at = x.next(at); x[at] == 0 {
				return
			}
			// It may fill the gap unless its home lies between the two.
			home := x.home(hashOf(place(x[at])))
			if (at-home)&(len(x)-1) >= (at-gap)&(len(x)-1) {
				break
			}
		}
		x[gap] = x[at]
		gap = at
	}
}

// indexFor returns an empty index for n scopes, with at least a quarter of it free.
func indexFor(n int) index {
	size := minIndex
	for size*3 < n*4 {
		size *= 2
	}
	return make(index, size)
}
