// Package score measures how well a classifier reads the documents of the corpus: how often
// the type is right, and for each type the precision (right answers of all answers) and
// recall (right answers of all true values) of the fields. A classifier is a function; Of
// returns that of a tracking.Classifier.
package score
