package diff

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/embed"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Opened are two values in which documents replace the texts that contain them, where entries of
// perField say so and both texts can be opened. The fields of a document are then compared like all
// others, see refconfig.FieldPath.Inside. It is a step before the walk, because patterns and
// overrides apply to fields of documents too.
type Opened struct {
	Left, Right map[string]any
	Notes       any                   // of the left side, see render.Rendering
	Paths       []refconfig.FieldPath // of the texts of the left side
	Closed      []Closed

	blank   bool // there is no object: texts that need one are left
	reader  embed.Reader
	entries []refconfig.FieldFunction // of the Paths
	inside  map[string]bool           // the paths of the documents
}

// Closed is a field that is compared as it is although an entry says otherwise, such as a text that
// cannot be opened.
type Closed struct {
	Entry refconfig.FieldFunction
	Path  refconfig.FieldPath
	Why   string
}

// Sides is the input of Open.
type Sides struct {
	Left, Right any
	Notes       any              // of the left side
	Kind        string           // of the object
	Most        int64            // bytes that may be decoded together
	Searched    *secret.Searched // remembers which texts hold a Secret
	Context     context.Context  // ends the pairing of lists; nil for no end
	Blank       bool             // there is no object, and Right is what Left is
}

// Open opens the documents in copies of two values. It returns nil if no entry asks for it.
func Open(c refconfig.Config, s Sides) *Opened {
	entries := c.Fields(refconfig.Embedded)
	if len(entries) == 0 {
		return nil
	}
	o := &Opened{
		Notes:  tree.Copy(s.Notes),
		blank:  s.Blank,
		reader: embed.Reader{Left: s.Most},
		inside: map[string]bool{},
	}
	o.Left, _ = tree.Copy(s.Left).(map[string]any)
	o.Right, _ = tree.Copy(s.Right).(map[string]any)
	fields := pairingFields(c).Until(s.Context)
	for _, f := range entries {
		kind := secret.OfKind(s.Kind).With(s.Searched)
		o.walk(
			place{entry: f, fields: fields, left: kind.Or(secret.Of(s.Left)), right: kind.Or(secret.Of(s.Right))},
			o.Left,
			o.Right,
			o.Notes,
			f.Path,
		)
	}
	return o
}

// place is where a text stands on both sides: at a key of two maps, or in two lists.
type place struct {
	entry               refconfig.FieldFunction
	fields              Fields // about what stands there
	leftPath, rightPath refconfig.FieldPath
	left, right         secret.Scope // of what stands there
}

// walk follows the rest of an entry's path in both values. A wildcard means the items of lists that
// belong together.
func (o *Opened) walk(at place, left, right, note any, rest refconfig.FieldPath) {
	step := rest[0]
	switch l := left.(type) {
	case map[string]any:
		r, _ := right.(map[string]any)
		keys := []string{step.Key}
		if step.Any {
			keys = tree.Keys(l)
		}
		for _, k := range keys {
			if _, there := r[k]; there {
				step := refconfig.Key(k)
				o.key(place{at.entry, at.fields.Below(step), at.leftPath.Below(step), at.rightPath.Below(step),
					at.left.Below(k, l[k]), at.right.Below(k, r[k])}, l, r, note, rest, k)
			}
		}
	case []any:
		r, _ := right.([]any)
		n, _ := note.([]any)
		left, right := at.left.Elements(l), at.right.Elements(r)
		for _, p := range at.itemsOf(l, r, step) {
			item := refconfig.Step{Index: p.A}
			o.item(place{at.entry, at.fields.Below(item), at.leftPath.Below(item),
				at.rightPath.Below(refconfig.Step{Index: p.B}),
				left.Below("", l[p.A]), right.Below("", r[p.B])}, l, r, n, rest, p)
		}
	}
}

// itemsOf pairs the items of two lists that a step means. The index of a step is that of the left
// list.
func (at place) itemsOf(left, right []any, step refconfig.Step) []align.Pair {
	var pairing Pairing
	if step.Any || !at.fields.None() {
		pairing = at.fields.Pair(left, right)
	}
	if !step.Any && !pairing.Loose {
		if step.Index >= 0 && step.Index < min(len(left), len(right)) {
			return []align.Pair{{A: step.Index, B: step.Index}}
		}
		return nil
	}
	return slices.DeleteFunc(pairing.Pairs, func(p align.Pair) bool {
		return p.A < 0 || p.B < 0 || !step.Any && p.A != step.Index
	})
}

// key continues at a key of two maps, or opens the texts there.
func (o *Opened) key(at place, left, right map[string]any, note any, rest refconfig.FieldPath, key string) {
	notes, _ := note.(map[string]any)
	switch {
	case len(rest) > 1:
		o.walk(at, left[key], right[key], notes[key], rest[1:])
		return
	case rest[0].Any && o.inside[at.leftPath.String()]:
		return // a wildcard does not mean it
	}
	inside := at.leftPath.Inside()
	marked := inside[len(inside)-1].Key
	_, there := left[marked]
	if _, also := right[marked]; there || also {
		o.close(at, "there is a field "+marked+" beside it")
		return
	}
	l, r, ok := o.open(at, left[key], right[key], notes[key])
	switch {
	case !ok && l != nil:
		left[key] = l
		return
	case !ok:
		return
	}
	left[marked], right[marked] = l, r
	if notes != nil {
		notes[marked] = spread(notes[key], l, len(inside))
		delete(notes, key)
	}
	delete(left, key)
	delete(right, key)
}

// item does the same as key for items of lists.
func (o *Opened) item(at place, left, right, notes []any, rest refconfig.FieldPath, p align.Pair) {
	var note any
	if p.A < len(notes) {
		note = notes[p.A]
	}
	if len(rest) > 1 {
		o.walk(at, left[p.A], right[p.B], note, rest[1:])
		return
	}
	l, r, ok := o.open(at, left[p.A], right[p.B], note)
	switch {
	case ok && p.A < len(notes):
		notes[p.A] = spread(note, l, len(at.leftPath))
		fallthrough
	case ok:
		left[p.A], right[p.B] = l, r
	case l != nil:
		left[p.A] = l
	}
}

// spread returns the notes for a document at a depth. If the template printed a part of the text,
// the whole document counts as printed.
func spread(note, document any, depth int) any {
	n, _ := note.(provenance.Note)
	if n.Variable && n.Print == 0 {
		n.Print, n.Root = -1, depth
	}
	return Noted(n, document)
}

// open returns the documents in two texts. It does not open secret texts: if they mean the same, it
// returns the right text for the left one; otherwise they are compared, and hidden, as a whole.
func (o *Opened) open(at place, left, right, note any) (l, r any, ok bool) {
	leftText, isLeft := left.(string)
	rightText, isRight := right.(string)
	n, _ := note.(provenance.Note)
	if !isLeft || !isRight || n.Finding != nil || n.Variable && o.blank || at.fields.ended() {
		return nil, nil, false
	}
	one, err := o.reader.Decode(leftText, at.entry.Encoding, at.entry.Function)
	if err != nil && !o.blank {
		return o.close(at, "in the reference "+err.Error())
	}
	other, err := o.reader.Decode(rightText, at.entry.Encoding, at.entry.Function)
	if err != nil {
		return o.close(at, err.Error())
	}
	if n.Secret || at.left.Holds(leftText) || leftText != rightText && at.right.Holds(rightText) {
		if tree.Equal(one.Value, other.Value) {
			return rightText, nil, false
		}
		return o.close(at, "it holds secret data, or may, so that only shows that it differs")
	}
	o.Paths, o.entries = append(o.Paths, at.leftPath), append(o.entries, at.entry)
	o.inside[at.leftPath.Inside().String()] = true
	return one.Value, other.Value, true
}

// close records that a text is compared as it is.
func (o *Opened) close(at place, why string) (l, r any, ok bool) {
	o.Closed = append(o.Closed, Closed{at.entry, at.rightPath, why})
	return nil, nil, false
}

// Reopen opens the texts that an override put in the place of opened documents. A text that cannot
// be opened stays.
func (o *Opened) Reopen(value any) any {
	for i, path := range o.Paths {
		v, _ := tree.At(value, path)
		text, isText := v.(string)
		if !isText {
			continue
		}
		d, err := o.reader.Decode(text, o.entries[i].Encoding, o.entries[i].Function)
		if err != nil {
			continue
		}
		last := len(path) - 1
		value, _ = tree.Set(value, path.Inside(), d.Value)
		above, _ := tree.At(value, path[:last])
		if m, isMap := above.(map[string]any); isMap {
			delete(m, path[last].Key) // Set has copied it
		}
	}
	return value
}

// Noted returns notes for a value with the same note for each leaf.
func Noted(n provenance.Note, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			notes := make(map[string]any, len(v))
			for k, x := range v {
				notes[k] = Noted(n, x)
			}
			return notes
		}
	case []any:
		if len(v) > 0 {
			notes := make([]any, len(v))
			for i, x := range v {
				notes[i] = Noted(n, x)
			}
			return notes
		}
	}
	return n
}
