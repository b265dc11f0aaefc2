package simulator

import "time"

// Lapse is a clock that begins in the past and runs faster than time does until
// it has caught up; from then on it goes with it. So a carrier can play weeks in
// minutes, and still never tell of the future.
type Lapse struct {
	began time.Time
	span  time.Duration
	speed float64
}

// NewLapse returns a clock that begins span before now and runs speed times as
// fast as time, which is at least once.
func NewLapse(span time.Duration, speed float64) *Lapse {
	return &Lapse{began: time.Now(), span: max(span, 0), speed: max(speed, 1)}
}

// Now returns where the clock stands, UTC.
func (l *Lapse) Now() time.Time { return l.at(time.Now()) }

func (l *Lapse) at(now time.Time) time.Time {
	gone := now.Sub(l.began)
	ahead := time.Duration(float64(gone) * (l.speed - 1)) // of a clock that runs as time does
	return now.Add(min(ahead-l.span, 0)).UTC()
}
