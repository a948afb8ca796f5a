package finding

// Held is how many bytes of memory a comparison keeps beside the names and places in it, roughly. Where these are so long that formats which
// repeat them for each difference become larger by them, they count for each.
func (c *Comparison) Held() int64 {
	n := len(c.Sides)
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
	return int64(n) + c.Told()
}

// Told is how many of these bytes there are whatever formats are written, and whether the whole object is shown.
func (c *Comparison) Told() int64 {
	const ofDifference, ofNote = 192, 64 // bytes of the structs
	const ordinary = 1 << 10             // bytes of names, beyond which formats that list differences repeat more than there is of them
	o, t, s := c.Object, c.Template, c.Source
	names := len(o.String()) + len(t.Path) + len(t.Part) + len(t.Component) + len(s.File) + len(s.Entry) + len(s.Wrapper)
	n := max(0, names-ordinary) * len(c.Differences)
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
	return int64(n)
}

// Held is how many bytes of memory the comparisons of a run keep.
func (r *Run) Held() (n int64) {
	for _, c := range r.Comparisons {
		n += c.Held()
	}
	return n
}
