// Package freight defines how facts about shipments are reported: a [Report] of [Fact]
// values, each an [Activity] at a [Place] and a [Moment], with its numbers and containers;
// the names of events; and the interface of a [Source].
//
// A source of facts imports only this package. Package tracking, the engine, has aliases
// for the types in its own signatures.
package freight
