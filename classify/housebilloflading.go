package classify

import (
	"slices"
	"strings"
)

var houseBillOfLading = rules{
	code: "house_bill_of_lading", label: "House bill of lading", version: "1.0",
	description: "A bill of lading that a forwarder or a common carrier without ships issues.",
	cues: []cue{
		{"HUISCOGNOSSEMENT", 6, 0.5}, {"MULTIMODAL TRANSPORT DOCUMENT", 4, 0.5}, {"POLIZZA DI CARICO HOUSE", 7, 0.5}, {"HOUSE BILL", 3, 0.2},
		{"CONOCIMIENTO DE EMBARQUE", 2.4, 0.3}, {"CONNAISSEMENT", 2.4, 0.3}, {"KONNOSSEMENT", 2.4, 0.3}, {"POLIZZA DI CARICO", 2.4, 0.3}, {"CONHECIMENTO DE EMBARQUE", 2.4, 0.3}, {"COGNOSSEMENT", 2.4, 0.3}, {"SPEDITEURKONNOSSEMENT", 8, 1}, {"SPEDITEUR KONNOSSEMENT", 5, 1}, {"HAUSKONNOSSEMENT", 8, 1}, {"HIJO", 3, 0.5}, {"BL HIJO", 2, 0.8}, {"HAUS BL", 4, 0.8}, {"CONNAISSEMENT DE TRANSITAIRE", 7, 1}, {"POLIZZA DELLO SPEDIZIONIERE", 6, 1}, {"POLIZZA HOUSE", 7, 1}, {"AGENTE DE CARGA", 0.6, 0.5}, {"SPEDITEUR", 0.8, 0.6}, {"SPEDITEURS", 1, 0.8}, {"ADSP", 0, 0.5}, {"TRANSITAIRE", 0.8, 0.6}, {"SPEDIZIONIERE", 0.8, 0.6}, {"FILHOTE", 4, 0.6}, {"BL MADRE", 0, 1}, {"MADRE", 0, 0.6}, {"CONTRACTING CARRIER", 0.5, 0.6}, {"TRANSPORTADOR CONTRACTUAL", 0, 0.6}, {"OCEAN TRANSPORT INTERMEDIARY", 1.5, 1.5}, {"CARRIER BL", 0, 0.4},
		{"HOUSE BILL OF LADING", 7, 1}, {"HOUSE BL", 6, 0.6}, {"HOUSE", 1, 0}, {"HBL", 2, 1.5}, {"HBL NO", 2, 1}, {"HB L NO", 2, 2}, {"BILL OF LADING", 2.4, 0.4},
		{"FIATA", 4, 1.5}, {"FBL", 3, 1.2}, {"FREIGHT FORWARDER", 1, 0.7}, {"FREIGHT FORWARDERS", 1, 0.7}, {"LOGISTICS", 0.4, 0}, {"FORWARDING", 0.5, 0.3}, {"FORWARDER", 0.5, 0.5}, {"AS CARRIER", 0.3, 0.3}, {"MULTIMODAL TRANSPORT BILL OF LADING", 1, 0.6}, {"NEGOTIABLE FIATA", 2, 1}, {"ICC RULES", 0, 0.6}, {"UNCTAD ICC", 0, 0.6}, {"NON VESSEL", 1, 1}, {"CONSOLIDATION", 0.3, 0.3}, {"HOUSE WAYBILL", 4, 0.5}, {"OTI", 0.5, 0.8}, {"AMS", 0, 0.3}, {"DELIVERY AGENT", 0, 0.4}, {"AGENT AT DESTINATION", 0, 0.4}, {"HOUSE B L", 5, 0.6},
		{"NVOCC", 2, 1.5}, {"NON VESSEL OPERATING", 2, 2}, {"NON VESSEL OPERATING COMMON CARRIER", 1, 1}, {"OTI NO", 0.5, 1}, {"FMC", 0.5, 1},
		{"MASTER BL", 0, 1}, {"MASTER BL NO", 0, 0.5}, {"MBL NO", 0, 1}, {"STANDARD TRADING CONDITIONS", 0, 0.8}, {"OCEAN BL NO", 0, 1}, {"MASTER BILL", -5, 1},
		{"WAYBILL", -3, 0}, {"ARRIVAL NOTICE", -6, 0}, {"DELIVERY ORDER", -6, 0}, {"NOTICE OF ARRIVAL", -6, 0}, {"INSTRUCTIONS", -3, 0}, {"INVOICE", -2, 0}, {"PACKING LIST", -5, 0}, {"CERTIFICATE", -5, 0}, {"DECLARATION", -4, 0}, {"STATEMENT", -4, 0}, {"QUOTATION", -5, 0}, {"MANIFEST", -4, 0}, {"BOOKING", -2, 0}, {"BOOKING CONFIRMATION", -6, 0},
	},
	signs: []sign{
		{"issued by a forwarder", 1.6, forwarderAtHead}, {"issued by a shipping line", -2, lineAtHead}, {"signed for a shipping line", -2.5, lineSigns}, {"names no shipping line", 1, lineNowhere}, {"names a carrier's bill", 1, carriersBill}, {"a number of a shipping line's", -0.6, numberOfLine}, {"a code that is no shipping line's", 1.2, ownCode},
	},
	form:   billForm(2),
	fields: houseFields(),
}

// ownNumbers are captions that can only be of the bill's own number.
func ownNumbers() []string {
	return slices.DeleteFunc(slices.Clone(blNumber.captions), func(c string) bool {
		first, _, _ := strings.Cut(c, " ")
		return slices.Contains([]string{"MASTER", "MBL", "M", "OCEAN", "OBL", "CARRIER", "CARRIERS", "LINE", "SHIPPING", "STEAMSHIP", "SSL"}, first)
	})
}

// houseFields: the document's own number is that of the house bill, regardless of its
// caption.
func houseFields() []field {
	fields := transportFields()
	for i := range fields {
		switch fields[i].name {
		case "bl_number":
			fields[i] = blNumber.only(captions(`DOCUMENT NO MASTER BL; DOCUMENT NUMBER MASTER BL; MASTER BL; MASTER BL NO; MASTER BL NUMBER; MASTER BILL OF LADING; MASTER BILL OF LADING NO; MASTER BILL OF LADING NUMBER; MASTER BILL; MASTER BILL NO; MBL; MBL NO; MBL NUMBER; M BL; M BL NO; OCEAN BL; OCEAN BL NO; OCEAN BL NUMBER; OCEAN BILL OF LADING NO; OBL; OBL NO; OBL NUMBER; CARRIER BL; CARRIER BL NO; CARRIERS BL NO; CARRIER S BL NO; LINE BL NO; LINE BL; SHIPPING LINE BL NO; MASTER BL REF; CARRIER BILL OF LADING NO; OCEAN CARRIER BL NO; UNDER MASTER BL; MASTER`)...)
		case "hbl_number":
			fields[i] = hblNumber.with(ownNumbers()...).with(captions(`BL NO; BL NUMBER; BILL OF LADING NO; BILL OF LADING NUMBER; BILL NO; BILL NUMBER; DOCUMENT NO; DOCUMENT NUMBER; BL REF; BL NR; FBL; FBL NO; FBL NR; FIATA FBL NO; BL REFERENCE; BILL OF LADING`)...)
		}
	}
	return fields
}
