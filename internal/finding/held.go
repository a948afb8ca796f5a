package finding

// Held is how many bytes of memory a comparison keeps beside the names and places in it, roughly.
func (c *Comparison) Held() int64 {
	const ofDifference, ofNote = 192, 64 // bytes of the structs
	n := len(c.Sides)
	held := func(d Difference) int {
		size := ofDifference + len(d.Path) + len(d.Reference) + len(d.Input) + len(d.Message) + len(d.Fingerprint)
		if d.Inside != nil {
			size += len(d.Inside.Encoding)
			for _, one := range d.Inside.Differences {
				size += ofDifference + len(one.Path) + len(one.Reference) + len(one.Input)
			}
		}
		return size
	}
	for _, d := range c.Differences {
		n += held(d)
	}
	for _, s := range c.Notes {
		n += ofNote + len(s.Path) + len(s.Message)
	}
	if c.Override != nil {
		for _, d := range c.Override.Accepted {
			n += held(d)
		}
	}
	if a := c.Acceptance; a != nil {
		for _, o := range a.Overrides {
			n += len(o.Patch)
		}
		for _, left := range a.Left {
			n += len(left.Message)
		}
	}
	if f := c.Fix; f != nil {
		n += len(f.CR) + len(f.Patch)
	}
	return int64(n)
}

// Held is how many bytes of memory the comparisons of a run keep.
func (r *Run) Held() (n int64) {
	for _, c := range r.Comparisons {
		n += c.Held()
	}
	return n
}
