package classify

var seaWaybill = rules{
	code: "sea_waybill", label: "Sea waybill", version: "1.0",
	description: "A carrier's waybill: no document of title.",
	cues: []cue{
		{"WAYBILL", 6, 0.8}, {"SEA WAYBILL", 2, 0.5}, {"SEAWAYBILL", 7, 1}, {"SWB", 3, 0.8}, {"LINER WAYBILL", 2, 0.5}, {"GENWAYBILL", 6, 1}, {"LINEWAYBILL", 6, 1},
		{"NOT A DOCUMENT OF TITLE", 0, 1}, {"NON NEGOTIABLE", 0.8, 0.3}, {"NOT NEGOTIABLE", 0.5, 0.3}, {"WAYBILL NO", 0, 1}, {"EXPRESS RELEASE", 0.5, 0.3}, {"NOT TO ORDER", 0, 0.5},
		{"BILL OF LADING", 1, 0.1}, {"AIR WAYBILL", -9, -5}, {"ARRIVAL NOTICE", -6, 0}, {"DELIVERY ORDER", -6, 0}, {"NOTICE OF ARRIVAL", -6, 0}, {"INVOICE", -3, 0},
	},
	fields: transportFields(),
}
