package httpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime/invoice"
	"github.com/landfallhq/tracking/jsonapi"
)

const (
	invoiceType = "invoice"
	typePDF     = "application/pdf"
)

// invoiceBody limits an invoice: its lines are checked by package invoice.
var invoiceBody = jsonapi.Limits{Bytes: 1 << 20, Depth: 8, Elements: 1_000}

// sheetFormats are the values of the parameter format. JSON comes first, and is the default.
var sheetFormats = []string{"json", "csv", "pdf"}

// sheetTypes are the content types of the formats.
var sheetTypes = map[string][]string{"json": typeJSON, "csv": typeCSVHeader, "pdf": {typePDF}}

// createSheet responds with an invoice that is compared with the charges of its containers.
func createSheet(req *request) error {
	inv, err := req.readInvoice()
	if err != nil {
		return err
	}
	format, asOf, err := req.sheetParams()
	if err != nil {
		return err
	}
	sheet, err := req.t.Tariffs().Sheet(req.ctx(), inv, asOf...)
	if err != nil {
		return asOfError(err)
	}
	return req.respondSheet(sheet, format, cmp.Or(inv.Number, "invoice"))
}

// containerSheet responds with the charges of a container as a sheet.
func containerSheet(req *request) error {
	if _, err := req.readQuery(); err != nil {
		return err
	}
	format, asOf, err := req.sheetParams()
	if err != nil {
		return err
	}
	charges, err := req.t.Tariffs().Charges(req.ctx(), req.pathID(), asOf...)
	if err != nil {
		return asOfError(err)
	}
	return req.respondSheet(invoice.NewContainerSheet(charges), format, charges.ContainerNumber)
}

// sheetParams are the format of a sheet and its moment, none for now.
func (req *request) sheetParams() (format string, asOf []time.Time, err error) {
	format, err = req.format(sheetFormats)
	if err == nil && format == "pdf" && req.config.SheetPDF == nil {
		err = invalidFormat("This server does not write PDF: json and csv are allowed.")
	}
	if err != nil {
		return "", nil, err
	}
	asOf, err = req.asOf()
	return format, asOf, err
}

// format is that of the parameter, else the first that Accept names, else the first.
func (req *request) format(formats []string) (string, error) {
	format, given := req.query.Param("format")
	if !given {
		accepted := func(format string) bool {
			typ, _, _ := strings.Cut(sheetTypes[format][0], ";")
			return jsonapi.Accepts(typ, req.r.Header["Accept"]...)
		}
		format = formats[max(0, slices.IndexFunc(formats, accepted))]
	}
	if !slices.Contains(formats, format) {
		return "", invalidFormat("The value must be " + strings.Join(formats[:len(formats)-1], ", ") + " or " + formats[len(formats)-1] + ".")
	}
	return format, nil
}

func invalidFormat(detail string) error {
	return jsonapi.QueryErrors{{Kind: jsonapi.BadValue, Parameter: "format", Detail: detail}}
}

func (req *request) respondSheet(s *invoice.Sheet, format, name string) error {
	var b bytes.Buffer
	var err error
	switch format {
	case "csv":
		err = s.WriteCSV(&b)
	case "pdf":
		err = req.config.SheetPDF(&b, s)
	default:
		err = json.NewEncoder(&b).Encode(s)
	}
	if err != nil {
		return err
	}
	req.w.Header().Set("Content-Disposition", contentDisposition("attachment", "sheet-"+name+"."+format))
	req.respondAs(sheetTypes[format], http.StatusOK, b.Bytes())
	return nil
}

// readInvoice reads an invoice in CSV, as a resource, or as a plain object with the same
// members. Unlike attributes of records, those that do not exist are refused: a typed invoice
// is not sent back to the server, and a misspelled member would be missing.
func (req *request) readInvoice() (*invoice.Invoice, error) {
	in, data, isCSV, err := req.readTable()
	if err != nil {
		return nil, err
	}
	var inv *invoice.Invoice
	if isCSV {
		req.pointerBase = ""
		if inv, err = invoice.ReadCSV(bytes.NewReader(data)); err != nil {
			return nil, csvError(err, "lines")
		}
		return inv, nil
	}
	members, err := in.setMembers(data, invoiceType, invoiceBody)
	if err == nil {
		err = in.Err()
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	if inv, err = invoice.ReadJSON(text); err != nil {
		return nil, invoiceErrors(err)
	}
	return inv, nil
}

// invoiceErrors turns an error of package invoice into those about its members.
func invoiceErrors(err error) (faults tracking.Errors) {
	for _, fault := range fieldErrors(err) {
		faults = append(faults, &tracking.Error{Kind: tracking.Invalid, Code: jsonapi.CodeInvalid, Field: fault.Field, Detail: fault.Problem})
	}
	return faults[:min(len(faults), maxRowErrors)]
}
