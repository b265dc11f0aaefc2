package httpserver

import (
	"encoding/json"
	"net/http"
	"time"
)

// containerCharges responds with what a container costs, now or as it was known at as_of.
func containerCharges(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	var asOf []time.Time
	if text, past := q.Param("as_of"); past {
		at, err := readAsOf(text)
		if err != nil {
			return err
		}
		asOf = append(asOf, at)
	}
	charges, err := req.t.Tariffs().Charges(req.ctx(), req.pathID(), asOf...)
	if err != nil {
		return asOfError(err)
	}
	body, err := json.Marshal(charges)
	if err != nil {
		return err
	}
	req.respondAs(typeJSON, http.StatusOK, body)
	return nil
}
