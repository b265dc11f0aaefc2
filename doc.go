// Package tracking follows ocean freight: it takes in what carriers and
// terminals say of containers, derives where each one is, and tells what has
// changed. It is a library first; package httpserver serves it as a JSON:API
// interface, and command landfall is the two as one program.
//
// # Quick start
//
//	store, err := storage.Open("landfall.db") // a SQLite file; "memory:" for none
//	if err != nil {
//		return err
//	}
//	tr, err := tracking.New(tracking.Config{
//		Store:   store,
//		Sources: tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})},
//	})
//	if err != nil {
//		return err
//	}
//	defer tr.Close()
//	go tr.Run(ctx) // asks the sources, until ctx ends
//
//	acme, _, err := tr.EnsureAccount(ctx, "acme")
//	if err != nil {
//		return err
//	}
//	t := tr.For(tracking.Actor{Account: acme.Scope()})
//	_, err = t.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{
//		Number: "TEST-VOYAGE-RAIL", Type: tracking.BillOfLading, SCAC: sandbox.SCAC,
//	})
//
// A moment later t.Shipments has the shipment, t.Containers its box and
// t.TransportEvents what has happened to it so far.
//
// # Embedding
//
// [New] takes one [Config]; only Store is required. [Tracker.For] gives the same
// engine as one [Actor] sees it: one account, with the permissions that the
// actor has. A program with a single account sets Config.Account and never calls
// For. Methods return an [*Error] (or [Errors]) for what the caller can mend,
// with the field that was wrong, and any other error for a fault of the machine.
// No error carries an HTTP status.
//
// Background work belongs to [Tracker.Run]. Several processes may run it on one
// store: each piece of work is leased to one of them.
//
// To serve the interface, mount what httpserver.New returns; its package comment
// tells how to do so with your own authentication:
//
//	http.Handle("/v2/", httpserver.New(httpserver.Config{Tracker: tr}))
//	log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
//
// # Facts in, state derived
//
// Nobody writes a status. A [Source], a file or a program of yours hands in a
// [Report] of facts, as given: a party says that this container was loaded there,
// at that time. Facts are appended to the account's log, never edited, and shown
// as raw events. After each report the engine derives the whole journey again
// from all facts of the shipment, and stores what has changed, all in one
// transaction. Hence:
//
//   - Order does not matter. Facts may come late, twice, or backwards; what is
//     derived from them is the same.
//   - An actual time goes before an estimate, and a later version of a fact
//     before an earlier one. A retracted fact is as if it had never come.
//   - Late knowledge corrects. One and the same discharge is a
//     transshipment_discharged while the ship sails on, and a vessel_discharged
//     once the port turns out to be the last. The event that proved wrong gets
//     invalidated_at and is never deleted.
//   - Nothing is announced twice, and history is not announced: what happened
//     before a request was made and came with the first answer is stored in
//     silence.
//   - Odd data is kept and becomes a [Warning]. Only the wrong shape is refused,
//     with the path of the fault, and then nothing of the report is stored.
//
// Facts come in by three doors: a Source that is asked, [Tracker.Ingest], and
// POST /v2/reports with the JSON that [ParseReport] reads. A fact must name the
// transport document or booking that it is about: boxes are used again, so a
// container number alone identifies no journey.
//
// # Tracking requests
//
// [Tracker.CreateTrackingRequest] returns at once; the source of the line is
// asked in the background, and the request shows how that went:
//
//	pending            not answered yet; is_retrying while the line has trouble
//	awaiting_manifest  the line does not know the number yet: asked again daily
//	created            tracked_object is the shipment
//	failed             for good; failed_reason says why
//	tracking_stopped   the shipment is no longer followed
//
// A line that cannot be reached, or does not make sense, is asked again up to 14
// times. The wait before retry n, counted from 0, is n to the fourth power plus
// 15 seconds, and up to 10*(n+1) seconds more at random; without these:
//
//	15s  16s  31s  1m36s  4m31s  10m40s  21m51s  40m16s  1h8m31s  1h49m36s
//	2h46m55s  4h4m16s  5h45m51s  7h56m16s
//
// 24.9 hours in all, after which the request has failed with retries_exhausted.
// Whatever has not succeeded within 7 days (Config.RequestWindow) fails too: an
// awaiting request with not_found, a pending one with expired. A line without a
// source is asked by nobody; facts that come in for the number still let the
// request succeed.
//
// # Events
//
// There are 41 events of freight ([EventNames]) and two of documents
// ([Description].DocumentEvents). An event is announced once for each container, in the
// transaction that stores its cause: Config.OnAnnounce and webhooks receive it with
// its reference object, such as a [TransportEvent]. [Describe] has the table of
// events: their sources, when they are announced, what is included with them and what
// is announced when they are corrected. docs/events.md has an example of each.
//
// Milestones follow from actual facts, for each container that the fact names, or for
// every container of the shipment if it names none. The role of the place decides
// whether a move is before or after the sea leg, or else the time when the container
// went to sea; if neither is known, empty out and full in count as before it, full out
// and empty in as after it. A move over water with no stated means of transport counts
// as the main vessel's if it names a vessel or a port terminal. While the role of a
// port is not known, the main vessel's moves there are raw events only. Moves of one
// kind at one place within a week of each other are one milestone, whatever their
// sources.
//
// # Beside tracking
//
// What an account hangs on its freight, and how it hears of it:
//
//   - Webhooks: [Tracker.CreateWebhook]. A notification is written with the change
//     that it tells of, and sent by Config.Notifier, which webhook.New makes; it needs
//     Config.MasterKey.
//   - A past: [Tracker.ShipmentAsOf] is what was known at a time, and
//     [Tracker.Revisions] are what has changed since.
//   - Custom fields: [Tracker.CreateCustomFieldDefinition] and
//     [Tracker.SetCustomField]. Lists are filtered and sorted by them.
//   - Documents: [Tracker.CreateDocument] takes a file, [Tracker.SubmitEmail] a whole
//     e-mail. They are read and linked in the background; Config.Blobs keeps them, and
//     Config.Extractor and Config.Classifier read them.
//   - Finding and drawing: [Tracker.Search] by a part of a number or name,
//     [Tracker.ContainerRoute] and [Tracker.ContainerMap].
//
// # Times
//
// Every time is UTC, and the zone of its place stands beside it: pod_eta_at goes
// with pod_timezone. A time without a zone may be the wall clock of an unknown
// place, written as if it were UTC. Where only a date is known it is the
// midnight that begins the day at the place.
//
// # Testing
//
// Package trackingtest sets up a Tracker on the memory store, with a clock that
// is moved by hand and a source that answers from a script; nothing sleeps:
//
//	b := trackingtest.New(t)
//	b.Source.Script("123456789", trackingtest.Reply{Facts: facts})
//	_, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{
//		Number: "123456789", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC,
//	})
//	b.Pass(time.Hour) // moves the clock, and does what falls due on the way
//	events := b.Announced()
//
// A store of your own is right when storagetest.Run passes.
//
// # Words of the trade
//
//	B/L            bill of lading: the transport document a carrier issues for the freight
//	booking        the carrier's promise of space, with a number of its own, before the B/L
//	SCAC           code of two to four letters for a carrier: MAEU is Maersk
//	LOCODE         UN/LOCODE, five characters for a place: NLRTM is Rotterdam
//	SMDG           list of terminal codes; a code means something only at its LOCODE
//	IMO            number of seven digits of a ship, for its whole life
//	ISO 6346       numbering of containers: four letters, six digits, one check digit
//	POL, POD       port of lading, port of discharge: where the sea journey begins and ends
//	transshipment  change of ships in a port on the way
//	feeder         small ship between a port and the one where the main vessel calls
//	inland         from the POD on by rail, truck or barge to the place of delivery
//	ETD, ATD       estimated and actual time of departure
//	ETA, ATA       estimated and actual time of arrival
//	laden, empty   with or without freight; empty boxes travel too, and mean something else
//	gate in, out   entering or leaving a facility by land
//	hold           why a terminal may not release a box: customs, freight, an examination
//	free time      days that a box may stand without charge
//	LFD            last free day: the last of them
//	demurrage      what it costs to leave a full box at the terminal longer
//	rolled         left on the quay, and booked for a later ship
package tracking
