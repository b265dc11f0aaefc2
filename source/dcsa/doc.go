// Package dcsa reads documents of the DCSA Track & Trace standard, version 2.2,
// into facts.
//
//	report, err := dcsa.Read(file, dcsa.Options{SCAC: "MAEU"})
//
// A document is an array of events, an object with such an array under
// "events", or one single event. Every event becomes exactly one
// [tracking.Fact], in the order of the document, and keeps its JSON as
// Fact.Payload. Facts say what was moved and where, never which milestone it
// was: the role of a port follows from all facts of a shipment together, and is
// derived by the engine.
//
// # What is refused, and what is only odd
//
// A document of the wrong shape is refused as a whole: no half-read reports.
// The error is a [tracking.Error] of kind [tracking.BadDocument] whose Field is
// the JSON path of the fault, such as $[3].eventDateTime. Wrong shapes are: text
// that is not JSON, not UTF-8, or holds a NUL; an object that names a member
// twice; more than 64 MiB, 10,000 events or 32 levels; an event without an
// eventType or an eventDateTime; a time that is none; and any member that this
// package reads and that has another JSON type than the standard gives it. A
// member that is null counts as absent.
//
// Everything else is kept, and what is odd about it is a [tracking.Warning] with
// the path of the odd value:
//
//	unknown_code         a code that the standard does not have; an unknown event code
//	                     or classifier makes the fact Other, from which nothing is derived
//	missing_offset       a time without an offset: kept as the wall clock at the place
//	date_only            a date where the standard asks for a time
//	implausible_time     a time before 1970 or after 2100, as systems write for "none": left out
//	missing_recorded_at  no eventCreatedDateTime, so versions go by when they came
//	missing_place        a move that does not say where
//	missing_container    something happened to a box that is not named: kept as Other, for
//	                     a fact without containers would speak of all boxes of the shipment
//	container_number     not four letters and seven digits; as an EQ reference it is kept among
//	                     the references, as equipmentReference it is kept as given
//	unknown_locode       a location code that is not two letters and three characters
//	place_conflict       eventLocation and transportCall name different places: the first counts
//	                     for EQUIPMENT events, the second for the others
//	shipping_instruction the only number is a shipping instruction's: taken for the transport
//	                     document's, as carriers issue both under one number
//
// Check digits of containers and vessels are left to the engine, which sees the
// facts of all sources.
package dcsa
