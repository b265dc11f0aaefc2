package searoute

import (
	"math"
	"sync"
)

// search finds the shortest way between two anchors with A*: of all ways that are open, it
// follows the one whose length, with the great circle that is left, is least. Lanes are
// great circles, so no estimate is too long and the first way found is the shortest.
type search struct {
	length []float64 // of the shortest way known to each point; infinite for none
	via    []int32   // the lane by which it comes; -1 from the start
	open   heap
}

// searches keeps the memory of searches, 120 KB each.
var searches = sync.Pool{New: func() any { return new(search) }}

// shortest returns the points of the lanes between two anchors, and the length of the way;
// false if there is none. The anchors are not among the points.
func (n *network) shortest(from, to anchor, barred set) (way []int32, length float64, ok bool) {
	s := searches.Get().(*search)
	defer searches.Put(s)
	s.reset(len(n.points))
	best, last := math.Inf(1), int32(-1)
	if from.lane == to.lane {
		best = from.at.angle(to.at)
	}
	start, end := &n.lanes[from.lane], &n.lanes[to.lane]
	for _, p := range [2]int32{start.a, start.b} {
		s.reach(p, -1, from.at.angle(n.points[p]), n.points[p].angle(to.at))
	}
	for len(s.open) > 0 {
		next := s.open.pop()
		if next.estimate >= best {
			break
		}
		p := next.point
		if next.length > s.length[p] {
			continue // a shorter way was found meanwhile
		}
		if p == end.a || p == end.b {
			if whole := next.length + n.points[p].angle(to.at); whole < best {
				best, last = whole, p
			}
		}
		for _, i := range n.ends[n.first[p]:n.first[p+1]] {
			l := &n.lanes[i]
			if !barred.has(l.passage) {
				q := l.other(p)
				s.reach(q, i, next.length+l.length, n.points[q].angle(to.at))
			}
		}
	}
	return s.back(n, last), best, !math.IsInf(best, 1)
}

func (s *search) reset(points int) {
	if len(s.length) != points {
		s.length, s.via = make([]float64, points), make([]int32, points)
	}
	for i := range s.length {
		s.length[i] = math.Inf(1)
	}
	s.open = s.open[:0]
}

func (s *search) reach(p, via int32, length, left float64) {
	if length < s.length[p] {
		s.length[p], s.via[p] = length, via
		s.open.push(entry{length + left, length, p})
	}
}

// back returns the points of the way that ends at p, first to last.
func (s *search) back(n *network, p int32) (way []int32) {
	for p >= 0 {
		way = append(way, p)
		if s.via[p] < 0 {
			break
		}
		p = n.lanes[s.via[p]].other(p)
	}
	for i, j := 0, len(way)-1; i < j; i, j = i+1, j-1 {
		way[i], way[j] = way[j], way[i]
	}
	return way
}

type entry struct {
	estimate, length float64
	point            int32
}

// heap is a binary heap by estimate. container/heap would allocate each entry.
type heap []entry

func (h *heap) push(e entry) {
	list := append(*h, e)
	i := len(list) - 1
	for ; i > 0 && list[(i-1)/2].estimate > e.estimate; i = (i - 1) / 2 {
		list[i] = list[(i-1)/2]
	}
	list[i] = e
	*h = list
}

func (h *heap) pop() entry {
	list := *h
	top, last := list[0], list[len(list)-1]
	list = list[:len(list)-1]
	i := 0
	for {
		child := 2*i + 1
		if child >= len(list) {
			break
		}
		if child+1 < len(list) && list[child+1].estimate < list[child].estimate {
			child++
		}
		if list[child].estimate >= last.estimate {
			break
		}
		list[i] = list[child]
		i = child
	}
	if len(list) > 0 {
		list[i] = last
	}
	*h = list
	return top
}
