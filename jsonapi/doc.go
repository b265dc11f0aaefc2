// Package jsonapi reads JSON:API requests and writes JSON:API documents. It
// knows no resource: what a shipment is, which relations it has and which status
// an error becomes is for the server.
//
// # Reading a body
//
// ParseResource checks the whole body once, strictly: size, depth, duplicate
// names, UTF-8, NUL. Then Fields reads one attribute after the other, and Err
// returns everything that was wrong, each fault with its JSON Pointer:
//
//	res, err := jsonapi.ParseResource(body, jsonapi.Limits{})
//	if err != nil {
//		return err
//	}
//	d := jsonapi.Fields(res)
//	d.Type("tracking_request")
//	number := d.String("request_number")
//	tags := d.Strings("tags")
//	customer := d.ToOne("customer", "party")
//	if err := d.Err(); err != nil {
//		return err
//	}
//
// Each value is an Optional, because an update must tell absent (leave it), null
// (clear it) and given apart. Bodies that are plain JSON go through ParseObject
// and ObjectFields.
//
// # Reading a query
//
// The operation says what it takes; what it does not take is an error, save
// plain parameters, which are ignored unless asked for:
//
//	q, err := jsonapi.ParseQuery(r.URL.RawQuery, jsonapi.Accept{
//		Page:    true,
//		Include: true,
//		Filters: []string{"tracking_stopped", "created_at[start]", "created_at[end]", "custom_fields[*]"},
//		Sorts:   []string{"created_at"},
//	})
//	f := jsonapi.Filters(q)
//	stopped := f.Bool("tracking_stopped")
//	from, to := f.Time("created_at[start]"), f.TimeEnd("created_at[end]")
//	if err := f.Err(); err != nil {
//		return err
//	}
//
// # Errors and statuses
//
// The errors say what happened; the server keeps the one table of statuses. It
// is meant to read:
//
//	ErrTooLarge                 413
//	ErrMediaType                415
//	*SyntaxError                400, source.pointer
//	FieldErrors                 422, source.pointer
//	QueryErrors, BadParameter   400, source.parameter
//	QueryErrors, BadValue       422, source.parameter, title "Invalid <filter>"
//
// # Writing
//
// Stored resources are rendered once, when they are written, and a page is made
// by copying their bytes: AppendCollection and AppendSingle splice them into a
// document and their links into them, and allocate nothing when dst has room.
//
//	buf = jsonapi.AppendCollection(buf[:0], rows, included,
//		jsonapi.PageLinks("https://host/v2/shipments", r.URL.RawQuery, q.Number, q.Size, total),
//		jsonapi.Meta{Size: q.Size, Total: total})
//	w.Header().Set("Content-Type", jsonapi.ResponseType(r.Header["Accept"]...))
//	w.Header().Set("Vary", "Accept")
//	w.Write(buf)
package jsonapi
