// Package tracking follows ocean freight. It takes in what carriers and terminals report
// of containers, derives where each one is, and announces what has changed. It is a
// library; package httpserver serves it as a JSON:API interface, and command landfall is
// both as one program.
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
//	go tr.Run(ctx) // queries the sources, until ctx ends
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
// A moment later t.Shipments has the shipment, t.Containers its container and
// t.TransportEvents what has happened to it so far.
//
// # Embedding
//
// [New] takes one [Config]; only Store is required. [Tracker.For] gives the same engine
// as one [Actor] sees it: one account, with the permissions of the actor. A program with
// a single account sets Config.Account and never calls For. Methods return an [*Error]
// (or [Errors]) for what the caller can mend, with the field that was wrong, and any other
// error for a fault of the machine. No error has an HTTP status.
//
// Background work belongs to [Tracker.Run]. Several processes may run it on one store:
// each piece of work is leased to one of them. To serve the interface, mount
// httpserver.New(httpserver.Config{Tracker: tr}).
//
// # Facts in, state derived
//
// Nobody writes a status. A [Source], a file or a program of yours hands in a [Report] of
// facts: a party says that this container was loaded there, at that time. Facts are
// appended to the log of the account, never edited, and shown as raw events. After each
// report the engine derives the journey again from all facts of the shipment, and stores
// what has changed, in one transaction. Therefore:
//
//   - Facts may come late, twice, or in any order.
//   - An actual time goes before an estimate, and a later version of a fact before an
//     earlier one. A retracted fact is as if it had never come.
//   - Late knowledge corrects. The same discharge is a transshipment_discharged while the
//     ship sails on, and a vessel_discharged once the port turns out to be the last. The
//     event that was wrong gets invalidated_at and is never deleted.
//   - Nothing is announced twice, and history is not announced: what happened before a
//     request was made and came with the first answer is stored without a notification.
//   - Odd data is kept and becomes a [Warning]. Only the wrong shape is refused, with the
//     path of the fault, and then nothing of the report is stored.
//
// Facts come from a Source, from [Tracker.Ingest], or from POST /v2/reports with the JSON
// that [ParseReport] reads. A fact must name the transport document or booking that it is
// about: containers are used again, so their number alone identifies no journey.
//
// # Tracking requests
//
// [Tracker.CreateTrackingRequest] returns at once. The source of the line is queried in
// the background, and the status of the request shows the result: pending,
// awaiting_manifest (the line does not know the number yet), created, failed or
// tracking_stopped. A line that cannot be reached is queried again 14 times within 25
// hours. What has not succeeded within 7 days (Config.RequestWindow) fails. A line without
// a source is never queried; facts that come in for the number let the request succeed.
//
// # Events
//
// There are 41 events of freight ([EventNames]), two of documents
// ([Description].DocumentEvents), and five of exceptions ([Description].ExceptionEvents),
// which webhooks get only if they name them or their category. An event is announced once for each container, in the
// transaction that stores its cause: Config.OnAnnounce and webhooks receive it with its
// reference object, such as a [TransportEvent]. [Describe] has the table of events, and
// docs/events.md an example of each. docs/rules.md says which move is which milestone.
//
// # More
//
//   - Webhooks: [Tracker.CreateWebhook]. A notification is written with its change, and
//     sent by Config.Notifier, which webhook.New makes; it needs Config.MasterKey.
//   - The past: [Tracker.ShipmentAsOf] is what was known at a time, and
//     [Tracker.Revisions] are the changes since.
//   - Custom fields: [Tracker.CreateCustomFieldDefinition] and [Tracker.SetCustomField].
//   - Documents: [Tracker.CreateDocument] takes a file, [Tracker.SubmitEmail] an e-mail.
//     They are read and linked in the background, by Config.Extractor and
//     Config.Classifier; Config.Blobs keeps them.
//   - Search and maps: [Tracker.Search], [Tracker.ContainerRoute], [Tracker.ContainerMap].
//
// # Times
//
// Every time is UTC, with the zone of its place beside it: pod_eta_at and pod_timezone. A
// time without a zone may be the wall clock of an unknown place, written as if it were
// UTC. Where only a date is known it is the midnight that begins the day at the place.
//
// Package trackingtest sets up a Tracker for tests, with a clock that is moved by hand.
package tracking
