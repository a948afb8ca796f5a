package inspect

import (
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// SchemaFile is the file name of the schema to which a stub refers.
const SchemaFile = "values.schema.json"

// CaptureGroup is a key in the items of a values file. Its value maps the named groups of patterns
// to their values.
const CaptureGroup = "captureGroup"

// Stub writes a values file for reference render. Mandatory values are null, and defaults are
// filled in. Comments list the other fields that a template reads.
func (all *Interface) Stub(out io.Writer) error {
	var w writer
	w.Line(0, "# yaml-language-server: $schema=%s", SchemaFile)
	w.Line(
		0,
		"# Values for %s. Replace each null by a value. For several CRs of a template, repeat its item;",
		all.Reference,
	)
	w.Line(0, "# for no CR, write []. In the path of a field, * matches every item or key.")
	w.Line(0, "# Editors check this file with %s, which inspect --values-schema prints.", SchemaFile)
	done := map[string]bool{}
	for _, p := range all.Parts {
		w.Line(0, "")
		w.Line(0, "# Part %s", orNone(p.Name))
		for _, c := range p.Components {
			w.Line(0, "")
			w.Line(0, "# Component %s", orNone(c.Name))
			w.stubs(c, done)
		}
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// stubs writes the templates of a component that are not in done.
func (w *writer) stubs(c Component, done map[string]bool) {
	for _, t := range c.Templates {
		if done[t.Path] {
			continue
		}
		done[t.Path] = true
		w.Line(0, "")
		w.Line(0, "# %s", t.Identity())
		none := false
		for _, r := range c.Rules {
			if slices.Contains(r.Templates, t.Path) {
				w.Line(0, "# %s (%s)", r.Words, r.Rule)
				none = none || r.Rule == refconfig.NoneOf
			}
		}
		if t.IgnoresUnspecified {
			w.Line(0, "# other fields are not compared, and can be given too")
		}
		w.stub(t, none)
	}
}

// stub writes the item of a template. If none is set, it writes an empty list: no CR of the
// template is wanted.
func (w *writer) stub(t Template, none bool) {
	if none {
		w.Line(0, "%s: []", tree.Scalar(t.Path))
		return
	}
	w.Line(0, "%s:", tree.Scalar(t.Path))
	s := stub{item: map[string]any{}, about: map[string][]string{}}
	for _, p := range t.Parameters {
		s.add(t, p)
	}
	s.examples(t)
	for _, line := range asItem(s.lines(s.item, nil)) {
		w.WriteString(line + "\n") // it is escaped already
	}
	for _, line := range s.more {
		w.Line(1, "# %s", line)
	}
}

// stub collects an item of a values file.
type stub struct {
	item  any
	about map[string][]string // comments, by the path of the field
	more  []string            // comments about the other fields that the template reads
}

// add adds a parameter.
func (s *stub) add(t Template, p Parameter) {
	comments := []string{escape.Line(p.words(nil))}
	for _, detail := range p.details() {
		comments = append(comments, "  "+escape.Line(detail))
	}
	path, err := refconfig.ParseFieldPath(p.Path)
	stated := p.Path == "metadata.name" && exact(t.Name) || p.Path == "metadata.namespace" && exact(t.Namespace)
	var value any
	open := p.Need == probe.Mandatory
	if p.Default != nil && p.Always {
		value = *p.Default
	}
	if names := p.Groups(); len(names) > 0 {
		s.groups(p, names, comments)
		return
	}
	if err == nil && (open || value != nil) && !stated && seen(p.Path, value) {
		if item, ok := planted(s.item, path, value); ok {
			s.item = item
			s.about[path.String()] = comments
			return
		}
	}
	s.more = append(append(s.more, p.Path+": "+comments[0]), comments[1:]...)
}

// Groups returns the named groups of a field's pattern, if their values determine the whole text.
func (p Parameter) Groups() (names []string) {
	for _, c := range p.Constraints {
		for _, v := range c.Values {
			if text, isText := v.(string); isText && (c.By == pattern.Regex || c.By == pattern.CaptureGroups) {
				_, names = pattern.Fill(c.By, text, nil)
			}
		}
	}
	return names
}

// groups adds the named groups of a pattern, with null values if the field is mandatory.
func (s *stub) groups(p Parameter, names, comments []string) {
	s.more = append(append(s.more, p.Path+": "+comments[0]), comments[1:]...)
	for _, name := range names {
		path := refconfig.PathOf(CaptureGroup, name)
		if item, ok := planted(s.item, path, nil); ok && p.Need == probe.Mandatory {
			s.item = item
			s.about[path.String()] = append(s.about[path.String()], "of "+escape.Line(p.Path))
		}
	}
}

// examples adds comments that show an item of each list that the template loops over.
func (s *stub) examples(t Template) {
	items := map[string]any{}
	var order []string
	for _, p := range t.Parameters {
		path, err := refconfig.ParseFieldPath(p.Path)
		at := slices.IndexFunc(path, func(step refconfig.Step) bool { return step.Any })
		if err != nil || at < 0 || at+1 == len(path) || p.Need == probe.Optional && p.Default == nil {
			continue
		}
		below := slices.Clone(path[at+1:])
		for i := range below {
			if below[i].Any {
				below[i] = refconfig.Step{Key: "0"}
			}
		}
		list := path[:at].String()
		if items[list] == nil {
			order, items[list] = append(order, list), map[string]any{}
		}
		var value any
		if p.Default != nil {
			value = *p.Default
		}
		if item, ok := planted(items[list], below, value); ok {
			items[list] = item
		}
	}
	for _, list := range order {
		s.more = append(s.more, escape.Line("an item of "+list+":"))
		for _, line := range asItem((&stub{}).lines(items[list], nil)) {
			s.more = append(s.more, "  "+escape.Line(line))
		}
	}
}

// seen reports whether a path and a value have only visible characters. Others are written in a
// comment, escaped.
func seen(path string, value any) bool {
	return escape.Text(path) == path &&
		!slices.ContainsFunc(yamlLines(value), func(line string) bool { return escape.Text(line) != line })
}

// exact reports whether a text from Identity is a complete value, without *.
func exact(text string) bool { return text != "" && !strings.Contains(text, "*") }

// planted sets a value in a tree, adds the missing maps and lists on its path, and returns the
// tree. It returns false if the path has a *, or skips an item of a list.
func planted(v any, path refconfig.FieldPath, value any) (any, bool) {
	if len(path) == 0 {
		if below, isMap := v.(map[string]any); isMap && len(below) > 0 {
			return v, true
		}
		return value, true
	}
	step := path[0]
	if step.Any {
		return v, false
	}
	if step.Index >= 0 {
		l, _ := v.([]any)
		if step.Index > len(l) {
			return v, false
		}
		if step.Index == len(l) {
			l = append(slices.Clone(l), nil)
		}
		below, ok := planted(l[step.Index], path[1:], value)
		l[step.Index] = below
		return l, ok
	}
	m, _ := v.(map[string]any)
	below, ok := planted(m[step.Key], path[1:], value)
	if !ok {
		return v, false
	}
	with, _ := tree.Copy(any(m)).(map[string]any)
	with[step.Key] = below
	return with, true
}

// lines returns the lines of a tree as YAML, with comments above fields.
func (s *stub) lines(v any, path refconfig.FieldPath) []string {
	var all []string
	switch v := v.(type) {
	case map[string]any:
		for _, k := range tree.Keys(v) {
			below := path.Below(refconfig.Key(k))
			for _, comment := range s.about[below.String()] {
				all = append(all, "# "+comment)
			}
			inside := s.lines(v[k], below)
			if inside == nil {
				all = append(all, yamlLines(map[string]any{k: v[k]})...)
				continue
			}
			all = append(all, strings.SplitAfter(yamlLines(map[string]any{k: ""})[0], ":")[0])
			for _, line := range inside {
				all = append(all, "  "+line)
			}
		}
	case []any:
		for i, x := range v {
			below := path.Below(refconfig.Step{Index: i})
			inside := s.lines(x, below)
			if inside == nil {
				inside = yamlLines(x)
			}
			all = append(all, asItem(inside)...)
		}
	}
	return all
}

// yamlLines returns the lines of a value as YAML.
func yamlLines(v any) []string { return strings.Split(strings.TrimSuffix(tree.YAML(v), "\n"), "\n") }

// asItem converts the lines of a mapping to a list item; no lines become an empty mapping.
func asItem(lines []string) []string {
	if len(lines) == 0 {
		return []string{"- {}"}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = "  " + line
	}
	out[0] = "- " + lines[0]
	return out
}
