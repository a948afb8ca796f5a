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

// isWholePlaceholder reports whether a value is a placeholder that may be replaced by a map or
// list.
func (x value) isWholePlaceholder() bool {
	text, ok := x.v.(string)
	return ok && (x.open || x.source) && placeholder.Whole(text)
}

// trimmed returns the value of a placeholder without the blanks that a function added around it.
func (x value) trimmed() any {
	if x.isWholePlaceholder() {
		return strings.TrimSpace(x.v.(string))
	}
	return x.v
}

// isTextOf reports whether v is the text of the placeholder x, possibly in quotes or with blanks
// around it.
func (x value) isTextOf(v any) bool {
	text, ok := v.(string)
	return ok && x.isWholePlaceholder() && strings.Trim(text, " \n'\"") == strings.TrimSpace(x.v.(string))
}

// inside returns an unknown part of the map or list that replaces a placeholder.
func (x value) inside() value {
	x.open, x.at, x.pure = true, nil, false
	return x
}

// unsure returns the result of a function call, marked as open if an argument is. If the call
// failed because of a placeholder, the result is an unknown value.
func (x *exec) unsure(name string, v value, err error, args []value) (value, error) {
	if !x.Source {
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
func (x *exec) openBranch(v value, b *parse.BranchNode) func() {
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

// open writes template text that might not be printed if a placeholder had another value, one
// print for each line. Without text, it marks a position where such text might be.
func (o *output) open(text []byte, file *template.File, pos parse.Pos) {
	o.unsure = true
	for first := true; first || len(text) > 0; first = false {
		n := slices.Index(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		p := printed{
			start:  len(o.buf),
			blank:  !o.hasText,
			val:    value{input: true, open: true},
			open:   true,
			unsure: true,
			file:   file,
			pos:    pos,
		}
		p.held = len(text) == 0 && bytes.HasSuffix(o.buf, []byte(": ")) // a key whose value may be missing
		o.buf = append(o.buf, text[:n]...)
		p.end = len(o.buf)
		o.trackLine(text[:n])
		o.prints = append(o.prints, p)
		text, pos = text[n:], pos+parse.Pos(n)
	}
}
