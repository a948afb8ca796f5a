package explain

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// renderedLine is a line of rendered text.
type renderedLine struct {
	render.Line
	Hidden bool   // the line must not be shown unless the user asks for it
	Masked string // what to show instead of a hidden line
}

// shown is the line for the report.
func (l renderedLine) shown(secrets bool) RenderedLine {
	out := RenderedLine{
		Text:    l.Text,
		File:    l.From.File,
		Line:    l.From.Line,
		Printed: len(l.Prints) > 0,
		Finding: l.Finding,
		Hidden:  l.Hidden,
	}
	if l.Hidden && !secrets {
		out.Text = l.Masked
		return out
	}
	for _, p := range l.Prints {
		out.Prints = append(out.Prints, finding.Span{Start: p.Start, End: p.End})
	}
	return out
}

// renderedLines makes lines of those of a trace. Of a Secret, a line is hidden if it belongs to
// what is secret, see hidden, or if an action printed something on it that may come from there. If
// in doubt it is hidden, and so is all of a text that is no YAML, because nobody can tell where its
// data ends. Of other objects, the lines are hidden that secret data was printed on.
func renderedLines(lines []render.Line, ofSecret bool) []renderedLine {
	out := make([]renderedLine, len(lines))
	for i, l := range lines {
		out[i].Line = l
	}
	r := redactor{lines: out}
	text := r.read()
	if !ofSecret {
		if secret.InText(text) {
			r.hide(0, len(lines))
		}
		for i, l := range lines {
			if slices.ContainsFunc(l.Prints, func(p render.Print) bool { return p.Secret }) {
				r.hide(i, i+1)
			}
		}
		return out
	}
	docs, err := kubeyaml.Parse([]byte(text))
	docs = slices.DeleteFunc(docs, func(n *kubeyaml.Node) bool { return n.Kind == kubeyaml.Scalar && n.Value() == nil })
	if err != nil || len(docs) != 1 || docs[0].Kind != kubeyaml.Map || docs[0].Flow ||
		strings.HasPrefix(text, "\ufeff") {
		r.hide(0, len(lines))
		return out
	}
	r.node(nil, docs[0], len(lines))
	for i, l := range lines {
		if slices.ContainsFunc(l.Prints, mayBeSecret) && !out[i].Hidden {
			r.hide(i, i+1)
		}
	}
	return out
}

// mayBeSecret reports whether what an action printed may hold something of the data of a Secret: it
// depends on the input, and is not the unchanged value of a field that is shown.
func mayBeSecret(p render.Print) bool {
	return p.Input && (p.Path == nil || secret.Opened(p.Path) || hidden(p.Path, nil))
}

// redactor hides lines of the text of a Secret.
type redactor struct {
	lines  []renderedLine
	starts []int // offset of each line in the text
}

// read joins the lines to the text that they are of.
func (r *redactor) read() string {
	var b strings.Builder
	for _, l := range r.lines {
		r.starts = append(r.starts, b.Len())
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// line returns the line that a node begins on.
func (r *redactor) line(n *kubeyaml.Node) int { return sort.SearchInts(r.starts, n.Offset+1) - 1 }

// hide hides lines as a whole, but for the blanks before them. What is hidden already is left as it
// is.
func (r *redactor) hide(from, to int) {
	for i := max(from, 0); i < min(to, len(r.lines)); i++ {
		l := &r.lines[i]
		if l.Hidden || strings.TrimSpace(l.Text) == "" {
			continue
		}
		l.Hidden = true
		l.Masked = l.Text[:len(l.Text)-len(strings.TrimLeft(l.Text, " "))] + "(hidden)"
	}
}

// entry is a key of a map, with the lines that it and its value take.
type entry struct {
	key, value *kubeyaml.Node // value is nil for a key that a later one of the same name replaces
	from, to   int
}

// entries returns the keys of a block map that ends before a line, in the order of the text.
func (r *redactor) entries(n *kubeyaml.Node, end int) []entry {
	var all []entry
	for i, k := range n.Keys {
		all = append(all, entry{key: k, value: n.Values[i]})
	}
	for _, k := range n.Duplicates {
		all = append(all, entry{key: k})
	}
	slices.SortFunc(all, func(a, b entry) int { return a.key.Offset - b.key.Offset })
	for i := range all {
		all[i].from, all[i].to = r.line(all[i].key), end
		if i > 0 {
			all[i-1].to = max(all[i].from, all[i-1].from+1)
		}
	}
	return all
}

// node hides what is secret of a map at a path, which ends before a line.
func (r *redactor) node(path refconfig.FieldPath, n *kubeyaml.Node, end int) {
	for _, e := range r.entries(n, end) {
		at := path.Below(refconfig.Key(kubeyaml.KeyString(e.key)))
		switch {
		// a duplicate, or an alias: what it means stands elsewhere
		case e.value == nil || e.value.Offset < e.key.Offset:
			if hidden(at, nil) || secret.Opened(at) {
				r.hide(e.from, e.to)
			}
		case secret.Opened(at) && e.value.Kind == kubeyaml.Map && !e.value.Flow:
			r.node(at, e.value, e.to)
		case hidden(at, e.value.Value()):
			r.data(e)
		}
	}
}

// data hides a secret value. Where it is a map with a line for each key, the keys are shown.
func (r *redactor) data(e entry) {
	if e.value.Kind != kubeyaml.Map || e.value.Flow || len(e.value.Keys) == 0 || r.line(e.value) == e.from {
		r.value(e)
		r.hide(e.from, e.to)
		return
	}
	for _, one := range r.entries(e.value, e.to) {
		if one.value != nil {
			r.value(one)
		}
		r.hide(one.from, one.to)
	}
	r.hide(e.from+1, e.to)
}

// value hides the value of a key on the key's line.
func (r *redactor) value(e entry) {
	l := &r.lines[e.from]
	column := e.key.Offset - r.starts[e.from]
	if l.Hidden || column < 0 || column > len(l.Text) || strings.TrimSpace(l.Text[:column]) != "" {
		return
	}
	l.Hidden = true
	l.Masked = l.Text[:column] + e.key.Text + ": (hidden"
	if e.value.Kind == kubeyaml.Scalar {
		n := len(e.value.Text)
		l.Masked += ", " + strconv.Itoa(n) + " byte"
		if n != 1 {
			l.Masked += "s"
		}
	}
	l.Masked += ")"
}

// hidden reports whether there is something secret in a value at a path of a Secret.
func hidden(path refconfig.FieldPath, v any) bool {
	_, scope := secret.OfKind("Secret").At(nil, path)
	return scope.IsData() || scope.Holds(v)
}
