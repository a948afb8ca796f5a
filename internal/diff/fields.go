package diff

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/pattern"
	"github.com/validationtool/validationtool/internal/quantity"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Fields are the entries of perField that say when two values count as the same: lists, quantities,
// sets of CPUs. They are about what lies at and below one place of what is expected. The zero value
// says nothing: values are compared as they are.
type Fields struct{ entries []following }

// following is an entry, and what of its path leads on from the place.
type following struct {
	refconfig.FieldFunction
	rest refconfig.FieldPath
	ctx  context.Context // of the comparison; nil for no end
}

// FieldsOf are those of a whole template.
func FieldsOf(c refconfig.Config) Fields {
	return fieldsOf(slices.DeleteFunc(slices.Clone(c.PerField), func(f refconfig.FieldFunction) bool {
		return f.Key == refconfig.InlineDiff || f.Key == refconfig.Embedded
	}))
}

func fieldsOf(entries []refconfig.FieldFunction) Fields {
	var f Fields
	for _, e := range entries {
		f.entries = append(f.entries, following{FieldFunction: e, rest: e.Path})
	}
	return f
}

// Until has a context end what takes long. What is compared after that is not to be used.
func (f Fields) Until(ctx context.Context) Fields {
	for i := range f.entries {
		f.entries[i].ctx = ctx
	}
	return f
}

func (f Fields) ended() bool {
	return len(f.entries) > 0 && f.entries[0].ctx != nil && f.entries[0].ctx.Err() != nil
}

// None reports whether nothing is said.
func (f Fields) None() bool { return len(f.entries) == 0 }

// Below are the entries about what lies a step further, which is a key of a map or the index of an
// expected item.
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

// Here is the entry about the place itself: the first one, as with all that a reference says twice.
// It is false where there is none.
func (f Fields) Here() (refconfig.FieldFunction, bool) {
	for _, e := range f.entries {
		if len(e.rest) == 0 && e.Key != refconfig.InlineDiff && e.Key != refconfig.Exact {
			return e.FieldFunction, true
		}
	}
	return refconfig.FieldFunction{}, false
}

// exact reports whether the place has to be what is expected, without extra content.
func (f Fields) exact() bool {
	return slices.ContainsFunc(f.entries, func(e following) bool {
		return len(e.rest) == 0 && e.Key == refconfig.Exact
	})
}

// Equal reports whether two values count as the same. Where they cannot be held against each other
// as the entry asks, they count as what they are, and the second result says why.
func (f Fields) Equal(left, right any) (equal bool, why string) {
	if tree.Equal(left, right) {
		return true, ""
	}
	e, asked := f.Here()
	if !asked || left == nil || right == nil {
		return false, ""
	}
	one, why := meaning(e, left)
	other, whyNot := meaning(e, right)
	switch {
	case why != "":
		return false, "in the reference " + why
	case whyNot != "":
		return false, whyNot
	}
	return e.Key != refconfig.List && one == other, ""
}

// meaning is what a value stands for, as a text; or why it stands for nothing of what the entry is
// about.
func meaning(e refconfig.FieldFunction, v any) (text, why string) {
	_, isList := v.([]any)
	printed, isScalar := Text(v)
	switch {
	case e.Key == refconfig.List && !isList:
		return "", "it is no list"
	case e.Key == refconfig.List:
		return "", ""
	case !isScalar:
		return "", "it is no single value"
	case e.Key == refconfig.Quantity:
		q, err := quantity.ParseQuantity(printed)
		if err != nil {
			return "", err.Error()
		}
		return q.String(), ""
	}
	cpus, err := quantity.ParseCPUs(printed)
	if err != nil {
		return "", "it is no set of CPUs, such as 0-3,8"
	}
	return cpus.Key(), ""
}

// Text returns a text as it is, and a number or a boolean as it is printed; false for null, maps
// and lists.
func Text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case nil, map[string]any, []any:
		return "", false
	}
	return tree.ScalarOf(v), true
}

// plain is a value in which everything that counts as the same is the same.
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
		if asked && f.loose(e, v) {
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
	if text, why := meaning(e, v); asked && why == "" && v != nil {
		return map[string]any{string(e.Key): text}
	}
	return v
}

// short is a text, or one in its place that no other text has: a text inside of others is escaped
// again in each of them.
func short(text string) string {
	if len(text) <= sha256.Size {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// plains are the items of a list as plain has them.
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

// Accepted returns what stands in for a pattern: the value itself, of whatever type, where all of
// its text is accepted.
func Accepted(out pattern.Outcome, text string, value any) any {
	if out.Value == text {
		return value
	}
	return out.Value
}

// accepted is an item with what its patterns accept of another in their place.
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
