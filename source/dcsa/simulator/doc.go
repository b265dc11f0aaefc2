// Package simulator is an invented carrier: it serves the DCSA Track & Trace API,
// version 2.2, over real HTTP, and plays voyages on a clock. It is for tests of
// clients and for trials; landfall simulate-carrier runs it.
//
//	carrier, err := simulator.New(simulator.Config{Shipments: 20, Seed: 1})
//	server := httptest.NewServer(carrier)
//	source, err := dcsa.New(dcsa.Config{SCAC: simulator.SCAC, BaseURL: server.URL})
//
// # Voyages
//
// Ships, containers and numbers are invented; only the places are real. The voyages
// are in voyages/*.json, written for this project. Each is a document that package
// dcsa can read:
//
//	cancelled      the booking is cancelled when the empty container is picked up
//	direct         one ship; a corrected gate-in; proof of delivery
//	feeder         a barge to the port where the ocean ship calls
//	holds          customs inspect the container after the line reported it available
//	latepod        the supposed port of discharge becomes one of transshipment
//	rail           two containers, onward by rail on different days
//	rollover       three containers, rolled to the next ship; a retracted report
//	split          two containers, one left on the quay for the next ship
//	transshipment  two containers change ships; a departure is corrected at sea
//
// Shipments use these voyages in turn; those after the first of each voyage have their
// own numbers. An event is visible from its eventCreatedDateTime on, and a later
// version with the same eventID replaces it. All times are shifted to the start of the
// shipment.
//
// # API
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
// Filters are those of the standard: values separated by commas are alternatives, all
// filters must hold, and eventCreatedDateTime accepts :gte, :gt, :lte, :lt and :eq. A
// filter, header or body that is not in the standard gets a 400, so that errors of
// clients are visible; an unknown number gives an empty list.
//
// [Carrier.Push] sends new events to subscribers, signed with their secrets: the
// program calls it periodically, and tests call it after moving the clock.
//
// # Faults
//
// [Faults] configures how often calls fail, and how. Which call fails depends only on
// the seed, the number and how often it was requested, and not on other calls.
// [Carrier.Stats] counts calls and faults, and concurrent calls about one shipment,
// which a client should keep at one.
//
// The standard cannot retract an event: in v2.2 a wrong event can only disappear. No
// voyage does that, because the result would depend on whether an engine asked
// meanwhile.
package simulator
