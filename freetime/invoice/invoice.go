package invoice

import "github.com/landfallhq/tracking/freetime"

// The most that an invoice may have.
const (
	MaxLines = 200
	MaxDays  = 5_000 // over all lines
)

// An Invoice is what was billed, as a person has typed it. Except for its lines everything
// may be left out: a zero value is what the invoice does not state.
type Invoice struct {
	Number string `json:"invoice_number,omitzero"`
	// BilledBy is who issued it, and BilledTo who shall pay.
	BilledBy string `json:"billed_by,omitzero"`
	BilledTo string `json:"billed_to,omitzero"`

	// BillsOfLading are the numbers, as they are written.
	BillsOfLading   string `json:"bill_of_lading_numbers,omitzero"`
	PortOfDischarge string `json:"port_of_discharge,omitzero"`
	// LiabilityBasis is why the billed party is the one that has to pay.
	LiabilityBasis string `json:"liability_basis,omitzero"`

	InvoiceDate freetime.Date `json:"invoice_date,omitzero"`
	DueDate     freetime.Date `json:"due_date,omitzero"`

	// Total is the amount due in the currency of the lines, such as "1850.00".
	Total string `json:"total,omitzero"`
	// TariffRule is the tariff and rule, or the contract and section, of the daily rate.
	TariffRule string `json:"tariff_rule,omitzero"`

	// Contact is where questions and requests are sent. InstructionsURL is the public page on
	// what a request needs, or how the invoice leads there, such as a QR code. TimeFrames say
	// until when one can be made, and when it is settled.
	Contact         string `json:"contact,omitzero"`
	InstructionsURL string `json:"instructions_url,omitzero"`
	TimeFrames      string `json:"time_frames,omitzero"`

	// CertifiesRules reports whether the invoice states that its charges follow the rules of
	// the Federal Maritime Commission, and CertifiesPerformance that the billing party did
	// not cause them or contribute to them.
	CertifiesRules       bool `json:"certifies_rules,omitzero"`
	CertifiesPerformance bool `json:"certifies_performance,omitzero"`

	Lines []Line `json:"lines"`
}

// A Line charges one container for the days of one clock.
type Line struct {
	// Container is the number, in capitals and without spaces.
	Container string         `json:"container_number"`
	Clock     freetime.Clock `json:"clock"`
	// From and To are the first and the last day charged, at the place.
	From freetime.Date `json:"from"`
	To   freetime.Date `json:"to"`
	// Days is the number of days charged, at least 1; 0 where it is not stated.
	Days int `json:"days,omitzero"`
	// Rate of a day and Amount of the line are such as "150.00"; empty where they are not
	// stated. One of them is.
	Rate   string `json:"rate,omitzero"`
	Amount string `json:"amount,omitzero"`
	// Currency is a code of ISO 4217.
	Currency string `json:"currency"`

	// FreeDays, nil where they are not stated, FreeTimeFrom, FreeTimeTo and AvailableOn are
	// the free time that the invoice states, and the day from which the container could be
	// fetched.
	FreeDays     *int          `json:"free_days,omitzero"`
	FreeTimeFrom freetime.Date `json:"free_time_from,omitzero"`
	FreeTimeTo   freetime.Date `json:"free_time_to,omitzero"`
	AvailableOn  freetime.Date `json:"available_on,omitzero"`
}

// span is the number of days from the first to the last.
func (l *Line) span() int { return int(l.To-l.From) + 1 }

// counted is the number of days that the line charges.
func (l *Line) counted() int {
	if l.Days == 0 {
		return l.span()
	}
	return l.Days
}

// member is a value of an invoice or a line by its name in JSON and CSV.
type member struct {
	name string
	// at points to a string, a freetime.Date, a freetime.Clock, an int, an *int or a bool.
	at any
}

func (i *Invoice) members() []member {
	return []member{
		{"invoice_number", &i.Number}, {"billed_by", &i.BilledBy}, {"billed_to", &i.BilledTo},
		{"bill_of_lading_numbers", &i.BillsOfLading}, {"port_of_discharge", &i.PortOfDischarge}, {"liability_basis", &i.LiabilityBasis},
		{"invoice_date", &i.InvoiceDate}, {"due_date", &i.DueDate},
		{"total", &i.Total}, {"tariff_rule", &i.TariffRule},
		{"contact", &i.Contact}, {"instructions_url", &i.InstructionsURL}, {"time_frames", &i.TimeFrames},
		{"certifies_rules", &i.CertifiesRules}, {"certifies_performance", &i.CertifiesPerformance},
	}
}

func (l *Line) members() []member {
	return []member{
		{"container_number", &l.Container}, {"clock", &l.Clock}, {"from", &l.From}, {"to", &l.To},
		{"days", &l.Days}, {"rate", &l.Rate}, {"amount", &l.Amount}, {"currency", &l.Currency},
		{"free_days", &l.FreeDays}, {"free_time_from", &l.FreeTimeFrom}, {"free_time_to", &l.FreeTimeTo}, {"available_on", &l.AvailableOn},
	}
}

// required are the members of a line that must be there.
var required = []string{"container_number", "clock", "from", "to", "currency"}

func names(members []member) (list []string) {
	for _, m := range members {
		list = append(list, m.name)
	}
	return list
}
