package formats

import "github.com/validationtool/validationtool/internal/finding"

// Extent says which optional parts of a report a document has.
type Extent struct {
	Lines     bool // the lines of CRs with findings
	Unmatched bool // the CRs that match no template; if false, they are only counted
}

// Of returns a copy of a report with these parts only. It shares memory with the report.
func (d Extent) Of(r *finding.Report) *finding.Report {
	out := *r
	out.Runs = make([]*finding.Run, len(r.Runs))
	for i, run := range r.Runs {
		short := *run
		if !d.Unmatched {
			short.Unmatched = nil
		}
		if !d.Lines {
			short.Comparisons = withoutLines(run.Comparisons)
		}
		out.Runs[i] = &short
	}
	return &out
}

// withoutLines returns comparisons without lines. It copies those that have lines.
func withoutLines(all []*finding.Comparison) []*finding.Comparison {
	out := make([]*finding.Comparison, len(all))
	for i, c := range all {
		if out[i] = c; len(c.Sides) > 0 {
			short := *c
			short.Sides = ""
			out[i] = &short
		}
	}
	return out
}
