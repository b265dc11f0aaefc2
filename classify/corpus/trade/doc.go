// Package trade invents shipments for the corpus: who ships what for whom, on which
// ship, between which ports. Companies, ships, people and numbers are invented; lines
// with their SCACs, ports with their LOCODEs, and check digits are as they are.
package trade
