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
// [Report] of facts, as given: this box was loaded there, at that time, says
// this party. Facts are appended to the account's log, never edited, and shown
// as raw events. After each report the engine derives the whole [Journey] anew
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
// There are 41 events of freight, and two of documents ([DocumentEventNames]). Each
// of the 41 is announced once, in the transaction that learns of
// what it says, for each box that is concerned: Config.OnAnnounce is handed them,
// with the reference object that says more. [DescribeEvents] is this table for
// programs. The first line of a row has the name, the reference object, where it
// can come from, and what suppresses it; the second has the condition.
//
//	T  transport_event, with shipment, container, and where known port, vessel, terminal
//	A  estimated_event, with shipment, and where known port and vessel
//	C  container_created_event, with shipment and container
//	U  container_updated_event, with shipment, container, and where known terminal and port
//	M  container_pod_terminal_changed_event, with shipment, container and terminal
//	Q  tracking_request, and when it has succeeded with its shipment and containers
//
//	D  DCSA Track & Trace: asked, delivered by callback, or imported
//	N  DCSA arrival notice
//	R  report: over HTTP, by Ingest, imported, or a source of the host's
//	H  by hand: StopTracking, or a mark of a person
//	E  the engine itself, by what it learns from the others or by the clock
//
//	q  the report asks for silence, as imports and rederive do
//	s  tracking of the shipment is stopped; when it resumes, one estimate that has
//	   changed meanwhile is announced: shipment.estimated.arrival
//	h  it happened before the request, and comes with the source's first answer
//	o  the same one was announced before, even if it was taken back since
//	p  the shipment is made of facts that were another's until now
//	f  it is the first value, and comes with the shipment, the box or the first answer
//	a  the actual time is known, or no estimate is
//	w  the value was announced before within the interval at which the source is asked
//	   (Config.FlapWindow): it waits for the end of that, and is announced then if it
//	   still stands
//	i  the request is in that state already; or, for awaiting_manifest, has been
//
//	container.transport.vessel_arrived                         T  D N R  q s h o p
//	    the main vessel arrives at the port of discharge
//	container.transport.estimated.vessel_arrived               T  D N R  q s f a w
//	    the estimated arrival at the port of discharge changes; one for each box that has not arrived
//	container.transport.vessel_discharged                      T  D R    q s h o p
//	    discharged at the port of discharge
//	container.transport.vessel_loaded                          T  D R    q s h o p
//	    loaded on the main vessel at the port of lading
//	container.transport.vessel_departed                        T  D N R  q s h o p
//	    the main vessel leaves the port of lading
//	container.transport.estimated.vessel_departed              T  D N R  q s f a w
//	    the estimated departure from the port of lading changes; one for each box that has not left
//	container.transport.vessel_berthed                         T  R      q s h o p
//	    the main vessel berths at the port of discharge
//	container.transport.rail_departed                          T  D N R  q s h o p
//	    the train leaves
//	container.transport.rail_arrived                           T  D N R  q s h o p
//	    the train arrives, at interchanges too
//	container.transport.rail_loaded                            T  D R    q s h o p
//	    loaded on a train
//	container.transport.rail_unloaded                          T  D R    q s h o p
//	    unloaded from a train
//	container.transport.transshipment_arrived                  T  D N R  q s h o p
//	    the main vessel arrives at a port on the way
//	container.transport.transshipment_discharged               T  D R    q s h o p
//	    discharged at a port on the way
//	container.transport.transshipment_loaded                   T  D R    q s h o p
//	    loaded again at a port on the way
//	container.transport.transshipment_departed                 T  D N R  q s h o p
//	    the main vessel leaves a port on the way
//	container.transport.feeder_arrived                         T  D N R  q s h o p
//	    the feeder or barge arrives
//	container.transport.feeder_discharged                      T  D R    q s h o p
//	    discharged from a feeder or barge
//	container.transport.feeder_loaded                          T  D R    q s h o p
//	    loaded on a feeder or barge, at any port
//	container.transport.feeder_departed                        T  D N R  q s h o p
//	    the feeder or barge leaves
//	container.transport.empty_out                              T  D R    q s h o p
//	    an empty box leaves a facility by land, before the sea leg
//	container.transport.full_in                                T  D R    q s h o p
//	    a laden box enters a facility by land, before the sea leg
//	container.transport.full_out                               T  D R    q s h o p
//	    a laden box leaves a facility by land, after the sea leg
//	container.transport.empty_in                               T  D R    q s h o p
//	    an empty box enters a facility by land, after the sea leg
//	container.transport.arrived_at_inland_destination          T  D N R  q s h o p
//	    train, truck or barge reach the place of delivery; or a laden box enters it by land, and nobody reports the arrival itself
//	container.transport.estimated.arrived_at_inland_destination T  D N R  q s f a w
//	    the estimated arrival at the place of delivery changes, by rail, truck or barge
//	container.transport.available                              T  D R    q s h o p w
//	    a terminal would release the box
//	container.transport.not_available                          T  D R    q s h o p w
//	    it would not, or no longer
//	container.transport.delivered                              T  D R H  q s h o p
//	    handed over laden to the consignee, or marked so by a person
//	shipment.estimated.arrival                                 A  D N R  q s f a w
//	    the estimated arrival at the port of discharge changes
//	tracking_request.succeeded                                 Q  E      i
//	    the shipment exists and is linked
//	tracking_request.failed                                    Q  E      i
//	    the request has failed for good
//	tracking_request.awaiting_manifest                         Q  E      i
//	    the line does not know the number yet, for the first time
//	tracking_request.tracking_stopped                          Q  H E    i
//	    the shipment is no longer followed, whoever stopped it
//	container.created                                          C  D N R  q s o p
//	    a box is seen in its shipment for the first time
//	container.updated                                          U  D N R  q s f w
//	    holds, fees, availability, last free day, appointment or terminal have changed, an announced milestone does not stand or has another name, or the box has left the shipment; one for all that an update changes
//	container.pod_terminal_changed                             M  D N R  q s f w
//	    the box is assigned to another terminal at the port of discharge
//	container.pickup_lfd.changed                               T  N R    q s f w
//	    the last free day that counts is another calendar day at its place
//	container.pickup_lfd_line.changed                          T  N R    q s f w
//	    the line's last free day is another
//	container.pickup_lfd_terminal.changed                      T  R      q s f w
//	    the terminal's last free day is another
//	container.pickup_lfd_rail.changed                          T  R      q s f w
//	    the railway's last free day is another
//	container.pickup_appointment.changed                       T  R      q s f w
//	    the appointment to fetch the box is another
//
// Milestones are made by actual facts, for each box that the fact names, or for
// every box of the shipment when it names none.
// Before or after the sea leg is said by the role of the place, else by when the
// box went to sea; where neither tells, empty out and full in count as before
// it, full out and empty in as after it. A move over water whose means nobody
// states counts as the main vessel's when it names a ship or a port terminal.
// While the role of a port is not known, the main vessel's moves there are raw
// events only. Moves of one kind at one place within a week of each other are one
// milestone, whoever reports them.
//
// # Beside tracking
//
// What an account hangs on its freight, and how it hears of it:
//
//   - Webhooks: [Tracker.CreateWebhook]. A notification is written with the change
//     that it tells of, and sent by Config.Notifier, which webhook.New makes; it needs
//     Config.MasterKey.
//   - A past: [Tracker.ShipmentAsOf] is what was known at a time, and
//     [Tracker.ETARevisions] and [Tracker.ContainerHistory] are what has changed.
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
