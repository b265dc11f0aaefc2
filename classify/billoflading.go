package classify

var billOfLading = rules{
	code: "bill_of_lading", label: "Bill of lading", version: "1.0",
	description: "A carrier's bill of lading: the master bill.",
	cues: []cue{
		{"ZEECOGNOSSEMENT", 4, 0.5},
		{"CONOCIMIENTO", 3, 0.2}, {"KONOSSEMENT", 4, 0.5}, {"SEEKONNOSSEMENT", 5, 0.5}, {"KONSIMENTO", 5, 0.5}, {"POLIZZA", 2, 0.2}, {"COGNOSSEMENT", 4, 0.5}, {"EMBARQUE HIJO", -5, -1}, {"SPEDITEURKONNOSSEMENT", -6, 0}, {"HAUSKONNOSSEMENT", -6, 0}, {"SPEDIZIONIERE", -1.5, -0.4}, {"HIJO", -2.5, -0.2}, {"MADRE", 0, -0.8}, {"HAUS BL", -3, -0.8}, {"BL MADRE", 0, -1}, {"SPEDITIONSUNTERNEHMEN", -1, -0.3}, {"CERTIFICADO", -3, 0}, {"CERTIFICAT", -3, 0}, {"DECLARACION", -3, 0}, {"INSTRUCCIONES", -3, 0}, {"ASSICURAZIONE", -6, 0}, {"FACTURA", -3, 0},
		{"BILL OF LADING", 4, 0.5}, {"BILLS OF LADING", 2, 0.2}, {"MASTER BILL OF LADING", 5, 0}, {"CONLINEBILL", 4, 1}, {"CONGENBILL", 4, 1}, {"MULTIDOC", 3, 1}, {"COMBICONBILL", 4, 1},
		{"CONNAISSEMENT", 4, 0.5}, {"KONNOSSEMENT", 4, 0.5}, {"CONOCIMIENTO DE EMBARQUE", 4, 0.5}, {"POLIZZA DI CARICO", 4, 0.5}, {"CONHECIMENTO DE EMBARQUE", 4, 0.5}, {"COGNOSSEMENT", 4, 0.5}, {"CHARTER PARTY", 0.5, 0.8}, {"TO BE USED WITH CHARTER PARTIES", 1, 1}, {"COMBINED TRANSPORT BILL OF LADING", 0.5, 0.2}, {"EXPRESS BILL OF LADING", -3, -0.5},
		{"SHIPPED ON BOARD", 0.4, 0.4}, {"LADEN ON BOARD", 0.4, 0.4}, {"ORIGINAL BSL", 0.4, 0.4}, {"PORT TO PORT", 0.4, 0.2}, {"TO BEARER", 0.2, 0.2}, {"ORIGINAL BILLS OF LADING", 0.3, 0.3}, {"CLEAN ON BOARD", 0.3, 0.3}, {"CARRIER S RECEIPT", 0.3, 0.3}, {"PLACE OF RECEIPT", 0, 0.2}, {"SHIPPER S LOAD", 0, 0.2}, {"SAID TO CONTAIN", 0, 0.2},
		{"HOUSE", -0.5, -0.3}, {"CERTIFICATE", -3, 0}, {"DECLARATION", -3, 0}, {"INVOICE", -3, 0}, {"PACKING LIST", -4, 0}, {"BOOKING", -2, 0}, {"MANIFEST", -3, 0}, {"STATEMENT", -3, 0}, {"QUOTATION", -3, 0}, {"FIATA", -1.5, -0.5}, {"NVOCC", -0.5, -0.5},
		{"HOUSE BILL OF LADING", -3, 0}, {"WAYBILL", -3, -0.3}, {"ARRIVAL NOTICE", -3, 0}, {"DELIVERY ORDER", -3, 0}, {"INSTRUCTIONS", -3, 0}, {"INSTRUCTION", -3, 0},
	},
	signs: []sign{
		{"issued by a shipping line", 1, lineAtHead}, {"signed for a shipping line", 1.5, lineSigns}, {"issued by a forwarder", -2, forwarderAtHead}, {"names no shipping line", -1, lineNowhere}, {"names a carrier's bill", -1.5, carriersBill}, {"a number of a shipping line's", 1, numberOfLine}, {"a code that is no shipping line's", -1, ownCode},
	},
	form:   billForm(2),
	fields: transportFields(),
}

// transportFields are the fields of bills of lading, house bills and sea waybills.
func transportFields() []field {
	return []field{
		blNumber, hblNumber, bookingNumber, scac, shipper, consignee, notify, vessel, voyage, vesselVoyage, vesselIMO,
		receipt, lading, discharge, delivery, containers, description, freightTerms, onBoard, issuePlace, issueDate, issuePlaceDate, originals,
	}
}
