package render

import (
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/tree"
)

// Text executes a template that is no CR, such as an override's patch, for an object, and returns what it prints. File
// names the template in errors; the error is an *Error.
func Text(file, source string, object map[string]any, opt Options) (string, error) {
	e := &Engine{functions: functions()}
	names := map[string]any{}
	for name := range e.functions {
		names[name] = true
	}
	defs, p := parseFile(file, file, []byte(source), names)
	if p != nil {
		return "", &Error{Code: code.EvalOverride, Position: file, Message: p.Message}
	}
	t := &Template{engine: e, own: map[string]*definition{}}
	for _, d := range defs {
		if d.name == file {
			t.body = d
			continue
		}
		t.own[d.name] = d
	}
	t.mutates = true // what it looks up is shared
	x := opt.exec(t, &output{})
	if err := x.run(x.object(tree.Copy(object))); err != nil {
		return "", t.wrap(err)
	}
	var failed []string
	for _, pr := range x.out.prints {
		if pr.secret && opt.Secret != nil {
			*opt.Secret = true
		}
		if pr.fail != "" {
			failed = append(failed, pr.fail)
		}
	}
	if failed != nil {
		return "", &Error{Code: code.EvalOverride, Position: file, Message: strings.Join(failed, "; ")}
	}
	return string(x.out.buf), nil
}
