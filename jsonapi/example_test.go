package jsonapi_test

import (
	"errors"
	"fmt"

	"github.com/landfallhq/tracking/jsonapi"
)

// A handler reads the body, collects all errors, and responds with a document or with
// the errors.
func Example() {
	create := func(body string) {
		res, err := jsonapi.ParseResource([]byte(body), jsonapi.Limits{})
		if err != nil {
			fmt.Println("400:", err)
			return
		}
		d := jsonapi.Fields(res)
		d.Type("tracking_request")
		number := d.String("request_number")
		tags := d.Strings("tags")
		customer := d.ToOne("customer", "party")
		if err := d.Err(); err != nil {
			var out []jsonapi.Error
			var faults jsonapi.FieldErrors
			errors.As(err, &faults)
			for _, f := range faults {
				out = append(out, jsonapi.Error{Status: "422", Code: f.Code, Detail: f.Detail, Source: &jsonapi.Source{Pointer: f.Pointer}})
			}
			fmt.Printf("%s\n", jsonapi.AppendErrors(nil, out))
			return
		}
		fmt.Println(number.Value, tags.Value, customer.Value.ID)
	}
	create(`{"data":{"type":"tracking_request","attributes":{"request_number":"ABCD77001","tags":["spring"]},
		"relationships":{"customer":{"data":{"type":"party","id":"p1"}}}}}`)
	create(`{"data":{"type":"tracking_request","attributes":{"request_number":77001,"tags":["spring",1]}}}`)
	create(`{"data":{"id":"1","id":"2"}}`)
	// Output:
	// ABCD77001 [spring] p1
	// {"errors":[{"status":"422","code":"invalid_type","detail":"request_number must be a string.","source":{"pointer":"/data/attributes/request_number"}},{"status":"422","code":"invalid_type","detail":"tags must be an array of strings; element 1 is not a string.","source":{"pointer":"/data/attributes/tags/1"}}]}
	// 400: /data/id: The object has this member twice.
}

// A list handler parses its query and copies stored resources into a page.
func Example_list() {
	q, err := jsonapi.ParseQuery("page%5Bnumber%5D=2&page[size]=1&filter[tracking_stopped]=no", jsonapi.Accept{
		Page:    true,
		Filters: []string{"tracking_stopped", "created_at[start]"},
	})
	fmt.Println(q.Number, q.Size, err)
	f := jsonapi.Filters(q)
	f.Bool("tracking_stopped")
	fmt.Println("422:", f.Err())

	_, err = jsonapi.ParseQuery("filter[stopped]=true", jsonapi.Accept{Filters: []string{"tracking_stopped"}})
	fmt.Println("400:", err)

	rows := []jsonapi.Raw{{Doc: []byte(`{"id":"U1","type":"shipment"}`), Self: "/v2/shipments/"}}
	fmt.Printf("%s\n", jsonapi.AppendCollection(nil, rows, nil,
		jsonapi.PageLinks("https://host/v2/shipments", "", 1, 30, 1), jsonapi.Meta{Size: 30, Total: 1}))
	// Output:
	// 2 1 <nil>
	// 422: filter[tracking_stopped]: The value must be true or false.
	// 400: filter[stopped]: filter[stopped] is not a filter of this operation; it has filter[tracking_stopped].
	// {"data":[{"id":"U1","type":"shipment","links":{"self":"/v2/shipments/U1"}}],"links":{"self":"https://host/v2/shipments?page[number]=1&page[size]=30","current":"https://host/v2/shipments?page[number]=1&page[size]=30","first":"https://host/v2/shipments?page[number]=1&page[size]=30","last":"https://host/v2/shipments?page[number]=1&page[size]=30"},"meta":{"size":30,"total":1}}
}
