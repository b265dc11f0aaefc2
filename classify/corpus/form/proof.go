package form

import "fmt"

// proof notes as the form's fault what nobody could read: texts one over the other,
// or beyond the edge of the paper.
func (f *Form) proof() {
	if len(f.texts) == 0 || f.fault != nil {
		return
	}
	w, h := f.pdf.GetPageSize()
	rights := make([]float64, len(f.texts))
	for i, a := range f.texts {
		rights[i] = a.x + f.width(a.font, a.style, a.size, a.say)
		if a.x < 3 || a.y < 3 || rights[i] > w-3 || a.foot() > h-3 {
			f.fault = fmt.Errorf("%q is off the page", a.say)
		}
		for k, b := range f.texts[:i] {
			if a.x < rights[k] && b.x < rights[i] && a.y < b.foot() && b.y < a.foot() {
				f.fault = fmt.Errorf("%q lies over %q", a.say, b.say)
			}
		}
	}
}

// foot is where a text's capitals end, in mm.
func (t text) foot() float64 { return t.y + t.size*0.26 }
