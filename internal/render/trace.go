package render

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Trace is the text that an execution printed, with the place in the templates that each line of it came from, and what the
// execution asked for besides. Where the execution ended with an error, it goes as far as that.
type Trace struct {
	Lines   []Line
	Asked   []Asked // keys that were asked for in vain, in the order of the execution, each once for a position
	Queries []Query // lookups of other objects, in the order of the execution, each once for a position
}

// Position is a line of a template file.
type Position struct {
	File string
	Line int // 1-based
}

// Line is a line of rendered text.
type Line struct {
	Text    string // as it was printed, without the line break
	From    Position
	Prints  []Print
	Finding bool // a finding of the execution, such as a mandatory key that the object lacks, belongs on this line
}

// Print is a part of a line that an action printed.
type Print struct {
	Start, End int                 // bytes of the line's text
	Input      bool                // it depends on the input
	Secret     bool                // it holds secret data, or may
	Path       refconfig.FieldPath // the field of the object whose value was printed unchanged; nil where it is not that
}

// Asked is a key that the object lacks.
type Asked struct {
	Path   refconfig.FieldPath
	At     Position
	Needed bool // it was to be printed, so the object has to have it; else a condition or a default provides for its absence
}

// Query is a lookup of other objects.
type Query struct {
	APIVersion, Kind, Namespace, Name string // "" and "*" in the last two mean any
	Found                             int
	At                                Position
}

// tracer takes down what an execution does, on request only.
type tracer struct {
	asked   []Asked
	queries []Query
}

// at returns the position of a node of the file that is being executed.
func (x *exec) at(n parse.Node) Position { return x.file.at(n.Position()) }

func (f *sourceFile) at(pos parse.Pos) Position { return Position{f.name, f.line(pos)} }

// noteAbsent takes down that a node asked for a value that is not there.
func (x *exec) noteAbsent(v value, n parse.Node) {
	if x.tracer == nil || !v.absent {
		return
	}
	path := v.at.path()
	if path == nil {
		return
	}
	a := Asked{Path: path, At: x.at(n)}
	if !slices.ContainsFunc(x.tracer.asked, a.same) {
		x.tracer.asked = append(x.tracer.asked, a)
	}
}

func (a Asked) same(b Asked) bool { return a.At == b.At && a.Path.String() == b.Path.String() }

// noteKey takes down that hasKey asked for a key that is not there.
func (x *exec) noteKey(args []value, n parse.Node) {
	if x.tracer == nil || len(args) != 2 {
		return
	}
	if key, ok := args[1].v.(string); ok && !x.redacts(args[1]) {
		x.noteAbsent(args[0].key(key), n)
	}
}

// noteQuery takes down a lookup, without what is secret of it.
func (x *exec) noteQuery(q [4]string, args []value, found int, n parse.Node) {
	if x.tracer == nil {
		return
	}
	for i, a := range args {
		if x.redacts(a) {
			q[i] = "(hidden)"
		}
	}
	one := Query{APIVersion: q[0], Kind: q[1], Namespace: q[2], Name: q[3], Found: found, At: x.at(n)}
	if !slices.Contains(x.tracer.queries, one) {
		x.tracer.queries = append(x.tracer.queries, one)
	}
}

// traced makes the trace of an execution that came to a rendering, an empty one if it failed.
func (x *exec) traced(r Rendering) *Trace {
	if x.tracer == nil {
		return nil
	}
	t := &Trace{Asked: x.tracer.asked, Queries: x.tracer.queries}
	o := x.out
	var starts []int
	for start := 0; start < len(o.buf); {
		end := len(o.buf)
		if n := bytes.IndexByte(o.buf[start:], '\n'); n >= 0 {
			end = start + n
		}
		t.Lines = append(t.Lines, o.traceLine(start, end))
		starts = append(starts, start)
		start = end + 1
	}
	counted := r.findings()
	for i := range o.prints {
		p := &o.prints[i]
		f := p.finding()
		if f == nil || !counted[f.Message] {
			continue
		}
		if n := sort.SearchInts(starts, p.start+1) - 1; n >= 0 {
			t.Lines[n].Finding = true
		}
		if f.Code == code.EvalMissingKey && f.Path != nil {
			t.need(Asked{Path: f.Path, At: p.file.at(p.pos), Needed: true})
		}
	}
	return t
}

// need marks what was asked for as needed.
func (t *Trace) need(a Asked) {
	if i := slices.IndexFunc(t.Asked, a.same); i >= 0 {
		t.Asked[i].Needed = true
		return
	}
	t.Asked = append(t.Asked, a)
}

// findings returns the messages of all findings of a rendering. They hold the positions, so they tell findings apart.
func (r Rendering) findings() map[string]bool {
	messages := map[string]bool{}
	for _, f := range r.Unplaced {
		messages[f.Message] = true
	}
	var walk func(note any)
	walk = func(note any) {
		switch n := note.(type) {
		case Note:
			if n.Finding != nil {
				messages[n.Finding.Message] = true
			}
		case map[string]any:
			for _, v := range n {
				walk(v)
			}
		case []any:
			for _, v := range n {
				walk(v)
			}
		}
	}
	walk(r.Notes)
	return messages
}

// traceLine makes the line of some bytes of the output.
func (o *output) traceLine(start, end int) Line {
	l := Line{Text: string(o.buf[start:end])}
	first := start + len(l.Text) - len(strings.TrimLeft(l.Text, " \t"))
	if first == end {
		first = start
	}
	l.From = o.origin(first)
	from := sort.Search(len(o.prints), func(i int) bool { return o.prints[i].end > start })
	for _, p := range o.prints[from:] {
		if p.start >= end {
			break
		}
		if p.end == p.start {
			continue
		}
		one := Print{Start: max(p.start, start) - start, End: min(p.end, end) - start, Input: p.val.input, Secret: p.secret}
		if p.val.pure && p.val.input {
			one.Path = p.val.at.path()
		}
		l.Prints = append(l.Prints, one)
	}
	return l
}

// origin returns where in the templates a byte of the output came from: for the template's own text the line of that byte,
// else the line of the action.
func (o *output) origin(offset int) Position {
	i := o.tracedAt(offset)
	if i < 0 {
		return Position{}
	}
	tr := o.trace[i]
	return tr.file.at(tr.within(offset))
}

// tracedAt returns the index of what wrote a byte of the output, or -1.
func (o *output) tracedAt(offset int) int {
	return sort.Search(len(o.trace), func(i int) bool { return o.trace[i].start > offset }) - 1
}

// within returns the place in the template that a byte of the output came from.
func (tr traced) within(offset int) parse.Pos {
	if tr.action {
		return tr.pos
	}
	return tr.pos + parse.Pos(offset-tr.start)
}
