package saved

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// causes says why findings on a cluster are new or have changed, as far as two reports prove it. The
// zero value knows nothing.
type causes struct {
	onlyInput bool // nothing but the input is other
	// the earlier run if the reference is other too, and nothing else but the input; nil otherwise
	old *finding.Run
}

// causesOf returns the causes for a run since an earlier one; old is nil if there is none.
func causesOf(now *finding.Report, run *finding.Run, then *finding.Report, old *finding.Run) causes {
	if old == nil || now.Tool != then.Tool || !isCertain(run) || !isCertain(old) || !sameOptions(run, old) {
		return causes{}
	}
	if otherReference(now, run, then, old) {
		return causes{old: old}
	}
	same := func(a, b finding.OverrideUse) bool {
		return a.File == b.File && a.Index == b.Index && a.State == b.State
	}
	return causes{onlyInput: slices.EqualFunc(run.Overrides, old.Overrides, same)}
}

// isCertain reports whether a run is complete, and its reference and all options are known.
func isCertain(run *finding.Run) bool {
	merged := func(w finding.Warning) bool {
		return w.Code == code.OtherReference && run.Reference == (finding.Reference{})
	}
	return len(run.Obstacles()) == 0 && !slices.ContainsFunc(run.Alarms, merged) &&
		!slices.ContainsFunc(run.Options, finding.IsOpenOption)
}

// sameOptions reports whether the options of two runs do not let them differ.
func sameOptions(a, b *finding.Run) bool {
	return a.Given == b.Given && a.Validated == b.Validated && slices.Equal(a.LeftOut, b.LeftOut) &&
		slices.Equal(a.Options, b.Options)
}

// ofNew returns the cause of a new finding.
func (c causes) ofNew(f finding.Finding) finding.Cause {
	switch {
	case c.onlyInput:
		return finding.CauseInput
	case c.old != nil && f.Class == finding.ClassAbsent && f.Rule == string(refconfig.AllOf) && !mentions(c.old, f):
		return finding.CauseReference
	}
	return ""
}

// mentions reports whether a run may have something of the template or the CR of a finding: a CR, or
// that it was missing. The template may have had another name.
func mentions(old *finding.Run, f finding.Finding) bool {
	is := func(template string, o finding.Object) bool {
		return template == f.Template.Path || (o.Kind == f.Object.Kind || o.Kind == "" || f.Object.Kind == "") &&
			(o.Name == f.Object.Name || !isFixed(o.Name) || !isFixed(f.Object.Name))
	}
	return slices.Contains(old.LeftOut, f.Template.ComponentName()) ||
		slices.ContainsFunc(old.Comparisons, func(c *finding.Comparison) bool {
			return is(c.Template.Path, c.Object)
		}) ||
		slices.ContainsFunc(old.Rules, func(r finding.Rule) bool {
			return slices.Contains(r.Templates, f.Template.Path) ||
				slices.ContainsFunc(r.Missing, func(m finding.Missed) bool { return is(m.Template, m.Object) })
		}) ||
		slices.ContainsFunc(old.AcceptedCRs, func(a finding.AcceptedCR) bool { return is(a.Template, a.Object) }) ||
		slices.ContainsFunc(old.Referenced, func(r finding.Referenced) bool { return r.Template == f.Template.Path })
}

// isFixed reports whether a template states a whole name.
func isFixed(name string) bool { return name != "" && !strings.Contains(name, "*") }

// ofChanged returns the cause of a finding that has other values than an earlier one.
func (c causes) ofChanged(now, then finding.Finding) finding.Cause {
	if !c.onlyInput && (c.old == nil || now.Broken != nil || isNested(now.Input) || isNested(then.Input)) {
		return "" // another reference matches other CRs, and omits other fields of a map
	}
	cr := now.Broken == nil && compareValues(now.Input, then.Input) == finding.Changed
	expected := compareValues(now.Reference, then.Reference) == finding.Changed
	switch {
	case cr && expected:
		return finding.CauseBoth
	case cr:
		return finding.CauseCR
	case expected:
		return finding.CauseExpected
	case c.onlyInput:
		return finding.CauseInput
	}
	return ""
}

// isNested reports whether a value is a map or a list.
func isNested(value json.RawMessage) bool {
	return len(value) > 0 && (value[0] == '{' || value[0] == '[')
}
