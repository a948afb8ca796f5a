package patch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// accepting reads overrides from lines of "what it is for; type; patch", where what it is for has
// the fields of an entry.
func accepting(t *testing.T, lines ...string) []refconfig.Override {
	t.Helper()
	var text strings.Builder
	for _, l := range lines {
		p := strings.SplitN(l, "; ", 3)
		fmt.Fprintf(&text, "- {%s, type: %s, reason: accepted, patch: %q}\n", p[0], p[1], p[2])
	}
	all, _, problems := refconfig.ParseOverrides("p.yaml", []byte(text.String()))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return all
}

// TestWhichOverridesApply: those that name the CR exactly, else those of the most specific fields;
// and of these, the ones that the CR needs: where it agrees with the reference without them, they
// are obsolete.
func TestWhichOverridesApply(t *testing.T) {
	const reference = "k: v, l: w, n: \"1\", r: \"[a-z]+\""
	const agreeing = "k: v, l: w, n: \"1\", r: abc"
	byName := func(kind, patch string) string { return "kind: ConfigMap, name: a; " + kind + "; " + patch }
	for _, c := range []struct {
		name      string
		data      string // of the CR
		overrides []string
		states    string
		want      string // differences
	}{
		{"the exact one puts others aside", "k: x, l: w, n: \"1\", r: abc", []string{"exactMatch: v1_ConfigMap_ns_a; mergepatch; {\"data\":{\"k\":\"x\"}}",
			"kind: ConfigMap, apiVersion: v1, name: a, namespace: ns; mergepatch; {\"data\":{\"l\":\"ZZ\"}}"}, "used unused", ""},
		{"more fields put fewer aside", "k: x, l: yy, n: \"1\", r: abc", []string{"kind: ConfigMap; mergepatch; {\"data\":{\"l\":\"yy\"}}",
			byName("mergepatch", `{"data":{"k":"x"}}`)}, "unused used", "drift data.l"},
		{"a name puts a namespace aside", "k: x, l: yy, n: \"1\", r: abc", []string{"kind: ConfigMap, namespace: ns; mergepatch; {\"data\":{\"l\":\"yy\"}}",
			byName("mergepatch", `{"data":{"k":"x"}}`)}, "unused used", "drift data.l"},
		{"a kind puts what has none aside", "k: x, l: yy, n: \"1\", r: abc", []string{"name: a, namespace: ns; mergepatch; {\"data\":{\"l\":\"yy\"}}",
			"kind: ConfigMap; mergepatch; {\"data\":{\"k\":\"x\"}}"}, "unused used", "drift data.l"},
		{"one for another template puts aside all the same", "k: x, l: w, n: \"1\", r: abc", []string{
			"kind: ConfigMap, name: a, templatePath: other.yaml; mergepatch; {\"data\":{}}",
			"kind: ConfigMap; mergepatch; {\"data\":{\"k\":\"x\"}}"}, "unused unused", "drift data.k"},
		{"those of the same fields apply in their order", "k: yy, l: z, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"k":"x"}}`),
			byName("mergepatch", `{"data":{"k":"yy"}}`), byName("rfc6902", `[{"op":"replace","path":"/data/l","value":"z"}]`)}, "used used used", ""},

		{"mended", agreeing, []string{byName("mergepatch", `{"data":{"k":"x"}}`)}, "obsolete", ""},
		{"mended here, and not there", "k: v, l: yy, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"k":"x"}}`)}, "obsolete", "drift data.l"},
		{"each by itself", "k: v, l: yy, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"k":"x"}}`), byName("mergepatch", `{"data":{"l":"yy"}}`)},
			"obsolete used", ""},
		{"one of two fields is not mended", "k: v, l: yy, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"k":"x","l":"yy"}}`)}, "used", ""},
		{"neither as the reference nor as accepted", "k: z, l: w, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"k":"x"}}`)}, "used", "drift data.k"},
		{"what changes nothing hides nothing", "k: z, l: w, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"k":"v"}}`)}, "obsolete", "drift data.k"},
		{"a removed field is there again", "k: v, l: yy, n: \"1\", r: abc", []string{byName("rfc6902", `[{"op":"remove","path":"/data/k"}]`)}, "obsolete", "drift data.l"},
		{"a removed field is not there", "l: w, n: \"1\", r: abc", []string{byName("rfc6902", `[{"op":"remove","path":"/data/k"}]`)}, "used", ""},
		{"a test changes nothing", "k: z, l: w, n: \"1\", r: abc", []string{byName("rfc6902", `[{"op":"test","path":"/data/k","value":"v"}]`)}, "obsolete", "drift data.k"},
		{"extra content is accepted", agreeing + ", e: f", []string{byName("mergepatch", `{"data":{"e":"f"}}`)}, "used", ""},
		{"accepted extra content is gone", "k: v, l: yy, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"e":"f"}}`)}, "obsolete", "drift data.l"},
		{"a key was moved", "m: v, l: w, n: \"1\", r: abc", []string{byName("rfc6902", `[{"op":"move","from":"/data/k","path":"/data/m"}]`)}, "used", ""},
		{"the pattern is met again", "k: z, l: w, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"r":"[0-9]+"}}`)}, "obsolete", "drift data.k"},
		{"the pattern is not met", "k: v, l: w, n: \"1\", r: \"17\"", []string{byName("mergepatch", `{"data":{"r":"[0-9]+"}}`)}, "used", ""},
		{"a template that takes what is there", "k: z, l: w, n: \"1\", r: abc", []string{byName("go-template",
			"type: mergepatch\npatch: '{\"data\":{\"k\":\"{{ .data.k }}\"}}'")}, "used", ""},
		{"a template that takes what is there, which is right", "k: v, l: yy, n: \"1\", r: abc", []string{byName("go-template",
			"type: mergepatch\npatch: '{\"data\":{\"k\":\"{{ .data.k }}\"}}'")}, "obsolete", "drift data.l"},
		{"a patch that needs an earlier one", agreeing + ", m: {o: null}", []string{byName("mergepatch", `{"data":{"m":{}}}`),
			byName("rfc6902", `[{"op":"add","path":"/data/m/o","value":null}]`)}, "used used", ""},
		{"a patch that does not fit a mended CR", agreeing, []string{byName("rfc6902", `[{"op":"replace","path":"/data/gone","value":1}]`)}, "obsolete", ""},
		{"a patch that does not fit", "k: z, l: w, n: \"1\", r: abc", []string{byName("rfc6902", `[{"op":"replace","path":"/data/gone","value":1}]`)}, "used", "error"},
		{"absent was accepted, another value is not", "k: zzz, l: w, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"k":null}}`)}, "used", "drift data.k"},
		{"absent by a patch of operations", "k: zzz, l: w, n: \"1\", r: abc", []string{byName("rfc6902", `[{"op":"remove","path":"/data/k"}]`)}, "used", "drift data.k"},
		{"absent by a template", "k: zzz, l: w, n: \"1\", r: abc", []string{byName("go-template", "type: mergepatch\npatch: '{\"data\":{\"k\":null}}'")},
			"used", "drift data.k"},
		{"absent with all that is around", "k: zzz, e: f", []string{byName("mergepatch", `{"data":null}`)}, "used",
			"extra data.e\nmissing data.false\ndrift data.k\nmissing data.l\nmissing data.r"},
		{"absent was accepted, an empty map is not", "", []string{byName("mergepatch", `{"data":null}`)}, "used",
			"missing data.false\nmissing data.k\nmissing data.l\nmissing data.r"},
		{"an empty map was accepted, a part of it is not", "k: v", []string{byName("rfc6902", `[{"op":"replace","path":"/data","value":{}}]`)}, "used",
			"missing data.false\nmissing data.l\nmissing data.r"},
		{"what is gone by now is replaced", agreeing + ", o: x", []string{byName("rfc6902",
			`[{"op":"test","path":"/data/o","value":null},{"op":"replace","path":"/data/o","value":"x"}]`)}, "used", ""},
		{"what is gone by now is removed", "l: w, n: \"1\", r: abc", []string{byName("rfc6902",
			`[{"op":"remove","path":"/data/k"},{"op":"test","path":"/data/o","value":null},{"op":"remove","path":"/data/o"}]`)}, "used", ""},
		{"absent here, and there again", "k: v, n: \"1\", r: abc", []string{byName("mergepatch", `{"data":{"k":null,"l":null}}`)}, "used", ""},
		{"a removed pattern is not met", "k: v, l: w, n: \"1\", r: \"17\"", []string{byName("mergepatch", `{"data":{"r":null}}`)}, "used", "drift data.r"},
		{"a test holds", "k: x, l: w, n: \"1\", r: abc", []string{byName("rfc6902",
			`[{"op":"test","path":"/data/k","value":"v"},{"op":"replace","path":"/data/k","value":"x"}]`)}, "used", ""},
		{"a test does not hold", "k: x, l: w, n: \"1\", r: abc", []string{byName("rfc6902",
			`[{"op":"test","path":"/data/k","value":"u"},{"op":"replace","path":"/data/k","value":"x"}]`)}, "stale", "drift data.k"},
		{"a stale one does not keep another from its work", "k: x, l: yy, n: \"1\", r: abc", []string{byName("rfc6902",
			`[{"op":"test","path":"/data/k","value":"u"},{"op":"replace","path":"/data/k","value":"x"}]`), byName("mergepatch", `{"data":{"l":"yy"}}`)},
			"stale used", "drift data.k"},
		{"the same entry twice", "k: x, l: w, n: \"1\", r: abc", []string{
			byName("rfc6902", `[{"op":"test","path":"/data/k","value":"v"},{"op":"replace","path":"/data/k","value":"x"}]`),
			byName("rfc6902", `[{"op":"test","path":"/data/k","value":"v"},{"op":"replace","path":"/data/k","value":"x"}]`)}, "used used", ""},
		{"two entries of one field", "k: x, n: \"1\", r: abc", []string{
			byName("rfc6902", `[{"op":"test","path":"/data/l","value":"w"},{"op":"remove","path":"/data/l"}]`),
			byName("rfc6902", `[{"op":"test","path":"/data/k","value":"v"},{"op":"replace","path":"/data/k","value":"x"},`+
				`{"op":"test","path":"/data/l","value":"w"},{"op":"remove","path":"/data/l"}]`)}, "used used", ""},
		{"the reference moved on to what the CR has", "k: v, l: yy, n: \"1\", r: abc", []string{byName("rfc6902",
			`[{"op":"test","path":"/data/k","value":"u"},{"op":"replace","path":"/data/k","value":"v"}]`)}, "obsolete", "drift data.l"},
		{"the reference has nothing there any more", "k: v, l: w, n: \"1\", r: abc, o: x", []string{byName("rfc6902",
			`[{"op":"test","path":"/data/o","value":"u"},{"op":"replace","path":"/data/o","value":"x"}]`)}, "stale", "extra data.o"},
		{"the reference has something by now", "k: x, l: w, n: \"1\", r: abc", []string{byName("rfc6902",
			`[{"op":"test","path":"/data/k","value":null},{"op":"add","path":"/data/k","value":"x"}]`)}, "stale", "drift data.k"},
		{"there is no place for it any more", "k: v, l: w, n: \"1\", r: abc, m: {o: x}", []string{byName("rfc6902", `[{"op":"add","path":"/data/m/o","value":"x"}]`)},
			"stale", "extra data.m"},
		{"expired", "k: x, l: w, n: \"1\", r: abc", []string{"kind: ConfigMap, name: a, expires: 2020-01-31; mergepatch; {\"data\":{\"k\":\"x\"}}",
			"kind: ConfigMap; mergepatch; {\"data\":{\"k\":\"x\"}}"}, "expired used", ""},
	} {
		res := runFiles(
			t,
			files(configMap("ns", "a", reference), "config: {perField: [{pathToKey: data.r, inlineDiffFunc: regex}]}"),
			configMap("ns", "a", c.data),
			compare.Options{Overrides: accepting(t, c.overrides...), Today: "2024-01-01"},
		)
		var states []string
		applied := false
		for _, o := range res.Overrides {
			states = append(states, string(o.State))
			applied = applied || o.State == finding.OverrideUsed
		}
		one := res.Comparisons[0]
		got := strings.ReplaceAll(lines(one.Differences), "expected data.r", "")
		if one.Result == finding.Failed {
			got, applied = "error", false
		}
		if got, states := strings.TrimSpace(got), strings.Join(states, " "); got != c.want || states != c.states ||
			(one.Override != nil) != applied {
			t.Errorf(
				"%s: %q, want %q; %s, want %s; overridden: %v", c.name, got, c.want, states, c.states, one.Override,
			)
		}
	}
}

// TestOverridesOfListItems: where a patch makes a list neither longer nor shorter, only the items
// that it changes count.
func TestOverridesOfListItems(t *testing.T) {
	thing := func(list string) string { return "apiVersion: v1\nkind: Thing\nmetadata: {name: a}\nl: " + list + "\n" }
	for _, c := range []struct{ reference, list, patch, state, want string }{
		{"[a, b]", "[a, y]", `[{"op":"replace","path":"/l/0","value":"x"}]`, "obsolete", "drift l.1"},
		{"[a, b]", "[x, b]", `[{"op":"replace","path":"/l/0","value":"x"}]`, "used", ""},
		{"[a, b]", "[z, a, b]", `[{"op":"replace","path":"/l/0","value":"x"}]`, "obsolete", "extra l.0"},
		{"[a, b]", "[b]", `[{"op":"remove","path":"/l/0"}]`, "used", ""},
		{"[a, b]", "[a, b]", `[{"op":"remove","path":"/l/0"}]`, "obsolete", ""},
		{"[{n: a, v: 1}, {n: b, v: 1}]", "[{n: b, v: 1}]", `[{"op":"remove","path":"/l/0"}]`, "used", ""},
		{"[{n: a, v: 1}, {n: b, v: 1}]", "[{n: a, v: 2}, {n: b, v: 1}]", `[{"op":"remove","path":"/l/0"}]`, "used", "drift l.0.v"},
		{"[{n: a, v: 1}, {n: b, v: 1}]", "[{n: a, v: 2}, {n: b}]", `[{"op":"remove","path":"/l/0/v"},{"op":"remove","path":"/l/1/v"}]`, "used", "drift l.0.v"},
		{"[{n: a, v: 1}, {n: b, v: 1}]", "[{n: b, v: 2}]", `[{"op":"remove","path":"/l/0"},{"op":"replace","path":"/l/0/v","value":2}]`, "used", ""},
		{"[{m: a}, null]", "[{m: a, v: 1}, null]", `[{"op":"test","path":"/l","value":[{"m":"a"},null]},{"op":"add","path":"/l/0/v","value":1}]`, "used", ""},
		{"[1]", "[2]", `[{"op":"test","path":"/l/0","value":1.0},{"op":"replace","path":"/l/0","value":2}]`, "used", ""},
		{"[1, 2]", "[1, 3]", `[{"op":"replace","path":"/l","value":[1.0,3]}]`, "used", ""},
		{"[1]", "[1]", `[{"op":"replace","path":"/l/0","value":1.0}]`, "obsolete", ""},
		{"[a]", "[a, b]", `[{"op":"add","path":"/l/-","value":"b"}]`, "used", ""},
		{"[a]", "[a]", `[{"op":"add","path":"/l/-","value":"b"}]`, "obsolete", ""},
		{"[{n: a, v: 1}, {n: b, v: 1}]", "[{n: a, v: 2}, {n: b, v: 1}]", `[{"op":"replace","path":"/l/1/v","value":2}]`, "obsolete", "drift l.0.v"},
		{"[{n: a, v: 1}, {n: b, v: 1}]", "[{n: b, v: 2}, {n: a, v: 1}]", `[{"op":"replace","path":"/l/1/v","value":2}]`, "used", "missing l.0\nextra l.1"},
	} {
		res := runFiles(t, files(thing(c.reference)),
			thing(c.list), compare.Options{Overrides: accepting(t, "kind: Thing, name: a; rfc6902; "+c.patch)})
		if got := lines(res.Comparisons[0].Differences); got != c.want || string(res.Overrides[0].State) != c.state {
			t.Errorf(
				"%s of %s and %s: %s, want %s; %q, want %q",
				c.patch,
				c.reference,
				c.list,
				res.Overrides[0].State,
				c.state,
				got,
				c.want,
			)
		}
	}
}

// acceptAll returns the overrides that accept what a run with some overrides finds.
func acceptAll(
	t *testing.T, ref *refconfig.Reference, engine *render.Engine, in compare.Collected, active []refconfig.Override,
) []refconfig.Override {
	t.Helper()
	return acceptances(run(t, ref, engine, in, compare.Options{Overrides: active, Accept: &patch.Request{}}))
}

// TestWhatIsAcceptedBesideAnOverride: overrides that are made put those aside that name the CR less
// specifically, so they accept what those did as well.
func TestWhatIsAcceptedBesideAnOverride(t *testing.T) {
	ref, engine := given.Load(t, files(configMap("ns", "a", "k: v", "l: w")), "")
	in := compare.Collected{Objects: given.Objects(t, "in.yaml", configMap("ns", "a", "k: x", "l: yy"))}
	for _, active := range []string{"kind: ConfigMap", "kind: ConfigMap, name: a, namespace: ns, apiVersion: v1", "exactMatch: v1_ConfigMap_ns_a", "name: b"} {
		all := accepting(t, active+`; mergepatch; {"data":{"k":"x"}}`)
		all = append(all, acceptAll(t, ref, engine, in, all)...)
		res, err := compare.Run(context.Background(), ref, engine, in, compare.Options{Overrides: all})
		if err != nil || len(all) != 2 || res.Comparisons[0].Result != finding.Clean {
			t.Errorf("%s: %v %d overrides, %s", active, err, len(all), lines(res.Comparisons[0].Differences))
		}
	}
}

// TestAReplacedSet: an item that a patch takes out of a set is not put back for an item that the patch
// puts in.
func TestAReplacedSet(t *testing.T) {
	thing := func(list string) string { return "apiVersion: v1\nkind: Thing\nmetadata: {name: a}\nl: " + list + "\n" }
	res := runFiles(t, files(thing("[a, b]"), "config: {perField: [{pathToKey: l, list: set}]}"), thing("[b, c]"),
		compare.Options{Overrides: accepting(t, `kind: Thing; mergepatch; {"l":["b","c"]}`)})
	if got := lines(res.Comparisons[0].Differences); got != "" || res.Overrides[0].State != finding.OverrideUsed {
		t.Errorf("%s, %q", res.Overrides[0].State, got)
	}
}

// TestAMaskedValueIsNotMended: what the collector masked is unknown, so an override of it is not
// obsolete.
func TestAMaskedValueIsNotMended(t *testing.T) {
	secret := func(data string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: ns}\ndata: {k: " + data + "}\n"
	}
	ref, engine := given.Load(t, files(secret("dg==")), "")
	in := compare.Collected{
		Objects: given.Objects(t, "in.yaml", secret("NCBieXRlcyBsb25n")),
		Layout:  func(refconfig.Place) string { return collector.MustGather },
	}
	res, err := compare.Run(
		context.Background(),
		ref,
		engine,
		in,
		compare.Options{Overrides: accepting(t, `kind: Secret; mergepatch; {"data":{"k":"eA=="}}`)},
	)
	if err != nil || res.Summary.Masked != 1 || res.Overrides[0].State != finding.OverrideUsed {
		t.Errorf("%v %+v", err, res)
	}
}

// TestFieldsOfAConflictAreNotMended: where groups of one name match different texts, an override of
// any of their fields is needed, also of one that agrees by itself.
func TestFieldsOfAConflictAreNotMended(t *testing.T) {
	ref, engine := given.Load(
		t,
		files(configMap("ns", "a", `k: 'x(?<v>\d)'`, `l: 'y(?<v>\d)'`),
			"config: {perField: [{pathToKey: data.k, inlineDiffFunc: regex}, {pathToKey: data.l, inlineDiffFunc: regex}]}"),
		"",
	)
	in := compare.Collected{Objects: given.Objects(t, "in.yaml", configMap("ns", "a", "k: x1", "l: y2"))}
	for _, field := range []string{`"k":"x1"`, `"l":"y2"`} {
		all := accepting(t, `kind: ConfigMap; mergepatch; {"data":{`+field+`}}`)
		res, err := compare.Run(context.Background(), ref, engine, in, compare.Options{Overrides: all})
		if err != nil || res.Comparisons[0].Result != finding.Clean || res.Overrides[0].State != finding.OverrideUsed {
			t.Errorf("%s: %v %s: %s", field, err, res.Overrides[0].State, lines(res.Comparisons[0].Differences))
		}
	}
}

// TestNamesOfAPatchedReference: an override patches the reference as YAML reads it in its names;
// elsewhere, and where nothing is patched, what a template prints keeps its type.
func TestNamesOfAPatchedReference(t *testing.T) {
	for _, c := range []struct{ name, patch, want string }{
		{"{{ .metadata.name }}", `{"data":{"k":"x"}}`, "expected data.l\ndrift metadata.name"},
		{`"{{ .metadata.name }}"`, `{"data":{"k":"x"}}`, "expected data.l\nexpected metadata.name"},
		{"{{ .metadata.name | quote }}", `{"data":{"k":"x"}}`, "expected data.l\nexpected metadata.name"},
		{"{{ .metadata.name }}", `{"data":{"other":"x"}}`, "drift data.k\nexpected data.l\nexpected metadata.name"},
	} {
		opt := compare.Options{Overrides: accepting(t, "kind: ConfigMap; mergepatch; "+c.patch)}
		if strings.Contains(c.patch, "other") {
			opt.Overrides = nil
		}
		res := runFiles(
			t,
			files(configMap("ns", c.name, "k: v, l: \"{{ .data.l }}\"")),
			configMap("ns", `"12"`, `k: x, l: "4"`),
			opt,
		)
		if got := lines(res.Comparisons[0].Differences); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestWhatAStaleOverrideTells: the first field by which the reference is another than what was
// tested, and both values; nothing secret.
func TestWhatAStaleOverrideTells(t *testing.T) {
	for _, c := range []struct{ kind, reference, patch, want string }{
		{"ConfigMap", "k: v", `{"op":"test","path":"/data/k","value":"u"}`, "data.k: accepted nothing while the reference said u; it says v now"},
		{"ConfigMap", "k: v", `{"op":"test","path":"/data/k","value":"u"},{"op":"replace","path":"/data/k","value":"w"}`,
			"data.k: accepted w while the reference said u; it says v now"},
		{"ConfigMap", "k: v", `{"op":"test","path":"/data/k","value":null},{"op":"add","path":"/data/k","value":"w"}`,
			"data.k: accepted w while the reference said nothing; it says v now"},
		{"ConfigMap", "k: [a, b]", `{"op":"test","path":"/data/k/0","value":"z"},{"op":"add","path":"/data/k/0","value":"y"}`,
			"data.k.0: the reference said z when this was accepted; it says a now"},
		{"Secret", "k: dg==", `{"op":"test","path":"/data/k","value":null},{"op":"add","path":"/data/k","value":"aGlkZGVu"}`,
			"data.k: the reference has another value, which is secret"},
		{"ConfigMap", `k: "kind: Secret\ndata: {a: aGlkZGVu}"`, `{"op":"test","path":"/data/k","value":"u"}`, "data.k: the reference has another value, which is secret"},
		{"ConfigMap", "k: v", `{"op":"test","path":"/data/k","value":"kind: Secret\ndata: {a: aGlkZGVu}"}`, "data.k: the reference has another value, which is secret"},
		{"ConfigMap", "k: v", `{"op":"test","path":"/data/k","value":"u"},{"op":"replace","path":"/data/k","value":"kind: Secret\ndata: {a: aGlkZGVu}"}`,
			"data.k: the reference has another value, which is secret"},
		{"ConfigMap", "a: 4, k: v", `{"op":"test","path":"/data","value":{"a":2,"k":"v"}}`, "data.a: the reference said 2 when this was accepted; it says 4 now"},
		{"ConfigMap", "k: [a, {b: c}]", `{"op":"test","path":"/data/k","value":["a",{"b":"d"}]}`, "data.k.1.b: accepted nothing while the reference said d; it says c now"},
		{"ConfigMap", "k: [a]", `{"op":"test","path":"/data/k","value":["a", "b"]}`, "data.k.1: accepted nothing while the reference said b; it says nothing now"},
		{"ConfigMap", "k: v", `{"op":"test","path":"/data/k","value":null}`, "data.k: accepted nothing while the reference said nothing; it says v now"},
		{"ConfigMap", "k: v", `{"op":"add","path":"/data/m/x","value":null}`, "data.m.x: the reference no longer has a place for it"},
		{"ConfigMap", "k: " + strings.Repeat("v", 100), `{"op":"test","path":"/data/k","value":""}`,
			`data.k: accepted nothing while the reference said ""; it says ` + strings.Repeat("v", 80) + "… now"},
		{"Secret", "k: dg==", `{"op":"test","path":"/data/k","value":"aGlkZGVu"}`, "data.k: the reference has another value, which is secret"},
	} {
		cr := func(data string) string {
			return "apiVersion: v1\nkind: " + c.kind + "\nmetadata: {name: a, namespace: ns}\ndata: {" + data + "}\n"
		}
		res := runFiles(
			t,
			files(cr(c.reference)),
			cr("m: b3RoZXI="),
			compare.Options{
				Overrides: accepting(t, "name: a; rfc6902; ["+c.patch+`,{"op":"remove","path":"/data/k"}]`),
			},
		)
		o := res.Overrides[0]
		if o.State != finding.OverrideStale || o.Message != c.want || res.Comparisons[0].Override != nil {
			t.Errorf("%s of %s: %s, %s, want %s", c.patch, c.reference, o.State, o.Message, c.want)
		}
		if len(res.Warnings) != 1 || res.Warnings[0].Code != code.OverrideStale ||
			!strings.Contains(res.Warnings[0].Message, c.want) {
			t.Errorf("%s: %v", c.patch, res.Warnings)
		}
		if len(res.Alarms) != 1 || res.Alarms[0].Code != code.OverridesMovedOn ||
			!strings.Contains(res.Alarms[0].Message, c.want) {
			t.Errorf("%s: alarms %v", c.patch, res.Alarms)
		}
	}
}

// TestAcceptedItemsOfLists: what is made for one reference accepts nothing that another says
// elsewhere in the same list, and no other item.
func TestAcceptedItemsOfLists(t *testing.T) {
	thing := func(list string) string { return "apiVersion: v1\nkind: Thing\nmetadata: {name: a}\nl: " + list + "\n" }
	const accepted = "[{name: a, cpu: 2, mem: 1}, {name: b, cpu: 2, mem: 1}]"
	for _, c := range []struct{ deviating, reference, in, want string }{
		{"[{name: a, cpu: 2, mem: 1}, {name: b, cpu: 3, mem: 1}]", accepted, "", ""},
		{"[{name: a, cpu: 2, mem: 1}, {name: b, cpu: 3, mem: 1}]", "[{name: a, cpu: 4, mem: 1}, {name: b, cpu: 2, mem: 1}]", "", "drift l.0.cpu"},
		{"[{name: a, cpu: 2, mem: 1}, {name: b, cpu: 3, mem: 1}]", "[{name: a, cpu: 2, mem: 1}, {name: b, cpu: 4, mem: 1}]", "", "drift l.1.cpu"},
		{"[{name: a, cpu: 2, mem: 1}, {name: b, cpu: 3, mem: 1}]", "[{name: b, cpu: 2, mem: 1}, {name: a, cpu: 2, mem: 1}]",
			"[{name: b, cpu: 2, mem: 1}, {name: a, cpu: 3, mem: 1}]", "drift l.1.cpu"},
		{"[{name: b, cpu: 2, mem: 1}]", accepted, "[{name: b, cpu: 2, mem: 1}]", ""},
		{"[{name: b, cpu: 2, mem: 1}]", accepted, "[{name: a, cpu: 9, mem: 1}, {name: b, cpu: 2, mem: 1}]", "drift l.0.cpu"},
		{"[{name: b, cpu: 2, mem: 1}]", "[{name: a, cpu: 4, mem: 1}, {name: b, cpu: 2, mem: 1}]", "", "missing l.0"},
		{"[{name: b, cpu: 3}]", accepted, "", ""},
	} {
		ref, engine := given.Load(t, files(thing(accepted)), "")
		made := acceptAll(
			t, ref, engine, compare.Collected{Objects: given.Objects(t, "in.yaml", thing(c.deviating))}, nil,
		)
		if len(made) != 1 || made[0].Type != refconfig.JSONPatch {
			t.Fatalf("%s: %v", c.deviating, made)
		}
		in := c.in
		if in == "" {
			in = c.deviating
		}
		res := runFiles(t, files(thing(c.reference)), thing(in), compare.Options{Overrides: made})
		if got := lines(res.Comparisons[0].Differences); got != c.want {
			t.Errorf(
				"%s accepted, of %s and %s: %q, want %q, with\n%s",
				c.deviating,
				c.reference,
				in,
				got,
				c.want,
				made[0].Patch,
			)
		}
	}
}

// TestWhatTheTemplateTakesFromTheCRIsNotTested: the reference says nothing there, so that it cannot
// have moved on.
func TestWhatTheTemplateTakesFromTheCRIsNotTested(t *testing.T) {
	reference := files(configMap("ns", "a", `k: v, pods: {{ .data.pods }}`))
	ref, engine := given.Load(t, reference, "")
	made := acceptAll(
		t, ref, engine, compare.Collected{Objects: given.Objects(t, "in.yaml", configMap("ns", "a", "l: w"))}, nil,
	)
	for in, want := range map[string]string{"l: w": "used extra data.l", `l: w, pods: "20"`: "used extra data.l\nexpected data.pods", "k: x": "used drift data.k"} {
		res := runFiles(t, reference, configMap("ns", "a", in), compare.Options{Overrides: made})
		if got := string(res.Overrides[0].State) + " " + lines(res.Comparisons[0].Differences); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// TestItemsInAnotherPlace: an override of a list in another order accepts this list, and no other
// value of an item; what the list without the override would show stays drift; and a fix has each
// item once.
func TestItemsInAnotherPlace(t *testing.T) {
	for seed := range testkit.Tries(600) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		var items []string
		values := map[string]int{}
		for _, name := range []string{"a", "b", "c", "d"}[:2+r.IntN(3)] {
			items, values[name] = append(items, name), r.IntN(3)
		}
		text := func(order []string) string {
			out := "apiVersion: v1\nkind: Thing\nmetadata: {name: a}\nl:\n"
			for _, name := range order {
				out += fmt.Sprintf("- {name: %s, v: %d}\n", name, values[name])
			}
			return out
		}
		reference := text(items)
		order := slices.Clone(items)
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		if r.IntN(2) == 0 {
			values[order[0]]++
		}
		if r.IntN(3) == 0 {
			order = order[:len(order)-1]
		}
		changing := order[r.IntN(len(order))]
		extra := 0
		if r.IntN(4) == 0 {
			order, extra = slices.Insert(order, r.IntN(len(order)+1), "e"), 1
		}
		found := text(order)
		ref, engine := given.Load(t, files(reference), "")
		compared := func(text string, opt compare.Options) *finding.Comparison {
			in := compare.Collected{Objects: given.Objects(t, "in.yaml", text)}
			return run(t, ref, engine, in, opt).Comparisons[0]
		}
		first := compared(found, compare.Options{Accept: &patch.Request{}, Fix: true})
		if isSame := slices.Equal(order, items) && found == reference; isSame != (first.Result == finding.Clean) {
			t.Fatalf("seed %d: %s is %s, of\n%s", seed, found, first.Result, reference)
		}
		if first.Acceptance == nil {
			continue
		}
		made := compare.Options{Overrides: acceptances(&finding.Run{Comparisons: []*finding.Comparison{first}})}
		if one := compared(found, made); one.Result == finding.Drifted {
			t.Fatalf("seed %d: %s is left of\n%s and\n%s", seed, lines(one.Differences), reference, found)
		}
		values[changing] += 5
		if other := text(order); compared(other, made).Result != finding.Drifted {
			t.Fatalf("seed %d: nothing is left of\n%s and\n%s, accepted for\n%s", seed, reference, other, found)
		}
		fixed := compared(first.Fix.CR, compare.Options{})
		if fixed.Result == finding.Drifted || fixed.Counts.Extra > extra {
			t.Fatalf("seed %d: the fix of\n%s for\n%s is\n%s", seed, found, reference, first.Fix.CR)
		}
	}
}

// TestTheReferencesSideIsTheReferences: where an override accepts a value, findings and lines have the
// reference's value on its side, and what is accepted beside it. An override whose value the CR does
// not have accepts nothing.
func TestTheReferencesSideIsTheReferences(t *testing.T) {
	const at = `{"op":"replace","path":"/data/x","value":"10m"}`
	for _, c := range []struct {
		reference, patch, input string
		want                    string // the differences
		lines                   string // the lines with x and the notes
		deviations              int
	}{
		{"x: 1h", at, "x: 99m", "drift data.x: accepted 10m (reference 1h), found 99m", "x: 1h | x: 99m, accepted: 10m", 0},
		{"x: 1h", at, "z: z", "missing data.x: accepted 10m (reference 1h), but missing; extra data.z: z, not in the reference",
			"x: 1h |, accepted: 10m", 0},
		{"x: 1h", at, "x: 10m, z: z", "extra data.z: z, not in the reference", "x: 1h | x: 10m, accepted", 1},
		{"x: 1h", `{"op":"remove","path":"/data/x"}`, "a: z", "extra data.a: z, not in the reference", "x: 1h |, accepted", 1},
		{"w: v", `{"op":"add","path":"/data/x","value":"10m"}`, "w: v, x: 99m",
			"drift data.x: accepted 10m (reference nothing), found 99m", "| x: 99m, accepted: 10m", 0},
		{"x: {k: 1h, l: b}", `{"op":"replace","path":"/data/x/k","value":"10m"}`, "x: {k: 99m, l: c}",
			"drift data.x.k: accepted 10m (reference 1h), found 99m; drift data.x.l: expected b, found c", "x: | x:, accepted: 10m", 0},
		{"x: [{name: a, k: 1h}, {name: b, k: 1h}]", `{"op":"replace","path":"/data/x/1/k","value":"10m"}`, "x: [{name: a, k: 2h}, {name: b, k: 10m}]",
			"drift data.x.0.k: expected 1h, found 2h", "x: | x:, accepted", 1},
		{"x: [{name: a, k: 1h}]", `{"op":"remove","path":"/data/x/0"}`, "x: [{name: a, k: 2h}]",
			"drift data.x.0.k: expected 1h, found 2h", "x: | x:", 0},
		{"x: 1h, w: v", at, "x: 10m, w: u", "drift data.w: expected v, found u", "x: 1h | x: 10m, accepted", 1},
	} {
		cr := func(data string) string { return configMap("ns", "a", data) }
		res := runFiles(t, files(cr(c.reference)), cr(c.input), compare.Options{
			Overrides: accepting(t, "name: a; rfc6902; ["+c.patch+"]"),
			Show:      diff.Show{Lines: true, Full: true},
		})
		one := res.Comparisons[0]
		var found, lines []string
		for _, d := range one.Differences {
			found = append(found, string(d.Category)+" "+d.Words())
		}
		for _, s := range one.Sides.Each() {
			text := func(l *finding.Line) string {
				if l == nil || !strings.HasPrefix(l.Text, "x") {
					return ""
				}
				return l.Text
			}
			switch {
			case s.Note != nil:
				lines = append(lines, s.Note.Text)
			case text(s.Left)+text(s.Right) != "":
				lines = append(lines, strings.TrimSpace(text(s.Left)+" | "+text(s.Right)))
			}
		}
		if got := strings.Join(found, "; "); got != c.want {
			t.Errorf("%s, %s, %s: found %s, want %s", c.reference, c.patch, c.input, got, c.want)
		}
		if got := strings.Join(lines, ", "); c.lines != "" && got != c.lines {
			t.Errorf("%s, %s, %s: lines %s, want %s", c.reference, c.patch, c.input, got, c.lines)
		}
		if one.Override == nil || one.Override.Deviations != c.deviations || one.Override.Void != (c.deviations == 0) ||
			res.Summary.AcceptedDeviations != c.deviations || res.Summary.Objects.Overridden != min(c.deviations, 1) {
			t.Errorf("%s, %s, %s: override %+v, summary %+v", c.reference, c.patch, c.input, one.Override, res.Summary)
		}
	}
}
