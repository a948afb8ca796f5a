package celrule_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/compare/celrule"
	"github.com/validationtool/validationtool/internal/compare/crdschema"
)

// nested returns an expression that doubles a list, or a text, as often as depth says.
func nested(start string, depth int) string {
	return strings.Repeat("["+start+"].map(a, ", 1) + strings.Repeat("[a + a].map(a, ", depth) + "a" +
		strings.Repeat(")[0]", depth+1)
}

// costly returns expressions that take long, or much memory, if nothing stops them. t is a text of a
// megabyte, l a list of 1000 texts, o an open map with as many keys.
func costly() []string {
	return []string{
		"self.l.all(a, self.l.all(b, self.l.all(c, a + b != c)))",
		"lists.range(100000).all(a, lists.range(100000).all(b, a + b >= 0))",
		"lists.range(1000000000).size() == 0",
		"lists.range(90000).all(a, size(self.t) > 0)",
		"lists.range(90000).all(a, self.t.startsWith('a') && self.t != 'a' + self.t)",
		"lists.range(90000).all(a, self.l == self.l)",
		"lists.range(90000).all(a, !('x' in self.l))",
		"lists.range(90000).all(a, self.l.sum2() == 0) || true",
		"self.t.indexOf(self.t.replace('b', 'c')) > 0",
		"self.t.replace('', self.t).size() > 0",
		"self.t.replace('a', self.t).size() > 0",
		"self.t.split('').join(self.t).size() > 0",
		"self.t.matches('(a|aa|aaa|aaaa){1,900}b')",
		"self.t.matches('((a{1,900}){1,900})b')",
		"self.t.matches(self.t)",
		"self.t.find('(a*)*b') == 'x' && self.t.findAll('(x+x+)+y').size() > 2",
		"lists.range(90000).all(a, self.t.find('.*.*.*=.*') == '')",
		"self.t.matches('" + strings.Repeat("(a?", 90) + strings.Repeat(")", 90) + "$')",
		"'%s%s'.format([self.t, self.t]).size() > lists.range(90000).map(a, self.t.upperAscii().size()).sum()",
		"'%.999999999f'.format([1.5]).size() > 0",
		"self.l.map(a, self.t).distinct().size() > 0",
		"self.l.map(a, self.l).map(a, self.l.map(b, self.l)).sort() == []",
		"sets.contains(lists.range(90000), lists.range(90000).map(a, 90000 - a))",
		"sets.equivalent(self.t.split(''), self.t.split(''))",
		"lists.range(90000).map(a, lists.range(90000)).flatten().size() > 1",
		nested("self.t", 60) + ".size() > 0",
		nested("self.l", 60) + ".size() > 0",
		nested("self.l", 60) + " == " + nested("self.l", 60),
		nested("self.l", 40) + ".sum2() == 0",
		nested("self.l", 40) + ".isSorted()",
		nested("self.l", 40) + ".exists(a, a == 'zzz')",
		"'zz' in " + nested("self.l", 40),
		strings.Repeat("(", 5000) + "true" + strings.Repeat(")", 5000),
		strings.Repeat("!", 5000) + "true",
		strings.Repeat("[", 240) + strings.Repeat("]", 240) + " == []",
		"self.t == ''" + strings.Repeat(" || self.t == ''", 1000),
		strings.Repeat("self.l.all(a, ", 100) + "true" + strings.Repeat(")", 100),
		"true ? " + strings.Repeat("true ? ", 900) + "true" + strings.Repeat(" : false", 901),
		strings.Repeat("a", 30_000),
		"quantity('1e999999999').isGreaterThan(quantity(self.t)) && quantity('1e99999').add(1).isInteger()",
		"duration(self.t) > duration('1h') || timestamp(self.t) > timestamp('2020-01-01T00:00:00Z')",
		"b'" + strings.Repeat("a", 9000) + "' == bytes(self.t) && string(bytes(self.t)) != self.t",
		"9223372036854775807 + 1 > 0 || -9223372036854775808 / -1 > 0 || 1 % 0 == 0",
		"self.o.all(k, self.o.all(m, self.o[k] + self.o[m] != self.t))",
		"self.o == self.o && lists.range(90000).all(a, self.o.all(k, self.o[k] != ''))",
		"url(self.t).getQuery() == {} || ip(self.t).family() == 4 || cidr(self.t).prefixLength() > 2",
		"format.dns1123Subdomain().validate(self.t).hasValue() && lists.range(90000).all(a, !format.uuid().validate(self.t).hasValue())",
	}
}

const costlySchema = `{type: object, properties: {spec: {type: object, x-kubernetes-validations: [{rule: RULE}],
properties: {t: {type: string}, l: {type: array, items: {type: string}}, o: {type: object, additionalProperties: {type: string}}}}}}`

func costlyObject() map[string]any {
	var list []any
	open := map[string]any{}
	for i := range 1000 {
		text := strings.Repeat("x", i%50)
		list = append(list, text)
		open[text+"k"+strings.Repeat("y", i/50)] = text
	}
	return map[string]any{"spec": map[string]any{"t": strings.Repeat("a", 1<<20), "l": list, "o": open}}
}

// TestNoRuleTakesLong evaluates rules that nothing but the limits stops.
func TestNoRuleTakesLong(t *testing.T) {
	const longest = 20 * time.Second // on a busy machine; the slowest one takes less than a second
	object := costlyObject()
	library := celrule.NewLibrary()
	for _, rule := range costly() {
		k := kindOf(t, strings.Replace(costlySchema, "RULE", quoted(rule), 1))
		start := time.Now()
		_, skipped := library.Of(k).Check(t.Context(), object, celrule.Options{})
		took := time.Since(start)
		if took > longest {
			t.Errorf("%.80s takes %v", rule, took)
		}
		t.Logf("%v %d skipped: %.80s", took, len(skipped), rule)
	}
}

// TestAnInterruptStopsRules checks an object after the end of the run.
func TestAnInterruptStopsRules(t *testing.T) {
	k := kindOf(t, strings.Replace(costlySchema, "RULE", quoted(costly()[0]), 1))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if broken, skipped := celrule.NewLibrary().Of(k).Check(ctx, costlyObject(), celrule.Options{}); len(broken)+len(skipped) > 0 {
		t.Error(broken, skipped)
	}
}

// FuzzRule evaluates any expression: no panic, and no violation that says nothing.
func FuzzRule(f *testing.F) {
	for _, rule := range costly() {
		f.Add(strings.ReplaceAll(rule, "90000", "90")) // how long a rule takes is not asked here
	}
	f.Add("self.t == oldSelf.t && self.l.exists_one(a, a.size() > 3)")
	small := map[string]any{"spec": map[string]any{"t": "abc", "l": []any{"a", "b"}, "o": map[string]any{"k": "v"}}}
	f.Fuzz(func(t *testing.T, rule string) {
		k := kindOf(t, strings.Replace(costlySchema, "RULE", "''", 1))
		k.Root.Properties["spec"].Rules = []crdschema.Rule{{Rule: rule, MessageExpression: rule}}
		rules := celrule.NewLibrary().Of(k)
		for _, opt := range []celrule.Options{{}, {Known: true}, {Old: small, Known: true}} {
			broken, skipped := rules.Check(t.Context(), small, opt)
			for _, v := range broken {
				if v.Detail == "" {
					t.Errorf("%q: %v", rule, v)
				}
			}
			if len(broken)+len(skipped) > 1 {
				t.Errorf("%q: %v %v", rule, broken, skipped)
			}
		}
	})
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
