package simulator

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"sync"
)

// Voyage is one invented shipment, told as a carrier would tell it: a document
// of DCSA v2.2 with a heading that says whose it is.
type Voyage struct {
	// Name is the name of its file; About says what happens on the way.
	Name  string `json:"name"`
	About string `json:"about"`
	// TransportDocument and Booking are the numbers of the shipment. Each event
	// names both.
	TransportDocument string `json:"transportDocument"`
	Booking           string `json:"booking"`
	// Containers have the owner TSTU and right check digits.
	Containers []string `json:"containers"`
	// Vessels have IMO numbers that begin with a 2, which no ship has.
	Vessels []Vessel `json:"vessels"`
	// Events in the order in which the carrier learned of them, from
	// 2026-01-05T00:00:00Z on. Two with one eventID are versions of one event.
	Events []json.RawMessage `json:"events"`
}

// Vessel is a ship of a voyage.
type Vessel struct {
	IMO  string `json:"vesselIMONumber"`
	Name string `json:"vesselName"`
}

//go:embed voyages/*.json
var voyageFiles embed.FS

// Voyages returns the voyages that the simulator plays, in the order of their
// names. The caller must not change them.
func Voyages() []Voyage { return voyages() }

var voyages = sync.OnceValue(func() []Voyage {
	files, err := voyageFiles.ReadDir("voyages")
	if err != nil {
		panic(err) // it is compiled in
	}
	list := make([]Voyage, len(files))
	for i, f := range files {
		text, err := voyageFiles.ReadFile(path.Join("voyages", f.Name()))
		if err == nil {
			err = json.Unmarshal(text, &list[i])
		}
		if err != nil {
			panic(fmt.Sprintf("simulator: %s: %v", f.Name(), err))
		}
	}
	return list
})
