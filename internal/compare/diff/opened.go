package diff

import (
	"context"

	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Opened is a pair of values in which documents replace the texts that contain them, if entries of
// perField ask for it and both texts can be opened. The fields of a document are then compared like
// all others, see refconfig.FieldPath.Inside. Open runs before Compare, because patterns and
// overrides apply to fields of documents too.
type Opened struct {
	Left   *provenance.Node
	Right  map[string]any
	Paths  []refconfig.FieldPath // the paths of the opened texts of the left side
	Closed []Closed
	Twice  []Twice

	left    *provenance.Draft // becomes Left
	blank   bool              // there is no object, so texts that need one are not opened
	reader  embed.Reader
	entries []refconfig.FieldFunction // the entry for each of Paths
	inside  map[string]bool           // the paths of the documents
}

// Closed is a field that is compared as it is because its entry of perField does not fit, such as a
// text that cannot be opened.
type Closed struct {
	Entry refconfig.FieldFunction
	Path  refconfig.FieldPath
	Why   string
}

// Twice is a document of the right side that has a key more than once.
type Twice struct {
	Path refconfig.FieldPath
	Key  string // the first of these keys; "" if it is secret
	Line int    // of the key in the document; 0 if it is secret
}

// Sides is the input of Open.
type Sides struct {
	Left    *provenance.Node
	Right   any
	Most    int64           // the number of bytes that may be decoded in total
	Secrets secret.Scope    // which parts of an object of its kind are secret
	Context context.Context // ends the pairing of lists; nil for no end
	Blank   bool            // there is no object, and Right equals Left
}

// Open opens the documents in copies of two values, except in omitted fields. It returns nil if no
// entry asks for it.
func Open(c refconfig.Config, s Sides) *Opened {
	entries := c.Fields(refconfig.Embedded)
	if len(entries) == 0 {
		return nil
	}
	o := &Opened{
		left:   s.Left.Edit(),
		blank:  s.Blank,
		reader: embed.Reader{Left: s.Most},
		inside: map[string]bool{},
	}
	o.Right, _ = tree.Copy(s.Right).(map[string]any)
	for _, f := range entries {
		spots := SpotsOf(s.Context, c, s.Left.Value(), s.Right, s.Secrets)
		spots.root.Left, spots.root.Right = Present(o.left.Value()), Present(o.Right)
		for at := range spots.At(f.Path) {
			if !tree.Omits(c.Omit, at.LeftPath) {
				o.open(at, f)
			}
		}
	}
	o.Left, o.left = o.left.Done(), nil
	return o
}

// open replaces two texts by their documents.
func (o *Opened) open(at Spot, entry refconfig.FieldFunction) {
	inside, end := at.LeftPath.Inside(), len(at.LeftPath)-1
	if !at.Right.Present || entry.Path[end].Any && o.inside[at.LeftPath.String()] { // a wildcard matches no document
		return
	}
	if last := inside[end]; last.Index < 0 {
		_, left := tree.At(o.left.Value(), inside)
		if _, right := tree.At(o.Right, at.RightPath.Inside()); left || right {
			o.close(at, entry, "there is a field "+last.Key+" next to it")
			return
		}
	}
	note, _ := o.left.At(at.LeftPath).Note()
	left, right, ok := o.documents(at, entry, note)
	if ok {
		if inside[end].Index < 0 {
			o.left.Set(at.LeftPath, nil)
			above, _ := tree.At(o.Right, at.RightPath[:end])
			m, _ := above.(map[string]any)
			delete(m, at.RightPath[end].Key)
		}
		document := provenance.Fill(left, spread(note, len(inside)))
		o.left.Set(inside, &document)
		tree.Put(o.Right, at.RightPath.Inside(), right)
	} else if left != nil {
		text := provenance.Leaf(left, note)
		o.left.Set(at.LeftPath, &text)
	}
}

// spread returns the note for each leaf of a document at a depth. If the template printed a part of
// its text, the whole document counts as printed.
func spread(n provenance.Note, depth int) provenance.Note {
	if n.Variable && n.Print == 0 {
		n.Print, n.Root = -1, depth
	}
	return n
}

// documents returns the documents in two texts. Secret texts are not opened: if their documents are
// equal, it returns the right text to replace the left one, else the texts are compared and hidden
// as a whole.
func (o *Opened) documents(
	at Spot, entry refconfig.FieldFunction, note provenance.Note,
) (left, right any, ok bool) {
	leftText, isLeft := at.Left.Data.(string)
	rightText, isRight := at.Right.Data.(string)
	if !isLeft || !isRight || note.Finding != nil || note.Variable && o.blank || at.fields.ended() {
		return nil, nil, false
	}
	leftPlain, rightPlain := embed.Settle(leftText, rightText, entry.Encoding)
	one, err := o.reader.Decode(leftPlain, entry.Encoding, entry.Function)
	if err != nil && !o.blank {
		o.close(at, entry, "in the reference "+err.Error())
		return nil, nil, false
	}
	other, err := o.reader.Decode(rightPlain, entry.Encoding, entry.Function)
	if err != nil {
		o.close(at, entry, err.Error())
		return nil, nil, false
	}
	hidden := note.Secret || at.leftScope.Holds(leftText) || leftText != rightText && at.rightScope.Holds(rightText)
	if len(other.Twice) > 0 {
		t := Twice{Path: at.RightPath}
		if !hidden {
			t.Key, t.Line = kubeyaml.KeyString(other.Twice[0]), other.Twice[0].Line
		}
		o.Twice = append(o.Twice, t)
	}
	if hidden {
		if tree.Equal(one.Value, other.Value) {
			return rightText, nil, false
		}
		o.close(at, entry, "it may hold secret data, so only the fact that it differs is shown")
		return nil, nil, false
	}
	o.Paths, o.entries = append(o.Paths, at.LeftPath), append(o.entries, entry)
	o.inside[at.LeftPath.Inside().String()] = true
	return one.Value, other.Value, true
}

// close records that a text is compared as it is.
func (o *Opened) close(at Spot, entry refconfig.FieldFunction, why string) {
	o.Closed = append(o.Closed, Closed{Entry: entry, Path: at.RightPath, Why: why})
}

// Reopen opens the texts that an override set in place of opened documents. A text that cannot be
// opened stays.
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
