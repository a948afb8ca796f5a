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
	Hidden bool   // hidden unless the user asks for secrets
	Masked string // text to show instead
}

// shown returns the line for the report.
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

// renderedLines returns the lines of a trace and hides secret ones. In a Secret, it hides lines
// that belong to secret data (see hidden), and lines on which an action printed text that may come
// from such data. If the text of a Secret is not valid YAML, all lines are hidden, because the end
// of the data is unknown. In other objects, it hides the lines on which secret data was printed.
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

// mayBeSecret reports whether a print may contain data of a Secret: it depends on the input and is
// not the unchanged value of a visible field.
func mayBeSecret(p render.Print) bool {
	return p.Input && (p.Path == nil || secret.Opened(p.Path) || hidden(p.Path, nil))
}

// redactor hides lines in the text of a Secret.
type redactor struct {
	lines  []renderedLine
	starts []int // offset of each line in the text
}

// read joins the lines to the whole text.
func (r *redactor) read() string {
	var b strings.Builder
	for _, l := range r.lines {
		r.starts = append(r.starts, b.Len())
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// line returns the index of the line on which a node starts.
func (r *redactor) line(n *kubeyaml.Node) int { return sort.SearchInts(r.starts, n.Offset+1) - 1 }

// hide hides whole lines except their indentation. Lines that are hidden already stay as they are.
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

// entry is a key of a map, with the lines of the key and its value.
type entry struct {
	key, value *kubeyaml.Node // value is nil for a key that a later duplicate replaces
	from, to   int
}

// entries returns the keys of a block map in the order of the text. The map ends before line end.
func (r *redactor) entries(n *kubeyaml.Node, end int) []entry {
	var all []entry
	for i, k := range n.Keys {
		all = append(all, entry{key: k, value: n.Values[i]})
	}
	for _, k := range n.Duplicates() {
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

// node hides the secret parts of a map at a path. The map ends before line end.
func (r *redactor) node(path refconfig.FieldPath, n *kubeyaml.Node, end int) {
	for _, e := range r.entries(n, end) {
		at := path.Below(refconfig.Key(kubeyaml.KeyString(e.key)))
		switch {
		// a duplicate key, or an alias, whose value is elsewhere in the text
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

// data hides a secret value. If it is a map with one line for each key, the keys stay visible.
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

// value hides the value on the line of its key.
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

// hidden reports whether the value at a path of a Secret contains anything secret.
func hidden(path refconfig.FieldPath, v any) bool {
	_, scope := secret.OfKind("Secret").At(nil, path)
	return scope.IsData() || scope.Holds(v)
}
