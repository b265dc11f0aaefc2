// Package dcsa connects to carriers by the DCSA Track & Trace standard, version 2.2.
// [New] returns a source that asks a carrier, [NewCallbacks] receives what carriers
// push, [Client.Subscriptions] manages subscriptions to it, and [Read] reads events
// from a document. [ReadArrivalNotice] reads the DCSA Arrival Notice, version 1.0.1.
//
// # Asking a carrier
//
//	maersk, err := dcsa.New(dcsa.Config{
//		SCAC:    "MAEU",
//		BaseURL: "https://api.carrier.example",
//		Headers: map[string]dcsa.Secret{"X-Api-Key": dcsa.Secret(os.Getenv("MAERSK_API_KEY"))},
//	})
//	tracker, err := tracking.New(tracking.Config{Store: store, Sources: tracking.Sources{"MAEU": maersk}})
//
// Carriers with a client ID and a secret need [Config].OAuth; some also need an API
// key. Everything else in Config has a default.
//
// A query is GET {BaseURL}/v2/events by carrierBookingReference,
// transportDocumentReference or equipmentReference. It follows the header Next-Page
// and always asks for all events, so that corrections are included and nothing
// depends on earlier queries. An event that is missing from an answer is not
// retracted, because carriers delete old events. The number is sent in its usual
// form; if the carrier reports it as unknown or malformed, it is sent once more as
// the user wrote it, with the prefix of the line.
//
// Events that are not about the number are left out with a warning
// (another_document, another_container, another_journey). For the number of a
// document, the events kept are those that name it, those that name no document, and
// those that name only documents which the answer connects with it. For a container
// number, they are those of one journey, because containers are reused: the journey
// during which tracking began.
//
// # Failures
//
// The error of [Client.Track] is a [tracking.SourceError] whose text is one line
// for the operator, such as "GET /v2/events: 429 Too Many Requests, Retry-After
// 30s". No secret is in it.
//
//	response                                         reason                     repeated  then
//	404 that is not HTML, 204, no events             not_found                  no        sends the other form
//	400, 422 about the parameter of the number       invalid_number             no        sends the other form
//	401, or no token for our credentials             shipping_line_unreachable  no        pauses for a minute
//	403                                              shipping_line_unreachable  no
//	403 about the parameter, 410, 451                data_unavailable           no
//	429                                              shipping_line_unreachable  yes       pauses for Retry-After, or 10 s
//	503                                              shipping_line_unreachable  yes       pauses for Retry-After, if any
//	other 5xx, 408, reset, refused, timeout          shipping_line_unreachable  yes
//	truncated answer                                 unrecognized_response      yes
//	HTML, other JSON, too large, too many pages,     unrecognized_response      no
//	links in a circle or to another host, any
//	other status
//	only events that name other numbers              unrecognized_response      no
//
// A request is repeated up to twice, after half a second and a second or after
// Retry-After, if [Config].Patience allows the wait. A pause applies to the whole
// client: until it is over, all queries fail as shipping_line_unreachable with the
// remaining time as RetryAfter. No pause is longer than a day. [Client.Stats] counts
// requests and failures.
//
// # Callbacks
//
//	callbacks, err := dcsa.NewCallbacks(dcsa.CallbackConfig{Callbacks: []dcsa.Callback{{
//		Name: "maersk", SCAC: "MAEU", Tracker: tracker.For(actor), Secrets: []dcsa.Secret{secret},
//	}}})
//	mux.Handle(dcsa.CallbackPath, callbacks)
//	mux.Handle("/", httpserver.New(httpserver.Config{Tracker: tracker}))
//
// A subscription is then made once:
//
//	sub, err := maersk.Subscriptions().Create(ctx, dcsa.Subscription{
//		CallbackURL: "https://tracking.example/v2/callbacks/dcsa/maersk",
//	}, key)
//
// Deliveries are signed over the whole body with the shared secret. To change it,
// configure both the old and the new one, call [Subscriptions.SetSecret], and remove
// the old one. An event that is delivered twice, or both pulled and pushed, is stored
// once, provided that Config.Source and Callback.Source are equal.
//
// # Reading a document
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
// # Errors and warnings
//
// A malformed document is refused as a whole. The error is a [tracking.Error] of kind
// [tracking.BadDocument] whose Field is a JSON path such as $[3].eventDateTime.
// Malformed means: text that is not JSON, not UTF-8, or contains NUL; an object with a
// repeated member; more than 64 MiB, 10,000 events or 32 levels; an event without an
// eventType or eventDateTime; an invalid time; and a member of another JSON type than
// in the standard, if this package reads it. A member that is null counts as absent.
//
// Everything else is kept, with a [tracking.Warning] and its path for each unusual
// value:
//
//	unknown_code         a code that is not in the standard; an unknown event code
//	                     or classifier makes the fact Other, from which nothing is derived
//	missing_offset       a time without an offset: kept as the wall clock at the place
//	date_only            a date where the standard asks for a time
//	implausible_time     a time before 1970 or after 2100, which systems use for "none": left out
//	missing_recorded_at  no eventCreatedDateTime, so versions are ordered by their arrival
//	missing_place        a move that does not say where
//	missing_container    an event of an unnamed container: kept as Other, because a fact
//	                     without containers is about all containers of the shipment
//	container_number     not four letters and seven digits; as an EQ reference it is kept among
//	                     the references, as equipmentReference it is kept as given
//	unknown_locode       a location code that is not two letters and three characters
//	place_conflict       eventLocation and transportCall name different places: the first is used
//	                     for EQUIPMENT events, the second for the others
//	shipping_instruction the only number is that of a shipping instruction: taken as the transport
//	                     document's, because carriers issue both under one number
//
// The engine checks the check digits of containers and vessels.
package dcsa
