// Package jsonapi reads JSON:API requests and writes JSON:API documents. It has no
// knowledge of resources: the server defines their types, their relationships and the
// statuses of errors.
//
// # Reading a body
//
// ParseResource checks the whole body strictly: size, depth, duplicate names, UTF-8,
// NUL. Fields then reads the attributes one by one, and Err returns all errors, each
// with its JSON Pointer:
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
// CheckStream does the same checks on a body that is still arriving.
//
// Each value is an Optional, because an update must distinguish absent (keep the
// value), null (clear it) and given. Use ParseObject and ObjectFields for plain JSON
// bodies.
//
// # Reading a query
//
// An operation declares the parameters that it accepts. Others are errors, except
// plain parameters, which are ignored:
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
// The server maps errors to statuses. The intended mapping is:
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
// Stored resources are rendered once, when they are written. AppendCollection and
// AppendSingle copy these bytes into a document and insert the links. They do not
// allocate if dst has enough capacity.
//
//	buf = jsonapi.AppendCollection(buf[:0], rows, included,
//		jsonapi.PageLinks("https://host/v2/shipments", r.URL.RawQuery, q.Number, q.Size, total),
//		jsonapi.Meta{Size: q.Size, Total: total})
//	w.Header().Set("Content-Type", jsonapi.ResponseType(r.Header["Accept"]...))
//	w.Header().Set("Vary", "Accept")
//	w.Write(buf)
package jsonapi
