package lines

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
)

// Packed has the lines of an object packed into one text until they are written. Unpacked, they
// take several times the memory and slow down garbage collection.
//
// The text has the number of sides, then for each side a byte of flags and its fields. Numbers are
// varints; texts begin with their length.
type Packed string

// The flags of a side.
const (
	hasLeft = 1 << iota
	hasRight
	hasNote
	isAlike // the right line equals the left one
	hasPath
	isGap // a gap in place of lines that are not kept
)

// Pack packs sides.
func Pack(sides []Side) Packed {
	if len(sides) == 0 {
		return ""
	}
	out := binary.AppendVarint(make([]byte, 0, 48*len(sides)), int64(len(sides)))
	for _, s := range sides {
		out = appendSide(out, s)
	}
	return Packed(out)
}

func appendSide(out []byte, s Side) []byte {
	var has byte
	for _, is := range []struct {
		so  bool
		bit byte
	}{{s.Left != nil, hasLeft}, {s.Right != nil, hasRight}, {s.Note != nil, hasNote}, {s.Left != nil &&
		s.Left == s.Right, isAlike}, {s.Path != "", hasPath},
		{s.Hidden != 0 || s.Indent != 0, isGap}} {
		if is.so {
			has |= is.bit
		}
	}
	out = appendText(append(out, has), string(s.Category))
	if has&hasPath != 0 {
		out = appendText(out, s.Path)
	}
	if has&isGap != 0 {
		out = binary.AppendVarint(binary.AppendVarint(out, int64(s.Hidden)), int64(s.Indent))
	}
	out = appendLine(out, s.Left)
	if has&isAlike == 0 {
		out = appendLine(out, s.Right)
	}
	return appendLine(out, s.Note)
}

// appendLine appends a line, or nothing for nil. The number of differing words is written plus one,
// and 0 if unknown.
func appendLine(out []byte, l *Line) []byte {
	if l == nil {
		return out
	}
	out = appendText(binary.AppendVarint(out, int64(l.Indent)), l.Text)
	if l.Words == nil {
		return binary.AppendVarint(out, 0)
	}
	out = binary.AppendVarint(out, int64(len(*l.Words)+1))
	for _, w := range *l.Words {
		out = binary.AppendVarint(binary.AppendVarint(out, int64(w.Start)), int64(w.End))
	}
	return out
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendVarint(out, int64(len(text))), text...)
}

// Each returns the sides one by one. Their texts share the memory of the packed text.
func (s Packed) Each() []Side {
	if s == "" {
		return nil
	}
	u := unpacker{rest: string(s)}
	out := make([]Side, u.number())
	u.lines = make([]Line, 0, 2*len(out))
	for i := range out {
		out[i] = u.side()
	}
	return out
}

// unpacker reads packed sides.
type unpacker struct {
	rest  string
	lines []Line // memory for the next lines
}

func (u *unpacker) side() (s Side) {
	has := u.rest[0]
	u.rest = u.rest[1:]
	s.Category = Category(u.text())
	if has&hasPath != 0 {
		s.Path = u.text()
	}
	if has&isGap != 0 {
		s.Hidden, s.Indent = u.number(), u.number()
	}
	s.Left = u.line(has&hasLeft != 0)
	s.Right = u.line(has&(hasRight|isAlike) == hasRight)
	if has&isAlike != 0 {
		s.Right = s.Left
	}
	s.Note = u.line(has&hasNote != 0)
	return s
}

func (u *unpacker) line(has bool) *Line {
	if !has {
		return nil
	}
	u.lines = append(u.lines, Line{Indent: u.number(), Text: u.text()})
	l := &u.lines[len(u.lines)-1]
	if n := u.number(); n > 0 {
		words := make([]Span, n-1)
		for i := range words {
			words[i] = Span{Start: u.number(), End: u.number()}
		}
		l.Words = &words
	}
	return l
}

// number reads a number as binary.Varint does, which has no form for strings.
func (u *unpacker) number() int {
	n, shift := uint64(0), 0
	for i := 0; ; i++ {
		b := u.rest[i]
		n |= uint64(b&0x7f) << shift
		if shift += 7; b < 0x80 {
			u.rest = u.rest[i+1:]
			return int(n>>1) ^ -int(n&1)
		}
	}
}

func (u *unpacker) text() string {
	n := u.number()
	text := u.rest[:n]
	u.rest = u.rest[n:]
	return text
}

// MarshalJSON returns the sides as a list.
func (s Packed) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(s.Each())
	return out.Bytes(), err
}

// UnmarshalJSON reads the sides from a list.
func (s *Packed) UnmarshalJSON(text []byte) error {
	var all []Side
	err := json.Unmarshal(text, &all)
	*s = Pack(all)
	return err
}
