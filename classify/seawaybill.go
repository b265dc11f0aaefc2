package classify

var seaWaybill = rules{
	code: "sea_waybill", label: "Sea waybill", version: "1.0",
	description: "A carrier's waybill: no document of title.",
	cues: []cue{
		{"CONHECIMENTO DE TRANSPORTE MARITIMO", 7, 0.5}, {"LETTERA DI VETTURA MARITTIMA", 8, 1}, {"CARTA DE PORTE MARITIMA", 12, 1},
		{"WAYBILL", 6, 0.8}, {"NEGOTIABLE WAYBILL", 3, 1.5}, {"SEA WAYBILL", 2, 0.5}, {"SEAWAYBILL", 7, 1}, {"SWB", 3, 0.8}, {"SWB NO", 0, 2}, {"WAYBILL NUMBER", 0, 1}, {"LINER WAYBILL", 2, 0.5}, {"GENWAYBILL", 6, 1}, {"LINEWAYBILL", 6, 1}, {"WAY BILL", 6, 0.6}, {"EXPRESS BILL OF LADING", 7, 0.8}, {"EXPRESS BL", 7, 0.5}, {"EXPRESS", 0.6, 0}, {"SEEFRACHTBRIEF", 7, 1}, {"LETTRE DE TRANSPORT MARITIME", 7, 1}, {"CARTA DE PORTE MARITIMO", 7, 1}, {"LETTERA DI TRASPORTO MARITTIMO", 7, 1}, {"ZEEVRACHTBRIEF", 7, 1}, {"DATA FREIGHT RECEIPT", 5, 1}, {"NON NEGOTIABLE WAYBILL", 1, 0.6}, {"NON NEGOTIABLE SEA WAYBILL", 1, 0.6},
		{"NOT A DOCUMENT OF TITLE", 0, 1}, {"NON NEGOTIABLE", 0.8, 0.3}, {"NOT NEGOTIABLE", 0.5, 0.3}, {"WAYBILL NO", 0, 1}, {"EXPRESS RELEASE", 0.5, 0.3}, {"NOT TO ORDER", 0, 0.5},
		{"BILL OF LADING", 1, 0.1}, {"AIR WAYBILL", -9, -5}, {"ARRIVAL NOTICE", -6, 0}, {"DELIVERY ORDER", -6, 0}, {"NOTICE OF ARRIVAL", -6, 0}, {"INVOICE", -3, 0}, {"CERTIFICATE", -5, 0}, {"DECLARATION", -5, 0}, {"INSTRUCTIONS", -4, 0}, {"BOOKING", -3, 0}, {"HOUSE", -3, 0},
	},
	form:   billForm(1.2),
	fields: transportFields(),
}
