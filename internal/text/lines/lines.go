// Package lines has the side-by-side lines of two texts, packed while there are many.
package lines

import "slices"

// Category is the meaning of a difference between two lines or values; "" if they are equal.
type Category string

// Side is a row of a side-by-side comparison: a line of the reference and a line of the input, a
// note about the row above, or a gap in place of lines that are not kept.
type Side struct {
	Category Category `json:"category,omitempty"`
	Path     string   `json:"path,omitempty"` // path of the field that differs
	Left     *Line    `json:"left,omitempty"`
	Right    *Line    `json:"right,omitempty"`
	Note     *Line    `json:"note,omitempty"`
	Hidden   int      `json:"hidden,omitempty"` // number of lines without findings in a gap
	Indent   int      `json:"indent,omitempty"` // indentation of the lines in a gap
}

// Differing returns the parts of the line that differ from the other side.
func (l *Line) Differing() []Span {
	if l.Words == nil {
		return nil
	}
	return *l.Words
}

// IsSound reports whether the numbers of a side make sense: no indentation is negative, and the parts
// of a line are in it, in order.
func (s Side) IsSound() bool {
	for _, l := range s.Lines() {
		end := 0
		for _, part := range l.Differing() {
			if part.Start < end || part.End < part.Start {
				return false
			}
			end = part.End
		}
		if l.Indent < 0 || end > len(l.Text) {
			return false
		}
	}
	return s.Hidden >= 0 && s.Indent >= 0
}

// Depth returns the smaller indentation of the two lines.
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
	Indent int    `json:"indent,omitempty"` // number of spaces before Text
	Text   string `json:"text"`
	// the parts of Text that differ from the other side; a pointer, because most lines have none
	// and there are many lines
	Words *[]Span `json:"words,omitempty"`
}

// Lines returns the lines of a side.
func (s Side) Lines() []*Line {
	return slices.DeleteFunc([]*Line{s.Left, s.Right, s.Note}, func(l *Line) bool { return l == nil })
}

// Span is a part of a text, as byte offsets.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}
