package render

import (
	"context"
	"errors"
	"fmt"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/memory"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Rendering is the result of a template for one object. Value must not be changed.
type Rendering struct {
	Value map[string]any   // expected value of the object
	Node  *provenance.Node // the same, with a note for each scalar, empty map and empty list
	// Unplaced are findings that belong to no leaf of Value.
	Unplaced []provenance.Finding
	// Remarks are the template's notes on the object, which are not findings.
	Remarks []function.Statement
	// Trace is set if Options.Trace is true, even if the execution fails.
	Trace *Trace
}

// Options are the options of an execution.
type Options struct {
	Context context.Context // its end stops the execution with an error; nil for no end
	Lookup  Lookup          // nil: lookups find nothing
	// Asked receives the apiVersion, kind, namespace and name of each lookup, the same as they may be
	// shown, and the number of objects that were found. It may be nil.
	Asked func(query, shown [4]string, found int)
	// Old returns the object as it was in the old input, or nil. The result must not be modified.
	// Old may be nil.
	Old func() map[string]any
	// Files returns the names of the input's files whose last elements match a glob; nil for none.
	Files       func(glob string) []string
	Reached     template.Reached // if not nil, the execution adds the branches that it reaches
	Aside       template.Aside   // nodes that are not executed
	Trace       bool             // record a trace, which takes longer
	Limits      Limits
	ShowSecrets bool             // messages may show secret data
	Source      bool             // the objects are source CRs, in which placeholders replace unknown values
	Secret      *bool            // if not nil, Text sets it if its result may contain secret data
	Searched    *secret.Searched // cache of texts that contain a Secret; may be nil
	Room        *Room            // memory of the rendering, which is valid until the room is reused; may be nil
}

// Room is memory that one execution after another uses: an execution takes far more than its result.
// The zero value is an empty room. Only one goroutine may use a room at a time.
type Room struct {
	Nodes    kubeyaml.Room // of what is read, see kubeyaml.Room
	expected memory.Blocks[provenance.Node]
	out      Output
}

// Reuse lets the room use the memory of all nodes of renderings, and of all that was read, again. The
// caller must not use them any more.
func (r *Room) Reuse() {
	r.Nodes.Reuse(kubeyaml.Mark{})
	r.expected.Reuse(memory.Mark{})
}

// output returns an empty output, in whose memory an earlier one was.
func (r *Room) output() *Output {
	r.out = Output{Buf: r.out.Buf[:0], Prints: r.out.Prints[:0], texts: r.out.texts[:0]}
	return &r.out
}

// leave ends the use of the output. The room keeps only some of its memory, and nothing that was
// printed.
func (r *Room) leave() {
	const most = 64 << 10 // maximum number of bytes, and of prints, that are kept
	o := &r.out
	if cap(o.Buf) > most || cap(o.Prints)+cap(o.texts) > most/64 {
		r.out = Output{}
		return
	}
	clear(o.Prints)
	clear(o.texts)
}

// Execute renders the template for an object and does not change the object. The error is an
// *Error, or a *Refused if the template calls doNotMatch.
func (t *Template) Execute(object map[string]any, opt Options) (Rendering, error) {
	given := object
	if t.Mutates {
		object = tree.Copy(object).(map[string]any)
	}
	x := opt.exec(t.Template, nil)
	defer x.Room.leave()
	if opt.Trace {
		x.tracer = &tracer{known: map[Asked]int{}, made: map[Query]bool{}}
	}
	var r Rendering
	err := x.run(x.object(object))
	if err == nil {
		r, err = x.place(x.shownKeys(given))
	}
	if err == nil {
		err = x.checkPrintedSize(&r)
	}
	if err == nil {
		r.Unplaced, r.Remarks = append(r.Unplaced, x.stated()...), x.remarks.All
	}
	r.Trace = x.traced()
	if err != nil {
		return r, x.explain(err)
	}
	return r, nil
}

// exec returns a new execution of a template. Its output is out, or nil for one in its room.
func (o Options) exec(t *template.Template, out *Output) *Execution {
	if o.Room == nil {
		o.Room = &Room{}
	}
	if out == nil {
		out = o.Room.output()
	}
	return &Execution{Options: o, Template: t, Out: out}
}

// checkPrintedSize returns an error if the rendering would be much larger when printed than the
// output of the template, because of aliases or the indentation of deep values.
func (x *Execution) checkPrintedSize(r *Rendering) error {
	size, ok := tree.Measure(
		r.Value, tree.Size{Nodes: x.Limits.Output, Bytes: x.Limits.Output, Height: x.Limits.Text.Nesting + 1},
	)
	if ok && size.Printed() <= x.Limits.Output {
		return nil
	}
	return &Error{Code: code.LimitOutput, At: x.start(), Message: fmt.Sprintf(
		"the output of the template for this CR takes more than %d bytes to print, the limit; raise it with --limit output=N if the template is right",
		x.Limits.Output,
	)}
}

// start returns the start of the template, the place of errors about the whole template.
func (x *Execution) start() refconfig.Place {
	return refconfig.Place{File: x.Template.Body.File.Name, Line: 1, Column: 1}
}

// explain turns the error of an execution into an *Error or *Refused. An error in the rendered text
// gets the position in the template that printed the text.
func (x *Execution) explain(err error) error {
	var known *Error
	var refused *Refused
	if errors.As(err, &known) || errors.As(err, &refused) {
		return err
	}
	e := &Error{Code: code.EvalTemplate, At: x.start(), Message: err.Error()}
	var bad *kubeyaml.MappingFault
	if errors.As(err, &bad) {
		e.Code = bad.Code
		if file, pos := x.Out.origin(bad.Offset); file != nil {
			e.At = file.At(pos)
		}
	}
	return e
}

// place reads the output as YAML and builds the rendering. It first replaces every held value by a
// token. If that text cannot be parsed, it tries with fewer tokens and finally with none. A key
// made from secret data keeps its name only if shown accepts the name; if shown is nil, all keys
// do.
func (x *Execution) place(shown func(key string) bool) (Rendering, error) {
	var err error
	for _, hold := range []func(*Printed) bool{
		func(p *Printed) bool { return p.held },
		func(p *Printed) bool { return p.held && !p.blank },
		func(p *Printed) bool { return p.held && p.fail == "" },
		func(p *Printed) bool { return p.held && p.Val.Absent && !p.blank },
		func(p *Printed) bool { return false },
	} {
		var r Rendering
		if r, err = x.decode(x.assemble(hold), shown); err == nil {
			return r, nil
		}
	}
	return Rendering{}, err
}

// decode reads an assembled text as YAML and builds the rendering.
func (x *Execution) decode(a assembled, shown func(key string) bool) (Rendering, error) {
	defer x.Room.Nodes.Reuse(x.Room.Nodes.Mark())
	node, err := kubeyaml.ParseMappingIn(&x.Room.Nodes, a.text, x.Limits.Text)
	if err != nil {
		return Rendering{}, err
	}
	return x.Out.buildRendering(a, x.Room, node, shown), nil
}
