// Package simulator is a carrier that does not exist: it serves the DCSA Track &
// Trace interface, version 2.2, over real HTTP, and plays voyages on a clock. It
// is for tests of clients, and for everybody who wants to see the whole loop on
// a machine of their own; landfall simulate-carrier runs it.
//
//	carrier, err := simulator.New(simulator.Config{Shipments: 20, Seed: 1})
//	server := httptest.NewServer(carrier)
//	source, err := dcsa.New(dcsa.Config{SCAC: simulator.SCAC, BaseURL: server.URL})
//
// # Voyages
//
// What it tells is invented: ships, containers and numbers are nobody's, only
// the places are real. The voyages stand in voyages/*.json, written for this
// project, each a document that package dcsa reads as it is:
//
//	cancelled      the booking is cancelled when the empty box is fetched
//	direct         one ship; a corrected gate-in; proof of delivery
//	feeder         a barge to the port where the ocean ship calls
//	holds          customs inspect the box after the line had called it available
//	latepod        what seemed the port of discharge becomes one of transshipment
//	rail           two boxes, on by rail on different days
//	rollover       three boxes, rolled to the next ship; a report taken back
//	split          two boxes, one left on the quay for the next ship
//	transshipment  two boxes change ships; a departure corrected at sea
//
// The n-th shipment makes the n-th of these voyages, counted round, and those
// beyond the first of each have numbers of their own. An event is told from its
// eventCreatedDateTime on, and a later version under the same eventID takes its
// place. All times are moved so that the shipment begins when Config says.
//
// # The interface
//
//	GET    /v2/events                            filters, paging by link headers
//	GET    /v2/events/{eventID}
//	GET    /v2/event-subscriptions
//	POST   /v2/event-subscriptions
//	GET    /v2/event-subscriptions/{id}
//	PUT    /v2/event-subscriptions/{id}
//	DELETE /v2/event-subscriptions/{id}
//	PUT    /v2/event-subscriptions/{id}/secret
//	POST   /oauth2/token                         where Config.OAuth is set
//
// Filters are those of the standard: values with commas between them are
// alternatives, different filters must all hold, and eventCreatedDateTime takes
// :gte, :gt, :lte, :lt and :eq. A filter, header or body that the standard does
// not know is refused with a 400, so that a client's mistake shows; a number
// that the carrier does not know is an empty list.
//
// A subscriber gets what becomes known by [Carrier.Push], signed with its
// secret: the program calls it all the time, and tests when they have moved the
// clock.
//
// # What goes wrong
//
// [Faults] says how often a call fails and how. Which call fails follows from the
// seed, the number asked about and how often it was asked before, and from
// nothing else, so that it does not depend on what else goes on. [Carrier.Stats]
// counts calls and faults, and how many calls about one shipment there were at
// one time: a client that never asks twice at once keeps that at one.
//
// The standard has no way to take an event back: in v2.2 a wrong event can only
// vanish. No voyage does that, for what an engine then knows depends on whether
// it happened to ask in between.
package simulator
