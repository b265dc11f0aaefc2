package classify

import "github.com/landfallhq/tracking"

var arrivalNotice = rules{
	code: "arrival_notice", label: "Arrival notice", version: "1.0",
	description: "A carrier's or forwarder's notice that goods are about to arrive, or have.",
	cues: []cue{
		{"ARRIVAL NOTICE", 8, 0.5}, {"NOTICE OF ARRIVAL", 8, 0.7}, {"PRE ARRIVAL", 3, 0.5}, {"PREARRIVAL NOTICE", 8, 1}, {"ARRIVAL NOTIFICATION", 8, 1}, {"ARRIVAL ADVICE", 8, 1}, {"NOTIFICATION OF ARRIVAL", 8, 1}, {"ADVICE OF ARRIVAL", 8, 1}, {"CARGO ARRIVAL", 4, 0.5},
		{"AVIS D ARRIVEE", 8, 1}, {"AVISO DE LLEGADA", 8, 1}, {"ANKUNFTSANZEIGE", 8, 1}, {"AVISO DE CHEGADA", 8, 1}, {"ANKUNFTSMELDUNG", 8, 1}, {"AVISO DE ARRIBO", 8, 1}, {"AVVISO DI ARRIVO", 8, 1},
		{"LAST FREE DAY", 0, 0.5}, {"FIRMS", 0, 0.4}, {"GO DATE", 0, 0.6}, {"IT NO", 0, 0.5}, {"FREE TIME", 0, 0.3}, {"ETA", 0, 0.3}, {"ABOUT TO ARRIVE", 0, 1}, {"EXPECTED TO ARRIVE", 0, 0.8}, {"WILL ARRIVE", 0, 0.6}, {"DEMURRAGE", 0, 0.2},
		{"DELIVERY ORDER", -2, 0}, {"BOOKING CONFIRMATION", -5, 0},
	},
	fields: []field{
		{name: "notice_number", label: "Notice number", kind: tracking.FieldReference, captions: captions(`NOTICE NBR; ADVICE NUMBER; ARRIVAL ADVICE NO; NOTIFICATION NUMBER; OUR NOTICE NO; AN REF; ARRIVAL REF; NOTICE NO; NOTICE NUMBER; ARRIVAL NOTICE NO; ARRIVAL NOTICE NUMBER; AN NO; NOTICE REF; NOTICE REFERENCE; ARRIVAL NOTICE; ARRIVAL NOTICE REF; AN NUMBER; A N NO; ADVICE NO; NOTICE ID; ARRIVAL NOTICE REFERENCE; NOTIFICATION NO`)},
		issueDate.with(captions(`NOTICE DATE; ARRIVAL NOTICE DATE; DATE OF NOTICE; AN DATE; NOTICE ISSUED; DATE OF THIS NOTICE; DATE SENT; PREPARED; NOTIFICATION DATE; DATE PREPARED; ADVICE DATE`)...),
		blNumber, hblNumber,
		{name: "ams_number", label: "AMS number", kind: tracking.FieldReference, captions: captions(`AMS NO; AMS NUMBER; AMS BL NO; AMS BL; AMS BL NUMBER; AMS; AMS HBL NO; AMS REFERENCE; AMS HOUSE BL; AMS REF; AMS HBL; AMS BILL NO`)},
		scac, consignee.with("TO", "MESSRS"), notify, vessel, voyage, vesselVoyage, vesselIMO, receipt, lading, discharge, delivery, terminal, firms, eta.with(captions(`ETA FINAL DESTINATION; ARRIVED; ARRIVED ON; ARRIVAL AT POD`)...),
		{name: "it_number", label: "IT number", kind: tracking.FieldReference, captions: captions(`IT NO; IT NUMBER; IT; IMMEDIATE TRANSPORTATION NO; I T NO; IT ENTRY NO; IT BOND NO; I T NUMBER; INBOND NO; IN BOND NO; IT REF`)},
		{name: "it_date", label: "IT date", kind: tracking.FieldDate, captions: captions(`IT DATE; I T DATE; IT ISSUED; DATE OF IT; IT ISSUE DATE`)},
		{name: "go_date", label: "General order date", kind: tracking.FieldDate, captions: captions(`GO DATE; G O DATE; GENERAL ORDER DATE; GENERAL ORDER; GO; DATE OF GENERAL ORDER; GO ON`)},
		lastFreeDay, pickupNumber, containers,
		{name: "charges", label: "Charges", kind: tracking.FieldTable, key: "amount", needs: "description", columns: []field{
			{name: "description", label: "Description", kind: tracking.FieldText, captions: captions(`CHARGE; CHARGES; DESCRIPTION; CHARGE DESCRIPTION; DESCRIPTION OF CHARGES; CHARGE TYPE; CHARGE CODE; ITEM; DESCRIPTION OF CHARGE; FREIGHT AND CHARGES; PARTICULARS; SERVICE`)},
			{name: "amount", label: "Amount", kind: tracking.FieldMoney, captions: captions(`AMOUNT; TOTAL; TOTAL AMOUNT; COLLECT; AMOUNT DUE; AMOUNT USD; TOTAL USD; CHARGE AMOUNT; MONTANT; BETRAG; IMPORTE; AMOUNT IN USD`)},
		}},
	},
}
