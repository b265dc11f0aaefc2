// Package client calls a Landfall server over HTTP. It uses the types and method
// names of package tracking, so code is nearly the same for an embedded engine and
// for a server.
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
// The client has all operations of the interface, under their names in package
// tracking:
//
//   - shipments, containers and tracking requests, singly and in bulk
//     (CreateTrackingRequests), now and in the past (ShipmentAsOf), with their
//     revisions, milestones and facts; Report sends facts
//   - Search, ContainerMap and ContainerRoute
//   - ports, terminals, metro areas, shipping lines, and vessels with their past and
//     future positions
//   - parties
//   - custom fields: definitions, options, and values by ID, by entity and in bulk
//     (SetCustomFields), with their history; lists can be filtered and sorted by them
//   - webhooks, their notifications, deliveries (ReceiveDelivery), tests and recoveries
//   - documents, created from bytes in one call (CreateDocument) or step by step
//     (UploadOf, CreateUpload, SendUpload); downloads; e-mails whose attachments become
//     documents
//   - Alive, Ready and OpenAPI; Read returns any answer undecoded
//
// Where the interface has two operations for one purpose, the client uses one:
// UpdateContainer names the container in the path, SetCustomField the entity in the
// body, and CreateUpload calls /direct_uploads.
//
// # Answers
//
// Reading a record by its ID returns an Answer: the record and the included
// resources. Find looks up an included resource; it returns ErrNotIncluded if the
// response lacks it, and another error if it cannot be decoded. An invalid included
// resource does not fail the call. Lists are read with All, Pages or Page. A null
// time or text is the zero value. Only single records have a Version, for IfVersion
// in updates. The warnings and the ignored members in the meta of answers to writes are
// not returned.
//
// # Errors
//
// An error response of the server becomes an *Error with its Faults. errors.Is
// supports tracking.ErrNotFound, tracking.ErrStale and tracking.ErrUnavailable.
//
// The comments of the methods name errors by kind, field and code, as in package
// tracking. Invalid is the status 422, NotFound 404, Conflict 409, Stale 412,
// Forbidden 403 and BadQuery 400. For "name (blank)" the Fault has the Pointer
// "/data/attributes/name" and the Code "blank"; see Error.Has. The comments omit
// errors that all methods have: an invalid key (401), a missing permission (403), the
// rate limit (429), an invalid filter (422) and server errors (5xx). A query with
// conditions that the interface does not support is an error, and nothing is sent.
//
// # Retries
//
// A request is retried up to Config.Retries times after a 429. After a connection
// error or a 502, 503 or 504 it is retried only if that is safe: for GET requests and
// for a POST with an Idempotency-Key. Every POST has such a key: the Key of its
// tracking.Once, or else a generated one. The server makes the Fingerprint itself. Exceptions: a webhook test (TestWebhook) and a rotation (RotateDocument)
// are not retried, because each request counts; InferNumber, ReextractDocument,
// ReclassifyDocument, RelinkDocument and SendUpload are retried without a key,
// because repeating them is harmless. The wait is that of Retry-After, or else grows
// exponentially. If Retry-After is longer than Config.MaxWait, the error is returned
// at once.
package client
