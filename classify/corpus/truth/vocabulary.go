package truth

import "strings"

// Kind is the kind of a field's value, and determines its normal form.
type Kind string

// The kinds, as the package comment describes them.
const (
	Number   Kind = "number"
	Text     Kind = "text"
	Prose    Kind = "prose"
	Party    Kind = "party"
	Place    Kind = "place"
	Date     Kind = "date"
	Mass     Kind = "mass"
	Volume   Kind = "volume"
	Quantity Kind = "quantity"
	Money    Kind = "money"
	Code     Kind = "code"
)

// Names maps the names of fields to their kinds. A member of a list has the name
// of the list, a dot and its own: "containers.seal".
type Names map[string]Kind

// The types of documents.
const (
	BillOfLading        = "bill_of_lading"
	HouseBillOfLading   = "house_bill_of_lading"
	SeaWaybill          = "sea_waybill"
	ArrivalNotice       = "arrival_notice"
	DeliveryOrder       = "delivery_order"
	BookingConfirmation = "booking_confirmation"
	CommercialInvoice   = "commercial_invoice"
	PackingList         = "packing_list"
	CustomsEntry        = "customs_entry"
	CertificateOfOrigin = "certificate_of_origin"
	FreightInvoice      = "freight_invoice"
	Other               = "other"
)

// Types are all types, in the order in which reports show them.
var Types = []string{
	BillOfLading, HouseBillOfLading, SeaWaybill, ArrivalNotice, DeliveryOrder,
	BookingConfirmation, CommercialInvoice, PackingList, CustomsEntry, CertificateOfOrigin, FreightInvoice, Other,
}

// DrawnAs is the type that a document had when its part was drawn and frozen: types that
// came later were Other. Their fields are not judged.
func DrawnAs(typ string) string {
	switch typ {
	case CustomsEntry, CertificateOfOrigin, FreightInvoice:
		return Other
	}
	return typ
}

var (
	route = Names{
		"vessel": Text, "voyage": Number, "vessel_imo": Number,
		"place_of_receipt": Place, "port_of_lading": Place, "port_of_discharge": Place, "place_of_delivery": Place,
	}
	containers = Names{
		"containers.number": Number, "containers.seal": Number, "containers.size_type": Code,
		"containers.packages": Quantity, "containers.gross_weight": Mass, "containers.volume": Volume,
	}
	transport = join(route, containers, Names{
		"bl_number": Number, "hbl_number": Number, "booking_number": Number, "scac": Number,
		"shipper": Party, "consignee": Party, "notify_party": Party,
		"description": Prose, "freight_terms": Code, "on_board_date": Date,
		"issue_place": Place, "issue_date": Date, "originals": Quantity,
	})
)

// Vocabulary is the fields of each type. Other fields of an answer are neither right nor
// wrong. Sizes and types of containers are codes of ISO 6346 in
// the short form of the trade: 20GP, 40GP, 40HC, 45HC, 20RF, 40RH, 20OT, 40OT,
// 20FR, 40FR.
var Vocabulary = map[string]Names{
	BillOfLading:      transport,
	HouseBillOfLading: transport,
	SeaWaybill:        transport,
	ArrivalNotice: join(route, containers, Names{
		"notice_number": Number, "issue_date": Date, "bl_number": Number, "hbl_number": Number,
		"ams_number": Number, "scac": Number, "consignee": Party, "notify_party": Party,
		"terminal": Text, "firms_code": Number, "eta": Date, "it_number": Number, "it_date": Date,
		"go_date": Date, "last_free_day": Date, "pickup_number": Number,
		"charges.description": Text, "charges.amount": Money,
	}),
	DeliveryOrder: join(containers, Names{
		"do_number": Number, "issue_date": Date, "trucker": Party, "terminal": Text, "firms_code": Number,
		"pickup_number": Number, "last_free_day": Date, "deliver_to": Party, "empty_return": Text,
		"bl_number": Number, "hbl_number": Number, "vessel": Text, "voyage": Number,
	}),
	BookingConfirmation: join(route, Names{
		"booking_number": Number, "scac": Number, "etd": Date, "eta": Date, "issue_date": Date,
		"equipment.quantity": Quantity, "equipment.size_type": Code,
		"si_cutoff": Date, "vgm_cutoff": Date, "cy_cutoff": Date, "customs_cutoff": Date,
		"empty_pickup": Text,
	}),
	CommercialInvoice: {
		"invoice_number": Number, "issue_date": Date, "seller": Party, "buyer": Party, "po_number": Number,
		"incoterm": Code, "currency": Code, "total": Money, "payment_terms": Text,
		"lines.description": Text, "lines.hs_code": Number, "lines.quantity": Quantity, "lines.unit": Text,
		"lines.unit_price": Money, "lines.amount": Money, "lines.origin": Text,
		"bl_number": Number, "containers.number": Number,
	},
	PackingList: {
		"packing_list_number": Number, "invoice_number": Number, "issue_date": Date, "po_number": Number,
		"packages": Quantity, "net_weight": Mass, "gross_weight": Mass, "volume": Volume, "marks": Prose,
		"lines.description": Text, "lines.quantity": Quantity, "lines.packages": Quantity,
		"lines.net_weight": Mass, "lines.gross_weight": Mass, "lines.volume": Volume,
		"containers.number": Number, "containers.seal": Number,
	},
	CustomsEntry:        {},
	CertificateOfOrigin: {},
	FreightInvoice:      {},
	Other:               {},
}

// later are the fields of the types that the drawn parts were frozen without.
var later = map[string]Names{
	CustomsEntry: {"entry_number": Number, "entry_date": Date, "import_date": Date, "importer": Party, "bl_number": Number},
	CertificateOfOrigin: {
		"certificate_number": Number, "country_of_origin": Text, "exporter": Party, "invoice_number": Number, "issue_date": Date,
	},
	FreightInvoice: {
		"invoice_number": Number, "issue_date": Date, "due_date": Date, "bl_number": Number, "currency": Code, "total": Money,
	},
}

// NamesOf returns the fields that are judged in a document: those of its type, and in the
// parts of papers those of later types too. ok is false for an unknown type.
func NamesOf(d Document) (names Names, ok bool) {
	names, ok = Vocabulary[d.Type]
	if l := later[d.Type]; l != nil && strings.Contains(d.Part, "seen") {
		return l, true
	}
	return names, ok
}

func join(parts ...Names) Names {
	all := Names{}
	for _, names := range parts {
		for name, kind := range names {
			all[name] = kind
		}
	}
	return all
}
