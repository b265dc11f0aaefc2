package tracking

import (
	"context"
	"strings"
)

// documentTypes are the types when there is no Classifier: people name them.
var documentTypes = []DocumentType{
	{Code: "bill_of_lading", Label: "Bill of Lading"},
	{Code: "house_bill_of_lading", Label: "House Bill of Lading"},
	{Code: "sea_waybill", Label: "Sea Waybill"},
	{Code: "arrival_notice", Label: "Arrival Notice"},
	{Code: "delivery_order", Label: "Delivery Order"},
	{Code: "booking_confirmation", Label: "Booking Confirmation"},
	{Code: "commercial_invoice", Label: "Commercial Invoice"},
	{Code: "packing_list", Label: "Packing List"},
	{Code: "other", Label: "Other"},
}

// DocumentTypes returns the types that documents can have, in the order in which
// they are shown: those of the Classifier, where there is one. Needs show.
func (t *Tracker) DocumentTypes(context.Context) ([]DocumentType, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return t.allDocumentTypes(), nil
}

func (e *engine) allDocumentTypes() []DocumentType {
	if e.config.Classifier == nil {
		return documentTypes
	}
	return e.config.Classifier.Types()
}

// documentTypeCodes names the types, for people.
func (e *engine) documentTypeCodes() string {
	var codes []string
	for _, typ := range e.allDocumentTypes() {
		codes = append(codes, typ.Code)
	}
	return strings.Join(codes, ", ")
}

// documentType returns the type with the code; nil for none.
func (e *engine) documentType(code string) *DocumentType {
	types := e.allDocumentTypes()
	for i := range types {
		if types[i].Code == code {
			return &types[i]
		}
	}
	return nil
}

// DocumentSchema returns the type that a name such as "arrival_notice@1.0" stands for,
// whose Schema says which fields are read from it. Needs show. Errors: NotFound.
func (t *Tracker) DocumentSchema(_ context.Context, name string) (*DocumentType, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	code, version, _ := strings.Cut(name, "@")
	if typ := t.documentType(code); typ != nil && typ.Schema != nil && typ.Version == version {
		return typ, nil
	}
	return nil, notFound()
}
