package freetime

import (
	"math/big"
	"slices"
	"time"
)

// oracle counts days another way: it walks half an hour at a time, replays all facts for
// each of them, and asks every question of every date from scratch. It holds where facts,
// clock changes and offsets fall on half hours.
type oracle struct {
	clock   Clock
	h       History
	tariffs []Tariff
	asked   time.Time

	t                   Tariff // the tariff that is tried
	opening, out, ended *Fact
	dates               []string // of the place, in order
	slots               map[string][]time.Time
	reported            *Fact
}

const (
	slot    = 30 * time.Minute
	horizon = 75 // days that the walk looks ahead of the moment of asking
)

// counts reports whether a fact is known and of this place.
func (o *oracle) counts(f Fact) bool {
	recorded := f.RecordedAt
	if recorded.IsZero() {
		recorded = f.At
	}
	if f.Type == Closed {
		return f.Place == "" || f.Place == o.h.Place
	}
	if f.Type != EmptyIn && f.Place != o.h.Place {
		return false
	}
	return !recorded.After(o.asked) && (f.Type == LastFreeDayFact || !f.At.After(o.asked))
}

// last returns the fact recorded last of those that fit, or nil.
func (o *oracle) last(fits func(Fact) bool) *Fact {
	var found *Fact
	var when time.Time
	for _, f := range o.h.Facts {
		recorded := f.RecordedAt
		if recorded.IsZero() {
			recorded = f.At
		}
		if o.counts(f) && fits(f) && (found == nil || recorded.After(when)) {
			found, when = &f, recorded
		}
	}
	return found
}

func (o *oracle) dateOf(f *Fact) string {
	zone := f.Zone
	if zone == nil {
		zone = o.h.Zone
	}
	return f.At.In(zone).Format(time.DateOnly)
}

func (o *oracle) local(t time.Time) string { return t.In(o.h.Zone).Format(time.DateOnly) }

func (o *oracle) next(date string) string {
	i, _ := slices.BinarySearch(o.dates, date+"+")
	return o.dates[i]
}

// ledger gives the same as NewLedger, without the reason.
func (o *oracle) ledger() ledgerJSON {
	want := ledgerJSON{Days: []dayJSON{}}
	o.h.Facts = slices.SortedFunc(slices.Values(o.h.Facts), func(a, b Fact) int { return a.At.Compare(b.At) })
	for _, party := range map[Clock][]Party{Demurrage: {PartyLine, PartyTerminal}, RailStorage: {PartyRail, PartyLine}, Combined: {PartyLine}}[o.clock] {
		if o.reported == nil {
			o.reported = o.last(func(f Fact) bool { return f.Type == LastFreeDayFact && f.Party == party })
		}
	}
	if o.reported != nil {
		want.Reported = pointer(o.dateOf(o.reported))
		want.Effective = want.Reported
	}
	opens := map[Clock]FactType{Demurrage: Discharged, Combined: Discharged, RailStorage: RailUnloaded, Detention: FullOut, PerDiem: FullOut}[o.clock]
	if o.opening = o.last(func(f Fact) bool { return f.Type == opens }); o.opening == nil {
		return want
	}
	o.readEnds()
	o.walkDates()
	if !o.choose() {
		return want
	}
	o.fill(&want)
	return want
}

func (o *oracle) readEnds() {
	after := func(types ...FactType) *Fact {
		var first *Fact
		for _, ft := range types {
			f := o.last(func(f Fact) bool { return f.Type == ft && !f.At.Before(o.opening.At) })
			if f != nil && (first == nil || f.At.Before(first.At)) {
				first = f
			}
		}
		return first
	}
	switch o.clock {
	case Demurrage:
		o.out = after(FullOut, RailLoaded)
		o.ended = o.out
	case RailStorage:
		o.out = after(FullOut)
		o.ended = o.out
	case Combined:
		o.out, o.ended = after(FullOut, RailLoaded), after(EmptyIn)
	default:
		o.ended = after(EmptyIn)
	}
}

// walkDates lists the dates that the place has, and the half hours of each.
func (o *oracle) walkDates() {
	o.slots = map[string][]time.Time{}
	for at := o.opening.At.Add(-72 * time.Hour); at.Before(o.asked.Add(horizon * 24 * time.Hour)); at = at.Add(slot) {
		date := o.local(at)
		if len(o.slots[date]) == 0 {
			o.dates = append(o.dates, date)
		}
		o.slots[date] = append(o.slots[date], at)
	}
	slices.Sort(o.dates)
}

// rows returns the dates of the ledger.
func (o *oracle) rows() []string {
	from, to := o.dateOf(o.opening), o.local(o.asked)
	if o.ended != nil {
		to = o.dateOf(o.ended)
	}
	var rows []string
	for _, d := range o.dates {
		if d >= from && (d <= to || len(rows) == 0) {
			rows = append(rows, d)
		}
	}
	return rows
}

func (o *oracle) weekend(d string) bool {
	at, _ := time.Parse(time.DateOnly, d)
	for _, x := range o.t.ExtraWorkingDays {
		if x.String() == d {
			return false
		}
	}
	return slices.Contains(o.t.Weekend, at.Weekday())
}

func (o *oracle) holiday(d string) bool {
	for _, x := range o.t.ExtraWorkingDays {
		if x.String() == d {
			return false
		}
	}
	return slices.ContainsFunc(o.t.Holidays, func(h Holiday) bool { return h.Date.String() == d })
}

func (o *oracle) working(d string) bool { return !o.weekend(d) && !o.holiday(d) }

// state is what the facts say at a moment, replayed from the first.
type state struct {
	word  *Fact            // available or not; nil is silence
	holds map[string]*Fact // by name
}

func (o *oracle) at(moment time.Time) state {
	s := state{holds: map[string]*Fact{}}
	for _, f := range o.h.Facts { // in the order of At
		if !o.counts(f) || f.At.After(moment) {
			continue
		}
		switch f.Type {
		case Available, NotAvailable:
			s.word = &f
		case Held:
			if s.holds[f.Hold] == nil && !slices.Contains(o.t.HoldsThatCount, f.Hold) {
				s.holds[f.Hold] = &f
			}
		case Released:
			delete(s.holds, f.Hold)
		}
	}
	return s
}

// past reports whether the date lies after the container left, or the empty came back.
func (o *oracle) past(d string) bool {
	return o.out != nil && d > o.dateOf(o.out) || o.ended != nil && d > o.dateOf(o.ended)
}

func (o *oracle) closed(d string) *Fact {
	of := Terminal
	if o.clock == RailStorage {
		of = Ramp
	}
	if o.clock == Detention || o.clock == PerDiem || o.clock == Combined && o.past(d) {
		of = Depot
	}
	for _, f := range o.h.Facts {
		if f.Type == Closed && o.counts(f) && f.Date.String() == d && f.Of == of {
			return &f
		}
	}
	return nil
}

// blocked reports whether there was no moment of the date without an obstacle, and what
// is shown for it.
func (o *oracle) blocked(d string, silence bool) (bool, string) {
	if o.out != nil && d == o.dateOf(o.out) || o.ended != nil && d == o.dateOf(o.ended) {
		return false, ""
	}
	if f := o.closed(d); f != nil {
		return true, f.Name
	}
	if o.clock == Detention || o.clock == PerDiem || o.past(d) {
		return false, ""
	}
	var hold, word *Fact
	for _, at := range o.moments(d) {
		s := o.at(at)
		if len(s.holds) == 0 && (s.word == nil && !silence || s.word != nil && s.word.Type == Available) {
			return false, ""
		}
		for _, f := range s.holds {
			if hold == nil || f.At.Before(hold.At) {
				hold = f
			}
		}
		if word == nil && s.word != nil && s.word.Type == NotAvailable {
			word = s.word
		}
	}
	switch {
	case hold != nil:
		return true, hold.Name
	case word != nil:
		return true, word.Name
	}
	return true, "rule:no_availability_reported"
}

func (o *oracle) moments(d string) []time.Time {
	var moments []time.Time
	for _, at := range o.slots[d] {
		if !at.Before(o.opening.At) {
			moments = append(moments, at)
		}
	}
	if moments == nil {
		return o.slots[d]
	}
	return moments
}

// isSkipped reports whether the date uses up no free day, and what is shown for it.
func (o *oracle) isSkipped(d string) (bool, string) {
	if o.t.UnavailableDays == UnavailableCount {
		return false, ""
	}
	everAvailable := o.last(func(f Fact) bool { return f.Type == Available }) != nil
	return o.blocked(d, everAvailable && (o.reported == nil || d <= o.dateOf(o.reported)))
}

// first returns the first day that the tariff gives, "" for none.
func (o *oracle) first() string {
	opened := o.dateOf(o.opening)
	rows := o.rows()
	local := o.opening.At.In(o.h.Zone)
	if o.opening.Zone != nil {
		local = o.opening.At.In(o.opening.Zone)
	}
	switch o.t.Starts {
	case StartDayOf:
		return rows[0]
	case StartDayAfter:
		return o.next(opened)
	case StartCutoff:
		if local.Format("15:04") < o.t.Cutoff {
			return rows[0]
		}
		return o.next(opened)
	}
	for _, d := range rows {
		if o.t.UnavailableDays != UnavailableCount {
			if blocked, _ := o.blocked(d, true); !blocked {
				return d
			}
			continue
		}
		for _, f := range o.h.Facts {
			proof := f.Type == Available && o.counts(f) || o.out != nil && f.Name == o.out.Name || o.ended != nil && f.Name == o.ended.Name
			if proof && o.dateOf(&f) <= d {
				return d
			}
		}
	}
	return ""
}

// choose takes each set of stated fields, the larger and then the earlier first, and the
// tariff that states it.
func (o *oracle) choose() bool {
	var sets [][5]bool
	for n := 5; n >= 0; n-- {
		for mask := 31; mask >= 0; mask-- {
			set, size := [5]bool{}, 0
			for i := range set {
				if set[i] = mask>>(4-i)&1 == 1; set[i] {
					size++
				}
			}
			if size == n {
				sets = append(sets, set)
			}
		}
	}
	c := o.h.Container
	slices.SortStableFunc(o.tariffs, func(a, b Tariff) int { return int(a.ValidFrom - b.ValidFrom) })
	for _, byOpening := range []bool{false, true} {
		for _, set := range sets {
			for _, t := range o.tariffs {
				fits := (!set[0] || t.Terminal == c.Terminal) && (!set[1] || t.Place == o.h.Place) && (!set[2] || t.Line == c.Line) &&
					(!set[3] || t.EquipmentType == c.EquipmentType) && (!set[4] || t.EquipmentLength == c.EquipmentLength)
				states := set == [5]bool{t.Terminal != "", t.Place != "", t.Line != "", t.EquipmentType != "", t.EquipmentLength != 0}
				if o.t = t; t.Clock == o.clock && fits && states && o.valid(byOpening) {
					return true
				}
			}
		}
	}
	return false
}

// valid reports whether the tariff is valid on its first day. With byOpening it is on the
// day of the opening fact, and another of the same scope is on its first day.
func (o *oracle) valid(byOpening bool) bool {
	day := o.first()
	if day == "" {
		day = o.dateOf(o.opening)
	}
	on := func(t Tariff, d string) bool {
		return (t.ValidFrom == 0 || t.ValidFrom.String() <= d) && (t.ValidTo == 0 || d <= t.ValidTo.String())
	}
	if !byOpening {
		return on(o.t, day)
	}
	return on(o.t, o.dateOf(o.opening)) && slices.ContainsFunc(o.tariffs, func(t Tariff) bool {
		return t.Clock == o.clock && on(t, day) && t.Fits(o.h.Container, o.h.Place)
	})
}

// lastFree returns the date that uses up free time, and the one it is extended to.
func (o *oracle) lastFree() (used, last string) {
	first := o.first()
	if first == "" || o.t.FreeDays == 0 {
		return "", ""
	}
	skips := map[string]bool{}
	for _, d := range o.dates {
		skips[d], _ = o.isSkipped(d)
	}
	for _, d := range o.dates {
		n := 0
		for _, before := range o.dates {
			if before >= first && before <= d && !skips[before] && (o.t.FreeDaysKind == CalendarDays || o.working(before)) {
				n++
			}
		}
		if n == o.t.FreeDays {
			used = d
			break
		}
	}
	if used == "" || o.t.EndsOn == EndsOnAnyDay || o.working(used) {
		return used, used
	}
	for _, d := range o.dates {
		if d > used && o.working(d) && !skips[d] {
			return used, d
		}
	}
	return used, ""
}

// fill writes the days and the totals.
func (o *oracle) fill(want *ledgerJSON) {
	if o.clock == Demurrage && o.h.Container.ThroughRail {
		o.sum(want, nil, "")
		return
	}
	used, last := o.lastFree()
	want.Last = pointer(last)
	if want.Reported == nil {
		want.Effective = want.Last
	}
	first, effective := o.first(), value(want.Effective)
	rows := o.rows()
	var charged []string
	for i, d := range append(slices.Clone(rows), o.next(rows[len(rows)-1])) {
		day := o.day(d, first, used, last, effective)
		if day.Kind == "charged" {
			charged = append(charged, d)
			day.Tier, day.Amount = o.price(len(charged))
		}
		if i < len(rows) {
			want.Days = append(want.Days, day)
			continue
		}
		if first == "" && effective == "" {
			return
		}
		if day.Kind == "charged" {
			charged = charged[:len(charged)-1]
		}
		o.sum(want, charged, day.Amount)
	}
}

func (o *oracle) day(d, first, used, last, effective string) dayJSON {
	day := dayJSON{Date: d}
	reported := ""
	if o.reported != nil {
		reported = o.dateOf(o.reported)
	}
	skipped, cause := o.isSkipped(d)
	free := effective == "" && o.t.FreeDays > 0 || d <= effective
	extension := used != "" && used != last && d > used && (last == "" || d <= last)
	offCounts := free && (o.t.FreeDaysKind == WorkingDays || extension) || !free && o.t.ChargedOn == ChargeWorkingDays
	early := first == "" || d < first
	switch {
	case early && o.t.Starts != StartFirstAvailability:
		day.Kind, day.Basis = "before_start", "rule:starts"
	case early && (reported == "" || d <= reported):
		day.Kind, day.Basis = "not_available", o.early(d)
	case offCounts && o.weekend(d):
		day.Kind, day.Basis = "weekend", "rule:weekend"
	case offCounts && o.holiday(d):
		day.Kind, day.Basis = "holiday", "rule:holidays"
	case skipped && (free || o.t.UnavailableDays == UnavailableSkip):
		day.Kind, day.Basis = "not_available", cause
	case free && reported != "" && (o.t.FreeDays == 0 || last != "" && d > last):
		day.Kind, day.Basis = "free", o.reported.Name
	case free && extension:
		day.Kind, day.Basis = "free", "rule:ends_on"
	case free:
		day.Kind, day.Basis = "free", "rule:free_days"
	case reported != "":
		day.Kind, day.Basis = "charged", o.reported.Name
	default:
		day.Kind, day.Basis = "charged", "rule:tiers"
	}
	return day
}

// early is the basis of a day before the first availability.
func (o *oracle) early(d string) string {
	if o.t.UnavailableDays != UnavailableCount {
		_, cause := o.blocked(d, true)
		return cause
	}
	for _, at := range o.moments(d) {
		if s := o.at(at); s.word != nil && s.word.Type == NotAvailable {
			return s.word.Name
		}
	}
	return "rule:no_availability_reported"
}

// price counts the days of each tier off.
func (o *oracle) price(number int) (int, string) {
	for i, tier := range o.t.Tiers {
		length := tier.To - tier.From + 1
		if tier.To == 0 || number <= length {
			return i + 1, tier.Amount.String()
		}
		number -= length
	}
	panic("no open tier")
}

func (o *oracle) sum(want *ledgerJSON, charged []string, tomorrow string) {
	places, _ := decimals(o.t.Currency)
	total, n := new(big.Rat), len(charged)
	for _, d := range want.Days {
		if amount, ok := new(big.Rat).SetString(d.Amount); ok {
			total.Add(total, amount)
		}
	}
	want.DaysCharged, want.Currency, want.Total = &n, &o.t.Currency, pointer(total.FloatString(places))
	if n > 0 {
		want.First = &charged[0]
	}
	nothing := new(big.Rat).FloatString(places)
	if want.Tomorrow = pointer(tomorrow); tomorrow == "" || o.ended != nil {
		want.Tomorrow = &nothing
	}
}
