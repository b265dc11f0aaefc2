// Package form draws the documents of the corpus and records the truth about them: the method
// that prints a field also records its normal form, so the two cannot differ.
package form
