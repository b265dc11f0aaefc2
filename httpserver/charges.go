package httpserver

import (
	"encoding/json"
	"net/http"
	"time"
)

// containerCharges responds with what a container costs, now or as it was known at as_of.
func containerCharges(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	asOf, err := req.asOf()
	if err != nil {
		return err
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

// asOf is the time that as_of names; none for now.
func (req *request) asOf() ([]time.Time, error) {
	text, past := req.query.Param("as_of")
	if !past {
		return nil, nil
	}
	at, err := readAsOf(text)
	return []time.Time{at}, err
}
