package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// loadRun prepares a run over a reference and folders of CRs.
func loadRun(t *testing.T, reference string, folders ...string) *run {
	t.Helper()
	ref, engine := load(t, reference)
	in := Collected{Objects: given.Folders(t, folders...)}
	return newRun(t.Context(), ref, engine, in, Options{Nearest: ref.Format == refconfig.Annotations})
}

// TestAudit changes, removes and extends every scalar, map and list of every CR of the examples,
// and of the published references if they are available. oracle_test.go computes the expected
// result of each change without the code that compares. A change that no finding shows must have a
// reason.
func TestAudit(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, c := range []struct {
		reference string
		inputs    []string
		least     int // changes
		every     int // unless -all is set, so that the test takes seconds
	}{
		{"../../examples/quickstart/reference", []string{"../../examples/quickstart/cluster"}, 450, 1},
		{"../../examples/annotations/reference", []string{"../../examples/annotations/cluster"}, 450, 1},
		{"../../examples/ran-du/reference", []string{"../../examples/ran-du/cluster"}, 2500, 1},
		{shared + "references/core", []string{shared + "inputs/core", shared + "inputs/core-defaults"}, 6000, 3},
		{shared + "references/hub", []string{shared + "inputs/hub"}, 12000, 7},
	} {
		if _, err := os.Stat(c.reference); err != nil {
			continue
		}
		name := filepath.Base(strings.TrimSuffix(c.reference, "/reference"))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAudit(t, loadRun(t, c.reference, c.inputs...), c.every)
			if a.run.comparer.opt.Nearest { // so that each object has its template
				if a.run.compareAll(); a.run.ctx.Err() != nil {
					t.Fatal(a.run.ctx.Err())
				}
			}
			for _, e := range a.run.comparer.store.distinct {
				a.object(e)
			}
			a.print(c.least)
		})
	}
}

// audit counts the outcomes of the changes, by kind of change.
type audit struct {
	t      *testing.T
	run    *run
	tally  map[string]map[string]int
	every  int // only every n-th change is made
	seen   int
	failed int
}

func newAudit(t *testing.T, r *run, every int) *audit {
	switch {
	case testing.Short():
		every *= 13
	case !testkit.Whole():
		every *= 3
	}
	return &audit{t: t, run: r, tally: map[string]map[string]int{}, every: every}
}

// print logs the counts.
func (a *audit) print(least int) {
	a.t.Helper()
	changes, sums := 0, map[string]int{}
	line := func(counts map[string]int) string {
		var parts []string
		for _, what := range tree.Keys(counts) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[what], what))
		}
		return strings.Join(parts, ", ")
	}
	for _, kind := range tree.Keys(a.tally) {
		a.t.Logf("%-28s %s", kind, line(a.tally[kind]))
		for what, n := range a.tally[kind] {
			changes += n
			sums[what] += n
		}
	}
	a.t.Logf("%d changes: %s; lost: %d", changes, line(sums), a.failed)
	if changes < least/a.every {
		a.t.Errorf("%d changes are fewer than %d", changes, least/a.every)
	}
}

// object audits one object, if it is compared.
func (a *audit) object(e *stored) {
	value, err := e.decode()
	if err != nil {
		return
	}
	before := a.run.compare(e).comparison
	if before == nil || before.Result == finding.Failed {
		return
	}
	was := sidesOf(a.run, before.template, value)
	if err := truth(before, was); err != nil {
		a.t.Errorf("%s: %s", e.object.ID, err)
		return
	}
	changes := changer{value, func(c change) {
		if a.seen++; a.seen%a.every != 0 || a.failed > 20 {
			return
		}
		what, err := a.outcome(e, before, was, c)
		if err != nil {
			a.failed++
			a.t.Errorf("%s: %s: %s (%s): %s", e.object.ID, c.at, c.kind, before.Template.Path, err)
		}
		if a.tally[c.kind] == nil {
			a.tally[c.kind] = map[string]int{}
		}
		a.tally[c.kind][what]++
	}}
	changes.all(value, nil)
	changes.likeOmitted(auditOmits(a.run.ref, before.template))
}

// outcome compares a changed object and returns a word for the outcome.
func (a *audit) outcome(e *stored, before *audited, was sides, c change) (string, error) {
	s := &stored{object: e.object, value: c.value}
	s.once.Do(func() {})
	if identifies(given.FieldPath(c.at)) {
		objects := manifest.Read("changed.yaml", "", []byte(tree.YAML(c.value)), manifest.Hints{}).Objects
		if len(objects) == 0 {
			return "no CR any more", nil
		}
		s = &stored{object: objects[0]}
	}
	if t := a.run.assigned[e]; t != nil && slices.Contains(a.run.comparer.templates.index.Nearest(s.object.ID), t) {
		a.run.assigned[s] = t
	}
	v := a.run.compare(s)
	after := v.comparison
	switch {
	case after == nil && v.refused == nil:
		if !identifies(given.FieldPath(c.at)) {
			return "lost", fmt.Errorf("no template matches it any more")
		}
		return "found: unmatched", nil
	case v.refused != nil:
		return "refused", a.refusal(s, v.refused)
	}
	now := sidesOf(a.run, after.template, c.value)
	if after.Result == finding.Failed {
		if now.err == nil && len(now.patterns) == 0 || after.Error.Message == "" || after.Error.Code == code.Internal {
			return "lost", fmt.Errorf("not evaluated: %+v", after.Error)
		}
		return "not evaluated", nil
	}
	if err := truth(after, now); err != nil {
		return "lost", err
	}
	if after.Template != before.Template {
		return "another template", nil
	}
	return a.told(before, after, was, now, c)
}

// refusal checks that all templates which could meet an object refuse it.
func (a *audit) refusal(s *stored, u *finding.Refused) error {
	for _, r := range u.Reasons {
		if !sidesOf(a.run, a.run.comparer.templates.byPath[r.Template].Ref, s.value).refused || r.Reason == "" {
			return fmt.Errorf("%s does not refuse it", r.Template)
		}
	}
	return nil
}

// told returns how a change shows in a comparison that the oracle confirms, or why it need not
// show.
func (a *audit) told(before, after *audited, was, now sides, c change) (string, error) {
	shows, around := false, false
	unlike(now.left, now.right, nil, func(at spot, _ finding.Category) {
		shows = true
		around = around || at.near(c.at)
	})
	for _, at := range append(slices.Clone(now.asked), now.unlike...) {
		shows, around = true, around || at.near(c.at)
	}
	follows := !alikeAt(was.raw, now.raw, c.at)
	switch {
	case around && !follows && a.strict(was, c):
		return a.element(after, now, c)
	case around:
		return "found", nil
	case follows && (shows || now.apart > 0 || now.conflict):
		return "found: in what depends on it", nil
	case follows:
		return "user-variable", a.variable(before, after, now, c)
	}
	return a.reason(before, after, was, now, c)
}

// strict reports whether both sides agreed at the place of the change.
func (a *audit) strict(was sides, c change) bool {
	at := c.at
	if c.list.at != nil {
		at = c.list.at
	}
	_, there := valueAt(was.left, at)
	return there && alikeAt(was.left, was.right, at)
}

// element checks that an added or removed element is the only difference in its list, unless an
// element around it has no partner.
func (a *audit) element(after *audited, now sides, c change) (string, error) {
	patterned := slices.ContainsFunc(now.patterns, func(at spot) bool { return c.list.at.leadsTo(at) })
	if c.list.at == nil || c.list.told == finding.Drift || patterned || now.omit.numbered(c.list.at) {
		return "found", nil
	}
	var below []diff.Difference
	for _, d := range after.differences {
		at := spotOf(d.Path)
		if d.Category != finding.Expected && c.list.at.leadsTo(at) {
			below = append(below, d)
		}
		if _, element := last(at).(int); element && len(at) <= len(c.list.at) && at.leadsTo(c.list.at) &&
			d.Category == finding.Extra {
			return "found: in an element that stands alone", nil
		}
	}
	want := auditOmits(a.run.ref, after.template).strip(c.list.value, c.list.at.below(0))
	switch {
	case len(below) != 1 || below[0].Category != c.list.told || len(below[0].Path) != len(c.list.at)+1:
	case c.list.told == finding.Extra && alike(below[0].Input.Data, want),
		c.list.told == finding.Missing && alike(below[0].Reference.Data, want):
		return "found", nil
	}
	return "lost", fmt.Errorf("the element is not told by itself: %s", lines(below))
}

// variable checks that a value that the template printed is expected.
func (a *audit) variable(before, after *audited, now sides, c change) error {
	x, there := valueAt(now.whole[0], c.at)
	_, rendered := valueAt(now.raw, c.at)
	want, ok := valueAt(now.whole[1], c.at)
	if x, want = now.omit.strip(x, c.at), now.omit.strip(want, c.at); !there || !rendered || !ok || !alike(x, want) ||
		now.omit.covers(c.at) {
		return nil // the template copes with the absence, or it is left out
	}
	varies := func(in *audited) bool {
		return slices.ContainsFunc(
			in.differences,
			func(d diff.Difference) bool { return d.Category == finding.Expected && spotOf(d.Path).near(c.at) },
		)
	}
	if varies(after) ||
		c.list.at != nil && !varies(before) { // one more round of a loop that prints nothing of an element
		return nil
	}
	nothing := true // which templates state by themselves too
	for _, v := range tree.Leaves(x) {
		text, isScalar := asPrinted(v)
		nothing = nothing && (!isScalar || text == "")
	}
	if nothing {
		return nil
	}
	return fmt.Errorf("the template prints it, and it is not told as expected")
}

// reason returns why a change need not show anywhere.
func (a *audit) reason(before, after *audited, was, now sides, c change) (string, error) {
	omit := auditOmits(a.run.ref, after.template)
	_, specified := valueAt(now.raw, c.at)
	patterned := slices.ContainsFunc(now.patterns, func(at spot) bool { return at.near(c.at) })
	switch {
	case omit.covers(c.at), alike(was.right, now.right), omit.passes(c.at) && alikeAt(now.left, now.right, c.at):
		return "omitted", nil
	case after.template.Config.IgnoreUnspecified && !specified:
		return "not specified by the reference", nil
	case patterned && !now.conflict:
		return "accepted by a pattern", nil
	case patterned || now.conflict:
		return "found: groups in conflict", nil
	}
	for _, d := range before.differences {
		if d.Category != finding.Expected && spotOf(d.Path).near(c.at) {
			return "mended: it was a difference before", nil
		}
	}
	return "lost", fmt.Errorf("it is told nowhere, for no reason")
}

// AuditGenerated audits CRs with the reference that was generated from them. It is exported for a test
// in another package, because package generate imports this one. Documents in texts stay texts, because
// the oracle opens none.
func AuditGenerated(t *testing.T, folder, input string, every, least int) {
	r := loadRun(t, folder, input)
	for _, one := range r.ref.Templates {
		one.Config.PerField = slices.DeleteFunc(slices.Clone(one.Config.PerField), func(f refconfig.FieldFunction) bool {
			return f.Key == refconfig.Embedded
		})
	}
	a := newAudit(t, r, every)
	for _, e := range a.run.comparer.store.distinct {
		if v := a.run.compare(e); v.comparison != nil && v.comparison.Result != finding.Clean {
			t.Errorf("%s does not agree with what was made of it: %s", e.object.ID, lines(v.comparison.differences))
		}
		a.object(e)
	}
	a.print(least)
}
