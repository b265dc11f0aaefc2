// Package client calls a Landfall server over HTTP. It gives the nouns of package
// tracking, so that a program reads the same whether the engine is within it or
// behind the interface.
//
//	c, err := client.New(client.Config{URL: "https://tracking.example.com/v2", Key: os.Getenv("LANDFALL_KEY")})
//	...
//	request, err := c.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{
//		Number: "MEDUAB123456", SCAC: "MSCU", Type: tracking.BillOfLading,
//	})
//	for shipment, err := range c.Shipments(tracking.ShipmentQuery{Stopped: tracking.No}).All(ctx) {
//		...
//	}
//
// # What is covered
//
// All operations of the interface, under the names that package tracking has for
// them:
//
//   - shipments, containers and tracking requests, one by one and in bulk
//     (CreateTrackingRequests), as they are and as they were (ShipmentAsOf), with
//     their revisions, milestones and facts, and Report, which hands facts in
//   - Search, ContainerMap and ContainerRoute
//   - ports, terminals, metro areas, shipping lines, and vessels with the positions
//     that they had and will have
//   - parties
//   - custom fields: definitions, options, and values by their ID, by their entity,
//     and in bulk (SetCustomFields), with their history; lists are filtered and
//     sorted by them as the engine's are
//   - webhooks, their notifications, deliveries (ReceiveDelivery), trials and
//     recoveries
//   - documents, which CreateDocument makes of bytes in one call, and which are
//     handed in step by step with UploadOf, CreateUpload and SendUpload; downloads;
//     e-mails whose attachments become documents
//   - Alive, Ready and OpenAPI
//
// Where the interface has two operations for the same thing, one of them has a
// method: UpdateContainer names the container in the path, SetCustomField the entity
// in the body, CreateUpload goes to /direct_uploads.
//
// # Answers
//
// What is read by its ID comes as an Answer: the record and what was included
// with it, which Find looks up: ErrNotIncluded says that it did not come, any other
// error that it cannot be read. One odd resource fails no call. Lists are read page by page, as All goes through
// them, or one page at a time. A time or text that the interface has as null is the
// zero value. Versions, for the IfVersion of changes, come with single records
// only.
//
// # Errors
//
// What the server refuses is an *Error, with the faults that it named. errors.Is
// knows tracking.ErrNotFound, tracking.ErrStale and tracking.ErrUnavailable.
//
// The methods name their errors as those of package tracking do, by kind, field and
// code: Invalid is the status 422, NotFound 404, Conflict 409, Stale 412, Forbidden
// 403 and BadQuery 400; of "name (blank)" the Fault has the Pointer
// "/data/attributes/name" and the Code "blank", which Error.Has knows. Not named is
// what any of them may be refused for: the key (401), a permission that it lacks
// (403), the rate limit (429), an impossible filter (422), and a server that is not
// well. What a query has and the interface cannot be asked is another error, and
// nothing is sent.
//
// # Retries
//
// A request is sent again, up to Config.Retries times, when the server says 429, and
// when it cannot be reached or says 502, 503 or 504, if sending it twice does no
// harm: when it reads, or when it is a POST that carries an Idempotency-Key. Every
// POST carries one that is honoured, its own where Once has none; the exceptions
// are a trial (TryWebhook) and a picture's turn (RotateDocument), which count each
// time that they are sent, and what does no more when it is done twice (InferNumber,
// ReextractDocument and its like), which may be. So may the bytes of a file
// (SendUpload). The wait is what Retry-After
// asks for, and grows by itself where it asks for nothing. When it asks for more than
// Config.MaxWait the error is returned instead: nobody is asked sooner than he
// wants.
package client
