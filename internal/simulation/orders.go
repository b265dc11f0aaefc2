package simulation

import "slices"

// Orders returns n ways to hand in the same statements: shuffled, and cut into
// batches. Statements with the same moment of recording, and those without
// one, keep their order of arrival, because that order decides between them.
func (w *World) Orders(n int, seed uint64) [][][]Statement {
	d := newDice(seed, w.Seed)
	orders := make([][][]Statement, n)
	for i := range orders {
		orders[i] = batches(d, shuffle(d, w.Statements()))
	}
	return orders
}

// shuffle permutes the statements, and then puts those that share a moment of
// recording back in order, each into the places that they hold together.
func shuffle(d dice, statements []Statement) []Statement {
	order := d.Perm(len(statements))
	places := map[int64][]int{}
	for at, from := range order {
		key := recordingKey(statements[from])
		places[key] = append(places[key], at)
	}
	shuffled := make([]Statement, len(statements))
	for _, statement := range statements {
		key := recordingKey(statement)
		shuffled[places[key][0]] = statement
		places[key] = places[key][1:]
	}
	return shuffled
}

func recordingKey(s Statement) int64 {
	if s.RecordedAt.IsZero() {
		return -1
	}
	return s.RecordedAt.Unix()
}

func batches(d dice, statements []Statement) [][]Statement {
	size := pick(d, []int{1, 5, 20, len(statements) + 1})
	var all [][]Statement
	for batch := range slices.Chunk(statements, size) {
		all = append(all, batch)
	}
	return all
}
