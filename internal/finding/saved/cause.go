package saved

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
)

// causes says why findings on a cluster are new or have changed, as far as the two reports show it. The
// zero value knows nothing.
type causes struct {
	onlyCRs bool // only CRs can have changed: reference, overrides and tool are the same
	// the reference is another one, and the earlier report has something of these templates, or leaves
	// out these components; nil otherwise
	templates map[string]bool
	leftOut   []string
}

// causesOf returns the causes for a run since an earlier one; old is nil if there is none.
func causesOf(now *finding.Report, run *finding.Run, then *finding.Report, old *finding.Run) causes {
	if old == nil || old.IsBlank() {
		return causes{}
	}
	if now.Reference.Hash == then.Reference.Hash {
		same := func(a, b finding.OverrideUse) bool {
			return a.File == b.File && a.Index == b.Index && a.State == b.State
		}
		return causes{onlyCRs: now.Tool == then.Tool && run.Validated == old.Validated &&
			slices.Equal(run.LeftOut, old.LeftOut) && slices.EqualFunc(run.Overrides, old.Overrides, same)}
	}
	c := causes{templates: map[string]bool{}, leftOut: old.LeftOut}
	for _, one := range old.Comparisons {
		c.templates[one.Template.Path] = true
	}
	for _, rule := range old.Rules {
		for _, path := range rule.Templates {
			c.templates[path] = true
		}
	}
	for _, one := range old.AcceptedCRs {
		c.templates[one.Template] = true
	}
	for _, one := range old.Referenced {
		c.templates[one.Template] = true
	}
	return c
}

// ofNew returns the cause of a new finding. With another reference, a CR is required only since then if
// the earlier report has nothing of its template: neither a CR nor that it was missing.
func (c causes) ofNew(f finding.Finding) finding.Cause {
	switch {
	case c.onlyCRs:
		return finding.CauseCR
	case c.templates != nil && f.Class == finding.ClassAbsent && !c.templates[f.Template.Path] &&
		!slices.Contains(c.leftOut, f.Template.ComponentName()):
		return finding.CauseReference
	}
	return ""
}

// ofChanged returns the cause of a finding that has other values than an earlier one.
func (c causes) ofChanged(now, then finding.Finding) finding.Cause {
	if c.onlyCRs {
		return finding.CauseCR
	}
	if c.templates == nil {
		return ""
	}
	cr := compareValues(now.Input, then.Input) == finding.Changed
	reference := compareValues(now.Reference, then.Reference) == finding.Changed
	if now.Broken != nil && then.Broken != nil {
		reference = !slices.Equal(now.Broken.Templates, then.Broken.Templates)
	}
	switch {
	case cr && reference:
		return finding.CauseBoth
	case cr:
		return finding.CauseCR
	case reference:
		return finding.CauseReference
	}
	return ""
}
