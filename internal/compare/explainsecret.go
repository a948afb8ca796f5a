package compare

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// RenderedLine is a line of rendered text.
type RenderedLine struct {
	render.Line
	Hidden bool   // the line must not be shown unless the user asks for it
	Masked string // what to show instead of a hidden line
}

// renderedLines makes lines of those of a trace. Of a Secret, a line is hidden if it belongs to what is secret, see hidden, or
// if an action printed something on it that may come from there. If in doubt it is hidden, and so is all of a text that is no
// YAML, because nobody can tell where its data ends. Of other objects, the lines are hidden that secret data was printed on.
func renderedLines(lines []render.Line, isSecret bool) []RenderedLine {
	out := make([]RenderedLine, len(lines))
	for i, l := range lines {
		out[i].Line = l
	}
	v := veil{lines: out}
	text := v.read()
	if !isSecret {
		if tree.HoldsSecrets(text) {
			v.hide(0, len(lines))
		}
		for i, l := range lines {
			if slices.ContainsFunc(l.Prints, func(p render.Print) bool { return p.Secret }) {
				v.hide(i, i+1)
			}
		}
		return out
	}
	docs, err := manifest.Parse([]byte(text))
	docs = slices.DeleteFunc(docs, func(n *manifest.Node) bool { return n.Kind == manifest.Scalar && n.Value() == nil })
	if err != nil || len(docs) != 1 || docs[0].Kind != manifest.Map || docs[0].Flow || strings.HasPrefix(text, "\ufeff") {
		v.hide(0, len(lines))
		return out
	}
	v.node(nil, docs[0], len(lines))
	for i, l := range lines {
		if slices.ContainsFunc(l.Prints, mayBeSecret) && !out[i].Hidden {
			v.hide(i, i+1)
		}
	}
	return out
}

// mayBeSecret reports whether what an action printed may hold something of the data of a Secret: it depends on the input, and is
// not the unchanged value of a field that is shown.
func mayBeSecret(p render.Print) bool {
	return p.Input && (p.Path == nil || opened(p.Path) || hidden(p.Path, nil))
}

// veil hides lines of the text of a Secret.
type veil struct {
	lines  []RenderedLine
	starts []int // offset of each line in the text
}

// read joins the lines to the text that they are of.
func (v *veil) read() string {
	var b strings.Builder
	for _, l := range v.lines {
		v.starts = append(v.starts, b.Len())
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// line returns the line that a node begins on.
func (v *veil) line(n *manifest.Node) int { return sort.SearchInts(v.starts, n.Offset+1) - 1 }

// hide hides lines as a whole, but for the blanks before them. What is hidden already is left as it is.
func (v *veil) hide(from, to int) {
	for i := max(from, 0); i < min(to, len(v.lines)); i++ {
		l := &v.lines[i]
		if l.Hidden || strings.TrimSpace(l.Text) == "" {
			continue
		}
		l.Hidden = true
		l.Masked = l.Text[:len(l.Text)-len(strings.TrimLeft(l.Text, " "))] + "(hidden)"
	}
}

// entry is a key of a map, with the lines that it and its value take.
type entry struct {
	key, value *manifest.Node // value is nil for a key that a later one of the same name replaces
	from, to   int
}

// entries returns the keys of a block map that ends before a line, in the order of the text.
func (v *veil) entries(n *manifest.Node, end int) []entry {
	var all []entry
	for i, k := range n.Keys {
		all = append(all, entry{key: k, value: n.Values[i]})
	}
	for _, k := range n.Duplicates {
		all = append(all, entry{key: k})
	}
	slices.SortFunc(all, func(a, b entry) int { return a.key.Offset - b.key.Offset })
	for i := range all {
		all[i].from, all[i].to = v.line(all[i].key), end
		if i > 0 {
			all[i-1].to = max(all[i].from, all[i-1].from+1)
		}
	}
	return all
}

// node hides what is secret of a map at a path, which ends before a line.
func (v *veil) node(path refconfig.FieldPath, n *manifest.Node, end int) {
	for _, e := range v.entries(n, end) {
		at := extend(path, refconfig.Step{Key: manifest.KeyString(e.key), Index: -1})
		switch {
		case e.value == nil || e.value.Offset < e.key.Offset: // a duplicate, or an alias: what it means stands elsewhere
			if hidden(at, nil) || opened(at) {
				v.hide(e.from, e.to)
			}
		case opened(at) && e.value.Kind == manifest.Map && !e.value.Flow:
			v.node(at, e.value, e.to)
		case hidden(at, e.value.Value()):
			v.data(e)
		}
	}
}

// data hides a secret value. Where it is a map with a line for each key, the keys are shown.
func (v *veil) data(e entry) {
	if e.value.Kind != manifest.Map || e.value.Flow || len(e.value.Keys) == 0 || v.line(e.value) == e.from {
		v.value(e)
		v.hide(e.from, e.to)
		return
	}
	for _, one := range v.entries(e.value, e.to) {
		if one.value != nil {
			v.value(one)
		}
		v.hide(one.from, one.to)
	}
	v.hide(e.from+1, e.to)
}

// value hides the value of a key on the key's line.
func (v *veil) value(e entry) {
	l := &v.lines[e.from]
	column := e.key.Offset - v.starts[e.from]
	if l.Hidden || column < 0 || column > len(l.Text) || strings.TrimSpace(l.Text[:column]) != "" {
		return
	}
	l.Hidden = true
	l.Masked = l.Text[:column] + e.key.Text + ": (hidden"
	if e.value.Kind == manifest.Scalar {
		n := len(e.value.Text)
		l.Masked += ", " + strconv.Itoa(n) + " byte"
		if n != 1 {
			l.Masked += "s"
		}
	}
	l.Masked += ")"
}
