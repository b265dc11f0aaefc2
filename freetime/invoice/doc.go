// Package invoice compares an invoice for demurrage, detention or storage with what package
// freetime has computed: line by line and day by day, with the fact behind each day, and
// with what the United States ask of such an invoice (46 CFR 541.6).
//
// [ReadJSON] and [ReadCSV] read the lines that a person has typed, [NewSheet] compares them,
// and [Sheet.WriteCSV] writes the days of a sheet; its JSON is the sheet itself.
// [NewContainerSheet] shows what was computed for one container, without an invoice. Package
// invoicepdf writes it as a PDF. All of this is pure: no clock, no store.
package invoice
