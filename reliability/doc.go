// Package reliability measures how reliable the dates of carriers are: the errors of their
// ETAs and ETDs by line, lane and lead time, the share on time, the bias, how often an ETA
// changes, and the days at transshipment ports. From the same errors it gives a band for an
// ETA that is to come.
//
// [NewCard] and [NewErrors] are pure functions of past voyages and a moment: only what had
// been learned by that moment enters, so a card of the past is the card that could have been
// made then. [Errors.Band] adds the 10, 50 and 90 % quantiles of past errors to an ETA.
//
// The package imports nothing but the standard library. The definitions are in
// docs/reliability.md of this repository.
package reliability
