package render

import (
	"slices"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/value/provenance"
)

// state evaluates violation or note, which print nothing. A statement that depends on a placeholder
// is not made, because its content is unknown.
func state(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	nothing := Value{V: "", Input: true}
	if x.undecided > 0 || slices.ContainsFunc(args, Value.unknown) {
		return nothing, nil
	}
	said, err := function.NewStatement(plainValues(args))
	if err != nil {
		return Value{}, x.errorf(n, code.EvalTemplate, "%s: %s", n.Ident, x.redacted(err, args))
	}
	last := len(args) - 1
	if x.redacts(args[0]) {
		return Value{}, x.errorf(n, code.EvalTemplate, "%s: the code depends on secret data", n.Ident)
	}
	if slices.ContainsFunc(args[:last], x.redacts) {
		said.Path = nil
	}
	if x.redacts(args[last]) || !x.ShowSecrets && x.Searched.In(said.Message) {
		said.Message = hiddenMessage
	}
	to := &x.violations
	if n.Ident == "note" {
		to = &x.remarks
	}
	if !to.Add(said) {
		return nothing, nil
	}
	return nothing, x.grow(n, printedSize+len(said.Message))
}

// stated returns the violations as findings.
func (x *Execution) stated() (all []provenance.Finding) {
	for _, s := range x.violations.All {
		all = append(all, provenance.Finding{Code: s.Code, Path: s.Path, Message: s.Message})
	}
	return all
}
