// Package factlog identifies the facts of a log: it derives their IDs, groups the versions
// of a fact, and recognizes facts that are reported again. All functions are pure: the
// caller reads and writes the log.
package factlog

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// New completes a fact with the source, line and data source of its report.
func New(f freight.Fact, r *freight.Report) journey.LoggedFact {
	l := journey.LoggedFact{
		Fact: f, Source: r.Source, SCAC: cmp.Or(f.SCAC, r.SCAC),
		DataSource: cmp.Or(f.DataSource, r.DataSource, freight.FromShippingLine),
	}
	l.Fact.DataSource, l.Fact.SCAC = "", "" // stored once, in the logged fact
	l.Place = tidyPlace(l.Place)
	return l
}

// tidyPlace folds the LOCODE ("CN SHA"). A text of another length is kept as the name.
func tidyPlace(p freight.Place) freight.Place {
	given := p.LOCODE
	p.LOCODE, p.SMDG = freight.FoldNumber(given), strings.ToUpper(strings.TrimSpace(p.SMDG))
	if given != "" && len(p.LOCODE) != 5 {
		p.LOCODE, p.Name = "", cmp.Or(p.Name, given)
	}
	return p
}

// VersionKey is the same for all versions of a fact with an ID.
func VersionKey(f *journey.LoggedFact) string {
	return f.Source + "\x00" + f.ID
}

// VersionHash is the value by which the versions of a fact are found; different facts can
// have the same one.
func VersionHash(key string) int64 {
	sum := sha256.Sum256([]byte(key))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// Group identifies a fact in all its versions, as package journey groups them.
func Group(f *journey.LoggedFact) string {
	if f.ID != "" {
		return VersionKey(f)
	}
	var d journey.Digester
	sum := d.Fact(f)
	return "\x00" + string(sum[:])
}

// ID derives the ID of a fact from its content, and from its time of recording if the
// source gives one.
func ID(f *journey.LoggedFact, recorded time.Time) store.ID {
	text := content(*f)
	if !recorded.IsZero() {
		text = recorded.UTC().AppendFormat(append(text, ' '), time.RFC3339Nano)
	}
	return table.NamedID("raw_event", string(text))
}

// content returns what two equal facts have in common: everything except the time of
// recording and the payload.
func content(f journey.LoggedFact) []byte {
	f.RecordedAt, f.Payload = time.Time{}, nil
	text, err := json.Marshal(f)
	if err != nil { // only Payload could fail
		panic(err)
	}
	return text
}

// Sum identifies the content of a report.
func Sum(r freight.Report) int64 {
	d, all := journey.Digester{}, journey.Digester{}
	all.Text(r.Source, string(r.DataSource), r.SCAC)
	for _, f := range r.Facts {
		l := journey.LoggedFact{Fact: f, DataSource: f.DataSource}
		one := d.Fact(&l)
		all.Bytes = append(all.Bytes, one[:]...)
		all.Moment(freight.Moment{Time: f.RecordedAt})
	}
	one := sha256.Sum256(all.Bytes)
	return int64(binary.BigEndian.Uint64(one[:]))
}
