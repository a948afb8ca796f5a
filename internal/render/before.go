package render

import "slices"

// Before is a cache of the output of a template and the rendering read from it. The zero value is
// an empty cache. A template usually prints the same text again for a corrected object, and
// parsing a text as YAML takes far longer than printing it.
type Before struct {
	out  *output
	read Rendering // rendering of the output, without violations and notes
}

// read reads the output as YAML, or returns the cached rendering if the output is the same.
func (x *exec) read(before *Before, shown func(key string) bool) (Rendering, error) {
	if before != nil && before.out != nil && x.out.readsAs(before.out) {
		return before.read, nil
	}
	r, err := x.out.place(x.limits, shown)
	if err == nil {
		err = x.checkPrintedSize(&r)
	}
	if before != nil && err == nil {
		r.Unplaced = slices.Clip(r.Unplaced)
		before.out, before.read = x.out, r
	}
	return r, err
}

// readsAs reports whether two outputs certainly give the same rendering. Outputs with secret data
// never do, because the object decides which of their keys are shown.
func (o *output) readsAs(before *output) bool {
	return string(o.buf) == string(before.buf) && o.unsure == before.unsure &&
		slices.EqualFunc(o.prints, before.prints, func(p, q printed) bool {
			return !p.secret && !q.secret && p.start == q.start && p.end == q.end && p.held == q.held &&
				p.blank == q.blank && p.open == q.open &&
				p.unsure == q.unsure && p.fail == q.fail && p.stated == q.stated && p.file == q.file &&
				p.pos == q.pos && p.val.readsAs(q.val)
		})
}

// readsAs reports whether two values that were printed as the same text certainly give the same
// rendering. For containers this is unknown, so it is false.
func (x value) readsAs(before value) bool {
	switch x.v.(type) {
	case nil, string, bool, int, int64, float64:
	default:
		return false
	}
	return x.v == before.v && x.absent == before.absent && x.input == before.input && x.pure == before.pure &&
		x.source == before.source &&
		x.open == before.open && x.at.equal(before.at) &&
		x.lost.equal(before.lost)
}

// equal reports whether two places are equal.
func (p *place) equal(q *place) bool {
	for p != q && p != nil && q != nil && p.key == q.key && p.index == q.index {
		p, q = p.up, q.up
	}
	return p == q
}
