package crosscheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Paper is what was read from a document.
type Paper struct {
	ID, Type string
	fields   []field
}

// field is a value, or the rows of a table.
type field struct {
	name string
	value
	rows [][]field
}

// value is a value as documents have it in JSON.
type value struct {
	Value        string            `json:"value"`
	Normalized   json.RawMessage   `json:"normalized"`
	Alternatives []json.RawMessage `json:"alternatives"`
}

// ReadPaper reads the payload of a document's representation.
func ReadPaper(id, typ string, payload []byte) (*Paper, error) {
	fields, err := readFields(payload)
	return &Paper{ID: id, Type: typ, fields: fields}, err
}

func readFields(object []byte) (fields []field, err error) {
	members, err := membersOf(object)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		f := field{name: m.name}
		if bytes.HasPrefix(m.value, []byte("[")) {
			var rows []json.RawMessage
			if err := json.Unmarshal(m.value, &rows); err != nil {
				return nil, err
			}
			for _, row := range rows {
				cells, err := readFields(row)
				if err != nil {
					return nil, err
				}
				f.rows = append(f.rows, cells)
			}
		} else if err := json.Unmarshal(m.value, &f.value); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// member is a member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf are the members of an object in their order.
func membersOf(object []byte) (members []member, err error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("fields of a document are no JSON object: %v", err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

func find(fields []field, name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return &field{}
}

func (p *Paper) field(name string) *field   { return find(p.fields, name) }
func (p *Paper) rows(name string) [][]field { return find(p.fields, name).rows }

// text is the normal form, if that is a text; else empty.
func (v *value) text() (text string) {
	if json.Unmarshal(v.Normalized, &text) != nil {
		return ""
	}
	return text
}

// printed is the normal form, else what is printed.
func (v *value) printed() string {
	if text := v.text(); text != "" {
		return text
	}
	return v.Value
}

// date is the day of a date or time: 2026-08-05. decided is false if it can be another.
func (v *value) date() (day string, decided bool) {
	day, _, _ = strings.Cut(v.text(), "T")
	return day, day != "" && len(v.Alternatives) == 0
}

// number is a count.
func (v *value) number() (n float64, ok bool) {
	ok = len(v.Normalized) > 0 && string(v.Normalized) != "null" && json.Unmarshal(v.Normalized, &n) == nil
	return n, ok
}

const kgPerLb = 0.45359237

// kilograms is a weight in kilograms; half is half a unit of the last digit that is printed.
func (v *value) kilograms() (kg, half float64, ok bool) {
	var q struct {
		Value *float64 `json:"value"`
		Unit  string   `json:"unit"`
	}
	if json.Unmarshal(v.Normalized, &q) != nil || q.Value == nil || q.Unit != "kg" && q.Unit != "lb" {
		return 0, 0, false
	}
	decimals := 0
	if text := strconv.FormatFloat(*q.Value, 'f', -1, 64); strings.Contains(text, ".") {
		decimals = len(text) - strings.Index(text, ".") - 1
	}
	kg, half = *q.Value, math.Pow10(-decimals)/2
	if q.Unit == "lb" {
		kg, half = kg*kgPerLb, half*kgPerLb
	}
	return kg, half, true
}

// money is an amount, such as 1200.50, and its currency.
func (v *value) money() (amount, currency string) {
	var m struct{ Amount, Currency string }
	if json.Unmarshal(v.Normalized, &m) != nil {
		return "", ""
	}
	return m.Amount, m.Currency
}

// total is the sum of a column of a table, if every row has a value.
type total struct {
	sum, half float64
	ok        bool
}

// weigh adds the weights of a column.
func (p *Paper) weigh(table, column string) (t total) {
	for _, row := range p.rows(table) {
		kg, half, ok := find(row, column).kilograms()
		if !ok {
			return total{}
		}
		t = total{t.sum + kg, t.half + half, true}
	}
	return t
}

// count adds the counts of a column.
func (p *Paper) count(table, column string) (t total) {
	for _, row := range p.rows(table) {
		n, ok := find(row, column).number()
		if !ok {
			return total{}
		}
		t = total{t.sum + n, 0, true}
	}
	return t
}

// totalOf is a total that is printed.
func (p *Paper) totalOf(name string) (t total) {
	if t.sum, t.half, t.ok = p.field(name).kilograms(); !t.ok {
		t.sum, t.ok = p.field(name).number()
	}
	return t
}

// equals reports whether two totals are equal but for rounding: half a unit of the digits that
// are printed. Weights, which have such digits, may also differ by 0.5 %.
func (t total) equals(o total) bool {
	allowed := t.half + o.half
	if allowed > 0 {
		allowed = max(allowed, 0.005*max(t.sum, o.sum))
	}
	return math.Abs(t.sum-o.sum) <= allowed+1e-9
}

// String is the total for people: 18,500.5 kg, or 320.
func (t total) String() string {
	if t.half > 0 {
		return kilograms(t.sum)
	}
	return grouped(t.sum)
}

func kilograms(kg float64) string { return grouped(math.Round(kg*100)/100) + " kg" }

// grouped is a number with commas between thousands.
func grouped(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	whole, rest, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		return whole + "." + rest
	}
	return whole
}
