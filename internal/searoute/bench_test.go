package searoute

import "testing"

// BenchmarkBetween finds the published pairs in turn, without the cache.
func BenchmarkBetween(b *testing.B) {
	var list []request
	for _, p := range publishedDistances(b) {
		list = append(list, request{from: at(b, p.from), to: at(b, p.to)})
	}
	n := lanes()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := n.find(list[i%len(list)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnpack is what the first route costs besides.
func BenchmarkUnpack(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := unpack(packed); err != nil {
			b.Fatal(err)
		}
	}
}
