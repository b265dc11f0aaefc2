package invoice

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/freetime"
)

// A Status is whether an invoice has an element.
type Status string

// The statuses.
const (
	Present       Status = "present"
	Missing       Status = "missing"
	NotApplicable Status = "not_applicable"
)

// An Element is what the United States ask of an invoice for demurrage or detention.
type Element struct {
	// Section is that of title 46 of the Code of Federal Regulations, such as 541.6(a)(1).
	Section string `json:"section"`
	// Name is that of the member, or of the members, that state it.
	Name string `json:"name"`
	// Title says in words what the element is.
	Title  string `json:"title"`
	Status Status `json:"status"`
	// Stated is what the invoice states; null where it states nothing, and for values of
	// lines, which the lines have.
	Stated *string `json:"stated"`
	// Lines are the numbers of the lines in which a value of lines is missing.
	Lines []int `json:"lines"`
}

// elements returns the elements of 46 CFR 541.6 (89 FR 14330 of 26 February 2024), in its
// order; docs/freetime.md#a-sheet-for-a-dispute says how they were checked. The ledgers are of imports, so that a date of exports does not apply. What is of
// lines is present if every line has it.
func elements(inv *Invoice) []Element {
	lines := func(has func(*Line) bool) (without []int) {
		without = []int{}
		for i := range inv.Lines {
			if !has(&inv.Lines[i]) {
				without = append(without, i+1)
			}
		}
		return without
	}
	var list []Element
	add := func(section, name, title, stated string) {
		e := Element{Section: "541.6" + section, Name: name, Title: title, Status: Missing, Lines: []int{}}
		if stated != "" {
			e.Status, e.Stated = Present, &stated
		}
		list = append(list, e)
	}
	addLines := func(section, name, title string, has func(*Line) bool) {
		e := Element{Section: "541.6" + section, Name: name, Title: title, Status: Present, Lines: lines(has)}
		if len(e.Lines) > 0 {
			e.Status = Missing
		}
		list = append(list, e)
	}
	add("(a)(1)", "bill_of_lading_numbers", "Numbers of the bills of lading", inv.BillsOfLading)
	addLines("(a)(2)", "container_number", "Numbers of the containers", func(l *Line) bool { return l.Container != "" })
	add("(a)(3)", "port_of_discharge", "Port of discharge (imports)", inv.PortOfDischarge)
	add("(a)(4)", "liability_basis", "Why the billed party is the one that has to pay", inv.LiabilityBasis)
	add("(b)(1)", "invoice_date", "Date of the invoice", inv.InvoiceDate.String())
	add("(b)(2)", "due_date", "Date by which it is due", inv.DueDate.String())
	addLines("(b)(3)", "free_days", "Free time allowed, in days", func(l *Line) bool { return l.FreeDays != nil })
	addLines("(b)(4)", "free_time_from", "First day of free time", func(l *Line) bool { return l.FreeTimeFrom != 0 })
	addLines("(b)(5)", "free_time_to", "Last day of free time", func(l *Line) bool { return l.FreeTimeTo != 0 })
	addLines("(b)(6)", "available_on", "Date from which the container was available (imports)", func(l *Line) bool { return l.AvailableOn != 0 })
	list = append(list, Element{Section: "541.6(b)(7)", Name: "earliest_return_date", Title: "Earliest return date (exports)", Status: NotApplicable, Lines: []int{}})
	addLines("(b)(8)", "from, to", "The days charged", func(l *Line) bool { return l.From != 0 && l.To != 0 })
	add("(c)(1)", "total", "Total amount due", inv.Total)
	add("(c)(2)", "tariff_rule", "Tariff and rule, or contract, that the daily rate is based on", inv.TariffRule)
	addLines("(c)(3)", "rate", "Rate or rates by that rule", func(l *Line) bool { return l.Rate != "" })
	add("(d)(1)", "contact", "Contact for questions and for requests to reduce, refund or waive charges", inv.Contact)
	add("(d)(2)", "instructions_url", "Link, QR code or other digital way to a public page on what such a request needs", inv.InstructionsURL)
	add("(d)(3)", "time_frames", "Until when a request can be made, and when it will be resolved", inv.TimeFrames)
	add("(e)(1)", "certifies_rules", "Statement that the charges follow the rules of the Federal Maritime Commission", certified(inv.CertifiesRules))
	add("(e)(2)", "certifies_performance", "Statement that the billing party did not cause the charges or contribute to them", certified(inv.CertifiesPerformance))
	return list
}

func certified(is bool) string {
	if is {
		return "true"
	}
	return ""
}

// TotalFault says how the stated total differs from the sum of the lines; empty where it does
// not, or none is stated.
func (s *Sheet) TotalFault() string {
	if s.Invoice == nil || s.Invoice.Total == "" || len(s.Totals) != 1 {
		return ""
	}
	stated, lines := amountOf(s.Invoice.Total, s.Totals[0].Currency), freetime.Money{}
	for i := range s.Lines {
		lines = sum(lines, s.Lines[i].charged)
	}
	if stated == lines {
		return ""
	}
	return fmt.Sprintf("the stated total %s differs from the sum of the lines, %s, by %s", stated, lines, less(stated, lines))
}

// Sentence says the reason in words.
func (r Reason) Sentence() string {
	if s, has := sentences[r]; has {
		return s
	}
	return strings.ReplaceAll(string(r), "_", " ")
}

var sentences = map[Reason]string{
	ContainerUnknown: "no such container in the account",
	ChargedTwice:     "an earlier line charges this day",
	NoLedger:         "no tariff of the account fits",
	CarriedInland:    "carried on by rail by the line: no demurrage at the port",
	BeforeOpening:    "before the clock was opened",
	AfterEnd:         "after the clock had ended",
	NotYet:           "the day had not come when this was computed",
	NotCounted:       "what it costs is not known",
	NotStarted:       "before the first day of the clock",
	InFreeTime:       "free time",
	OnWeekend:        "weekend, not charged",
	OnHoliday:        "holiday, not charged",
	WasNotAvailable:  "could not be fetched or returned",
	OtherCurrency:    "the tariff has another currency",
	RateUnknown:      "the line does not say what the day was charged",
	OtherTier:        "the amount of another tier",
	OtherRate:        "another rate than that of the tariff",
	DayCount:         "the line counts other days than from its first to its last",
	Arithmetic:       "the amount is not that of the days at the rate",
}
