package saved

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// timesText limits the output of a format for a saved report: it is at most this many times the
// size of the report. Formats repeat the cluster and the object for each finding, and indent
// values. The output for real reports is about ten times their size.
const timesText = 250

// checkAmplification checks that a report could come from a comparison. A small file that no
// comparison wrote could need much time and memory to show.
func checkAmplification(text []byte, r *finding.Report) error {
	if r.Reference.Path == "" || r.Reference.Format == "" || r.Reference.Hash == "" {
		return errors.New("it does not say with which reference the clusters were compared")
	}
	if words, err := finding.ParseFailOn(r.FailOn.String()); len(r.FailOn) > 0 &&
		(err != nil || len(words) != len(r.FailOn)) {
		return errors.New("its failOn has a word that --fail-on does not know")
	}
	if slices.ContainsFunc(r.Codes, func(c refconfig.OwnCode) bool { return code.CheckOwn(c.Code) != nil }) {
		return errors.New("its codes have one that no reference can define")
	}
	w := wholeness{}
	if i := slices.IndexFunc(r.Runs, func(run *finding.Run) bool { return !w.isWhole(reflect.ValueOf(run)) }); i >= 0 {
		return fmt.Errorf(
			"its run %d lacks a mandatory field, such as the class of a finding, or has a code or a fingerprint that no comparison writes",
			i+1,
		)
	}
	if repeats(r)+indentation(text) > timesText*len(text) {
		return fmt.Errorf(
			"its names are so long, or its values so deeply nested, that showing it would take more than %d times its size",
			timesText,
		)
	}
	return nil
}

// wholeness has the exported fields of the types that were met, because to ask reflect for them takes
// much of the time of reading a report.
type wholeness map[reflect.Type][]field

// field is what the tags of a field in a struct say.
type field struct {
	index    int
	key      string // in JSON
	optional bool
	required string
}

func (w wholeness) fields(t reflect.Type) []field {
	if all, known := w[t]; known {
		return all
	}
	var all []field
	for i := range t.NumField() {
		if one := t.Field(i); one.IsExported() {
			key, options, _ := strings.Cut(one.Tag.Get("json"), ",")
			all = append(all, field{index: i, key: key, optional: options != "", required: one.Tag.Get("required")})
		}
	}
	w[t] = all
	return all
}

// isWhole reports whether a part of a run has all that every comparison writes: texts that its type
// requires, known categories and results, sound lines, and codes and fingerprints that have the form of
// such, because formats write them as they are.
func (w wholeness) isWhole(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return v.IsNil() || w.isWhole(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			return true
		}
		for i := range v.Len() {
			if item := v.Index(i); item.Kind() == reflect.Pointer && item.IsNil() || !w.isWhole(item) {
				return false
			}
		}
	case reflect.Struct:
		for _, f := range w.fields(v.Type()) {
			if !w.isFieldWhole(f, v.Field(f.index)) {
				return false
			}
		}
	case reflect.String:
		switch text := v.String(); v.Type() {
		case reflect.TypeFor[finding.Category]():
			return text == "" || slices.Contains(finding.Categories(), finding.Category(text))
		case reflect.TypeFor[finding.Result]():
			return text == string(finding.Clean) || finding.Result(text).Severity() > 0
		case reflect.TypeFor[finding.Sides]():
			return !slices.ContainsFunc(finding.Sides(text).Each(), func(s finding.Side) bool { return !s.IsSound() })
		}
	}
	return true
}

// isFieldWhole reports whether isWhole holds for a field.
func (w wholeness) isFieldWhole(f field, v reflect.Value) bool {
	switch f.key {
	case "-":
		return true
	case "code":
		return f.optional && v.String() == "" || code.IsValid(v.String())
	case "category":
		return (f.optional || v.String() != "") && w.isWhole(v)
	case "fingerprint":
		return finding.IsFingerprint(v.String())
	}
	return hasRequired(f.required, v) && w.isWhole(v)
}

// hasRequired reports whether a field has the text that its tag requires: "" for none, "true" for its
// own, or each of its own; or the name of a field in it.
func hasRequired(tag string, v reflect.Value) bool {
	switch {
	case tag == "":
		return true
	case tag != "true":
		return v.FieldByName(tag).String() != ""
	case v.Kind() == reflect.Slice:
		return !slices.Contains(v.Interface().([]string), "")
	}
	return v.String() != ""
}

// repeats returns how many bytes of names and blanks a format writes: it repeats the names for each
// finding, and indents lines.
func repeats(r *finding.Report) (n int) {
	const named = 10 // the number of clusters that are named for a common finding
	longest := 0
	for _, run := range r.Runs {
		longest = max(longest, len(run.Name()))
	}
	if len(r.Runs) > 1 {
		longest *= min(named, len(r.Runs))
	}
	for _, run := range r.Runs {
		n += len(
			r.Reference.Path,
		) + (len(run.Alarms)+len(run.Unreadable)+len(run.NotKnown)+len(run.Referenced)+len(run.UnmatchedKinds)+
			len(run.InvalidCRs))*longest
		for _, c := range run.Comparisons {
			o, t, s := c.Object, c.Template, c.Source
			own := len(o.String()) + len(t.Path) + len(t.Part) + len(
				t.Component,
			) + len(s.File) + len(s.Entry) + len(s.Wrapper)
			n += (1 + len(c.Differences) + len(c.Notes)) * (own + longest)
			for _, side := range c.Sides.Each() {
				for _, l := range side.Lines() {
					n += l.Indent
				}
			}
		}
		for _, b := range run.Rules {
			n += (1 + len(b.Templates)) * (len(b.Part) + len(b.Component) + len(b.Rule) + len(b.Message) + longest)
		}
	}
	return n
}

// indentation returns the number of blanks that indent a JSON text.
func indentation(text []byte) (n int) {
	const blanks = 2 // for each level
	for i, depth := 0, 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += kubeyaml.QuotedLength(text[i:], '"', '\\') - 1
		case '[', '{':
			depth++
			n += 2 * blanks * depth // for the content and the end
		case ',':
			n += blanks * depth
		case ']', '}':
			depth--
		}
	}
	return n
}

// HasLine reports whether one of the lines of both sides has a text for which the function is
// returns true.
func HasLine(r *finding.Report, is func(text string) bool) bool {
	for _, run := range r.Runs {
		for _, c := range run.Comparisons {
			for _, side := range c.Sides.Each() {
				if slices.ContainsFunc(side.Lines(), func(l *finding.Line) bool { return is(l.Text) }) {
					return true
				}
			}
		}
	}
	return false
}

// ListsExpected reports whether a report lists expected differences, and does not only count them.
func ListsExpected(r *finding.Report) bool {
	return slices.ContainsFunc(r.Runs, func(run *finding.Run) bool {
		return slices.ContainsFunc(run.Comparisons, func(c *finding.Comparison) bool {
			return slices.ContainsFunc(
				c.Differences, func(d finding.Difference) bool { return d.Category == finding.Expected },
			)
		})
	})
}
