package render

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/placeholder"
	"github.com/validationtool/validationtool/internal/template"
)

// Placeholders of a source CR are values that are set and not known. They go along with values:
// what a function makes of one is open, and so is all that a template prints where it asked for
// one, because another value might take another branch. What is open is no finding.

// unknown reports whether a value is a placeholder, has one in its text or among its items, or
// hangs on one.
func (x value) unknown() bool {
	if x.open || !x.source {
		return x.open
	}
	items, _ := x.v.([]any)
	return isOpenText(x.v) || slices.ContainsFunc(items, isOpenText)
}

func isOpenText(v any) bool {
	text, ok := v.(string)
	return ok && placeholder.In(text)
}

// standsForAll reports whether a value is a placeholder that may stand for a map or list.
func (x value) standsForAll() bool {
	text, ok := x.v.(string)
	return ok && (x.open || x.source) && placeholder.Whole(text)
}

// bare is the value without the blanks around it that a function gave a placeholder.
func (x value) bare() any {
	if x.standsForAll() {
		return strings.TrimSpace(x.v.(string))
	}
	return x.v
}

// isTextOf reports whether a text is a placeholder that may stand for a map or list, with quotes or
// blanks around it.
func (x value) isTextOf(v any) bool {
	text, ok := v.(string)
	return ok && x.standsForAll() && strings.Trim(text, " \n'\"") == strings.TrimSpace(x.v.(string))
}

// inside is what lies somewhere in the map or list that a placeholder stands for.
func (x value) inside() value {
	x.open, x.at, x.pure = true, nil, false
	return x
}

// unsure is what a call of a function came to that got args. Where it failed because of a
// placeholder, it is that.
func (x *exec) unsure(name string, v value, err error, args []value) (value, error) {
	if !x.source {
		return v, err
	}
	v.source = v.source || slices.ContainsFunc(args, func(a value) bool { return a.source })
	at := slices.IndexFunc(args, value.unknown)
	var refused *Refused
	var failed *failure
	var fault *Error
	switch {
	case errors.As(err, &refused):
		if x.undecided > 0 {
			return value{input: true, open: true}, nil
		}
	case at < 0:
	case errors.As(err, &failed) && name != "fail", errors.As(err, &fault) && fault.Code == code.EvalTemplate:
		return args[at].inside(), nil
	case err == nil && args[at].isTextOf(v.v):
		v.v, v.open = strings.Trim(v.v.(string), "'\""), true
	case err == nil && !keepsApart(name):
		v.open = true
	}
	return v, err
}

// keepsApart reports whether a function hands on one of its arguments, or a part of one, which says
// by itself whether it is open.
func keepsApart(name string) bool {
	return slices.Contains(
		[]string{
			"list",
			"tuple",
			"dict",
			"default",
			"coalesce",
			"index",
			"get",
			"dig",
			"first",
			"last",
			"include",
			"violation",
			"note",
		},
		name,
	)
}

// undecidedBy takes down that all of a branch up to the call of the returned function hangs on a
// value, where it does: also what variables hold afterwards.
func (x *exec) undecidedBy(v value, b *parse.BranchNode) func() {
	if !v.open {
		return func() {}
	}
	x.undecided++
	return func() {
		x.undecided--
		for _, name := range x.t.Assigns(b) {
			if v := x.variable(name); v != nil && name != "$" {
				v.val.open = true
			}
		}
		x.out.open(nil, x.file, b.Position())
	}
}

// maybe is print for what another value of a placeholder might leave out.
func (o *output) maybe(val value, secret bool, file *template.File, pos parse.Pos) {
	val.open = true
	before := len(o.prints)
	o.print(val, secret, file, pos)
	for i := range o.prints[before:] {
		o.prints[before+i].unsure = true
	}
	o.unsure = true
}

// open writes text of the template that another value of a placeholder might leave out: for each
// line a print of its own. Without text it marks that there might be some.
func (o *output) open(text []byte, file *template.File, pos parse.Pos) {
	o.unsure = true
	for first := true; first || len(text) > 0; first = false {
		n := slices.Index(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		p := printed{
			start:  len(o.buf),
			blank:  !o.inked,
			val:    value{input: true, open: true},
			open:   true,
			unsure: true,
			file:   file,
			pos:    pos,
		}
		p.held = len(text) == 0 && bytes.HasSuffix(o.buf, []byte(": ")) // a key whose value is left out
		o.buf = append(o.buf, text[:n]...)
		p.end = len(o.buf)
		o.ink(text[:n])
		o.prints = append(o.prints, p)
		text, pos = text[n:], pos+parse.Pos(n)
	}
}
