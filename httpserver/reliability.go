package httpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/openapi"
	"github.com/landfallhq/tracking/jsonapi"
	"github.com/landfallhq/tracking/reliability"
)

var acceptReportCard = jsonapi.Accept{Filters: []string{"scac", "pol_locode", "pod_locode"}}

// reportCardFormats are the formats of a report card. JSON comes first, and is the default.
var reportCardFormats = []string{"json", "csv"}

// reportCard responds with the report card of the lines.
func reportCard(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	f := &filters{FilterReader: jsonapi.Filters(*q), query: q}
	selects := tracking.ReportCardQuery{SCACs: f.upper("scac"), POLs: f.upper("pol_locode"), PODs: f.upper("pod_locode")}
	if err := f.err(); err != nil {
		return err
	}
	format, err := req.format(reportCardFormats)
	if err != nil {
		return err
	}
	asOf, err := req.asOf()
	if err != nil {
		return err
	}
	if asOf != nil {
		selects.AsOf = asOf[0]
	}
	card, err := req.t.Reliability().Card(req.ctx(), selects)
	if err != nil {
		return asOfError(err)
	}
	var b bytes.Buffer
	if format == "csv" {
		err = card.WriteCSV(&b)
	} else {
		err = json.NewEncoder(&b).Encode(card)
	}
	if err != nil {
		return err
	}
	req.respondAs(sheetTypes[format], http.StatusOK, b.Bytes())
	return nil
}

const tagReliability = "Reliability"

var reliabilityOperations = map[string]operation{
	"GET /report_card": {id: "getReportCard", tag: tagReliability, summary: "Get the report card of carriers", params: []param{
		{name: "as_of", description: "The card of this time: only what was known at the end of this second enters. It must not be in the future.", schema: dateTime},
		{name: "format", description: "json or csv. Defaults to the first of these whose type Accept names, else to json.", schema: openapi.Obj("type", "string", "enum", reportCardFormats, "default", reportCardFormats[0])},
	},
		response: response{status: http.StatusOK, plain: reflect.TypeFor[reliability.Card](), alternative: typeCSV, example: "as_of,scac,pol_locode,pod_locode,lead,voyages\n"},
		details:  "How well the ETAs and ETDs of carriers foretold what happened to the account's shipments: errors by line, lane and lead time, the share on time, the bias, how often an estimate changed, and days at transshipment ports. Errors are the actual time minus the estimated one, in days: positive is late."},
}
