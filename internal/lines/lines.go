// Package lines holds lines of two texts beside each other, packed while they are many.
package lines

// Category says what it means to the user that two lines, or two values, differ; "" where they
// agree.
type Category string

// Side is a line of the reference and a line of the input beside each other; or a note about the
// line above; or what stands for lines that are not kept.
type Side struct {
	Category Category `json:"category,omitempty"`
	Path     string   `json:"path,omitempty"` // of the field, where they differ
	Left     *Line    `json:"left,omitempty"`
	Right    *Line    `json:"right,omitempty"`
	Note     *Line    `json:"note,omitempty"`
	Hidden   int      `json:"hidden,omitempty"` // how many lines without findings are not kept here
	Indent   int      `json:"indent,omitempty"` // of what is not kept
}

// Differing is what of the line differs from the other side.
func (l *Line) Differing() []Span {
	if l.Words == nil {
		return nil
	}
	return *l.Words
}

// Depth is the indentation of a side: of the further left of its lines.
func (s Side) Depth() int {
	switch {
	case s.Left != nil && s.Right != nil:
		return min(s.Left.Indent, s.Right.Indent)
	case s.Left != nil:
		return s.Left.Indent
	case s.Right != nil:
		return s.Right.Indent
	case s.Note != nil:
		return s.Note.Indent
	}
	return s.Indent
}

// Line is a line of YAML that is safe to print.
type Line struct {
	Indent int    `json:"indent,omitempty"` // blanks before Text
	Text   string `json:"text"`
	// what of Text differs from the other side; a pointer, because most lines have none and there
	// are many
	Words *[]Span `json:"words,omitempty"`
}

// Span is a part of a text, by the offsets of its bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}
