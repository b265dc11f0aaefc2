// Package dcsa connects with carriers by the DCSA Track & Trace standard, version
// 2.2: [New] returns a source that asks one of them, [NewCallbacks] takes what
// they deliver by themselves, [Client.Subscriptions] orders it, and [Read] reads a
// document of events that came some other way. [ReadArrivalNotice] reads the DCSA
// Arrival Notice, version 1.0.1.
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
// Carriers that give a client ID and a secret take [Config].OAuth; some want an
// API key besides. Everything else in Config has a default.
//
// Every question is GET {BaseURL}/v2/events by carrierBookingReference,
// transportDocumentReference or equipmentReference, page after page as the header
// Next-Page leads, and always for all events: what the carrier corrects comes
// again, the engine knows what it has, and nothing depends on what was asked
// before. An event that an answer lacks is not taken back, for carriers purge.
// The number goes in the form that carriers mostly take, and where that is
// unknown or malformed, once more as the user wrote it, with the line's prefix.
//
// What of the answer is about the number is kept, and the rest left out with a
// warning (another_document, another_container, another_journey). By the number of a document, that is what names it, what names no
// document, and what names only documents that the answer connects with it; what
// names another document of the same kind is that one's. By the number of a box,
// it is one journey: boxes are used again, and the journey is the one on which
// the box was when it began to be followed.
//
// # What becomes of a failure
//
// The error of [Client.Track] is a [tracking.SourceError] whose text is one line
// for the operator, such as "GET /v2/events: 429 Too Many Requests, Retry-After
// 30s". No secret is in it.
//
//	what came                                        reason                     repeated  the client then
//	404 that is no HTML page, 204, no events         not_found                  no        asks by the other form
//	400, 422 that blame the number's parameter       invalid_number             no        asks by the other form
//	401, or no token for our credentials             shipping_line_unreachable  no        pauses for a minute
//	403                                              shipping_line_unreachable  no
//	403 that blames the parameter, 410, 451          data_unavailable           no
//	429                                              shipping_line_unreachable  yes       pauses as long as Retry-After says, else 10 s
//	503                                              shipping_line_unreachable  yes       pauses if Retry-After says so
//	other 5xx, 408, reset, refused, no answer in     shipping_line_unreachable  yes
//	time
//	the answer breaks off                            unrecognized_response      yes
//	HTML, other JSON, too large, too many pages,     unrecognized_response      no
//	links in a circle or to another host, any
//	other status
//	only events that name other numbers              unrecognized_response      no
//
// What is repeated is sent up to twice more, after half a second and a second or
// what Retry-After says, if [Config].Patience allows the wait. A pause is the
// client's, not the question's: until it is over nobody else's question is sent
// either, but fails as shipping_line_unreachable with the time that is left as
// RetryAfter. No pause is longer than a day. [Client.Stats] counts all of it.
//
// # Being told
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
// Deliveries are signed with the shared secret over the whole body. To change it,
// configure old and new, call [Subscriptions.SetSecret], and take the old one out.
// What is delivered twice, or was asked for besides, is stored once; events that
// are pulled and pushed are the same facts as long as Config.Source and
// Callback.Source are the same.
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
