// Package trade invents shipments for the corpus: parties, goods, ship and ports. Companies,
// ships, people and numbers are invented; lines and SCACs, ports and LOCODEs are real, and
// check digits are valid.
package trade
