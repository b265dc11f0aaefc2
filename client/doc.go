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
// # Answers
//
// What is read by its ID comes as an Answer: the record and what was included
// with it, which Find looks up. Lists are read page by page, as All goes through
// them, or one page at a time. A time or text that the interface has as null is the
// zero value. Versions, for the IfVersion of changes, come with single records
// only.
//
// # Errors
//
// What the server refuses is an *Error, with the faults that it named. errors.Is
// knows tracking.ErrNotFound, tracking.ErrStale and tracking.ErrUnavailable.
//
// # Retries
//
// A request is sent again, up to Config.Retries times, when the server says 429, and
// when it cannot be reached or says 502, 503 or 504, if sending it twice does no
// harm: when it reads, or when it is a POST that carries an Idempotency-Key. Every
// POST carries one that is honoured, its own where Once has none; the exceptions
// are a trial (TryWebhook), which is meant to be sent again, and a question that
// makes nothing (InferNumber), which may be. The wait is what Retry-After
// asks for, and grows by itself where it asks for nothing. When it asks for more than
// Config.MaxWait the error is returned instead: nobody is asked sooner than he
// wants.
package client
