// Package nearest finds the word that somebody meant who has misspelt it.
package nearest

// Word returns the word with the fewest slips from a misspelt one: letters left out, added,
// replaced, or two adjacent ones swapped. A third of the letters may be wrong, two at most.
// ok is false if no word is so near; of equally near words the first is returned.
func Word(misspelt string, words []string) (word string, ok bool) {
	most := min(2, len([]rune(misspelt))/3)
	for _, w := range words {
		if n := Slips(misspelt, w); n <= most {
			word, ok, most = w, true, n-1
		}
	}
	return word, ok
}

// Slips counts the slips by which two words differ.
func Slips(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before, above []int // the two rows over the present one
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, above, row = above, row, make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			replaced := above[j-1]
			if x[i-1] != y[j-1] {
				replaced++
			}
			row[j] = min(replaced, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(y)]
}
