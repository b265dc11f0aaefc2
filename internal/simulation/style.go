package simulation

import "time"

// planStyle is how a line reports its plans.
type planStyle int

const (
	plansNothing planStyle = iota
	plansByRoute
	plansByMoves
	plansBoth
)

// lineStyle is the hand of a line: how completely and how exactly it speaks.
type lineStyle struct {
	clockless bool          // gives no time of recording
	batch     time.Duration // records only at the full batch
	complete  float64       // share of the facts that are ever reported
	plans     planStyle
	roles     bool // says the roles of places
	sameID    bool // revises an estimate under its first ID
	tidy      bool // names ships in full
	seconds   bool
	dayOnly   float64
	floating  float64
	restated  bool // says that a voyage ended early
	second    bool // another source passes everything on
	terminal  bool
	person    bool
	zeroes    []string // other sources that give no time of recording
}

func (w *World) drawLineStyle() lineStyle {
	d := w.dice
	style := lineStyle{
		clockless: d.chance(0.12),
		batch:     []time.Duration{time.Second, time.Hour, 12 * time.Hour}[d.weighted(75, 13, 12)],
		complete:  []float64{1, 0.93, 0.75}[d.weighted(50, 30, 20)],
		plans:     planStyle(d.weighted(10, 30, 30, 30)),
		roles:     d.chance(0.4),
		sameID:    d.chance(0.25),
		tidy:      d.chance(0.55),
		seconds:   d.chance(0.3),
		restated:  d.chance(0.6),
		second:    d.chance(0.12),
		terminal:  d.chance(0.35),
		person:    d.chance(0.4),
	}
	for _, source := range []string{"terminal", "manual", "visibility-hub"} {
		if d.chance(0.25) {
			style.zeroes = append(style.zeroes, source)
		}
	}
	style.dayOnly = []float64{0, 0.04, 0.2}[d.weighted(80, 13, 7)]
	style.floating = []float64{0, 0.1, 0.5}[d.weighted(80, 13, 7)]
	if style.plans == plansNothing {
		style.roles = false
	}
	return style
}
