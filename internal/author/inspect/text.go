package inspect

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// writer writes indented lines.
type writer struct {
	escape.Writer
	omitted []string // omitted fields that are listed at the top
}

// prose writes a text of several lines.
func (w *writer) prose(depth int, text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		w.Line(depth, "%s", strings.TrimSpace(line))
	}
}

// Text writes an interface as a tree.
func (all *Interface) Text(out io.Writer) error {
	w := writer{omitted: all.omitted()}
	w.Line(0, "%s", all.Reference)
	if len(w.omitted) > 0 {
		w.Line(0, "")
		w.Line(0, "Not compared, in addition to the built-in list, unless a template says differently:")
	}
	for _, path := range w.omitted {
		w.Line(1, "%s", path)
	}
	for _, p := range all.Parts {
		w.Line(0, "")
		w.Line(0, "Part %s", orNone(p.Name))
		w.prose(1, p.Description)
		for _, c := range p.Components {
			w.component(c, p.Description)
		}
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// omitted returns the most frequent list of fields that a template omits from the comparison.
func (all *Interface) omitted() []string {
	counts := map[string]int{}
	var most []string
	for t := range all.Templates() {
		key := strings.Join(t.Omitted, "\n")
		if counts[key]++; counts[key] > counts[strings.Join(most, "\n")] {
			most = t.Omitted
		}
	}
	return most
}

func orNone(name string) string { return cmp.Or(name, "(without a name)") }

func (w *writer) component(c Component, above string) {
	w.Line(1, "Component %s", orNone(c.Name))
	if c.Description != above {
		w.prose(2, c.Description)
	}
	var told []string
	template := func(path string) {
		i := slices.IndexFunc(c.Templates, func(t Template) bool { return t.Path == path })
		if i >= 0 && !slices.Contains(told, path) {
			told = append(told, path)
			w.template(c.Templates[i], []string{above, c.Description})
		}
	}
	for _, r := range c.Rules {
		w.Line(2, "%s (%s):", r.Words, r.Rule)
		for _, path := range r.Templates {
			template(path)
		}
	}
	for i, t := range c.Templates {
		if i == 0 && len(c.Rules) == 0 {
			w.Line(2, "no rule; each of these is compared if it is present:")
		}
		template(t.Path)
	}
}

// Identity describes the identity of the CRs, with * for a name that the template does not fix.
func (t Template) Identity() string {
	words := t.Kind + " "
	if t.Namespace != "" {
		words += t.Namespace + "/"
	}
	words += cmp.Or(t.Name, "*")
	if t.APIVersion != "" {
		words += " (" + t.APIVersion + ")"
	}
	return words
}

func (w *writer) template(t Template, known []string) {
	w.Line(3, "%s: %s", t.Path, t.Identity())
	if !slices.Contains(known, t.Description) {
		w.prose(4, t.Description)
	}
	if t.IgnoresUnspecified {
		w.Line(4, "fields that the template does not have are not compared")
	}
	w.omits(t)
	for _, f := range t.Compared {
		w.Line(4, "compared by %s: %s, at %s", f.By, f.Path, f.At)
	}
	if t.CRs != nil {
		w.Line(4, "%s from these values", finding.Plural(*t.CRs, "CR is rendered", "CRs are rendered"))
	}
	if len(t.Parameters) == 0 {
		w.Line(4, "takes nothing from the user")
	}
	for _, p := range t.Parameters {
		w.parameter(p, t.CRs)
	}
	if len(t.Unasked) > 0 {
		w.Line(4, "not read with these values: %s", strings.Join(t.Unasked, ", "))
	}
	for _, l := range t.Lookups {
		w.Line(4, "looks up %s, at %s", l.What(), l.At)
		if len(l.Reads) > 0 {
			w.Line(5, "reads %s", strings.Join(l.Reads, ", "))
		}
	}
	w.nested(4, t, t.Nested)
	if t.Incomplete {
		w.Line(4, "there may be more: the template cannot be analysed completely")
	}
}

// omits writes the fields of a template that are not compared, if they differ from the list at the
// top.
func (w *writer) omits(t Template) {
	without := func(all, some []string) []string {
		return slice.Without(all, func(path string) bool { return slices.Contains(some, path) })
	}
	more, fewer := without(t.Omitted, w.omitted), without(w.omitted, t.Omitted)
	switch {
	case len(fewer) > 0 && len(t.Omitted) == 0:
		w.Line(4, "not compared: only the built-in list")
	case len(fewer) > len(t.Omitted)-len(more):
		w.Line(4, "not compared, instead of the list at the top: %s", strings.Join(t.Omitted, ", "))
	default:
		if len(more) > 0 {
			w.Line(4, "also not compared: %s", strings.Join(more, ", "))
		}
		if len(fewer) > 0 {
			w.Line(4, "compared, though the list at the top has it: %s", strings.Join(fewer, ", "))
		}
	}
}

// words describes a field: whether it is needed, its default, its type, and its given values.
func (p Parameter) words(crs *int) string {
	words := []string{string(p.Need)}
	if p.Need == probe.Conditional {
		words[0] = "mandatory under a condition"
		if len(p.When) == 0 {
			words[0] = "mandatory if the template reaches it"
		}
	}
	if p.Default != nil {
		words = append(words, "without it "+written(*p.Default)+" is expected")
	}
	if p.Type != "" {
		words = append(words, p.Type)
	}
	if p.repeated() {
		words = append(words, "repeated")
	}
	if p.Secret {
		words = append(words, "secret")
	}
	const most = 3
	var values []string
	for _, v := range p.Values[:min(most, len(p.Values))] {
		values = append(values, escape.Shortened(written(v), 60))
	}
	for _, mark := range []struct {
		count      *int
		word, text string
	}{{p.Given, "given", strings.Join(values, " or ")}, {p.Lacking, "NOT given", ""}} {
		if mark.count != nil && *mark.count > 0 {
			if crs != nil && *crs > 1 {
				mark.word += fmt.Sprintf(" to %d of %d", *mark.count, *crs)
			}
			words = append(words, mark.word+finding.Prefixed(": ", mark.text))
		}
	}
	return strings.Join(words, ", ")
}

// repeated reports whether the template reads the field in every item or key of another field.
func (p Parameter) repeated() bool {
	path, err := refconfig.ParseFieldPath(p.Path)
	return err == nil && slices.ContainsFunc(path, func(step refconfig.Step) bool { return step.Any })
}

// details returns the conditions under which a field is needed, and its constraints.
func (p Parameter) details() []string {
	var all []string
	for _, c := range p.When {
		all = append(all, "where "+c)
	}
	for _, c := range p.Constraints {
		all = append(all, Words(c))
	}
	if p.Description != "" {
		all = append(all, firstSentence(p.Description))
	}
	return append(all, p.Schema.details(p.Description == "")...)
}

func (w *writer) parameter(p Parameter, crs *int) {
	w.Line(4, "%s: %s", p.Path, p.words(crs))
	for _, detail := range p.details() {
		w.Line(5, "%s", detail)
	}
	for _, u := range p.Uses {
		via := ""
		if len(u.Via) > 0 {
			via = " in " + strings.Join(u.Via, " > ")
		}
		w.Line(5, "at %s%s", u.At, via)
	}
}

// Words returns a constraint in words.
func Words(c probe.Constraint) string {
	var all []string
	for _, v := range c.Values {
		all = append(all, written(v))
	}
	var text string
	switch c.By {
	case "regex":
		text = "matches the expression " + strings.Join(all, ", ")
	case "capturegroups":
		text = "matches the text, whose capture groups are expressions: " + strings.Join(all, ", ")
	default:
		text = "is compared with " + strings.Join(all, ", ") + " (" + c.By + ")"
	}
	if len(all) == 0 {
		text = "matches a computed pattern (" + c.By + ")"
	}
	if c.Through != "" {
		text = "(" + c.Through + ") " + text
	}
	return text
}

// written returns a value as JSON.
func written(v any) string {
	text, err := tree.JSON(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return text
}

// nested writes calls of named templates, each with what it takes.
func (w *writer) nested(depth int, t Template, calls []probe.Nested) {
	for _, c := range calls {
		name, place := written(c.Name), ""
		if c.Name == "" {
			name = "a template with a computed name"
		} else {
			place = ", defined at " + cmp.Or(c.Defined, "nowhere")
		}
		if c.Index != "" {
			c.Field += "[" + c.Index + "]"
		}
		w.Line(depth, "calls %s%s at %s%s", name, finding.Prefixed(" for ", c.Field), c.At, place)
		w.prose(depth+1, c.About)
		for _, condition := range c.When {
			w.Line(depth+1, "where %s", condition)
		}
		told := map[string]bool{}
		for _, a := range c.Takes {
			text := argument(a)
			if at, known := t.find(strings.Join(a.Fields, " ")); known {
				text = t.Parameters[at].after(text+", ", t.CRs)
				told[t.Parameters[at].Path] = true
			}
			w.Line(depth+1, "%s: %s", a.As, text)
		}
		for _, p := range c.Parameters {
			if at, known := t.find(p.Path); known && !told[p.Path] {
				w.Line(depth+1, "%s", t.Parameters[at].after(p.Path+": ", t.CRs))
			}
		}
		w.nested(depth+1, t, c.Nested)
	}
}

// after returns a description of the parameter behind a text that names it.
func (p Parameter) after(text string, crs *int) string {
	return strings.Join(append([]string{text + p.words(crs)}, p.details()...), "; ")
}

// argument returns an argument in words.
func argument(a probe.Argument) string {
	var parts []string
	for _, v := range a.Values {
		parts = append(parts, written(v))
	}
	made := ""
	if a.Computed && len(a.Fields) > 0 {
		made = "computed from "
	}
	for _, f := range a.Fields {
		parts = append(parts, made+f)
		made = ""
	}
	if len(parts) == 0 {
		return "computed"
	}
	return strings.Join(parts, " or ")
}
