package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Rendering is a template executed on one object.
type Rendering struct {
	Value map[string]any // what the object is expected to be
	// Notes has the shape of Value, but a Note wherever Value has a scalar, an empty map or an empty list.
	Notes map[string]any
	// Unplaced are findings that belong to no leaf of Value.
	Unplaced []Finding
	// Work is how many steps the execution took, and one for each 64 bytes of text that it made, also where it failed.
	Work int
	// Trace tells where the text came from. It is there, with an error too, where Options.Trace asks for it.
	Trace *Trace
}

// Note says where a leaf of the rendered value came from.
type Note struct {
	Variable bool     // a template action printed it, or a part of it
	Print    int      // number of the action's print that the leaf lies in as a whole, from 1; 0 if there is none
	Kept     bool     // the value kept its type: the text that was printed reads as another value, such as 12 for the string "12"
	Root     int      // how many steps from the object's root the topmost value lies that this print made as a whole
	Secret   bool     // what was printed holds secret data, or may
	Finding  *Finding // set where a mandatory key is missing or a check did not hold
}

// Finding is what the execution itself found out about the object.
type Finding struct {
	Code    code.Code
	Path    refconfig.FieldPath // the key that was asked for, else the field that it was found out in; nil for the object as a whole
	Message string
}

// Options of an execution.
type Options struct {
	Lookup      Lookup // nil: lookups find nothing
	Trace       bool   // trace the execution, which takes longer
	Limits      Limits
	ShowSecrets bool  // messages may hold secret data
	Secret      *bool // Text sets it, if it is set, where the text that it returns holds secret data, or may
}

// Execute renders the template for an object, which it does not change. The error is an *Error, or a *Refused where the
// template refuses the object.
func (t *Template) Execute(object map[string]any, opt Options) (Rendering, error) {
	given := object
	if t.mutates {
		object = tree.Copy(object).(map[string]any)
	}
	x := opt.exec(t, &output{keep: opt.Trace})
	if opt.Trace {
		x.tracer = &tracer{}
	}
	if err := x.run(x.object(object)); err != nil {
		return Rendering{Work: x.work(), Trace: x.traced(Rendering{})}, t.wrap(err)
	}
	r, err := x.out.place(x.limits, x.shownKeys(given))
	r.Work, r.Trace = x.work(), x.traced(r)
	if err == nil {
		return r, x.oversize(r)
	}
	return Rendering{Work: r.Work, Trace: r.Trace}, t.explain(object, opt, err)
}

// exec makes ready to execute a template into an output.
func (o Options) exec(t *Template, out *output) *exec {
	out.first = t.several
	return &exec{t: t, lookup: o.Lookup, limits: o.Limits.orDefault(), clear: o.ShowSecrets, out: out}
}

// oversize is the error for a rendering that is far larger when it is printed than it was in the template: by aliases, or by the
// indentation of what lies deep.
func (x *exec) oversize(r Rendering) error {
	size, ok := tree.Measure(r.Value, tree.Size{Nodes: x.limits.Output, Bytes: x.limits.Output, Height: x.limits.Text.Nesting + 1})
	if ok && size.Printed() <= x.limits.Output {
		return nil
	}
	return &Error{Code: code.LimitOutput, Position: x.t.body.file.name + ":1:1", Message: fmt.Sprintf(
		"what the template yields for this CR takes more than %d bytes to print, the limit; raise it with --limit output=N if the template is right",
		x.limits.Output)}
}

// wrap makes an *Error or *Refused of whatever an execution ended with.
func (t *Template) wrap(err error) error {
	var known *Error
	var refused *Refused
	if errors.As(err, &known) || errors.As(err, &refused) {
		return err
	}
	return &Error{Code: code.EvalTemplate, Position: t.body.file.name + ":1:1", Message: err.Error()}
}

// badText says that rendered text is not one YAML mapping.
type badText struct {
	offset  int // of the fault in the output
	line    int
	message string
	code    code.Code // of a limit; "" for anything else
}

func (b *badText) Error() string { return b.message }

// explain turns a fault of the rendered text into an error at the place in the template that printed it. It executes
// the template again, with a trace.
func (t *Template) explain(object map[string]any, opt Options, err error) error {
	var bad *badText
	if !errors.As(err, &bad) {
		return t.wrap(err)
	}
	x := opt.exec(t, &output{keep: true})
	e := &Error{Code: cmp.Or(bad.code, code.EvalYAML), Position: t.body.file.name + ":1:1", Message: bad.message}
	if x.run(x.object(object)) != nil {
		return e
	}
	if i := x.out.tracedAt(bad.offset); i >= 0 {
		tr := x.out.trace[i]
		e.Position = tr.file.position(tr.within(bad.offset))
	}
	if bad.code != "" {
		e.Message = "the text rendered for this CR: " + bad.message
	} else if bad.line > 0 {
		e.Message = fmt.Sprintf("the text rendered for this CR is not valid YAML at its line %d: %s", bad.line, bad.message)
	}
	return e
}

// place reads the output as YAML and lays the prints over it. It tries to keep every held value first; where the text
// does not parse that way, nothing is held on a line of its own, and at last nothing at all. Of keys with secret data in them only
// those that shown has keep their name; nil has all.
func (o *output) place(limits Limits, shown func(key string) bool) (Rendering, error) {
	attempts := []func(*printed) bool{
		func(p *printed) bool { return p.held },
		func(p *printed) bool { return p.held && !p.blank },
		func(p *printed) bool { return p.held && p.fail == "" },
		func(p *printed) bool { return p.held && p.val.absent && !p.blank },
		func(p *printed) bool { return false },
	}
	var last error
	for _, hold := range attempts {
		r, err := o.read(o.assemble(hold), limits, shown)
		if err == nil {
			return r, nil
		}
		last = err
	}
	return Rendering{}, last
}

// read reads a text of the output as YAML, as soon as there is room for that, and lays the prints over it.
func (o *output) read(a assembled, limits Limits, shown func(key string) bool) (Rendering, error) {
	const small = 16 << 10 // of such texts there are only a few at once
	size := int64(0)
	if limits.Room != nil && len(a.text) > small {
		size = budget.Decoding([]byte(a.text))
	}
	if !limits.Room.Acquire(context.Background(), size) { // waiting ends by itself: others are at work
		return Rendering{}, &badText{code: code.LimitMemory, message: fmt.Sprintf("reading it as YAML takes about %d bytes of memory, more than the %d that there are for that; "+
			"raise the limit with --limit memory=N if the template is right", size, limits.Room.Size())}
	}
	defer limits.Room.Release(size)
	node, err := mapping(a.text, limits)
	if err != nil {
		return Rendering{}, err
	}
	return o.lay(a, node, shown), nil
}

// mapping parses a text that should be one YAML mapping.
func mapping(text string, limits Limits) (*manifest.Node, error) {
	docs, err := limits.Text.Parse([]byte(text))
	if err != nil {
		bad := &badText{message: err.Error()}
		var syntax *manifest.SyntaxError
		if errors.As(err, &syntax) {
			bad.message, bad.line, bad.code = syntax.Message, syntax.Line, syntax.Code
			bad.offset = offsetOf(text, syntax.Line)
		}
		return nil, bad
	}
	var found *manifest.Node
	for _, d := range docs {
		if d.Kind == manifest.Scalar && d.Value() == nil {
			continue // an empty document
		}
		if found != nil {
			return nil, &badText{offset: d.Offset, message: "the template yields more than one YAML document; one CR per file"}
		}
		found = d
	}
	switch {
	case found == nil:
		return nil, &badText{message: "the template yields nothing for this CR"}
	case found.Kind != manifest.Map:
		return nil, &badText{offset: found.Offset, message: "the template yields no YAML mapping for this CR"}
	}
	return found, nil
}

// offsetOf returns the offset of a 1-based line.
func offsetOf(text string, line int) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return at
}
