package patch

import (
	"errors"
	"fmt"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// movedOn returns the operation of a JSON patch that no longer applies to the reference: its test
// fails, or the parent of an added value is gone. It returns nil for other errors; an error of
// another operation is a mistake in the patch.
func movedOn(err error) *failure {
	var failed *failure
	if errors.As(err, &failed) && (failed.kind == "test" || failed.kind == "add") {
		return failed
	}
	return nil
}

// stale returns how the reference changed since an override was made, or "" if the error of its patch
// does not say so.
func (x *Patched) stale(patch edits, err error) string {
	o := movedOn(err)
	switch {
	case o == nil:
		return ""
	case o.kind == "add":
		return fmt.Sprintf("%s: the reference no longer has a place for it", o.at)
	}
	path, was, is := differing(o.at, diff.Present(o.value), valueAt(o.before, o.at))
	accepted, known := patch.accepted(o, path)
	switch {
	case x.hides(o.before, path, was.Data) || known && x.hides(o.before, path, accepted.Data):
		return fmt.Sprintf("%s: the reference has another value, which is secret", path)
	case known:
		return fmt.Sprintf("%s: accepted %s while the reference said %s; it says %s now",
			path, brief(accepted), brief(was), brief(is))
	}
	return fmt.Sprintf("%s: the reference said %s when this was accepted; it says %s now", path, brief(was), brief(is))
}

// accepted returns the value that the patch sets at a path below a test, and whether an operation on
// the tested path says so. An operation that may insert an item of a list does not.
func (e edits) accepted(test *failure, path refconfig.FieldPath) (diff.Value, bool) {
	inserts := len(test.at) > 0 && test.at[len(test.at)-1].Index >= 0
	for _, o := range e.operations {
		switch {
		case o.path != test.path:
		case o.kind == "replace", o.kind == "add" && !inserts:
			return valueAt(o.value, path[len(test.at):]), true
		case o.kind == "remove":
			return diff.Value{}, true
		}
	}
	return diff.Value{}, false
}

// hides reports whether a value, or a value next to it, is secret.
func (x *Patched) hides(around any, path refconfig.FieldPath, v any) bool {
	if x.Clear {
		return false
	}
	with, _ := tree.Set(around, path, v)
	return x.Secret || x.Node.IsSecret() || holdsSecret(x.Secrets, around, nil) ||
		holdsSecret(x.Secrets, with, nil)
}

func valueAt(v any, path refconfig.FieldPath) diff.Value {
	at, there := tree.At(v, path)
	return diff.Value{Present: there, Data: at}
}

// differing returns the first field in which two values differ, with its values.
func differing(path refconfig.FieldPath, a, b diff.Value) (refconfig.FieldPath, diff.Value, diff.Value) {
	var steps []refconfig.Step
	switch was := a.Data.(type) {
	case map[string]any:
		is, isMap := b.Data.(map[string]any)
		if !isMap {
			break
		}
		for _, k := range tree.Keys(tree.Merge(was, is).(map[string]any)) {
			steps = append(steps, refconfig.Key(k))
		}
	case []any:
		is, isList := b.Data.([]any)
		if !isList {
			break
		}
		for i := range max(len(was), len(is)) {
			steps = append(steps, refconfig.Step{Index: i})
		}
	}
	for _, step := range steps {
		below := refconfig.FieldPath{step}
		was, is := valueAt(a.Data, below), valueAt(b.Data, below)
		if was.Present != is.Present || !tree.Equal(was.Data, is.Data) {
			return differing(path.Below(step), was, is)
		}
	}
	return path, a, b
}

// brief formats a value for a message. A null is "nothing", because a test for null also passes
// for an absent field.
func brief(v diff.Value) string {
	const most = 80
	if v.Data == nil {
		return "nothing"
	}
	text, _ := tree.JSON(v.Data)
	if s, isText := v.Data.(string); isText {
		text = escape.String(s)
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
