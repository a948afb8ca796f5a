package diff

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Show says how much of the findings is kept for the report. The zero value keeps differences that
// are not expected, and no lines.
type Show struct {
	Secrets  bool // show secret data
	Expected bool // show expected differences
	Accepted bool // show differences that overrides accept
	NoValues bool // keep only differences that belong to no field, and lines without their paths
	Brief    bool // for the text format: cut long values, and omit the locations of differences and lines
	Lines    bool // keep the lines of both sides of each object with a difference to show
	Context  int  // number of lines to keep around a finding
	Full     bool // keep all lines of such an object
	Varying  bool // keep all lines of such an object that are expected to vary
	Longest  int  // maximum number of bytes of a line; 0 for any number
}

// Differences returns the differences to show, with everything that formats need. line returns the
// line of a field in its source; it is nil if lines are not shown.
func (show Show) Differences(all []Difference, line func(refconfig.FieldPath) int) []finding.Difference {
	out := []finding.Difference{}
	for _, d := range all {
		if d.Category == finding.Expected && !show.Expected {
			continue
		}
		one := finding.Difference{
			Category:  d.Category,
			Path:      d.Path.String(),
			Named:     d.Named,
			Message:   d.Message,
			Code:      d.Code,
			Reference: show.raw(d.Reference, d.Secret),
			Input:     show.raw(d.Input, d.Secret),
		}
		if d.Accepted != nil {
			if one.Accepted = show.raw(*d.Accepted, d.Secret); one.Accepted == nil {
				one.Accepted = json.RawMessage("null")
			}
		}
		one.Inside = show.inside(d)
		if line != nil {
			one.Line = line(d.Path)
		}
		out = append(out, one)
	}
	return out
}

// Kept returns the differences as far as the formats need them.
func (show Show) Kept(all []finding.Difference) []finding.Difference {
	if show.NoValues {
		all = slices.DeleteFunc(all, func(d finding.Difference) bool { return d.Reference != nil || d.Input != nil })
	}
	if !show.Brief {
		return all
	}
	for i := range all {
		d := &all[i]
		d.Accepted = cut(d.Accepted)
		if d.Reference, d.Input = cut(d.Reference), cut(d.Input); d.Inside != nil {
			for j := range d.Inside.Differences {
				one := &d.Inside.Differences[j]
				one.Reference, one.Input = cut(one.Reference), cut(one.Input)
			}
		}
	}
	return all
}

// value returns a value as it may be shown.
func (show Show) value(v Value, scope secret.Scope) Value {
	if v.Present && !show.Secrets {
		v.Data, _ = scope.Redact(v.Data, hide)
	}
	return v
}

// HidesMore reports whether a difference contains secret data. It ignores data that is secret by
// its own content.
func (d Difference) HidesMore() bool {
	holds := func(v Value) bool { return v.Present && d.Secret.Holds(v.Data) }
	return !d.Secret.IsOwn() && (holds(d.Reference) || holds(d.Input))
}

// Alike reports whether both sides of a difference look the same. asShown compares secret data as
// it is shown.
func (d Difference) Alike(asShown bool) bool {
	show := Show{Secrets: !asShown}
	return d.Reference.Present == d.Input.Present &&
		tree.Equal(show.value(d.Reference, d.Secret).Data, show.value(d.Input, d.Secret).Data)
}

// raw returns a value as JSON, as it may be shown, or nil.
func (show Show) raw(v Value, scope secret.Scope) json.RawMessage {
	if !v.Present {
		return nil
	}
	data := show.value(v, scope).Data
	switch data := data.(type) { // most values; the encoder is slower
	case bool:
		return strconv.AppendBool(nil, data)
	case string:
		if !strings.ContainsFunc(data, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
			return json.RawMessage(`"` + data + `"`)
		}
	}
	text, err := tree.JSON(finite(data))
	if err != nil {
		panic(err) // decoded YAML has nothing else that JSON lacks
	}
	return escape.JSON([]byte(text)) // as a saved report has it, so that its findings have the same words
}

// longestBrief is the maximum number of bytes of a value with Show.Brief.
const longestBrief = 1 << 10

// cut replaces a long value by a text with its beginning and its hash.
func cut(value json.RawMessage) json.RawMessage {
	if len(value) <= longestBrief {
		return value
	}
	begin := strings.ToValidUTF8(strings.TrimPrefix(string(value[:longestBrief/2]), `"`), "")
	short, err := json.Marshal(fmt.Sprintf("%s… (SHA-256 %x)", begin, sha256.Sum256(value)))
	if err != nil {
		panic(err) // a string is always JSON
	}
	return short
}

// finite replaces floats that JSON cannot express by texts.
func finite(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Sprint(v)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = finite(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = finite(x)
		}
		return out
	}
	return v
}

// hide returns the replacement of a secret value, which shows only a length: that of the text, or
// of the YAML of a map or list.
func hide(v any) any {
	n := 0
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		n = len(v)
	case map[string]any, []any:
		n = len(tree.YAML(v))
	default:
		n = len(escape.Scalar(v))
	}
	return "(hidden, " + finding.Plural(n, "byte", "bytes") + ")"
}
