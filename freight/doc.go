// Package freight holds the words in which facts about shipments are reported: a
// [Report] of [Fact] values, each an [Activity] at a [Place] and a [Moment], with
// the numbers and containers that it names; the names of events; and what a
// [Source] is asked and answers.
//
// A source of facts imports this package alone. Package tracking, the engine, has
// aliases for the types that stand in its own signatures.
package freight
