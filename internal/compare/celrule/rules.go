package celrule

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cel.dev/cel-go/common/types"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Library compiles the rules of kinds. It is safe for concurrent use, and does nothing until a kind
// with rules is asked for.
type Library struct {
	env   func() *environment
	kinds sync.Map // the rules of each *crdschema.Kind
}

// NewLibrary returns an empty library.
func NewLibrary() *Library { return &Library{env: sync.OnceValue(newEnvironment)} }

// Rules are the rules of one kind.
type Rules struct {
	kind    *crdschema.Kind
	types   *provider
	env     *environment
	bearing map[*crdschema.Schema]bool // schemas that have rules, or lead to some
	nodes   sync.Map                   // the compiled rules, by node
}

// Of returns the rules of a kind, nil if it has none.
func (l *Library) Of(kind *crdschema.Kind) *Rules {
	found, _ := l.kinds.LoadOrStore(kind, sync.OnceValue(func() *Rules { return l.rules(kind) }))
	return found.(func() *Rules)()
}

func (l *Library) rules(kind *crdschema.Kind) *Rules {
	r := &Rules{kind: kind, bearing: map[*crdschema.Schema]bool{}}
	if !r.bears(kind.Root, 0) {
		return nil
	}
	r.env = l.env()
	r.types = newProvider(kind, r.env.env.CELTypeProvider())
	return r
}

// bears reports whether a schema has rules, or one below it, and records it.
func (r *Rules) bears(s *crdschema.Schema, depth int) bool {
	const deepest = 100
	if s = r.kind.Target(s); depth > deepest {
		return false
	}
	if known, visited := r.bearing[s]; visited {
		return known
	}
	r.bearing[s] = false // a schema may lead to itself
	bears := len(s.Rules) > 0
	for _, below := range s.Properties {
		bears = r.bears(below, depth+1) || bears
	}
	if s.Items != nil {
		bears = r.bears(s.Items, depth+1) || bears
	}
	if more := s.Further(); more != nil {
		bears = r.bears(more, depth+1) || bears
	}
	r.bearing[s] = bears
	return bears
}

// Why says why a rule was not evaluated.
type Why int

// The reasons.
const (
	NeedsOld Why = iota // it compares with an earlier state, which is not known
	Blocked             // its value has other violations
	Unknown             // it depends on a value that is not known
	Foreign             // it cannot be compiled, or compares types that are not supported
	Costly              // it needs more steps than an API server allows
	BadOld              // it compares with an earlier value of the wrong type
)

// Skipped is a rule that was not evaluated for an object.
type Skipped struct {
	Path string // of the schema that has the rule, with [*] for items and keys
	Rule string // the expression
	Why  Why
}

// Options of a check.
type Options struct {
	// Old is the earlier state; nil for a new object, or if none is known.
	Old map[string]any
	// Known says that there was no earlier state if Old is nil.
	Known bool
	// Blocked are the places of values with wrong types, and of missing ones. No rule that could
	// read them is evaluated.
	Blocked []refconfig.FieldPath
	// Hidden reports whether the value at a path is not known; nil if all are.
	Hidden func(path refconfig.FieldPath, value any) bool
	// Secret reports whether no message may be computed from the value at a path, or one below it.
	Secret func(path refconfig.FieldPath) bool
}

// Check evaluates the rules for an object until the context ends.
// An object that is too large for the defaults of its schema is not checked.
func (r *Rules) Check(
	ctx context.Context, object map[string]any, opt Options,
) (broken []crdschema.Violation, skipped []Skipped) {
	c := &check{ctx: ctx, rules: r, opt: opt, budget: perObject}
	value, ok := r.admitted(object, opt.Hidden)
	old, oldOK := r.admitted(opt.Old, nil)
	if !ok || !oldOK {
		return nil, []Skipped{{Why: Costly}}
	}
	var before any
	if opt.Old != nil {
		before = old
	}
	c.value(r.kind.Root, value, before, place{})
	return c.broken, c.skipped
}

// admitted returns an object as the API server sees it, with unknown values in place of hidden ones.
func (r *Rules) admitted(
	object map[string]any, hidden func(refconfig.FieldPath, any) bool,
) (value map[string]any, ok bool) {
	if object == nil {
		return nil, true
	}
	if value, ok = r.kind.Admit(object); ok && hidden != nil {
		hide(value, nil, hidden)
	}
	return value, ok
}

// hide replaces the hidden values in a tree.
func hide(v any, path refconfig.FieldPath, hidden func(refconfig.FieldPath, any) bool) any {
	if hidden(path, v) {
		return unknown{}
	}
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			v[key] = hide(x, path.Below(refconfig.Key(key)), hidden)
		}
	case []any:
		for i, x := range v {
			v[i] = hide(x, path.Below(refconfig.Step{Key: strconv.Itoa(i), Index: i}), hidden)
		}
	}
	return v
}

// place is where a value is: as findings name it, as the API server does, and in the schema.
type place struct {
	path   refconfig.FieldPath
	shown  string
	schema string
}

func (p place) field(key string) place {
	return place{path: p.path.Below(refconfig.Key(key)), shown: join(p.shown, key), schema: join(p.schema, key)}
}

func (p place) key(key string) place {
	return place{path: p.path.Below(refconfig.Key(key)), shown: p.shown + "[" + key + "]", schema: p.schema + "[*]"}
}

func (p place) item(i int) place {
	at := strconv.Itoa(i)
	return place{
		path:  p.path.Below(refconfig.Step{Key: at, Index: i}),
		shown: p.shown + "[" + at + "]", schema: p.schema + "[*]",
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// check is the check of one object.
type check struct {
	ctx     context.Context
	rules   *Rules
	opt     Options
	budget  uint64
	spent   bool // the budget is
	broken  []crdschema.Violation
	skipped []Skipped
}

// value evaluates the rules of a schema, and of those below it.
func (c *check) value(s *crdschema.Schema, v, old any, at place) {
	s = c.rules.kind.Target(s)
	if v == nil || c.ctx.Err() != nil || !c.rules.bearing[s] {
		return
	}
	for _, one := range c.rules.compiled(s, len(at.path) == 0) {
		if why, skip := c.rule(one, s, v, old, at); skip {
			c.skipped = append(c.skipped, Skipped{Path: at.schema, Rule: one.Rule.Rule, Why: why})
		}
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, mapOf(old), at)
	case []any:
		c.list(s, v, old, at)
	}
}

func (c *check) object(s *crdschema.Schema, v, old map[string]any, at place) {
	for _, key := range tree.Keys(v) {
		if len(at.path) == 0 && key == "status" && c.rules.kind.HasOwnStatus() {
			continue
		}
		if below := s.Properties[key]; below != nil {
			c.value(below, v[key], old[key], at.field(key))
		} else if more := s.Further(); more != nil {
			c.value(more, v[key], old[key], at.key(key))
		}
	}
}

func (c *check) list(s *crdschema.Schema, v []any, old any, at place) {
	if s.Items == nil {
		return
	}
	before := map[string]any{}
	if s.ListType == "map" {
		items, _ := old.([]any)
		for _, item := range slices.Backward(items) { // of several with a key, the first one counts
			if key, ok := keyOf(s, item); ok {
				before[key] = item
			}
		}
	}
	for i, item := range v {
		key, _ := keyOf(s, item)
		c.value(s.Items, item, before[key], at.item(i))
	}
}

// keyOf returns what identifies an item of a list that is a map.
func keyOf(list *crdschema.Schema, item any) (key string, ok bool) {
	if list.ListType != "map" || len(list.ListKeys) == 0 {
		return "", false
	}
	m := mapOf(item)
	var keys []any
	for _, name := range list.ListKeys {
		switch v := m[name].(type) {
		case string, int64, float64, bool:
			keys = append(keys, v)
		default:
			return "", false
		}
	}
	key, err := tree.JSON(keys)
	return key, err == nil
}

func mapOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// rule evaluates one rule. It returns why it cannot, with skip.
func (c *check) rule(
	one *compiled, s *crdschema.Schema, v, old any, at place,
) (why Why, skip bool) {
	isFirst := c.opt.Old == nil && !c.opt.Known
	switch {
	case one.err != nil:
		return Foreign, true
	case one.usesOld && !one.Rule.OptionalOld && old == nil:
		return NeedsOld, isFirst
	case slices.ContainsFunc(c.opt.Blocked, func(p refconfig.FieldPath) bool {
		return len(p) >= len(at.path) && slices.Equal(p[:len(at.path)], at.path)
	}):
		return Blocked, true
	case c.spent:
		return Costly, true
	}
	values, before := &values{types: c.rules.types}, &values{types: c.rules.types}
	root := len(at.path) == 0
	vars := map[string]any{"self": values.value(v, s, root)}
	switch {
	case one.Rule.OptionalOld && old == nil:
		vars["oldSelf"] = types.OptionalNone
	case one.Rule.OptionalOld:
		vars["oldSelf"] = types.OptionalOf(before.value(old, s, root))
	case old != nil:
		vars["oldSelf"] = before.value(old, s, root)
	}
	result, cost, err := one.run(c.ctx, vars)
	if c.budget -= min(cost, c.budget); c.budget == 0 {
		c.spent = true
	}
	switch {
	case c.ctx.Err() != nil:
		return 0, false
	case values.unknown || before.unknown:
		return Unknown, true
	case values.foreign:
		return Foreign, true
	case before.foreign:
		return BadOld, true
	case isLimit(err) || c.spent:
		return Costly, true
	case err == nil && result == types.True:
		return 0, false
	case one.usesOld && isFirst: // with an earlier state, it may hold
		return NeedsOld, true
	}
	c.refuse(one, s, v, at, err, func() string { return c.message(one, vars, at) })
	return 0, false
}

// refuse adds the violation of a rule.
func (c *check) refuse(
	one *compiled, s *crdschema.Schema, v any, at place, err error, computed func() string,
) {
	said := cmp.Or(strings.TrimSpace(one.Rule.Message), strings.TrimSpace(one.Rule.Rule))
	failure := "an error" // its text may have values
	if err != nil && !c.isSecret(at) {
		failure = shortened(err.Error())
	}
	found := crdschema.Violation{Path: at.path, Shown: cmp.Or(at.shown, "<nil>"), Reason: crdschema.Invalid, IsRule: true}
	switch {
	case err == nil:
		found.Detail = cmp.Or(computed(), strings.TrimSpace(one.Rule.Message), "failed rule: "+said)
		if one.Rule.Reason != "" {
			found.Reason = reasonOf(one.Rule.Reason)
		}
		if steps, shown, ok := fieldPath(c.rules.kind, s, one.Rule.FieldPath); ok {
			found.Path = slices.Concat(at.path, steps)
			found.Shown = strings.TrimPrefix(at.shown+"."+shown, ".")
		}
		if s.Type != "object" && s.Type != "array" {
			found.Value, _ = tree.JSON(v)
		}
	case strings.HasPrefix(err.Error(), "no such overload"):
		found.Value = strconv.Quote(s.Type)
		found.Detail = "'" + failure + "': call arguments did not match a supported operator, function or " +
			"macro signature for rule: " + said
	default:
		found.Value = strconv.Quote(s.Type)
		found.Detail = failure + " evaluating rule: " + said
	}
	if found.Reason == crdschema.Required || found.Reason == crdschema.Forbidden {
		found.Value = ""
	}
	if found.Reason == crdschema.Duplicate {
		found.Detail = ""
	}
	c.broken = append(c.broken, found)
}

// reasonOf returns the reason of the violation of a rule.
func reasonOf(name string) crdschema.Reason {
	switch name {
	case "FieldValueForbidden":
		return crdschema.Forbidden
	case "FieldValueRequired":
		return crdschema.Required
	case "FieldValueDuplicate":
		return crdschema.Duplicate
	}
	return crdschema.Invalid
}

// isSecret reports whether a value holds a secret.
func (c *check) isSecret(at place) bool { return c.opt.Secret != nil && c.opt.Secret(at.path) }

// shortened returns the begin of a text that may have a whole value.
func shortened(text string) string {
	const longest = 1000
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}

// message returns what messageExpression says, "" if it says nothing, or could say a secret.
func (c *check) message(one *compiled, vars map[string]any, at place) string {
	const longest = 5 * 1024
	if one.message == nil || c.isSecret(at) {
		return ""
	}
	result, cost, err := one.said(c.ctx, vars)
	c.budget -= min(cost, c.budget)
	text, isText := result.(types.String)
	said := strings.TrimSpace(string(text))
	if err != nil || !isText || len(said) > longest || strings.Contains(said, "\n") {
		return ""
	}
	return said
}
