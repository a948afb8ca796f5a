package patch

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Patched is the expected value of an object, with the overrides that were applied to it.
type Patched struct {
	ID      manifest.ID
	Node    *provenance.Node
	Clear   bool                  // messages may show secrets
	Secrets secret.Scope          // which parts of an object of its kind are secret
	Opened  []refconfig.FieldPath // texts that are replaced by their documents, see refconfig.FieldPath.Inside
	Reopen  func(any) any         // opens these texts if an override states one; nil for none

	Uses     []Use                 // the overrides for the object
	Override *finding.Override     // nil if none was applied
	Secret   bool                  // an override printed secret data, so the whole value may be secret
	fields   []refconfig.FieldPath // fields that overrides state, see named
	stated   []stated              // the same for each override
	without  *diff.Compared        // the comparison without overrides; nil for none
}

// stated lists the fields that an override states.
type stated struct {
	paths  []refconfig.FieldPath
	reason string
}

// Apply patches the expected value of an object with overrides for it (see For), except those that
// are obsolete or stale. without is the comparison without overrides, which shows which of them are
// obsolete; nil if it failed.
func (s *Set) Apply(
	x Patched, uses []Use, input map[string]any, options render.Options, without *diff.Compared,
) (Patched, *render.Error) {
	base := x.Node
	x.Uses, x.without = uses, without
	if agrees(without) {
		for i := range uses {
			uses[i].state = finding.OverrideObsolete
		}
		return x, nil
	}
	for i := range uses {
		one := s.all[uses[i].index]
		if options.Context != nil && options.Context.Err() != nil {
			return x, nil // the run ended; the object has no result
		}
		twin := slices.IndexFunc(uses[:i], func(u Use) bool {
			return s.all[u.index].Type == one.Type && s.all[u.index].Patch == one.Patch
		})
		if twin >= 0 { // the same entry again
			uses[i].state, uses[i].why = uses[twin].state, uses[twin].why
			continue
		}
		state, why, paths, err := x.apply(one, input, options, base)
		if err != nil {
			at := refconfig.Place{File: one.Place.File, Line: one.Place.Line}
			return x, &render.Error{Code: code.EvalOverride, At: at, Message: fmt.Sprintf(
				"the override cannot be applied to %s: %s", x.ID, err)}
		}
		if uses[i].state, uses[i].why = state, why; state != finding.OverrideUsed {
			continue
		}
		if x.Override == nil {
			x.Override = &finding.Override{File: one.Place.File}
		}
		x.Override.Reasons = append(x.Override.Reasons, one.Reason)
		x.stated = append(x.stated, stated{paths, one.Reason})
	}
	if x.Override != nil {
		x.readNames()
	}
	return x, nil
}

// Shown returns the comparison with the expected value as it is shown beside what the reference says.
func (x *Patched) Shown(c diff.Compared) diff.Compared {
	if x.Override == nil || x.without == nil {
		return c
	}
	return c.Against(*x.without)
}

// Accepted returns the differences that the overrides accept, each with its reason. These are the
// differences without overrides, except those that remain with overrides: at the same field, or in
// the same category at a parent of it. The argument has the remaining ones. It also returns the number
// of accepted differences, which is 1 if the object cannot be compared without overrides.
func (x *Patched) Accepted(differences []diff.Difference) (all []diff.Difference, reasons []string, n int) {
	switch {
	case x.Override == nil:
		return nil, nil, 0
	case x.without == nil:
		return nil, nil, 1
	}
	// what is a category, "" for any category, or the message of a difference of no field
	type found struct{ at, what string }
	still := map[found]bool{}
	for _, d := range differences {
		switch at := texts(d.Path)[len(d.Path)]; {
		case d.Category == finding.Expected:
		case at == "":
			still[found{what: d.Message}] = true
		default:
			still[found{at: at}] = true
			still[found{at, string(d.Category)}] = true
		}
	}
	for _, d := range x.without.Differences {
		at := texts(d.Path)
		own := found{at: at[len(d.Path)]}
		if len(d.Path) == 0 {
			own.what = d.Message
		}
		inParent := func(at string) bool { return still[found{at, string(d.Category)}] }
		if d.Category != finding.Expected && !still[own] && !slices.ContainsFunc(at[1:], inParent) {
			all, reasons = append(all, d), append(reasons, x.reason(d.Path))
		}
	}
	return all, reasons, len(all)
}

// texts returns the texts of the root, of all parents of a path, and of the path. Paths to the same
// field have the same text.
func texts(path refconfig.FieldPath) []string {
	all := make([]string, 1, len(path)+1)
	for _, step := range path {
		text := strconv.Itoa(step.Index)
		if step.Key != "" {
			text = strconv.Quote(step.Key)
		}
		all = append(all, all[len(all)-1]+"/"+text)
	}
	return all
}

// reason returns the reasons of the overrides that state the field, a parent or a child of it; if
// there are none, the reasons of all overrides.
func (x *Patched) reason(path refconfig.FieldPath) string {
	var some []string
	for _, s := range x.stated {
		near := func(p refconfig.FieldPath) bool { return leads(p, path) || leads(path, p) }
		if slices.ContainsFunc(s.paths, near) && !slices.Contains(some, s.reason) {
			some = append(some, s.reason)
		}
	}
	if some == nil {
		some = x.Override.Reasons
	}
	return strings.Join(some, "; ")
}

// readNames resolves the name and the namespace of the expected value as YAML does. An override
// patches the rendered reference as an API server would read it: there, a name without quotes that
// looks like a number is a number. All other printed values keep their types.
func (x *Patched) readNames() {
	names := x.Node.Edit()
	for _, key := range []string{"name", "namespace"} {
		path := refconfig.PathOf("metadata", key)
		name := x.Node.At(path)
		note, _ := name.Note()
		text, isText := name.Value().(string)
		if !note.Kept || !isText {
			continue
		}
		note.Variable, note.Finding = false, &provenance.Finding{Path: path,
			Message: "the template prints it without quotes, so it is not text in the reference that the override patches; quote the action"}
		read := provenance.Leaf(kubeyaml.Resolve(text, kubeyaml.Plain, ""), note)
		names.Set(path, &read)
	}
	x.Node = names.Done()
}

// apply patches the expected value with one override. It returns what became of the override, and the
// fields that the override states. It does not apply an obsolete or stale override. Neither the
// result nor the error contains secret data. base is the value before all overrides.
func (x *Patched) apply(
	one refconfig.Override, input map[string]any, options render.Options, base *provenance.Node,
) (state finding.OverrideState, why string, stated []refconfig.FieldPath, err error) {
	secret := false
	defer func() {
		if err != nil && (x.Secret || secret) && !x.Clear {
			err = errHidden
		}
	}()
	options.Secret = &secret
	state = finding.OverrideUsed
	patch, err := resolved(one, input, options)
	if err != nil {
		return state, "", nil, err
	}
	stated = x.named(patch)
	if x.obsolete(patch, stated, input) {
		return finding.OverrideObsolete, "", nil, nil
	}
	x.Secret = x.Secret || secret
	x.noteMove(patch)
	value, err := x.patched(x.Node.Value(), patch, input)
	if why := x.stale(patch, err); why != "" {
		return finding.OverrideStale, why, nil, nil
	}
	if err == nil {
		x.state(base, x.withoutSecretKeys(value, input), stated)
	}
	return state, "", stated, err
}

// state sets the value to a patched one, with the fields that are put back, and blanks the notes
// of the stated fields.
func (x *Patched) state(base *provenance.Node, patched any, stated []refconfig.FieldPath) {
	all := slices.Concat(x.fields, stated)
	e, p := stating(all), unknown()
	if x.without != nil {
		p = x.without.Tree
		for _, path := range open(x.without) {
			e.open = append(e.open, outsideLists(path, x.without.Expected.Value()))
		}
	}
	x.Node = e.value(p, nil, base, diff.Present(patched))
	x.fields = slices.Concat(slices.DeleteFunc(all, func(path refconfig.FieldPath) bool {
		_, was := tree.At(patched, path)
		unmet := slices.ContainsFunc(e.unmet, func(p refconfig.FieldPath) bool { return leads(p, path) })
		return unmet || x.Node.At(path) != nil && !was // it is put back
	}), e.lacking)
}

// resolved returns the patch of an override. If its type is go-template, it executes the template
// for this object; the output must be a mapping with type and patch, where patch is JSON text or
// the patch itself.
func resolved(o refconfig.Override, input map[string]any, options render.Options) (edits, error) {
	if o.Type != refconfig.GoTemplate {
		return readEdits(o.Type, o.Patch)
	}
	text, err := render.Text(place(o), o.Patch, input, options)
	if err != nil {
		return edits{}, err
	}
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil {
		return edits{}, fmt.Errorf("its template does not yield YAML: %w", err)
	}
	if len(docs) != 1 {
		return edits{}, fmt.Errorf(
			"its template yields %d YAML documents, and must yield one map with type and patch", len(docs),
		)
	}
	m, _ := docs[0].Value().(map[string]any)
	kind := refconfig.PatchType(tree.StringAt(m, "type"))
	if kind != refconfig.MergePatch && kind != refconfig.JSONPatch {
		return edits{}, fmt.Errorf(
			"its template yields an unknown type; it can be %s or %s", refconfig.MergePatch, refconfig.JSONPatch,
		)
	}
	patch, isText := m["patch"].(string)
	if !isText {
		if patch, err = tree.JSON(m["patch"]); err != nil {
			return edits{}, err
		}
	}
	if wrong := refconfig.CheckPatch(kind, patch); len(wrong) > 0 {
		return edits{}, wrong[0]
	}
	return readEdits(kind, patch)
}

// patched applies a patch, and opens the documents in texts again. A test fails only for values of
// the reference: it passes for a value that the template takes from the object, or that another
// override changed.
func (x *Patched) patched(v any, patch edits, input map[string]any) (any, error) {
	v, err := patch.apply(v, func(test *failure) bool {
		if x.says(test) {
			return true
		}
		expected, _ := tree.At(test.before, test.at)
		found, _ := tree.At(input, test.at)
		return variesWhole(x.Node.At(test.at)) && tree.Equal(expected, found)
	})
	if err == nil && x.Reopen != nil {
		v = x.Reopen(v)
	}
	return v, err
}

// says reports whether the reference without overrides has what a test expects. An index of a list may
// lead to another item there.
func (x *Patched) says(test *failure) bool {
	inList := slices.ContainsFunc(test.at, func(step refconfig.Step) bool { return step.Index >= 0 })
	if x.without == nil || inList {
		return false
	}
	said := valueAt(x.without.Expected.Value(), test.at)
	return said.Present && tree.Equal(said.Data, test.value)
}

// variesWhole reports whether each part of a value may differ between objects.
func variesWhole(n *provenance.Node) bool {
	if n == nil {
		return false
	}
	for _, leaf := range n.Leaves() {
		if !leaf.Varies() {
			return false
		}
	}
	return true
}

// named returns the fields that a patch states. For a text that is replaced by its document, it
// returns the path inside.
func (x *Patched) named(patch edits) []refconfig.FieldPath {
	paths := patch.states(x.Node.Value())
	for i, path := range paths {
		if slices.ContainsFunc(
			x.Opened, func(p refconfig.FieldPath) bool { return len(p) == len(path) && leads(p, path) },
		) {
			paths[i] = path.Inside()
		}
	}
	return paths
}

// errHidden replaces an error that may contain secret data.
var errHidden = errors.New("(hidden, because it may hold secret data; --show-secrets shows it)")

// noteMove marks the value as secret if a patch may move secret data to a place where neither a
// note nor the key shows that it is secret.
func (x *Patched) noteMove(patch edits) {
	if patch.moves() {
		x.Secret = x.Secret || x.Node.IsSecret() ||
			holdsSecret(x.Secrets, x.Node.Value(), nil)
	}
}

// withoutSecretKeys returns the result of an override without keys that may contain secret data:
// keys that neither the value nor the input had.
func (x *Patched) withoutSecretKeys(value any, input map[string]any) any {
	if !x.Secret || x.Clear {
		return value
	}
	return withoutKeys(value, secret.ShownKeys(input), secret.ShownKeys(x.Node.Value()))
}

// withoutKeys returns a value in which unknown keys are replaced by numbers.
func withoutKeys(v any, known ...map[string]bool) any {
	switch v := v.(type) {
	case map[string]any:
		out, hidden := make(map[string]any, len(v)), 0
		for _, k := range tree.Keys(v) {
			name := k
			if !slices.ContainsFunc(known, func(keys map[string]bool) bool { return keys[k] }) {
				hidden++
				name = fmt.Sprintf("(hidden key %d)", hidden)
			}
			out[name] = withoutKeys(v[k], known...)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = withoutKeys(x, known...)
		}
		return out
	}
	return v
}
