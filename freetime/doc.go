// Package freetime counts the days that a container costs money: demurrage, detention,
// per diem, combined free time and rail storage.
//
// [NewLedger] is a pure function of the history of a container, the tariffs and the
// moment of asking. It gives a [Ledger]: each day at the place with its kind, the rule and
// the fact behind it, the last free day as computed and as reported, the total, and what
// tomorrow will cost. Amounts are exact ([Money]). What is not known is null, and never
// zero; Ledger.Unknown says why.
//
// The package imports nothing but the standard library. The rules, and what we decided
// where the trade leaves a question open, are in docs/freetime.md of this repository.
package freetime
