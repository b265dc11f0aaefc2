// Package simulator is a carrier that does not exist.
//
// Its voyages are invented: ships, containers and numbers are nobody's, and the
// places are real. They stand in voyages/*.json, written for this project, each
// a document that package dcsa reads as it is.
package simulator
