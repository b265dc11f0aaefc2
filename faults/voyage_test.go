package faults

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/refdata"
)

// voyage is one shipment with one container, whose facts are reported one by one.
type voyage struct {
	serial int
	facts  int // reported so far
}

var epoch = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// moves are the facts of a voyage, in order; the following facts change the
// estimated arrival.
var moves = []string{
	`"event":"route","place":{"locode":"CNSHA","role":"pol"}`,
	`"event":"route","place":{"locode":"USLGB","role":"pod"}`,
	`"event":"gate_out","classifier":"actual","load":"empty","place":{"locode":"CNSHA"}`,
	`"event":"gate_in","classifier":"actual","load":"laden","place":{"locode":"CNSHA"}`,
	`"event":"load","classifier":"actual","mode":"vessel","load":"laden","place":{"locode":"CNSHA"},"vessel":{"imo":"9321483","name":"EMMA"},"voyage":"12E"`,
	`"event":"depart","classifier":"actual","mode":"vessel","place":{"locode":"CNSHA"},"vessel":{"imo":"9321483","name":"EMMA"},"voyage":"12E"`,
}

const arrival = `"event":"arrive","classifier":"estimated","mode":"vessel","place":{"locode":"USLGB"},"vessel":{"imo":"9321483","name":"EMMA"},"voyage":"12E"`

func (v *voyage) bill() string { return fmt.Sprintf("MAEU%09d", v.serial) }

func (v *voyage) container() string {
	number := fmt.Sprintf("MRKU%06d", v.serial%1_000_000)
	_, digit := refdata.CheckDigit(number + "0")
	return fmt.Sprintf("%s%d", number, digit)
}

// factID is the ID of the n-th fact; it is shown as original_event.
func (v *voyage) factID(n int) string { return fmt.Sprintf("%s/%d", v.bill(), n) }

// report is the body of POST /v2/reports with the next n facts.
func (v *voyage) report(n int) string {
	facts := make([]string, n)
	for i := range facts {
		move, at := arrival, epoch.AddDate(0, 0, 30).Add(time.Duration(v.facts)*time.Minute)
		if v.facts < len(moves) {
			move, at = moves[v.facts], epoch.Add(time.Duration(v.facts)*time.Hour)
		}
		recorded := epoch.Add(time.Duration(v.facts) * time.Hour)
		facts[i] = fmt.Sprintf(`{"id":%q,"original_event":%[1]q,%s,"at":%q,"recorded_at":%q,"containers":[%q],"numbers":[{"type":"bill_of_lading","number":%q}]}`,
			v.factID(v.facts), move, at.Format(time.RFC3339), recorded.Format(time.RFC3339), v.container(), v.bill())
		v.facts++
	}
	return `{"source":"faults","scac":"MAEU","facts":[` + strings.Join(facts, ",") + `]}`
}
