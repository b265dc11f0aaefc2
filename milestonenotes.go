package tracking

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/landfallhq/tracking/internal/codec"
	"github.com/landfallhq/tracking/internal/journey"
)

// milestoneNotes are what a shipment remembers of its milestones: for the first
// version of the event of each, a sum of what it says. An update reads only the
// events whose milestones have changed.
type milestoneNotes []milestoneNote

type milestoneNote struct {
	event ID
	sum   uint64
}

// eventVersions are later versions of events, by the IDs of the first.
type eventVersions map[ID]ID

// current is the version that stands for a milestone.
func (v eventVersions) current(first ID) ID {
	if id, ok := v[first]; ok {
		return id
	}
	return first
}

// sum stands for all that the event of the milestone says; fact is the ID of the
// fact that it follows from.
func sumOfMilestone(m *journey.Milestone, fact ID) uint64 {
	d := journey.Digester{Writer: codec.Writer{Bytes: append(make([]byte, 0, 256), fact[:]...)}}
	d.Moment(m.At)
	p := m.Place
	d.Text(p.LOCODE, p.Name, p.SMDG, p.BIC, p.Facility, m.Vessel.IMO, m.Vessel.Name, m.Voyage, string(m.DataSource))
	sum := sha256.Sum256(d.Bytes)
	return binary.BigEndian.Uint64(sum[:])
}

// noteSize is the size of a stored note.
const noteSize = 16 + 8

// AppendBinary appends the stored form. It has no error.
func (n *milestoneNotes) AppendBinary(b []byte) ([]byte, error) {
	for _, note := range *n {
		b = append(b, note.event[:]...)
		b = binary.BigEndian.AppendUint64(b, note.sum)
	}
	return b, nil
}

// UnmarshalBinary reads what AppendBinary wrote.
func (n *milestoneNotes) UnmarshalBinary(b []byte) error {
	if len(b)%noteSize != 0 {
		return errors.New("these are not the notes of milestones")
	}
	*n = make(milestoneNotes, len(b)/noteSize)
	for i := range *n {
		note := b[i*noteSize:]
		(*n)[i] = milestoneNote{ID(note[:16]), binary.BigEndian.Uint64(note[16:])}
	}
	return nil
}
