package searoute

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"io"
	"sync"

	"github.com/landfallhq/tracking/freight"
)

// packed is the network of lanes as gen writes it; NOTICE has its origin.
//
//go:embed lanes.bin.gz
var packed []byte

// scale is the number of units in a degree of the packed network.
const scale = 1e4

// network is a graph of points and straight lanes between them. It never changes.
type network struct {
	points []vector
	lanes  []lane
	// ends lists the lanes of each point, those of point i from first[i] to first[i+1].
	ends, first []int32
}

// lane is a great circle between two points.
type lane struct {
	a, b    int32
	passage uint8 // index in passages, 0 for none
	length  float64
}

// other returns the end that is not the given one.
func (l *lane) other(end int32) int32 { return l.a + l.b - end }

// lanes is unpacked when it is first used, so that programs that never ask for a route
// neither wait for it nor keep it.
var lanes = sync.OnceValue(func() *network {
	n, err := unpack(packed)
	if err != nil {
		panic("searoute: the embedded network: " + err.Error())
	}
	return n
})

// unpack reads a packed network.
func unpack(packed []byte) (*network, error) {
	zipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(zipped)
	if err != nil {
		return nil, err
	}
	u := unpacking{in: bytes.NewReader(text), index: map[[2]int64]int32{}, known: map[[2]int32]bool{}}
	for u.in.Len() > 0 {
		if err := u.line(); err != nil {
			return nil, err
		}
	}
	u.out.connect()
	return &u.out, nil
}

// unpacking is a network that is being read. Lines of the file share points, and some
// repeat a part of another.
type unpacking struct {
	in    *bytes.Reader
	at    [2]int64 // longitude and latitude of the last point
	index map[[2]int64]int32
	known map[[2]int32]bool
	out   network
}

func (u *unpacking) line() error {
	passage, err := u.in.ReadByte()
	if err != nil {
		return err
	}
	count, err := binary.ReadUvarint(u.in)
	if err != nil {
		return err
	}
	before := int32(-1)
	for range count {
		p, err := u.point()
		if err != nil {
			return err
		}
		key := [2]int32{min(before, p), max(before, p)}
		if before >= 0 && before != p && !u.known[key] {
			u.known[key] = true
			u.out.lanes = append(u.out.lanes, lane{before, p, passage, u.out.points[before].angle(u.out.points[p])})
		}
		before = p
	}
	return nil
}

func (u *unpacking) point() (int32, error) {
	for i := range u.at {
		d, err := binary.ReadVarint(u.in)
		if err != nil {
			return 0, err
		}
		u.at[i] += d
	}
	i, ok := u.index[u.at]
	if !ok {
		i = int32(len(u.out.points))
		u.index[u.at] = i
		u.out.points = append(u.out.points, vectorOf(freight.Point{Latitude: float64(u.at[1]) / scale, Longitude: float64(u.at[0]) / scale}))
	}
	return i, nil
}

// connect fills ends and first.
func (n *network) connect() {
	n.first = make([]int32, len(n.points)+1)
	for _, l := range n.lanes {
		n.first[l.a+1]++
		n.first[l.b+1]++
	}
	for i := range n.points {
		n.first[i+1] += n.first[i]
	}
	n.ends = make([]int32, 2*len(n.lanes))
	next := append([]int32{}, n.first...)
	for i, l := range n.lanes {
		for _, end := range [2]int32{l.a, l.b} {
			n.ends[next[end]] = int32(i)
			next[end]++
		}
	}
}

// anchor is the place where a way joins the lanes.
type anchor struct {
	lane int32
	at   vector
	away float64 // from the port to the lane
}

// join returns the nearest place on a lane that is not barred; false if none is near
// enough. It looks at each lane: a grid would save a tenth of a millisecond.
func (n *network) join(p vector, barred set) (best anchor, ok bool) {
	best.away = farthest
	for i := range n.lanes {
		l := &n.lanes[i]
		a := n.points[l.a]
		if reach := best.away + l.length; 2-2*p.dot(a) >= reach*reach || barred.has(l.passage) {
			continue // its end is too far away: the square of the chord is the shorter one
		}
		at := p.nearest(a, n.points[l.b])
		if away := p.angle(at); away < best.away {
			best, ok = anchor{int32(i), at, away}, true
		}
	}
	return best, ok
}
