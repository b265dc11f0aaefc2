package form

import "fmt"

// proof notes as the form's fault what nobody could read: texts one over the other,
// or beyond the edge of the paper.
func (f *Form) proof() {
	w, h := 0.0, 0.0
	if len(f.texts) > 0 {
		w, h = f.pdf.GetPageSize()
	}
	for i, a := range f.texts {
		if f.fault != nil {
			return
		}
		right := a.x + f.width(a.font, a.style, a.size, a.say)
		if a.x < 3 || a.y < 3 || right > w-3 || a.y+a.height() > h-3 {
			f.fault = fmt.Errorf("%q is off the page", a.say)
		}
		for _, b := range f.texts[:i] {
			if a.x < b.x+f.width(b.font, b.style, b.size, b.say) && b.x < right &&
				a.y < b.y+b.height() && b.y < a.y+a.height() {
				f.fault = fmt.Errorf("%q lies over %q", a.say, b.say)
			}
		}
	}
}

// height is that of a capital, in mm.
func (t text) height() float64 { return t.size * 0.26 }
