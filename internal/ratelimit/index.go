package ratelimit

// index finds scopes by their hash: a table with open addressing, whose entries
// are where a scope stands, plus one, below eight bits of its hash. It is a
// fraction of the size of a map, and a look-up touches one scope.
type index []uint32

const (
	placeBits = 24 // some 16 million scopes in a shard
	placeMask = 1<<placeBits - 1
	minIndex  = 8
)

func entry(hash uint64, place int) uint32 { return uint32(hash>>56)<<placeBits | uint32(place+1) }

// place is where the scope of an entry stands; -1 for an empty entry.
func place(e uint32) int { return int(e&placeMask) - 1 }

// home is where the entry of a hash belongs. The lowest bits chose the shard.
func (x index) home(hash uint64) int { return int(hash/shardCount) & (len(x) - 1) }

func (x index) next(at int) int { return (at + 1) & (len(x) - 1) }

// add notes a scope that is not in the index, which must have room.
func (x index) add(hash uint64, place int) {
	at := x.home(hash)
	for x[at] != 0 {
		at = x.next(at)
	}
	x[at] = entry(hash, place)
}

// find returns where in the index the scope is whose place says is, -1 for
// nowhere.
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

// remove empties an entry, and moves up those that stand behind it because their
// own place was taken.
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

// indexFor returns an empty index for n scopes, a quarter of it free at least.
func indexFor(n int) index {
	size := minIndex
	for size*3 < n*4 {
		size *= 2
	}
	return make(index, size)
}
