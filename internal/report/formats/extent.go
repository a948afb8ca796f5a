package formats

import "github.com/validationtool/validationtool/internal/finding"

// Extent says what a document has only where somebody asks for it.
type Extent struct {
	Lines     bool // of CRs with findings
	Unmatched bool // the CRs that match no template, which else are only counted
}

// Of is the report as a document has it, whatever the writers of other formats need. What is found
// shares its memory.
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

// withoutLines copies those comparisons that have lines.
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
