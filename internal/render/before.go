package render

import "slices"

// Before is what a template printed for one object, and how that was read. The zero value is that
// of no execution. A template mostly prints the same again once the object is mended, and reading a
// text as YAML takes far longer than printing it.
type Before struct {
	out  *output
	read Rendering // of the output alone
}

// read reads the output, unless it is the same as before.
func (x *exec) read(before *Before, shown func(key string) bool) (Rendering, error) {
	if before != nil && before.out != nil && x.out.readsAs(before.out) {
		return before.read, nil
	}
	r, err := x.out.place(x.limits, shown)
	if err == nil {
		err = x.oversize(&r)
	}
	if before != nil && err == nil {
		r.Unplaced = slices.Clip(r.Unplaced)
		before.out, before.read = x.out, r
	}
	return r, err
}

// readsAs reports whether two outputs are sure to be read alike. Where something is secret, what is
// shown of it hangs on the object too.
func (o *output) readsAs(before *output) bool {
	return string(o.buf) == string(before.buf) && o.unsure == before.unsure &&
		slices.EqualFunc(o.prints, before.prints, func(p, q printed) bool {
			return !p.secret && !q.secret && p.start == q.start && p.end == q.end && p.held == q.held &&
				p.blank == q.blank && p.open == q.open &&
				p.unsure == q.unsure && p.fail == q.fail && p.stated == q.stated && p.file == q.file &&
				p.pos == q.pos && p.val.readsAs(q.val)
		})
}

// readsAs reports whether two values that were printed alike are sure to be read alike. Of
// containers that is not known.
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

// equal reports whether two places are the same one.
func (p *place) equal(q *place) bool {
	for p != q && p != nil && q != nil && p.key == q.key && p.index == q.index {
		p, q = p.up, q.up
	}
	return p == q
}
