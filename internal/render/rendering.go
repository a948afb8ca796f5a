package render

import (
	"context"
	"errors"
	"fmt"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
)

// Rendering is a template executed on one object. Its value and notes are not to be changed, see
// Options.Before.
type Rendering struct {
	Value map[string]any // what the object is expected to be
	// Notes has the shape of Value, but a provenance.Note wherever Value has a scalar, an empty map
	// or an empty list.
	Notes map[string]any
	// Unplaced are findings that belong to no leaf of Value.
	Unplaced []provenance.Finding
	// Remarks are what the template notes of the object, which is no finding.
	Remarks []function.Statement
	// Trace tells where the text came from. It is there, with an error too, where Options.Trace
	// asks for it.
	Trace *Trace
}

// Options of an execution.
type Options struct {
	Context     context.Context  // ends the execution, with any error; nil for never
	Lookup      Lookup           // nil: lookups find nothing
	Reached     template.Reached // takes in what the execution comes to, if it is set
	Trace       bool             // trace the execution, which takes longer
	Limits      Limits
	ShowSecrets bool             // messages may hold secret data
	Source      bool             // the objects are source CRs: placeholders in them stand for values that are not known
	Secret      *bool            // Text sets it, if it is set, where the text that it returns holds secret data, or may
	Searched    *secret.Searched // remembers which texts hold a Secret; nil to remember nothing
	// what Execute printed before, and keeps for the next time, when it returns the same value and
	// notes; nil to keep nothing
	Before *Before
}

// Execute renders the template for an object, which it does not change. The error is an *Error, or
// a *Refused where the template refuses the object.
func (t *Template) Execute(object map[string]any, opt Options) (Rendering, error) {
	given := object
	if t.Mutates {
		object = tree.Copy(object).(map[string]any)
	}
	x := opt.exec(
		t.Template, &output{buf: make([]byte, 0, min(len(t.Ref.Source), 4<<10))},
	) // it mostly prints about as much
	if opt.Trace {
		x.tracer = &tracer{known: map[string]int{}, made: map[Query]bool{}}
	}
	var r Rendering
	err := x.run(x.object(object))
	if err == nil {
		r, err = x.read(opt.Before, x.shownKeys(given))
		r.Unplaced, r.Remarks = append(r.Unplaced, x.stated()...), x.remarks.All
	}
	r.Trace = x.traced()
	if err != nil {
		return r, x.explain(err)
	}
	return r, nil
}

// exec makes ready to execute a template into an output.
func (o Options) exec(t *template.Template, out *output) *exec {
	out.first = t.Several
	return &exec{
		ctx:     o.Context,
		t:       t,
		lookup:  o.Lookup,
		reached: o.Reached,
		limits:  o.Limits.orDefault(),
		search:  o.Searched,
		clear:   o.ShowSecrets,
		source:  o.Source,
		out:     out,
	}
}

// oversize is the error for a rendering that is far larger when it is printed than it was in the
// template: by aliases, or by the indentation of what lies deep.
func (x *exec) oversize(r *Rendering) error {
	size, ok := tree.Measure(
		r.Value, tree.Size{Nodes: x.limits.Output, Bytes: x.limits.Output, Height: x.limits.Text.Nesting + 1},
	)
	if ok && size.Printed() <= x.limits.Output {
		return nil
	}
	return &Error{Code: code.LimitOutput, Position: x.t.Body.File.Name + ":1:1", Message: fmt.Sprintf(
		"what the template yields for this CR takes more than %d bytes to print, the limit; raise it with --limit output=N if the template is right",
		x.limits.Output,
	)}
}

// explain makes an *Error or *Refused of whatever an execution ended with: of a fault of the
// rendered text an error at the place in the template that printed it.
func (x *exec) explain(err error) error {
	var known *Error
	var refused *Refused
	if errors.As(err, &known) || errors.As(err, &refused) {
		return err
	}
	e := &Error{Code: code.EvalTemplate, Position: x.t.Body.File.Name + ":1:1", Message: err.Error()}
	var bad *kubeyaml.MappingFault
	if errors.As(err, &bad) {
		e.Code = bad.Code
		if file, pos := x.out.origin(bad.Offset); file != nil {
			e.Position = file.Position(pos)
		}
	}
	return e
}

// place reads the output as YAML and lays the prints over it. It tries to keep every held value
// first; where the text does not parse that way, nothing is held on a line of its own, and at last
// nothing at all. Of keys with secret data in them only those that shown has keep their name; nil
// has all.
func (o *output) place(limits Limits, shown func(key string) bool) (Rendering, error) {
	var err error
	for _, hold := range []func(*printed) bool{
		func(p *printed) bool { return p.held },
		func(p *printed) bool { return p.held && !p.blank },
		func(p *printed) bool { return p.held && p.fail == "" },
		func(p *printed) bool { return p.held && p.val.absent && !p.blank },
		func(p *printed) bool { return false },
	} {
		var r Rendering
		if r, err = o.decode(o.assemble(hold), limits, shown); err == nil {
			return r, nil
		}
	}
	return Rendering{}, err
}

// decode reads a text of the output as YAML, and lays the prints over it.
func (o *output) decode(a assembled, limits Limits, shown func(key string) bool) (Rendering, error) {
	node, err := kubeyaml.ParseMapping(a.text, limits.Text)
	if err != nil {
		return Rendering{}, err
	}
	return o.lay(a, node, shown), nil
}
