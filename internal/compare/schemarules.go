package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/celrule"
	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/placeholder"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// unevaluated records which rules of schemas were not evaluated. It is safe for concurrent use.
type unevaluated struct {
	mu    sync.Mutex
	rules map[unevaluatedRule]celrule.Why
	whole map[manifest.ID]bool // the CRs for which no rule was evaluated
}

// unevaluatedRule is a rule of a kind.
type unevaluatedRule struct {
	kind       finding.Kind
	path, rule string
}

func (u *unevaluated) add(id manifest.ID, skipped []celrule.Skipped) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.rules == nil {
		u.rules = map[unevaluatedRule]celrule.Why{}
	}
	for _, s := range skipped {
		key := unevaluatedRule{kindOfObject(id), s.Path, s.Rule}
		u.rules[key] = max(u.rules[key], s.Why)
	}
}

func (u *unevaluated) addWhole(id manifest.ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.whole == nil {
		u.whole = map[manifest.ID]bool{}
	}
	u.whole[id] = true
}

// ruled returns the rules in CEL that an object breaks, and the fields that the schema describes as
// immutable and that differ from --old. The API server evaluates none before other
// violations are corrected; here, only those that could read the values do not count. A CR inside
// another one may lack fields, so none of its rules is evaluated.
func (c *comparer) ruled(
	o *manifest.Object, kind *crdschema.Kind, rules *celrule.Rules, value map[string]any, scope secret.Scope,
	invalid []crdschema.Violation, looked *lookedUp,
) []crdschema.Violation {
	if o.Wrapper != "" || c.opt.Placeholders && hasOpenKey(value) {
		c.schemas.skipped.addWhole(o.ID)
		return nil
	}
	opt := celrule.Options{Known: len(c.opt.Old) > 0}
	layouts := []string{c.layoutOf(o)}
	if was, old := c.before.same(o.ID, looked); was != nil {
		opt.Old = old
		if c.oldLayout != nil {
			layouts = append(layouts, c.oldLayout(was.object.Place))
		}
	}
	for _, v := range invalid {
		if v.Blocks() {
			opt.Blocked = append(opt.Blocked, v.Path)
		}
	}
	opt.Hidden = func(path refconfig.FieldPath, v any) bool {
		switch v.(type) {
		case map[string]any, []any:
			return false
		}
		return c.opt.Placeholders && placeholder.Within(v) || slices.ContainsFunc(layouts, func(layout string) bool {
			return diff.Masked(layout, o.ID.Kind, path, v)
		})
	}
	if !c.opt.Show.Secrets {
		opt.Secret = func(path refconfig.FieldPath) bool {
			return slices.ContainsFunc([]map[string]any{value, opt.Old}, func(object map[string]any) bool {
				v, at := scope.At(object, path)
				return at.Holds(v)
			})
		}
	}
	fixed := kind.Fixed(opt.Old, value, opt.Hidden)
	if rules == nil {
		return fixed
	}
	broken, skipped := rules.Check(c.ctx, value, opt)
	c.schemas.skipped.add(o.ID, skipped)
	return append(broken, fixed...)
}

// hasOpenKey reports whether a key in a value is a placeholder.
func hasOpenKey(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			if placeholder.In(key) || hasOpenKey(below) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasOpenKey)
	}
	return false
}

// unevaluatedRules warns of rules that were not evaluated.
func (r *run) unevaluatedRules() {
	skipped := r.schemas.skipped
	var parts []string
	for why, words := range [][2]string{
		celrule.NeedsOld: {"compares", "compare with the earlier state of a CR, which --old gives"},
		celrule.Blocked:  {"is", "are about values that have the wrong type or are missing"},
		celrule.Unknown:  {"reads", "read a value that is masked or a placeholder"},
		celrule.BadOld:   {"compares", "compare with a value of --old that has the wrong type"},
		celrule.Foreign:  {"uses", "use a function or type that is not supported"},
		celrule.Costly:   {"needs", "need too many steps"},
	} {
		names := map[string]bool{}
		n := 0
		for rule, of := range skipped.rules {
			if of == celrule.Why(why) {
				n++
				names[strings.TrimSpace(rule.kind.Kind+" "+rule.path)] = true
			}
		}
		verb, rest, _ := strings.Cut(words[1], " ")
		if n == 1 {
			verb = words[0]
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s %s (%s)", n, verb, rest,
				firstOf(3, slices.Sorted(maps.Keys(names)), ", ", "")))
		}
	}
	if len(skipped.whole) > 0 {
		names := map[string]bool{}
		for id := range skipped.whole {
			names[id.Kind+" "+cmp.Or(id.Name, "without a name")] = true
		}
		parts = append(parts, fmt.Sprintf("all of %s inside another one, or with placeholders in keys (%s)",
			finding.Plural(len(skipped.whole), "CR", "CRs"), firstOf(3, slices.Sorted(maps.Keys(names)), ", ", "")))
	}
	if len(parts) > 0 {
		r.warn(code.RulesUnevaluated, "",
			"rules of CustomResourceDefinitions were not evaluated: "+strings.Join(parts, "; "))
	}
}
