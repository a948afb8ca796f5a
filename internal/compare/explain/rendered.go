package explain

import (
	"slices"
	"sort"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// renderedLines returns the lines of a trace. Unless secrets are shown, it hides secret lines. In a
// Secret, these are the lines that belong to secret data (see hidden), and those on which an action
// printed text that may come from such data. If the text of a Secret is not valid YAML, all lines are
// hidden, because the end of the data is unknown. In other objects, these are the lines on which
// secret data was printed.
func renderedLines(lines []render.Line, ofSecret, shown bool) []RenderedLine {
	out := make([]RenderedLine, len(lines))
	for i, l := range lines {
		out[i] = RenderedLine{
			Text:    l.Text,
			File:    l.From.File,
			Line:    l.From.Line,
			Printed: len(l.Prints) > 0,
			Finding: l.Finding,
		}
		for _, p := range l.Prints {
			out[i].Prints = append(out[i].Prints, finding.Span{Start: p.Start, End: p.End})
		}
	}
	r := redactor{lines: out, shown: shown}
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
	r.node(nil, docs[0], len(lines), false)
	for i, l := range lines {
		if slices.ContainsFunc(l.Prints, mayBeSecret) {
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
	lines  []RenderedLine
	starts []int // offset of each line in the text
	shown  bool  // only mark the lines
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
		r.mask(l, l.Text[:len(l.Text)-len(strings.TrimLeft(l.Text, " "))]+"(hidden)")
	}
}

// mask marks a line as hidden and replaces its text.
func (r *redactor) mask(l *RenderedLine, text string) {
	if l.Hidden = true; !r.shown {
		l.Text, l.Prints = text, nil
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

// node hides the secret parts of a map at a path, or all its values. The map ends before line end.
// The keys of a secret map with one line for each key stay visible.
func (r *redactor) node(path refconfig.FieldPath, n *kubeyaml.Node, end int, all bool) {
	for _, e := range r.entries(n, end) {
		at := path.Below(refconfig.Key(kubeyaml.KeyString(e.key)))
		if e.value == nil || !all && e.value.Offset < e.key.Offset { // a duplicate key, or an alias
			if all || hidden(at, nil) || secret.Opened(at) {
				r.hide(e.from, e.to)
			}
			continue
		}
		hides := all || hidden(at, e.value.Value())
		isBlock := e.value.Kind == kubeyaml.Map && !e.value.Flow && len(e.value.Keys) > 0 &&
			r.line(e.value) != e.from
		switch {
		case isBlock && secret.Opened(at):
			r.node(at, e.value, e.to, false)
		case isBlock && hides && !all:
			r.node(at, e.value, e.to, true)
			r.hide(e.from+1, e.to)
		case hides:
			r.value(e)
			r.hide(e.from, e.to)
		}
	}
}

// value hides the value on the line of its key.
func (r *redactor) value(e entry) {
	l := &r.lines[e.from]
	column := e.key.Offset - r.starts[e.from]
	if l.Hidden || column < 0 || column > len(l.Text) || strings.TrimSpace(l.Text[:column]) != "" {
		return
	}
	what := "(hidden)"
	if e.value.Kind == kubeyaml.Scalar {
		what = "(hidden, " + finding.Plural(len(e.value.Text), "byte", "bytes") + ")"
	}
	r.mask(l, l.Text[:column]+e.key.Text+": "+what)
}

// hidden reports whether the value at a path of a Secret contains anything secret.
func hidden(path refconfig.FieldPath, v any) bool {
	_, scope := secret.OfKind("Secret").At(nil, path)
	return scope.IsData() || scope.Holds(v)
}
