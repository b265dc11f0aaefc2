package classify

import "github.com/landfallhq/tracking"

var bookingConfirmation = rules{
	code: "booking_confirmation", label: "Booking confirmation", version: "1.0",
	description: "A carrier's confirmation of space and equipment, with its cut-offs.",
	cues: []cue{
		{"BOOKING CONFIRMATION", 8, 0.7}, {"BOOKING CONFIRMED", 8, 0.6}, {"BOOKING ACKNOWLEDGEMENT", 8, 0.7}, {"BOOKING ACKNOWLEDGMENT", 8, 0.7}, {"BOOKING RECEIPT", 6, 0.6}, {"BOOKING NOTE", 6, 0.5}, {"BOOKING ADVICE", 6, 0.5}, {"CONFIRMATION OF BOOKING", 8, 0.7}, {"RELEASE NOTE", 1, 0.2}, {"BOOKING", 2, 0.1}, {"CONFIRMATION", 1, 0.1}, {"BOOKING AMENDMENT", 6, 0.6}, {"BOOKING UPDATE", 5, 0.5}, {"BOOKING DETAILS", 3, 0.3},
		{"BUCHUNGSBESTATIGUNG", 8, 1}, {"CONFIRMACION DE RESERVA", 8, 1}, {"CONFIRMATION DE RESERVATION", 8, 1}, {"CONFERMA DI PRENOTAZIONE", 8, 1}, {"CONFIRMACAO DE RESERVA", 8, 1},
		{"CUT OFF", 0, 0.6}, {"CUTOFF", 0, 0.6}, {"VGM", 0, 0.5}, {"EMPTY PICKUP", 0, 0.5}, {"EMPTY PICK UP", 0, 0.5}, {"ETD", 0, 0.3}, {"CLOSING", 0, 0.3}, {"DEADLINE", 0, 0.3}, {"BOOKING NUMBER", 0, 0.4}, {"BOOKING NO", 0, 0.4}, {"EQUIPMENT", 0, 0.3}, {"SI CUT OFF", 0, 0.4},
		{"WAYBILL", -6, 0}, {"BILL OF LADING", -3, 0}, {"ARRIVAL NOTICE", -5, 0}, {"BOOKING REQUEST", -5, -1},
	},
	fields: []field{
		bookingNumber.with(captions(`OUR REFERENCE; OUR REF; RESERVATION NO; REFERENCE NUMBER`)...), scac,
		issueDate.with(captions(`SENT; SENT ON; BOOKING CONFIRMED ON; CREATED; CREATED ON; CONFIRMATION DATE; BOOKING DATE; DATE OF BOOKING; BOOKED ON; BOOKED; DATE OF CONFIRMATION; CONFIRMED ON; BOOKING CONFIRMATION DATE; ISSUED BY DATE; CONFIRMED`)...),
		vessel, voyage, vesselVoyage, vesselIMO, receipt, lading, discharge, delivery, etd, eta,
		{name: "equipment", label: "Equipment", kind: tracking.FieldTable, key: "size_type", find: findEquipment, columns: []field{
			{name: "quantity", label: "Quantity", kind: tracking.FieldCount, captions: captions(`QUANTITY; QTY; NO OF CONTAINERS; NUMBER OF CONTAINERS; UNITS; CONTAINERS; NUMBER; COUNT; NO OF UNITS; VOLUME; NUMBER OF UNITS; ANZAHL; CANTIDAD; PIECES; NO`)},
			{name: "size_type", label: "Size and type", kind: tracking.FieldCode, captions: captions(`SIZE TYPE; TYPE; EQUIPMENT TYPE; CONTAINER TYPE; SIZE; SIZE AND TYPE; TYPE SIZE; EQUIPMENT; CONTAINER SIZE TYPE; EQUIPMENT SIZE TYPE; CONTAINER; CONTAINER SIZE; EQUIPMENT DESCRIPTION; EQUIPMENT SIZE; EQ TYPE; SIZE TYPE OF CONTAINER`)},
		}},
		{name: "si_cutoff", label: "Cut-off for shipping instructions", kind: tracking.FieldTime, captions: cutoffs("SI", "SHIPPING INSTRUCTIONS", "SHIPPING INSTRUCTION", "SHIPPING INSTRUCTIONS SI", "SHIPPING INSTRUCTION SI", "DOCUMENTATION", "DOC", "SI DOC", "DOCS", "BL INSTRUCTIONS", "DOCUMENT", "SI DOCUMENTATION", "BL SI", "DOCUMENTS", "SI SUBMISSION")},
		{name: "vgm_cutoff", label: "Cut-off for verified gross mass", kind: tracking.FieldTime, captions: cutoffs("VGM", "VERIFIED GROSS MASS", "VERIFIED GROSS MASS VGM", "VGM SUBMISSION", "VGM DECLARATION")},
		{name: "cy_cutoff", label: "Cut-off of the container yard", kind: tracking.FieldTime, captions: cutoffs("CY", "CONTAINER YARD", "CONTAINER YARD CY", "PORT", "TERMINAL", "CARGO", "GATE", "FULL CONTAINER", "DRY CARGO", "FCL", "FCL DELIVERY", "LADEN GATE IN", "FULL", "LADEN", "FULL CONTAINER DELIVERY", "GATE IN", "RAIL", "TERMINAL GATE", "CARRIER CY", "CY CARGO", "FULL GATE IN", "FCL GATE IN", "CARGO DELIVERY", "FULL RETURN", "LADEN CONTAINER", "FULL CY", "FULL CONTAINERS", "PORT CY", "PORT CUT OFF CY")},
		{name: "customs_cutoff", label: "Cut-off of customs", kind: tracking.FieldTime, captions: cutoffs("CUSTOMS", "CUSTOMS CLEARANCE", "AES", "AMS", "EXPORT CUSTOMS", "CUSTOMS DECLARATION", "CUSTOMS RELEASE", "CUSTOMS DOCUMENTS", "EXPORT DECLARATION", "CUSTOMS ENTRY")},
		{name: "empty_pickup", label: "Empty pickup", kind: tracking.FieldText, captions: captions(`EMPTY PICK UP FROM; EMPTY PICKUP FROM; EMPTY COLLECTION; EMPTY COLLECTION DEPOT; PICK UP EMPTY FROM; EMPTY UNIT DEPOT; EMPTY CY; PICKUP EMPTY AT; EMPTY STORE; EMPTY CONTAINER FROM; COLLECT EMPTY FROM; EMPTY RELEASED FROM; PICK UP YARD; EMPTY YARD; MT PICKUP; EMPTY POSITIONING DEPOT; EMPTY PICKUP; EMPTY PICK UP; EXPORT EMPTY PICK UP DEPOT; EXPORT EMPTY PICKUP DEPOT; EMPTY PICKUP DEPOT; EMPTY PICK UP DEPOT; EMPTY PICKUP LOCATION; EMPTY PICK UP LOCATION; EMPTY RELEASE DEPOT; EMPTY CONTAINER DEPOT; EMPTY DEPOT; EMPTY CONTAINER PICKUP; PICKUP DEPOT; PICK UP DEPOT; DEPOT; EMPTY PICKUP AT; EMPTIES FROM; EMPTY RELEASE; EMPTY RELEASE LOCATION; EMPTY CONTAINER PICK UP; PICK UP EMPTY AT; LEERDEPOT; EMPTY CONTAINERS FROM; EMPTY COLLECTION; COLLECT EMPTY FROM; PICKUP EMPTY AT; RELEASE DEPOT; EMPTY PICK UP AT; EMPTY CONTAINER RELEASE; EMPTY EQUIPMENT PICKUP; EMPTY FROM; EMPTY CONTAINER PICKUP LOCATION; EMPTY POSITIONING; EMPTY PICK UP YARD; EMPTY PICKUP YARD; EMPTY UNITS FROM`)},
	},
}

// cutoffs are the captions of a deadline under all that it is called.
func cutoffs(of ...string) []string {
	var all []string
	for _, o := range of {
		for _, form := range []string{"CUT OFF", "CUTOFF", "CUT OFF DATE", "CUTOFF DATE", "CUT OFF TIME", "CLOSING", "CLOSING DATE", "CLOSING TIME", "DEADLINE", "CUT OFF DATE TIME", "CLOSE", "DUE", "CLOSURE", "CUTOFF TIME", "CUT", "BY", "UNTIL", "NOT LATER THAN", "CUT OFF LOCAL TIME", "LATEST", "DUE BY", "DUE DATE", "LATEST BY"} {
			all = append(all, o+" "+form)
		}
		all = append(all, "CUT OFF "+o, "CUTOFF "+o, "DEADLINE "+o, "CLOSING "+o, "LATEST "+o)
		if len(o) > 4 || o == "VGM" {
			all = append(all, o)
		}
	}
	return all
}
