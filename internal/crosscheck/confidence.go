package crosscheck

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// The confidences after checks. No value is surer than the surest that was read
// (docs/adr/0184-confidences.md), and one that contradicts something is below what people take
// without a look.
const (
	surest   = 0.98
	doubtful = 0.6
)

// confidence is that of a value which was read with another: each agreement halves the doubt, and
// a contradiction makes it doubtful, whatever agrees.
func confidence(read float64, agreements int, differs bool) float64 {
	if differs {
		return min(read, doubtful)
	}
	doubt := (1 - read) / math.Pow(2, float64(agreements))
	return max(read, math.Round(100*min(surest, 1-doubt))/100)
}

// Rescore returns the payload of a representation with the confidences that follow from checks.
// A value whose confidence is another than it was read with has that as read_confidence, from which
// each call starts. Values that people entered stay as they are.
func Rescore(payload []byte, checks []Check) ([]byte, error) {
	return rescoreObject(payload, "", -1, checks)
}

func rescoreObject(object []byte, table string, row int, checks []Check) ([]byte, error) {
	members, err := membersOf(object)
	if err != nil {
		return nil, err
	}
	for i := range members {
		m := &members[i]
		if bytes.HasPrefix(m.value, []byte("[")) {
			var rows []json.RawMessage
			if err := json.Unmarshal(m.value, &rows); err != nil {
				return nil, err
			}
			for n := range rows {
				if rows[n], err = rescoreObject(rows[n], m.name+".", n, checks); err != nil {
					return nil, err
				}
			}
			m.value, err = json.Marshal(rows)
		} else {
			m.value, err = rescoreValue(m.value, table+m.name, row, checks)
		}
		if err != nil {
			return nil, err
		}
	}
	return objectOf(members), nil
}

// objectOf is the JSON object with these members.
func objectOf(members []member) []byte {
	b := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(m.name) // a string has no error
		b = append(append(append(b, name...), ':'), m.value...)
	}
	return append(b, '}')
}

func rescoreValue(text []byte, name string, row int, checks []Check) ([]byte, error) {
	var read struct {
		Confidence float64  `json:"confidence"`
		Read       *float64 `json:"read_confidence"`
		Corrected  bool     `json:"corrected"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	was := read.Confidence
	if read.Read != nil {
		was = *read.Read
	}
	is := was
	if !read.Corrected {
		agreements, differs := outcomes(name, row, checks)
		is = confidence(was, agreements, differs)
	}
	if is == read.Confidence && (is != was) == (read.Read != nil) {
		return text, nil
	}
	members, err := membersOf(text)
	if err != nil {
		return nil, err
	}
	members = slices.DeleteFunc(members, func(m member) bool { return m.name == "read_confidence" })
	for i := range members {
		if members[i].name != "confidence" {
			continue
		}
		members[i].value, _ = json.Marshal(is) // a finite number has no error
		if is != was {
			raw, _ := json.Marshal(was)
			members = slices.Insert(members, i+1, member{"read_confidence", raw})
		}
		break
	}
	return objectOf(members), nil
}

// outcomes are the results of the checks of a value; row is -1 for one in no table. Each other side
// counts once.
func outcomes(name string, row int, checks []Check) (agreements int, differs bool) {
	sides := map[string]bool{}
	for _, c := range checks {
		if c.Field != name || row >= 0 && c.Rows != nil && !slices.Contains(c.Rows, row) {
			continue
		}
		differs = differs || !c.Agrees
		sides[strings.Join([]string{c.Other, c.OtherID, string(c.Kind)}, "/")] = true
	}
	return len(sides), differs
}
