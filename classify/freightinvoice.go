package classify

import "github.com/landfallhq/tracking"

var freightInvoice = rules{
	code: "freight_invoice", label: "Freight invoice", version: "1.0",
	description: "A carrier's or forwarder's invoice or debit note for freight and charges, such as demurrage.",
	cues: []cue{
		{"SEEFRACHTRECHNUNG", 8, 1}, {"VRACHTFACTUUR", 8, 1}, {"VRACHTNOTA", 8, 1}, {"FACTURA DE DEMORAS", 8, 1}, {"FACTURA DE FLETES", 8, 1}, {"FACTURA DE TRANSPORTE", 7, 0.7}, {"FACTURE DE SURESTARIES", 8, 1}, {"FACTURE DE TRANSPORT", 7, 0.7}, {"FATTURA DI TRASPORTO", 7, 0.7}, {"RECHNUNG STANDGELD", 7, 0.7}, {"CHARGES INVOICE", 7, 0.5}, {"FORWARDER S INVOICE", 7, 0.5}, {"FORWARDING INVOICE", 7, 0.5}, {"STATEMENT OF CHARGES", 11, 0.5},
		{"FREIGHT INVOICE", 5, 0.5}, {"FREIGHT BILL", 7, 0.6}, {"CARRIER INVOICE", 6, 0.5}, {"SERVICE INVOICE", 7, 0.6}, {"FRACHTRECHNUNG", 8, 1}, {"SPEDITIONSRECHNUNG", 8, 1}, {"SEEFRACHT", 0, 1}, {"NOLO MARITTIMO", 0, 1.5}, {"FRET MARITIME", 0, 1.5}, {"FLETE MARITIMO", 0, 1.5}, {"ZEEVRACHT", 0, 1}, {"FACTURE DE FRET", 8, 1}, {"FACTURA DE FLETE", 8, 1}, {"FATTURA NOLO", 8, 1}, {"PER DIEM INVOICE", 9, 0.8}, {"PER DIEM", 4, 0.2}, {"STORAGE INVOICE", 8, 0.6}, {"HANDLING INVOICE", 7, 0.5}, {"DEMURRAGE INVOICE", 8, 0.6}, {"DETENTION INVOICE", 8, 0.6}, {"DEBIT NOTE", 7, 0.5}, {"NOTA DE DEBITO", 7, 0.5}, {"LOCAL CHARGES", 3, 0.2}, {"DESCRIPTION OF CHARGE", 0, 0.8}, {"DESCRIPTION OF CHARGES", 0, 0.5}, {"AMOUNT DUE", 0, 0.6}, {"REMIT", 0, 0.6}, {"INVOICE", 1.2, 0}, {"FATTURA", 1.2, 0}, {"FACTURA", 1.2, 0}, {"FACTURE", 1.2, 0}, {"RECHNUNG", 1.2, 0}, {"FATURA", 1.2, 0}, {"FACTUUR", 1.2, 0},
		{"SURCHARGE", 0, 0.5}, {"THC", 0, 0.3}, {"BAF", 0, 0.3}, {"ISPS", 0, 0.4}, {"BUNKER", 0, 0.8}, {"TERMINAL HANDLING", 0, 0.6}, {"OCEAN FREIGHT", 0, 0.5}, {"DOCUMENTATION FEE", 0, 0.4}, {"DEMURRAGE", 1.5, 0.1}, {"DETENTION", 1.5, 0.1}, {"DEMURRAGE AND DETENTION", 4, 0.4},
		{"ARRIVAL NOTICE", -6, 0}, {"NOTICE OF ARRIVAL", -6, 0}, {"COMMERCIAL INVOICE", -3, 0}, {"DELIVERY ORDER", -6, 0}, {"BOOKING CONFIRMATION", -5, 0}, {"BILL OF LADING", -3, 0}, {"PACKING LIST", -3, 0},
	},
	signs: []sign{{"charges, and no goods", 3.5, chargesOnly}},
	form:  formWords(2.5, "FREIGHT DEMURRAGE DETENTION CHARGE THC; AMOUNT TOTAL; INVOICE", "PRICE SHIPPER NET ARRIVAL"),
	fields: []field{
		invoiceNumber.with(captions(`FREIGHT INVOICE NO; FREIGHT INVOICE NUMBER; FREIGHT BILL NO; BILL REF; DEBIT NOTE NO; DEBIT NOTE NUMBER`)...),
		invoiceNumberDate, invoiceDate, blNumber, invoiceTotal, invoiceCurrency,
		{name: "due_date", label: "Due date", kind: tracking.FieldDate, captions: captions(`DUE DATE; PAYMENT DUE; PAYMENT DUE DATE; DATE DUE; DUE; DUE ON; PAYABLE BY; PAY BY; PAYMENT DUE BY; FALLIG AM; ECHEANCE; DATE D ECHEANCE; FECHA DE VENCIMIENTO; VENCIMIENTO; SCADENZA; VERVALDATUM`)},
	},
}
