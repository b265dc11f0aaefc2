package invoice

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// CSV and JSON are read alike, and what is read is written so that it is read again.
func TestReadAlike(t *testing.T) {
	fromCSV, err := ReadCSV(strings.NewReader("\ufeffContainer_Number, clock,from,to,days,rate,currency,free_days,invoice_number,certifies_rules\nmrku 946577-0,demurrage,2026-03-07,2026-03-08,2,100.5,usd,0,I1,true\nMRKU9465770,combined,2026-03-09,2026-03-09,,7,USD,,I1,\n"))
	if err != nil {
		t.Fatal(err)
	}
	fromJSON, err := ReadJSON([]byte(`{"invoice_number":"I1","certifies_rules":true,"due_date":null,"lines":[
		{"container_number":"MRKU9465770","clock":"demurrage","from":"2026-03-07","to":"2026-03-08","days":2,"rate":100.5,"currency":"USD","free_days":"0"},
		{"container_number":"MRKU9465770","clock":"combined","from":"2026-03-09","to":"2026-03-09","rate":"7.00","currency":"USD"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fromCSV, fromJSON); diff != "" {
		t.Errorf("-CSV +JSON:\n%s", diff)
	}
	written, err := json.Marshal(fromCSV)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadJSON(written)
	if diff := cmp.Diff(fromCSV, again); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

func TestReadFaults(t *testing.T) {
	const columns = "container_number,clock,from,to,days,rate,amount,currency\n"
	for _, tt := range []struct{ text, want string }{
		{"", "the first line is missing"},
		{"price\n", `price: there is no column "price"; columns are container_number, clock`},
		{"clock,clock\n", `clock: the column "clock" is there twice`},
		{"clock,from\n", `container_number: the column "container_number" is missing`},
		{columns, "lines: there are no lines"},
		{columns + "MRKU9465770,demurrage,2026-03-07\n", "wrong number of fields"},
		{columns + "MRKU9465770,sundial,2026-03-07,2026-03-08,,1,,USD\n", `row 0: clock: "sundial" is no clock: demurrage, detention`},
		{columns + "MRKU9465770,demurrage,7 March,2026-03-08,,1,,USD\n", `row 0: from: "7 March" is not a date of the form 2026-03-27`},
		{columns + "MRKU9465770,demurrage,2026-03-09,2026-03-08,,1,,USD\n", "row 0: to: 2026-03-08 is before from, 2026-03-09"},
		{columns + "MRKU9465770,demurrage,2026-03-07,2026-03-08,,1,,USD\n,,,,,,,\n", "row 1: container_number: a value is missing"},
		{columns + "MRKU9465770,demurrage,2026-03-07,2026-03-08,two,1,,USD\n", `row 0: days: "two" is not a number of days: 1 to 5000`},
		{columns + "MRKU9465770,demurrage,2026-03-07,2026-03-08,,,,USD\n", "row 0: amount: rate and amount are both missing"},
		{columns + "MRKU9465770,demurrage,2026-03-07,2026-03-08,,\"1,500\",,USD\n", `row 0: rate: "1,500" is not an amount of USD`},
		{columns + "MRKU9465770,demurrage,2026-03-07,2026-03-08,,1,,DOLLAR\n", `row 0: currency: "DOLLAR" is not a currency`},
		{columns + "MRKU9465770,demurrage,2026-03-07,2026-03-08,5000,99999999999999,,JPY\n", "row 0: rate: the amount of 5000 days is too large"},
		{columns + "MRKU9465770,demurrage,0001-01-01,9999-12-31,,1,,USD\n", "lines: the lines have too many days together: at most 5000"},
		{"invoice_number," + columns + "I1,MRKU9465770,demurrage,2026-03-07,2026-03-08,,1,,USD\nI2,MRKU9465770,demurrage,2026-03-09,2026-03-09,,1,,USD\n", `row 1: invoice_number: "I2" differs from "I1" above`},
		{"total," + columns + "5,MRKU9465770,demurrage,2026-03-07,2026-03-08,,1,,USD\n,MRKU9465770,demurrage,2026-03-09,2026-03-09,,1,,EUR\n", "total: the lines have several currencies"},
	} {
		if _, err := ReadCSV(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
	const line = `{"container_number":"MRKU9465770","clock":"demurrage","from":"2026-03-07","to":"2026-03-08","currency":"USD","rate":"1"`
	for _, tt := range []struct{ text, want string }{
		{`[]`, "lines: the text is no JSON object"},
		{`null`, "lines: the text is no JSON object"},
		{`{}`, "lines: a list is required"},
		{`{"lines":[]}`, "lines: there are no lines"},
		{`{"lines":["x"]}`, "lines: a list is required, with an object for each line"},
		{`{"price":1,"lines":[` + line + `}]}`, "price: there is no such member"},
		{`{"lines":[` + line + `,"price":1}]}`, "lines[0].price: there is no such member"},
		{`{"lines":[` + line + `,"days":0}]}`, `lines[0].days: "0" is not a number of days`},
		{`{"lines":[` + line + `,"days":[1]}]}`, "lines[0].days: a list or an object is no value"},
		{`{"lines":[` + line + `,"amount":1e3}]}`, `lines[0].amount: "1e3" is not an amount of USD`},
		{`{"certifies_rules":"yes","lines":[` + line + `}]}`, `certifies_rules: "yes" is neither true nor false`},
	} {
		if _, err := ReadJSON([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// No text makes a panic, and what is read has a sheet.
func FuzzRead(f *testing.F) {
	f.Add("container_number,clock,from,to,rate,currency\nMRKU9465770,demurrage,2026-03-07,2026-03-08,1,USD\n")
	f.Add(`{"lines":[{"container_number":"A","clock":"detention","from":"9999-12-30","to":"9999-12-31","currency":"BHD","amount":1}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, read := range []func() (*Invoice, error){
			func() (*Invoice, error) { return ReadCSV(strings.NewReader(text)) },
			func() (*Invoice, error) { return ReadJSON([]byte(text)) },
		} {
			if inv, err := read(); err == nil {
				NewSheet(inv, nil, mar(20, 0))
			}
		}
	})
}
