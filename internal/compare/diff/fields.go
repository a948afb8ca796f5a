package diff

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Fields are the entries of perField for one field and the fields below. They decide when two
// values are equal. The zero value has none.
type Fields struct{ entries []following }

// following is an entry with the rest of its path.
type following struct {
	refconfig.FieldFunction
	rest refconfig.FieldPath
	ctx  context.Context // ends the comparison; nil for no end
}

// FieldsOf returns the entries of a template.
func FieldsOf(c refconfig.Config) Fields {
	return fieldsOf(slices.DeleteFunc(insideDocuments(c), func(f refconfig.FieldFunction) bool {
		return f.Key == refconfig.InlineDiff || f.Key == refconfig.Embedded
	}))
}

// insideDocuments returns the entries of a template. An exact entry for a text that is opened is for
// the document in it.
func insideDocuments(c refconfig.Config) []refconfig.FieldFunction {
	all := slices.Clone(c.PerField)
	for i, f := range all {
		opens := func(e refconfig.FieldFunction) bool {
			return e.Key == refconfig.Embedded && e.Path.String() == f.Path.String()
		}
		if f.Key == refconfig.Exact && slices.ContainsFunc(c.PerField, opens) {
			all[i].Path = f.Path.Inside()
		}
	}
	return all
}

func fieldsOf(entries []refconfig.FieldFunction) Fields {
	var f Fields
	for _, e := range entries {
		f.entries = append(f.entries, following{FieldFunction: e, rest: e.Path})
	}
	return f
}

// Until sets a context that ends slow comparisons. After its end, results must not be used.
func (f Fields) Until(ctx context.Context) Fields {
	for i := range f.entries {
		f.entries[i].ctx = ctx
	}
	return f
}

func (f Fields) ended() bool {
	return len(f.entries) > 0 && f.entries[0].ctx != nil && f.entries[0].ctx.Err() != nil
}

// None reports whether there are no entries.
func (f Fields) None() bool { return len(f.entries) == 0 }

// Below returns the entries for the values at a key of the map, or at the index of an expected
// item.
func (f Fields) Below(step refconfig.Step) Fields {
	var below Fields
	for _, e := range f.entries {
		if len(e.rest) == 0 {
			continue
		}
		s := e.rest[0]
		if s.Any || step.Index >= 0 && s.Index == step.Index || step.Index < 0 && s.Key == step.Key {
			below.entries = append(below.entries, following{e.FieldFunction, e.rest[1:], e.ctx})
		}
	}
	return below
}

// Here returns the first entry that says when two values of the field itself are equal, and whether
// there is one.
func (f Fields) Here() (refconfig.FieldFunction, bool) {
	for _, e := range f.entries {
		if len(e.rest) == 0 && mannerOf(e.Key).normal != nil {
			return e.FieldFunction, true
		}
	}
	return refconfig.FieldFunction{}, false
}

// exact reports whether extra content of the field is drift.
func (f Fields) exact() bool {
	return slices.ContainsFunc(f.entries, func(e following) bool {
		return len(e.rest) == 0 && e.Key == refconfig.Exact
	})
}

// Equal reports whether two values are equal according to the entry for the field. If they cannot
// be compared in this way, they are compared as they are, and why is the reason.
func (f Fields) Equal(left, right any) (equal bool, why string) {
	if tree.Equal(left, right) {
		return true, ""
	}
	e, asked := f.Here()
	if !asked || left == nil || right == nil {
		return false, ""
	}
	normal := mannerOf(e.Key).normal
	one, why := normal(left)
	other, whyNot := normal(right)
	switch {
	case why != "":
		return false, "in the reference " + why
	case whyNot != "":
		return false, whyNot
	}
	return e.Key != refconfig.List && one == other, ""
}

// Text returns a string as it is, and a number or a boolean as text. It returns false for null,
// maps and lists.
func Text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case nil, map[string]any, []any:
		return "", false
	}
	return tree.ScalarOf(v), true
}

// plain returns a value in which equal values have the same form.
func (f Fields) plain(v any) any {
	if f.None() || f.ended() {
		return v
	}
	e, asked := f.Here()
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = f.Below(refconfig.Key(k)).plain(x)
		}
		return out
	case []any:
		out := f.plains(v)
		if f.loose(e, v) {
			texts := align.Texts(out)
			order := make([]int, len(out))
			for i := range order {
				order[i] = i
			}
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(texts[a], texts[b]) })
			for i, at := range order {
				out[i] = short(texts[at])
			}
		}
		return out
	}
	if !asked || v == nil {
		return v
	}
	if text, why := mannerOf(e.Key).normal(v); why == "" {
		return map[string]any{string(e.Key): text}
	}
	return v
}

// short returns a hash of a text, because texts inside texts are escaped again and again.
func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// plains returns the items of a list in the form of plain.
func (f Fields) plains(list []any) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = f.Below(refconfig.Step{Index: i}).plain(x)
	}
	return out
}

// loose reports whether the order of a list does not count.
func (f Fields) loose(e refconfig.FieldFunction, list []any) bool {
	if e.Keys != nil {
		_, why := names(e, list)
		return why == ""
	}
	return e.Key == refconfig.List && e.Function == refconfig.ListSet
}

// Accepted returns the value that replaces a pattern: the input's value of any type if the pattern
// accepts all of its text.
func Accepted(out pattern.Outcome, text string, value any) any {
	if out.Value == text {
		return value
	}
	return out.Value
}

// accepted returns an item in which each pattern is replaced by the text of another item that it
// accepts.
func (f Fields) accepted(left, right any) any {
	for _, e := range f.entries {
		if e.Key != refconfig.InlineDiff {
			continue
		}
		for _, path := range tree.Expand(left, e.rest) {
			l, _ := tree.At(left, path)
			r, _ := tree.At(right, path)
			expression, isText := l.(string)
			text, isScalar := Text(r)
			if !isText || !isScalar {
				continue
			}
			if out, err := pattern.Apply(e.Function, expression, text); err == nil {
				left, _ = tree.Set(left, path, Accepted(out, text, r))
			}
		}
	}
	return left
}
