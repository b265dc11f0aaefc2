package classify

import "github.com/landfallhq/tracking"

var customsEntry = rules{
	code: "customs_entry", label: "Customs entry", version: "1.0",
	description: "A declaration of imported goods to customs.",
	cues: []cue{
		{"ENTRY SUMMARY", 7, 1}, {"ENTRY IMMEDIATE DELIVERY", 8, 1}, {"CUSTOMS DECLARATION", 5, 0.3}, {"IMPORT DECLARATION", 7, 0.5}, {"ZOLLANMELDUNG", 7, 0.6}, {"EINFUHRANMELDUNG", 8, 1}, {"DICHIARAZIONE DOGANALE", 7, 0.5}, {"DECLARATION EN DOUANE", 7, 0.5}, {"ENTRY NO", 0, 0.2},
		{"CUSTOMS ENTRY", 7, 0.2}, {"BILL OF ENTRY", 9, 1}, {"DOCUMENTO UNICO ADMINISTRATIVO", 9, 3}, {"DOCUMENT ADMINISTRATIF UNIQUE", 9, 3}, {"DOCUMENTO AMMINISTRATIVO UNICO", 9, 3}, {"EINHEITSPAPIER", 9, 3}, {"ENIG DOCUMENT", 9, 3}, {"SINGLE ADMINISTRATIVE DOCUMENT", 9, 3},
		{"ARRIVAL NOTICE", -6, 0}, {"NOTICE OF ARRIVAL", -6, 0}, {"COMMERCIAL INVOICE", -3, 0}, {"DELIVERY ORDER", -6, 0}, {"BOOKING CONFIRMATION", -5, 0}, {"BILL OF LADING", -3, 0}, {"PACKING LIST", -3, 0},
	},
	form: formWords(2.5, "CUSTOM; DUTY TARIFF; IMPORTER DECLARANT", "BOARD"),
	fields: []field{
		{name: "entry_number", label: "Entry number", kind: tracking.FieldReference, captions: captions(`ENTRY NO; ENTRY NUMBER; CUSTOMS ENTRY NO; CUSTOMS ENTRY NUMBER; FILER CODE ENTRY NO; FILER CODE ENTRY NUMBER; CUSTOMS DECLARATION NO; DECLARATION NO; DECLARATION NUMBER; MRN`)},
		{name: "entry_date", label: "Date of entry", kind: tracking.FieldDate, captions: captions(`ENTRY DATE; DATE OF ENTRY; DECLARATION DATE; DATE OF DECLARATION; DATE OF ACCEPTANCE; FECHA DE ADMISION; DATE D ACCEPTATION; ANNAHMEDATUM; DATA DI ACCETTAZIONE`)},
		{name: "import_date", label: "Date of import", kind: tracking.FieldDate, captions: captions(`IMPORT DATE; DATE OF IMPORT; IMPORTATION DATE; DATE OF IMPORTATION; FECHA DE LLEGADA; DATE D ARRIVEE; ANKUNFTSDATUM; ARRIVAL DATE`)},
		{name: "importer", label: "Importer", kind: tracking.FieldText, lines: 6, captions: captions(`IMPORTER; IMPORTER NAME; IMPORTER NAME AND ADDRESS; IMPORTER OF RECORD; IMPORTER OF RECORD NAME; IMPORTER OF RECORD NAME AND ADDRESS`)},
		blNumber,
	},
}
