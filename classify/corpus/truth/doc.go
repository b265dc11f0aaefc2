// Package truth defines the true type of a document of the corpus and its true fields, in
// normal form.
//
// # The file of each PDF
//
// NAME.json has name, part (train, heldout or fresh), layout, type, and fields: an
// object whose keys are the names below, whose values are texts in the normal form
// of the field's kind, and for lists arrays of objects of such texts. A field that
// document does not show is absent; there are no nulls. A value that is shown twice is
// there once. Members of a list are in the order of the document.
//
// In the unseen parts a date that nothing on the paper decides is {"either": [...]} with its
// Readings, and a file can have several documents: see package papers.
//
// # Normal forms, by kind
//
//	number     letters and digits alone, upper case: a B/L, an invoice, a seal, a container
//	text       as printed, without spaces at the ends; case, spaces and
//	           punctuation are ignored when compared
//	prose      text of several lines, joined by single spaces; compared word by word
//	party      {"name": the first line, "address": those below it}: an answer is the
//	           name, and may go on with as much of the address as it likes
//	place      the UN/LOCODE, five letters, wherever the place has one
//	date       2006-01-02; with a time of day, where the paper prints one,
//	           2006-01-02T15:04. Local to the place, without a zone
//	mass       "18250 kg" or "40234.5 lb", in the unit of the paper
//	volume     "67.5 m3" or "2383 ft3"
//	quantity   a decimal without separators of thousands or idle zeros: "1250", "0.5"
//	money      "USD 1234.5": currency by ISO 4217, then a quantity; the quantity alone
//	           where the paper does not say the currency
//	code       one of a few words, case ignored: prepaid, collect; FOB; 40HC; USD
//
// # Names
//
// bl_number is the carrier's bill (of a house bill: its master), hbl_number the
// forwarder's, on every type: so the own number of a house_bill_of_lading is its
// hbl_number. issue_date is the date of the paper itself. See Vocabulary.
package truth
