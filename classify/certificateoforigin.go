package classify

import "github.com/landfallhq/tracking"

var certificateOfOrigin = rules{
	code: "certificate_of_origin", label: "Certificate of origin", version: "1.0",
	description: "A certificate of the country in which goods were made, such as a EUR.1.",
	cues: []cue{
		{"CERTIFICATE OF ORIGIN", 9, 0.7}, {"CERTIFICADO DE ORIGEN", 9, 0.8}, {"CERTIFICAT D ORIGINE", 9, 0.8}, {"URSPRUNGSZEUGNIS", 9, 0.8}, {"CERTIFICATO DI ORIGINE", 9, 0.8}, {"CERTIFICADO DE ORIGEM", 9, 0.8}, {"CERTIFICAAT VAN OORSPRONG", 9, 0.8}, {"MOVEMENT CERTIFICATE", 8, 1}, {"EUR 1", 5, 0.4}, {"FORM A", 4, 0.6}, {"GENERALISED SYSTEM OF PREFERENCES", 6, 1}, {"DECLARATION OF ORIGIN", 7, 0.4}, {"STATEMENT OF ORIGIN", 7, 0.4}, {"CHAMBER OF COMMERCE", 0, 1},
		{"ARRIVAL NOTICE", -6, 0}, {"NOTICE OF ARRIVAL", -6, 0}, {"COMMERCIAL INVOICE", -3, 0}, {"DELIVERY ORDER", -6, 0}, {"BOOKING CONFIRMATION", -5, 0}, {"BILL OF LADING", -3, 0}, {"PACKING LIST", -3, 0},
	},
	fields: []field{
		{name: "certificate_number", label: "Certificate number", kind: tracking.FieldReference, captions: captions(`NO; REFERENCE NO; REFERENCE NUMBER; CERTIFICATE NO; CERTIFICATE NUMBER; CERTIFICATE OF ORIGIN NO; CERTIFICATE REF; CERTIFICATE REFERENCE; CO NO; CERTIFICADO NO; CERTIFICAT NO`)},
		issueDate.with(captions(`CERTIFICATE DATE; DATE OF CERTIFICATE; DATE OF CERTIFICATION`)...),
		{name: "exporter", label: "Exporter", kind: tracking.FieldText, lines: 6, captions: captions(`EXPORTER; EXPORTER NAME AND ADDRESS; EXPORTER NAME FULL ADDRESS COUNTRY; EXPORTER S NAME AND ADDRESS; GOODS CONSIGNED FROM; CONSIGNOR; SHIPPER; EXPORTADOR; EXPORTATEUR; ESPORTATORE; AUSFUHRER; EXPORTEUR`)},
		{name: "country_of_origin", label: "Country of origin", kind: tracking.FieldText, captions: captions(`COUNTRY OF ORIGIN; ORIGIN; COUNTRY OF ORIGIN OF GOODS; ORIGIN COUNTRY; ORIGIN OF GOODS; URSPRUNGSLAND; PAYS D ORIGINE; PAIS DE ORIGEN; PAIS DE ORIGEM; PAESE DI ORIGINE; LAND VAN OORSPRONG`)},
		invoiceNumber.only(captions(`NUMBER AND DATE OF INVOICES; INVOICE NO AND DATE; INVOICE NO; INVOICE NUMBER; INVOICE; INVOICES; INV NO; COMMERCIAL INVOICE NO; INVOICE REF; FACTURA NO; FACTURE NO; RECHNUNG NR`)...),
	},
}
