// Package score tells how well a classifier reads the documents of the corpus: how
// often the type is right, and per type how many of the fields that it answers are
// right (precision) and how many of those on the paper it answers rightly (recall).
// It knows no classifier: whoever has one hands in a function.
package score
