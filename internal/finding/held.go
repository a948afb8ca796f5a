package finding

// Held is how many bytes of memory a comparison keeps beside the names and places in it, roughly.
func (c *Comparison) Held() int64 {
	const ofDifference, ofSide, ofLine, ofSpan = 192, 80, 48, 16 // bytes of the structs
	n := 0
	for _, d := range c.Differences {
		n += ofDifference + len(d.Path) + len(d.Reference) + len(d.Input) + len(d.Message) + len(d.Fingerprint)
	}
	for _, s := range c.Sides {
		n += ofSide + len(s.Path) + len(s.Note)
		if s.Left != nil {
			n += ofLine + len(s.Left.Text) + ofSpan*len(s.Left.Words)
		}
		if s.Right != nil && s.Right != s.Left {
			n += ofLine + len(s.Right.Text) + ofSpan*len(s.Right.Words)
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
	return int64(n)
}

// Held is how many bytes of memory the comparisons of a run keep.
func (r *Run) Held() (n int64) {
	for _, c := range r.Comparisons {
		n += c.Held()
	}
	return n
}
