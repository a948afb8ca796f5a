package diff

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Stated is a text that a template states in place of a value that each CR may choose, see
// refconfig.InlineDiff.
type Stated struct {
	refconfig.FieldFunction
	At         refconfig.FieldPath     // its path, which leads into the documents that texts contain
	Expression string                  // the text itself; "" if Closed is set
	Text       refconfig.FieldPath     // the outermost text that contains it; At itself if none does
	Opened     refconfig.FieldFunction // the entry that opens this text; the zero value if Text is At
	Closed     error                   // why a text that may contain it cannot be opened; nil if it was found
}

// InText reports whether the pattern is, or may be, in the document of a text.
func (s Stated) InText() bool { return s.Opened.Key != "" }

// Patterns returns the patterns in a value, and those that may be in texts of the value that cannot
// be opened. It opens also secret texts, so messages must not contain an Expression.
func Patterns(c refconfig.Config, value any) (all []Stated) {
	patterns := c.Fields(refconfig.InlineDiff)
	if len(patterns) == 0 {
		return nil
	}
	texts := &opener{value: value}
	if slices.ContainsFunc(patterns, func(f refconfig.FieldFunction) bool { return IsInside(f.Path) }) {
		texts.openAll(c)
	}
	for _, f := range patterns {
		for _, at := range tree.Expand(texts.value, f.Path) {
			v, _ := tree.At(texts.value, at)
			if text, isText := v.(string); isText {
				path, by := texts.outermost(at)
				all = append(all, Stated{FieldFunction: f, At: at, Expression: text, Text: path, Opened: by})
			}
		}
		for _, closed := range texts.closed {
			if leadsInto(f.Path, closed.path) {
				path, by := texts.outermost(closed.path.Inside())
				all = append(all, Stated{FieldFunction: f, At: f.Path, Text: path, Opened: by, Closed: closed.err})
			}
		}
	}
	return all
}

// opener opens the texts of one value. Each document stands next to its text, or in its place if it
// is an item of a list.
type opener struct {
	value  any
	opened []openedText
	closed []openedText
}

// openedText is a text of which a document was read, or not.
type openedText struct {
	path refconfig.FieldPath
	by   refconfig.FieldFunction
	err  error
}

// openAll opens the texts for which the template has an entry, outer ones first.
func (o *opener) openAll(c refconfig.Config) {
	o.value = tree.Copy(o.value)
	entries := c.Fields(refconfig.Embedded)
	byDepth := func(a, b refconfig.FieldFunction) int { return cmp.Compare(len(a.Path), len(b.Path)) }
	slices.SortStableFunc(entries, byDepth)
	for _, e := range entries {
		for _, path := range tree.Expand(o.value, e.Path) {
			v, _ := tree.At(o.value, path)
			text, isText := v.(string)
			if !isText {
				continue
			}
			reader := embed.Reader{Left: embed.Most(len(text))}
			d, err := reader.Decode(text, e.Encoding, e.Function)
			if one := (openedText{path, e, err}); err != nil {
				o.closed = append(o.closed, one)
			} else {
				o.opened = append(o.opened, one)
				tree.Put(o.value, path.Inside(), d.Value)
			}
		}
	}
}

// outermost returns the path of the outermost text that contains a field, and the entry that opens
// it. It returns the path of the field itself if no text contains it.
func (o *opener) outermost(at refconfig.FieldPath) (refconfig.FieldPath, refconfig.FieldFunction) {
	for _, t := range slices.Concat(o.opened, o.closed) { // outer ones come first
		if inside := t.path.Inside(); len(inside) <= len(at) && inside.String() == at[:len(inside)].String() {
			return t.path, t.by
		}
	}
	return at, refconfig.FieldFunction{}
}

// leadsInto reports whether a path, which may have wildcards, leads into the document in a text.
func leadsInto(path, text refconfig.FieldPath) bool {
	inside := text.Inside()
	return len(path) >= len(inside) && refconfig.OmitEntry{Path: path[:len(inside)]}.Match(inside)
}
