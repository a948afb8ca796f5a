package render

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// Stretch is what an execution with hooks did between two moments.
type Stretch struct {
	steps, made int
	text        []byte
	prints      []Printed
}

// Begin returns the moment at which a stretch begins.
func (x *Execution) Begin() Stretch {
	return Stretch{steps: x.Steps, made: x.made, text: x.Out.Buf, prints: x.Out.Prints}
}

// End returns the stretch that began at a moment. The output of that moment must not have been trimmed.
func (x *Execution) End(begin Stretch) Stretch {
	return Stretch{
		steps:  x.Steps - begin.steps,
		made:   x.made - begin.made,
		text:   x.Out.Buf[len(begin.text):len(x.Out.Buf):len(x.Out.Buf)],
		prints: x.Out.Prints[len(begin.prints):len(x.Out.Prints):len(x.Out.Prints)],
	}
}

// IsBlank reports whether nothing but blanks and line breaks was printed, and no value. A check that fails
// prints neither.
func (s Stretch) IsBlank() bool {
	isValue := func(p Printed) bool { return p.Val.V != nil }
	return len(bytes.TrimSpace(s.text)) == 0 && !slices.ContainsFunc(s.prints, isValue)
}

// Repeat adds a stretch to the execution in place of executing it again. It adds nothing and returns
// false if the stretch would exceed a limit. Only the text and the values of the prints are added.
func (x *Execution) Repeat(s Stretch) bool {
	if x.Steps+s.steps > x.Limits.Steps || s.made > x.Limits.Output-x.made {
		return false
	}
	x.Steps += s.steps
	x.made += s.made
	x.Out.Buf = append(x.Out.Buf, s.text...)
	for _, p := range s.prints {
		x.Out.PrintNothing(p.Val)
	}
	return true
}

// Limits of AppendDigest.
const (
	deepestDigest = 20
	longestDigest = 64 << 10
)

// AppendDigest appends a text that is the same for values that no template can distinguish. unknown
// appends the one of a value that is unknown. ok is false if a value is too large for it, or of a
// type that decoded YAML does not have.
func (x Value) AppendDigest(to []byte, unknown func(to []byte, v any) []byte) (all []byte, ok bool) {
	return x.appendDigest(to, unknown, 0)
}

func (x Value) appendDigest(to []byte, unknown func(to []byte, v any) []byte, depth int) (all []byte, ok bool) {
	if depth > deepestDigest || len(to) > longestDigest {
		return to, false
	}
	for _, is := range []bool{x.Absent, x.Input, x.pure, x.source, x.open, x.lost != nil} {
		to = strconv.AppendBool(to, is)
	}
	for _, at := range []*place{x.at, x.lost} {
		to = append(strconv.AppendQuote(to, at.path().String()), map[bool]byte{true: '-', false: '+'}[at == nil])
	}
	if x.children != nil {
		to = append(to, 'c')
	}
	switch v := x.V.(type) {
	case nil:
		return append(to, '0'), true
	case string:
		return strconv.AppendQuote(to, v), len(to)+len(v) <= longestDigest
	case bool:
		return strconv.AppendBool(to, v), true
	case int:
		return strconv.AppendInt(append(to, 'i'), int64(v), 10), true
	case int64:
		return strconv.AppendInt(append(to, 'l'), v, 10), true
	case float64:
		return strconv.AppendFloat(append(to, 'f'), v, 'g', -1, 64), true
	case []any:
		to = strconv.AppendInt(append(to, '['), int64(len(v)), 10)
		for i := range v {
			if to, ok = x.element(i).appendDigest(to, unknown, depth+1); !ok {
				return to, false
			}
		}
		return to, true
	case map[string]any:
		to = strconv.AppendInt(append(to, '{'), int64(len(v)), 10)
		for _, key := range tree.Keys(v) {
			to = strconv.AppendQuote(to, key)
			if to, ok = x.Key(key).appendDigest(to, unknown, depth+1); !ok {
				return to, false
			}
		}
		return to, true
	}
	if before := len(to); unknown != nil {
		to = unknown(to, x.V)
		return to, len(to) > before
	}
	return to, false
}
