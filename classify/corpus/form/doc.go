// Package form draws the papers of the corpus, and takes down what it draws: a layout
// prints a field through the method that puts its normal form into the truth, so the
// two cannot part.
package form
