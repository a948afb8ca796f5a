package render

import (
	"bytes"
	"sort"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// Trace is the text that an execution printed, with the place in the templates that each line
// comes from, and the keys and objects that the execution requested. If the execution failed, the
// trace ends where it failed.
type Trace struct {
	Lines   []Line
	Asked   []Asked // missing keys that were requested, in the order of the execution, once for each position
	Queries []Query // lookups of other objects, in the order of the execution, once for each position
}

// Line is a line of rendered text.
type Line struct {
	Text    string // without the line break
	From    refconfig.Place
	Prints  []Print
	Finding bool // a finding belongs to this line, such as a missing mandatory key
}

// Print is a part of a line that an action printed.
type Print struct {
	Start, End int  // offsets in the text of the line
	Input      bool // depends on the input
	Secret     bool // may contain secret data
	// field of the object whose value was printed unchanged; nil for none
	Path refconfig.FieldPath
}

// Asked is a requested key that the object lacks.
type Asked struct {
	Path string `json:"path"`
	File string `json:"file"`
	Line int    `json:"line"`
	// the template prints the value, so the object must have it. If false, a condition or default
	// handles the absence
	Needed bool `json:"needed"`
}

// Query is a lookup of other objects.
type Query struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"` // "" or "*" matches any, as in Name
	Name       string `json:"name"`
	Found      int    `json:"found"`
	File       string `json:"file"`
	Line       int    `json:"line"`
}

// tracer records the keys and objects that an execution requests, if a trace is wanted.
type tracer struct {
	asked   []Asked
	known   map[Asked]int // index in asked
	queries []Query
	made    map[Query]bool // lookups in queries
}

// ask records a missing key once for each location, and returns its record.
func (t *tracer) ask(path refconfig.FieldPath, at refconfig.Place) *Asked {
	a := Asked{Path: path.String(), File: at.File, Line: at.Line}
	i, known := t.known[a]
	if !known {
		i = len(t.asked)
		t.known[a] = i
		t.asked = append(t.asked, a)
	}
	return &t.asked[i]
}

// noteAbsent records that a node requested an absent value.
func (x *Execution) noteAbsent(v Value, n parse.Node) {
	if x.tracer != nil && v.Absent {
		if path := v.at.path(); path != nil {
			x.tracer.ask(path, x.File.Place(n.Position()))
		}
	}
}

// noteKey records that hasKey requested an absent key.
func (x *Execution) noteKey(args []Value, n parse.Node) {
	if x.tracer != nil && len(args) == 2 {
		if key, ok := args[1].V.(string); ok && !x.redacts(args[1]) {
			x.noteAbsent(args[0].Key(key), n)
		}
	}
}

// withoutSecrets returns a query with its secret arguments hidden.
func (x *Execution) withoutSecrets(q [4]string, args []Value) [4]string {
	for i, a := range args {
		if x.redacts(a) {
			q[i] = "(hidden)"
		}
	}
	return q
}

// noteQuery records a lookup, whose secret arguments are hidden.
func (x *Execution) noteQuery(q [4]string, found int, n parse.Node) {
	if x.tracer == nil {
		return
	}
	at := x.File.Place(n.Position())
	one := Query{
		APIVersion: q[0],
		Kind:       q[1],
		Namespace:  q[2],
		Name:       q[3],
		Found:      found,
		File:       at.File,
		Line:       at.Line,
	}
	if !x.tracer.made[one] {
		x.tracer.made[one] = true
		x.tracer.queries = append(x.tracer.queries, one)
	}
}

// traced returns the trace of the execution, or nil.
func (x *Execution) traced() *Trace {
	if x.tracer == nil {
		return nil
	}
	t := &Trace{Queries: x.tracer.queries}
	o := x.Out
	var starts []int
	start := 0
	for line := range bytes.Lines(o.Buf) {
		t.Lines = append(t.Lines, o.traceLine(start, start+len(bytes.TrimSuffix(line, []byte("\n")))))
		starts = append(starts, start)
		start += len(line)
	}
	for _, p := range o.Prints {
		if !p.reported {
			continue
		}
		f := p.finding()
		if n := sort.SearchInts(starts, p.start+1) - 1; n >= 0 {
			t.Lines[n].Finding = true
		}
		if f.Code == code.EvalMissingKey && f.Path != nil && !f.Null {
			x.tracer.ask(f.Path, p.file.Place(p.pos)).Needed = true
		}
	}
	t.Asked = x.tracer.asked
	return t
}

// traceLine returns the line made of some bytes of the output.
func (o *Output) traceLine(start, end int) Line {
	l := Line{Text: string(o.Buf[start:end])}
	first := start + len(l.Text) - len(strings.TrimLeft(l.Text, " \t"))
	if first == end {
		first = start
	}
	if file, pos := o.origin(first); file != nil {
		l.From = file.Place(pos)
	}
	from := sort.Search(len(o.Prints), func(i int) bool { return o.Prints[i].end > start })
	for _, p := range o.Prints[from:] {
		if p.start >= end {
			break
		}
		if p.end == p.start {
			continue
		}
		one := Print{
			Start:  max(p.start, start) - start,
			End:    min(p.end, end) - start,
			Input:  p.Val.Input,
			Secret: p.secret,
		}
		if p.Val.pure && p.Val.Input {
			one.Path = p.Val.at.path()
		}
		l.Prints = append(l.Prints, one)
	}
	return l
}

// origin returns the location in the templates that a byte of the output comes from: the exact
// location for literal text, the action for printed text.
func (o *Output) origin(offset int) (*template.File, parse.Pos) {
	if i := sort.Search(len(o.Prints), func(i int) bool { return o.Prints[i].end > offset }); i < len(o.Prints) &&
		o.Prints[i].start <= offset {
		return o.Prints[i].file, o.Prints[i].pos
	}
	i := sort.Search(len(o.texts), func(i int) bool { return o.texts[i].start > offset }) - 1
	if i < 0 {
		return nil, 0
	}
	return o.texts[i].file, o.texts[i].pos + parse.Pos(offset-o.texts[i].start)
}
