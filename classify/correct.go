package classify

import (
	"errors"
	"fmt"
	"strings"

	"github.com/landfallhq/tracking"
)

// Correct implements tracking.Corrector. Texts are what was entered; of the other kinds the
// value is read as if it were printed behind its caption.
func (c *Classifier) Correct(documentType, name, value string) (tracking.DocumentField, error) {
	f := c.fieldOf(documentType, name)
	if f == nil {
		return tracking.DocumentField{}, fmt.Errorf("%s has no such field that can be corrected", documentType)
	}
	made := tracking.DocumentField{Name: name, Kind: f.kind, Value: value, Normal: value}
	if f.kind == tracking.FieldText {
		return made, nil
	}
	l := &line{page: 1}
	for _, text := range strings.Fields(value) {
		l.words = append(l.words, &word{TextWord: tracking.TextWord{Text: text}, pieces: pieces(text), page: 1})
	}
	s := &layout{lines: []*line{l}}
	r := &reader{layout: s}
	r.marks = numbersOf(s)
	v, ok := r.value(f, l.words, &caption{phrase: "SCAC"})
	if !ok {
		return tracking.DocumentField{}, errors.New(formOf[f.kind])
	}
	made.Normal = v.normal
	return made, nil
}

// fieldOf is the field of a type that has one value; nil for none.
func (c *Classifier) fieldOf(documentType, name string) *field {
	for i := range c.rules {
		for j := range c.rules[i].fields {
			f := &c.rules[i].fields[j]
			if c.rules[i].code == documentType && f.name == name && f.parts == nil && f.kind != tracking.FieldTable {
				return f
			}
		}
	}
	return nil
}

// formOf says what the values of a kind look like.
var formOf = map[tracking.FieldKind]string{
	tracking.FieldDate:      "the value is no date such as 2026-11-21",
	tracking.FieldTime:      "the value is no date or time such as 2026-11-21 17:00",
	tracking.FieldPlace:     "the value is no place such as CNSHA or Shanghai",
	tracking.FieldCarrier:   "the value is no SCAC such as MAEU",
	tracking.FieldShip:      "the value is no IMO number with a valid check digit",
	tracking.FieldCount:     "the value is no number",
	tracking.FieldQuantity:  "the value is no number with a unit such as 18,400 KGS",
	tracking.FieldMoney:     "the value is no amount with a currency such as USD 1,200.50",
	tracking.FieldCode:      "the value is none of the codes of this field",
	tracking.FieldContainer: "the value is no container number with a valid check digit",
	tracking.FieldBL:        "the value is no number of a bill of lading",
	tracking.FieldHouseBL:   "the value is no number of a house bill of lading",
	tracking.FieldBooking:   "the value is no booking number",
	tracking.FieldReference: "the value is no number",
}
