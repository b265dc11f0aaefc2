package freetime

// calendar is which days a tariff takes for working days.
type calendar struct {
	weekend         [7]bool // by time.Weekday
	holidays, extra map[Date]bool
}

func newCalendar(t *Tariff) calendar {
	c := calendar{holidays: map[Date]bool{}, extra: map[Date]bool{}}
	for _, day := range t.Weekend {
		c.weekend[day] = true
	}
	for _, h := range t.Holidays {
		c.holidays[h.Date] = true
	}
	for _, d := range t.ExtraWorkingDays {
		c.extra[d] = true
	}
	return c
}

// dayOff returns Weekend or Holiday, and "" for a working day. A holiday on a weekend is
// a weekend; an extra working day wins over both.
func (c calendar) dayOff(d Date) Kind {
	switch {
	case c.extra[d]:
		return ""
	case c.weekend[d.Weekday()]:
		return WeekendDay
	case c.holidays[d]:
		return HolidayDay
	}
	return ""
}

func (c calendar) isWorkingDay(d Date) bool { return c.dayOff(d) == "" }
