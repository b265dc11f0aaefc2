package classify

import "github.com/landfallhq/tracking"

var packingList = rules{
	code: "packing_list", label: "Packing list", version: "1.0",
	description: "A list of what is in which packages, with weights and volume.",
	cues: []cue{
		{"PACKING LIST", 8, 0.5}, {"PACKING SLIP", 7, 0.6}, {"WEIGHT LIST", 5, 0.5}, {"PACKING NOTE", 7, 0.6}, {"PACKING SPECIFICATION", 7, 0.7}, {"PACKLIST", 7, 0.8}, {"WEIGHT AND PACKING LIST", 2, 1}, {"PACKING DECLARATION", -4, 0}, {"PACKING WEIGHT LIST", 8, 1}, {"PACKING AND WEIGHT LIST", 8, 1}, {"CARTON LIST", 4, 0.4}, {"CONTENTS LIST", 4, 0.4},
		{"LISTA DE EMPAQUE", 8, 1}, {"LISTE DE COLISAGE", 8, 1}, {"PACKLISTE", 8, 1}, {"LISTA DE BULTOS", 8, 1}, {"ROMANEIO", 7, 1}, {"DISTINTA DI IMBALLAGGIO", 8, 1}, {"PAKLIJST", 8, 1},
		{"NET WEIGHT", 0, 0.6}, {"NW", 0, 0.5}, {"GW", 0, 0.3}, {"CARTONS", 0, 0.2}, {"CTNS", 0, 0.2}, {"TOTAL PACKAGES", 0, 0.4}, {"SHIPPING MARKS", 0, 0.4}, {"DIMENSIONS", 0, 0.3}, {"CARTON NO", 0, 0.4},
		{"UNIT PRICE", 0, -1.5}, {"ARRIVAL NOTICE", -5, 0}, {"BILL OF LADING", -4, 0}, {"CERTIFICATE", -4, 0}, {"COMMERCIAL INVOICE", -2, 0},
	},
	fields: []field{
		{name: "packing_list_number", label: "Packing list number", kind: tracking.FieldReference, captions: captions(`NO; PACKING LIST NBR; PACKING LIST REFERENCE; SLIP NO; OUR REF; DOCUMENT NO; PACKING LIST NO; PACKING LIST NUMBER; PL NO; PL NUMBER; PACKING LIST; PACKING LIST REF; PACKING SLIP NO; PL; P L NO; PACKLIST NO; LIST NO; PACKING NO; PACKLISTE NR; PACKING LIST NR; LISTE DE COLISAGE NO; PACKING SLIP NUMBER; PL REF; NO DE LISTE; PACKING NOTE NO; PACKING LIST ID`)},
		{name: "invoice_number", label: "Invoice number", kind: tracking.FieldReference, captions: append(captions(`COMMERCIAL INVOICE; REF INVOICE NO; INVOICE REF NO; TO INVOICE; FOR INVOICE`), invoiceNumbers...)},
		issueDate.with(captions(`PACKING LIST DATE; PACKING DATE; PL DATE; INVOICE DATE; DATE OF PACKING; DATE OF PACKING LIST; DATE PACKED; SHIP DATE`)...),
		{name: "po_number", label: "Purchase order", kind: tracking.FieldReference, captions: orderNumbers},
		{name: "marks", label: "Shipping marks", kind: tracking.FieldText, lines: 6, captions: captions(`MARKS; SHIPPING MARKS; MARKS AND NUMBERS; SHIPPING MARK; MARKS NUMBERS; MARKS AND NOS; CASE MARKS; CARTON MARKS; MARK; MARCAS; MARQUES; MARKIERUNG; SHIPPING MARKS AND NUMBERS; MARKS NOS; MARK AND NUMBERS; MARKS ON PACKAGES; MARQUES ET NUMEROS; MARCAS Y NUMEROS; ZEICHEN UND NUMMERN; MAIN MARK; OUTER MARKS`)},
		{name: "lines", label: "Lines", kind: tracking.FieldTable, key: "gross_weight", needs: "description", columns: []field{
			{name: "description", label: "Description", kind: tracking.FieldText, captions: append(captions(`CONTENTS; CONTENT; DESCRIPTION OF CONTENTS; DESCRIPTION AND QUANTITY; PACKAGE CONTENTS; GOODS DESCRIPTION`), invoiceColumns[0].captions...)},
			{name: "quantity", label: "Quantity", kind: tracking.FieldCount, loose: true, captions: append(captions(`TOTAL QTY; TOTAL QUANTITY; TOTAL PCS; TOTAL PIECES; QTY PIECES`), invoiceColumns[2].captions...)},
			{name: "packages", label: "Packages", kind: tracking.FieldCount, captions: captions(`PACKAGES; CARTONS; CTNS; NO OF CARTONS; NUMBER OF CARTONS; NO OF PACKAGES; NUMBER OF PACKAGES; PKGS; NO OF CTNS; PACKAGE; BULTOS; COLIS; PACKSTUCKE; CASES; KARTONS; CARTON QTY; NO OF PKGS; BOXES; PKG QTY; CTN QTY; CTN; QTY OF CARTONS; TOTAL CARTONS; TOTAL CTNS; PKGS QTY; PALLETS; COLLI; CAJAS; CARTONS QTY; NUMBER OF PKGS; CTNS QTY; PACKS`)},
			{name: "net_weight", label: "Net weight", kind: tracking.FieldQuantity, captions: captions(`NET WEIGHT; NW; NET WT; NET; N W; N WEIGHT; NET KGS; PESO NETO; POIDS NET; NETTOGEWICHT; NETTO; TOTAL NET WEIGHT; NET KG; NT WT; TOTAL NW; TOTAL NET; NET WGT; NET MASS; NET WEIGHT TOTAL`)},
			{name: "gross_weight", label: "Gross weight", kind: tracking.FieldQuantity, captions: captions(`GROSS WEIGHT; GW; GROSS WT; GROSS; G W; G WEIGHT; GROSS KGS; PESO BRUTO; POIDS BRUT; BRUTTOGEWICHT; BRUTTO; TOTAL GROSS WEIGHT; GROSS KG; GR WT; TOTAL GW; WEIGHT; TOTAL GROSS; GROSS WGT; GROSS MASS; GROSS WEIGHT TOTAL`)},
			{name: "volume", label: "Volume", kind: tracking.FieldQuantity, captions: captions(`MEAS; MEASUREMENT; VOLUME; CBM; M3; MEASUREMENTS; VOL; CUBE; CUBAGE; VOLUMEN; TOTAL CBM; TOTAL VOLUME; MEASURE; TOTAL MEASUREMENT; CUBIC; MSMT`)},
		}},
		{name: "packages", label: "Packages", kind: tracking.FieldCount, captions: captions(`TOTAL PACKAGES; NUMBER OF PACKAGES; TOTAL NUMBER OF PACKAGES; TOTAL NO OF PACKAGES; NO OF PACKAGES; TOTAL CARTONS; TOTAL NUMBER OF CARTONS; TOTAL NO OF CARTONS; TOTAL CTNS; PACKAGES; TOTAL PKGS; TOTAL PACKAGE COUNT; BULTOS TOTALES; NOMBRE DE COLIS; ANZAHL PACKSTUCKE; NO OF CARTONS; NUMBER OF CARTONS; PACKAGE COUNT; TOTAL COLLI; PACKAGES TOTAL; PACKAGES IN ALL; CARTONS TOTAL; CARTONS; TOTAL QUANTITY OF PACKAGES; TOTAL COLIS; TOTAL BULTOS; PACKED IN`)},
		{name: "net_weight", label: "Net weight", kind: tracking.FieldQuantity, captions: captions(`TOTAL NET WEIGHT; NET WEIGHT; TOTAL NW; TOTAL NET WT; NET WEIGHT TOTAL; NW; PESO NETO TOTAL; POIDS NET TOTAL; NETTOGEWICHT; TOTAL NET; NET WT; PESO NETO; POIDS NET; NETTO; NET`)},
		{name: "gross_weight", label: "Gross weight", kind: tracking.FieldQuantity, captions: captions(`TOTAL GROSS WEIGHT; GROSS WEIGHT; TOTAL GW; TOTAL GROSS WT; GROSS WEIGHT TOTAL; GW; PESO BRUTO TOTAL; POIDS BRUT TOTAL; BRUTTOGEWICHT; TOTAL GROSS; GROSS WT; PESO BRUTO; POIDS BRUT; TOTAL WEIGHT; BRUTTO; GROSS`)},
		{name: "volume", label: "Volume", kind: tracking.FieldQuantity, captions: captions(`TOTAL MEASUREMENT; MEAS; MEASUREMENTS; MEAS TOTAL; VOL; TOTAL VOL; MEASUREMENT; TOTAL VOLUME; VOLUME; TOTAL CBM; TOTAL MEAS; VOLUMEN TOTAL; VOLUMEN; MEASUREMENT TOTAL; TOTAL CUBE; CUBE; CBM; TOTAL CUBIC METERS; TOTAL CUBIC METRES; VOLUME TOTAL; CUBAGE; TOTAL MEASUREMENTS; CUBIC MEASUREMENT`)},
		{name: "containers", label: "Containers", kind: tracking.FieldTable, key: "number", find: findContainers, columns: containers.columns[:2]},
	},
}
