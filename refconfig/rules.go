package refconfig

import (
	"slices"

	"github.com/validationtool/validationtool/internal/run/code"
)

// ruleKeys returns the names of the rules, which are keys of a v2 component, in the order for
// messages.
func ruleKeys() []string {
	return []string{string(AllOf), string(AllOrNoneOf), string(AnyOf), string(NoneOf), string(OneOf), string(AnyOneOf)}
}

func isRule(key string) bool { return slices.Contains(ruleKeys(), key) }

// Evaluate returns the broken rules in the order of the reference. matched reports whether an
// object of the input matched a template; it must return the same for templates with the same path.
// keep selects components; nil keeps all. A path in several components counts in each of them.
//
// Rules have the meaning of the reference configuration format v2; those of v1 are built from them
// (see Component.Rules):
//
//	allOf        broken if any template is unmatched
//	allOrNoneOf  broken if some but not all templates are matched
//	anyOf        never broken
//	noneOf       broken if any template is matched
//	oneOf        broken if no template or more than one is matched
//	anyOneOf     broken if more than one template is matched
func (r *Reference) Evaluate(matched func(*Template) bool, keep func(*Component) bool) []Violation {
	var violations []Violation
	for _, c := range r.Components() {
		if keep != nil && !keep(c) {
			continue
		}
		for _, rule := range c.Rules {
			if v, broken := rule.evaluate(matched); broken {
				v.Component, v.Rule, v.Line, v.Of = c, rule.Kind, rule.Line, len(rule.Templates)
				violations = append(violations, v)
			}
		}
	}
	return violations
}

// evaluate returns the violation of the rule, and whether there is one.
func (r Rule) evaluate(matched func(*Template) bool) (v Violation, broken bool) {
	var there, gone []*Template
	for _, t := range r.Templates {
		if matched(t) {
			there = append(there, t)
		} else {
			gone = append(gone, t)
		}
	}
	missing := Violation{Code: code.RuleMissing, Message: "missing CRs", Templates: gone, There: there}
	v = Violation{
		Code: code.RuleExclusive, Message: "only one of these may be present", Templates: there, There: there,
	}
	switch r.Kind {
	case AllOf:
		missing.There = nil
		return missing, len(gone) > 0
	case AllOrNoneOf:
		return missing, len(gone) > 0 && len(there) > 0
	case NoneOf:
		v.Code, v.Message = code.RuleForbidden, "should not be present"
	case OneOf:
		if len(there) == 0 {
			return Violation{Code: code.RuleOneRequired, Message: "one of these is required", Templates: gone}, len(gone) > 0
		}
	}
	most, bounded := r.Most()
	return v, bounded && len(there) > most
}

// Most returns how many templates may be matched at most; false if all of them may be.
func (r Rule) Most() (n int, bounded bool) {
	switch r.Kind {
	case NoneOf:
		return 0, true
	case OneOf, AnyOneOf:
		return 1, true
	}
	return 0, false
}
