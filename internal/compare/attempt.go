package compare

import (
	"errors"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/textdiff"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// attempt is an object compared with one candidate.
type attempt struct {
	template    *render.Template
	tree        *Pair
	differences []Difference
	score       int
	err         *render.Error
	override    *Override
	others      []Candidate
}

// choose compares an object with all its candidates and returns the attempt with the smallest difference; of several
// that are alike, the first in the reference. A candidate that cannot be evaluated is chosen only if no other can. Nil
// where all refuse the object.
func (r *run) choose(e *stored, input map[string]any, candidates []*render.Template) (*attempt, []Refusal) {
	var best *attempt
	var refusals []Refusal
	var scores []Candidate
	for _, t := range candidates {
		a, refusal := r.attempt(e, input, t, len(candidates) > 1)
		if refusal != nil {
			refusals = append(refusals, *refusal)
			continue
		}
		if a.err == nil {
			scores = append(scores, Candidate{t.Ref, a.score})
		}
		if best == nil || (a.err == nil && (best.err != nil || a.score < best.score)) {
			best = a
		}
	}
	if best != nil {
		for i, c := range scores {
			if c.Template == best.template.Ref {
				copy(scores[1:i+1], scores[:i])
				scores[0] = c
			}
		}
		best.others = scores
	}
	return best, refusals
}

// attempt renders one template for an object and lays the two over each other.
func (r *run) attempt(e *stored, input map[string]any, t *render.Template, scored bool) (*attempt, *Refusal) {
	a := &attempt{template: t}
	rendering, err := t.Execute(input, render.Options{Lookup: r.store.lookup})
	if err != nil {
		var refused *render.Refused
		if errors.As(err, &refused) {
			return nil, &Refusal{Template: t.Ref, Reason: refused.Reason}
		}
		if !errors.As(err, &a.err) {
			a.err = &render.Error{Code: code.Internal, Position: t.Ref.File, Message: err.Error()}
		}
		return a, nil
	}
	x := expected{value: rendering.Value, notes: rendering.Notes, template: t, object: e}
	if t.Ref.Config.IgnoreUnspecified {
		x.value = unspecified(input, x.value, x.notes).(map[string]any)
	}
	if a.override, a.err = r.override.apply(&x, input, r.store.lookup); a.err != nil {
		return a, nil
	}
	messages, err2 := x.inline(input)
	if a.err = err2; a.err != nil {
		return a, nil
	}
	omit := r.omitted(t.Ref)
	failed := failedChecks(x.notes)
	left := tree.Omit(x.value, omit)
	notes := tree.Omit(x.notes, omit)
	right := tree.Omit(tree.Copy(input), omit)
	o := overlayer{}
	if secret(e.object.ID) {
		o.hidden = hidden
	}
	a.tree = o.overlay(left, right, notes)
	a.differences = Flatten(a.tree)
	a.tell(slices.Concat(rendering.Unplaced, withoutThose(failed, failedChecks(notes)), messages), omit)
	if scored {
		a.score = score(a.differences)
	}
	return a, nil
}

// failedChecks lists the checks of a template that did not hold, in the order of the fields they were noted at.
func failedChecks(notes any) []render.Finding {
	var failed []render.Finding
	eachNote(notes, func(n render.Note) bool {
		if n.Finding != nil && n.Finding.Code == code.EvalFail {
			failed = append(failed, *n.Finding)
		}
		return true
	})
	return failed
}

// withoutThose returns the checks that were noted at fields which are left out: the fields mean nothing, the checks do.
func withoutThose(all, kept []render.Finding) []render.Finding {
	return slices.DeleteFunc(all, func(f render.Finding) bool {
		return slices.ContainsFunc(kept, func(k render.Finding) bool { return k.Message == f.Message })
	})
}

// omitted returns the fields that are left out of a template's comparisons.
func (r *run) omitted(t *refconfig.Template) []refconfig.OmitEntry {
	omit := append([]refconfig.OmitEntry{managedFields()}, t.Config.Omit...)
	if r.ref.Format == refconfig.Annotations {
		omit = append(omit, refconfig.OmitEntry{Path: refconfig.FieldPath{{Key: "metadata", Index: -1},
			{Key: "annotations", Index: -1}, {Key: "reference-config.openshift.io/attributes", Index: -1}}})
	}
	return omit
}

// tell adds findings that belong to no field of the rendered object: at the path that was asked for, or at the root.
// What the tree tells already, or what is omitted, is not told again.
func (a *attempt) tell(findings []render.Finding, omit []refconfig.OmitEntry) {
	for _, f := range findings {
		if a.tells(f, omit) {
			continue
		}
		d := Difference{Category: Drift, Path: f.Path, Message: f.Message, Code: f.Code}
		if f.Code == code.EvalMissingKey {
			d.Category = Missing
		}
		a.differences = append(a.differences, d)
		if a.tree.Message != "" {
			a.tree.Message += "\n"
		}
		a.tree.Message += f.Message
		if a.tree.Code == "" {
			a.tree.Code = f.Code
		}
	}
}

// tells reports whether a finding is told at its path already, or lies in a field that is left out.
func (a *attempt) tells(f render.Finding, omit []refconfig.OmitEntry) bool {
	if f.Path == nil {
		return false
	}
	for _, e := range omit {
		for n := 1; n <= len(f.Path); n++ {
			if e.Match(f.Path[:n]) {
				return true
			}
		}
	}
	for _, d := range a.differences {
		if d.Code == f.Code && d.Path.String() == f.Path.String() {
			return true
		}
	}
	return false
}

// unspecified merges the rendered reference into the input, as ignore-unspecified-fields asks: what the reference does
// not name is taken from the input and so agrees. A null of the reference, which in a merge patch means that the key must
// not be there, stays where the input has the key, so that it shows; and so does a mandatory key that is missing.
func unspecified(input, rendered, notes any) any {
	patch, ok := rendered.(map[string]any)
	if !ok {
		return rendered
	}
	target, _ := input.(map[string]any)
	below, _ := notes.(map[string]any)
	merged := make(map[string]any, len(target)+len(patch))
	for k, v := range target {
		merged[k] = tree.Copy(v)
	}
	for k, v := range patch {
		_, has := target[k]
		note, _ := below[k].(render.Note)
		if v == nil && !has && note.Finding == nil {
			continue
		}
		merged[k] = unspecified(target[k], v, below[k])
	}
	return merged
}

// score counts the changed characters of the sorted YAML.
func score(differences []Difference) int {
	n := 0
	for _, d := range differences {
		switch d.Category {
		case Expected, Same:
		case Drift:
			n += textdiff.Distance(text(d.Reference), text(d.Input))
			if d.Message != "" {
				n++
			}
		default:
			n += len(text(d.Reference)) + len(text(d.Input)) + 1
		}
	}
	return n
}

// text prints one side for counting; nothing for a side that is not there.
func text(v Value) string {
	if !v.Present {
		return ""
	}
	return tree.YAML(v.Data)
}
