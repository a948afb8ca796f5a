package render

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/text/placeholder"
)

// Placeholders of a source CR stand for values that exist but are unknown. A value that is made
// from one is open, and so is all output in a branch that a placeholder decides, because another
// value might take the other branch. Open output is never a finding.

// unknown reports whether a value depends on a placeholder, or contains one in its text or in an
// item.
func (x Value) unknown() bool {
	if x.open || !x.source {
		return x.open
	}
	items, _ := x.V.([]any)
	return isOpenText(x.V) || slices.ContainsFunc(items, isOpenText)
}

func isOpenText(v any) bool {
	text, ok := v.(string)
	return ok && placeholder.In(text)
}

// isWholePlaceholder reports whether a value is a placeholder that may be replaced by a map or
// list.
func (x Value) isWholePlaceholder() bool {
	text, ok := x.V.(string)
	return ok && (x.open || x.source) && placeholder.Whole(text)
}

// trimmed returns the value of a placeholder without the blanks that a function added around it.
func (x Value) trimmed() any {
	if x.isWholePlaceholder() {
		return strings.TrimSpace(x.V.(string))
	}
	return x.V
}

// isTextOf reports whether v is the text of the placeholder x, possibly in quotes or with blanks
// around it.
func (x Value) isTextOf(v any) bool {
	text, ok := v.(string)
	return ok && x.isWholePlaceholder() && strings.Trim(text, " \n'\"") == strings.TrimSpace(x.V.(string))
}

// inside returns an unknown part of the map or list that replaces a placeholder.
func (x Value) inside() Value {
	x.open, x.at, x.pure = true, nil, false
	return x
}

// unsure returns the result of a function call, marked as open if an argument is. If the call
// failed because of a placeholder, the result is an unknown value.
func (x *Execution) unsure(name string, v Value, err error, args []Value) (Value, error) {
	if !x.Source {
		return v, err
	}
	v.source = v.source || slices.ContainsFunc(args, func(a Value) bool { return a.source })
	at := slices.IndexFunc(args, Value.unknown)
	var refused *Refused
	var failed *failure
	var fault *Error
	switch {
	case errors.As(err, &refused):
		if x.undecided > 0 {
			return Value{Input: true, open: true}, nil
		}
	case at < 0:
	case errors.As(err, &failed) && name != "fail", errors.As(err, &fault) && fault.Code == code.EvalTemplate:
		return args[at].inside(), nil
	case err == nil && args[at].isTextOf(v.V):
		v.V, v.open = strings.Trim(v.V.(string), "'\""), true
	case err == nil && !returnsArgument(name):
		v.open = true
	}
	return v, err
}

// returnsArgument reports whether a function returns one of its arguments or a part of one, which
// has its own open mark.
func returnsArgument(name string) bool {
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

// openBranch marks all output of a branch as open if the condition v is open, until the returned
// function is called. That function also marks the variables that the branch assigns.
func (x *Execution) openBranch(v Value, b *parse.BranchNode) func() {
	if !v.open {
		return func() {}
	}
	x.undecided++
	return func() {
		x.undecided--
		for _, name := range x.Template.Assigns(b) {
			if v := x.Variable(name); v != nil && name != "$" {
				v.Val.open = true
			}
		}
		x.Out.open(nil, x.File, b.Position())
	}
}

// open writes template text that might not be printed if a placeholder had another value, one
// print for each line. Without text, it marks a position where such text might be.
func (o *Output) open(text []byte, file *template.File, pos parse.Pos) {
	o.unsure = true
	for first := true; first || len(text) > 0; first = false {
		n := slices.Index(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		p := Printed{
			start:  len(o.Buf),
			blank:  !o.HasText,
			Val:    Value{Input: true, open: true},
			open:   true,
			unsure: true,
			file:   file,
			pos:    pos,
		}
		p.held = len(text) == 0 && bytes.HasSuffix(o.Buf, []byte(": ")) // a key whose value may be missing
		o.Buf = append(o.Buf, text[:n]...)
		p.end = len(o.Buf)
		o.trackLine(text[:n])
		o.Prints = append(o.Prints, p)
		text, pos = text[n:], pos+parse.Pos(n)
	}
}
