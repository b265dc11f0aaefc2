package simulator

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"sync"
)

// Voyage is one invented shipment as a carrier would report it: a document of DCSA
// v2.2 with a heading.
type Voyage struct {
	// Name is the name of its file; About describes it.
	Name  string `json:"name"`
	About string `json:"about"`
	// TransportDocument and Booking are the numbers of the shipment. Each event
	// names both.
	TransportDocument string `json:"transportDocument"`
	Booking           string `json:"booking"`
	// Containers have the owner TSTU and valid check digits.
	Containers []string `json:"containers"`
	// Vessels have IMO numbers that begin with 2, which no real ship has.
	Vessels []Vessel `json:"vessels"`
	// Events are in the order in which the carrier learned of them, from
	// 2026-01-05T00:00:00Z on. Two with the same eventID are versions of one event.
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
// names. What they hold is shared, and not to be changed.
func Voyages() []Voyage {
	list := make([]Voyage, len(scripts()))
	for i, s := range scripts() {
		list[i] = s.Voyage
	}
	return list
}

// NumberOfVoyages returns how many Voyages there are, without reading them.
func NumberOfVoyages() int { return len(voyageEntries()) }

// voyageEntries are the files of the voyages.
func voyageEntries() []fs.DirEntry {
	files, err := voyageFiles.ReadDir("voyages")
	if err != nil {
		panic(err) // they are compiled in
	}
	return files
}

// scripts are the voyages, read once.
var scripts = sync.OnceValue(func() []script {
	files := voyageEntries()
	list := make([]script, len(files))
	for i, f := range files {
		var err error
		if list[i], err = readVoyage(f.Name()); err != nil {
			panic(fmt.Sprintf("simulator: %s: %v", f.Name(), err))
		}
	}
	return list
})

func readVoyage(name string) (script, error) {
	text, err := voyageFiles.ReadFile(path.Join("voyages", name))
	if err != nil {
		return script{}, err
	}
	var v Voyage
	if err := json.Unmarshal(text, &v); err != nil {
		return script{}, err
	}
	for i, e := range v.Events {
		var compact bytes.Buffer
		if err := json.Compact(&compact, e); err != nil {
			return script{}, err
		}
		v.Events[i] = compact.Bytes()
	}
	return newScript(v)
}
