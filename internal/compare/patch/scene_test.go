package patch_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// scene is a random object, and a random reference that has something to do with it.
type scene struct {
	r       *rand.Rand
	actions []string // in the order of their marks
	omit    []string
	inline  []string
	unspec  bool
	head    string
}

func (s *scene) pick(of ...string) string { return of[s.r.IntN(len(of))] }
func (s *scene) one(in int) bool          { return s.r.IntN(in) == 0 }

func (s *scene) key() string {
	if s.one(3) {
		return s.pick("a/b", "x.y", "til~de", `qu"ote`, "with space", "0", "1", "*", "ünï", "~1", "/", "-")
	}
	return s.pick("a", "b", "c", "d", "name", "cpu", "data")
}

func (s *scene) text() string {
	return s.pick(
		"",
		"plain",
		"a.b",
		"(x|y)+",
		"cpu=4 mem=8",
		"cpu=5 mem=8",
		"line one\nline two\n",
		"1",
		"true",
		"null",
		"a\tb",
		"\u2028sep\u0085",
		"\x7f",
		"😀",
		"(?<n>x",
		"(?<n>[0-9]+)",
		"trailing ",
		"a: b # c",
		"<&>",
		"\ufeffbom",
		"[",
		"2024-05-01",
	)
}

func (s *scene) value(depth int) any {
	n := s.r.IntN(10)
	switch {
	case depth > 0 && n < 3:
		m := map[string]any{}
		for range s.r.IntN(4) {
			m[s.key()] = s.value(depth - 1)
		}
		return m
	case depth > 0 && n < 5:
		l := []any{}
		for range s.r.IntN(4) {
			l = append(l, s.value(depth-1))
		}
		return l
	case n == 5:
		return nil
	case n == 6:
		return []any{int64(0), int64(-3), int64(1 << 60), 0.5, 1e21}[s.r.IntN(5)]
	case n == 7:
		return s.one(2)
	}
	return s.text()
}

// mutate returns a value that resembles v.
func (s *scene) mutate(v any, depth int) any {
	if s.one(12) {
		return s.value(depth)
	}
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for _, k := range tree.Keys(v) {
			if !s.one(8) {
				m[k] = s.mutate(v[k], depth-1)
			}
		}
		if s.one(4) {
			m[s.key()] = s.value(max(depth-1, 0))
		}
		return m
	case []any:
		l := []any{}
		for _, x := range v {
			if s.one(6) {
				l = append(l, s.value(max(depth-1, 0)))
			}
			if !s.one(6) {
				l = append(l, s.mutate(x, depth-1))
			}
		}
		return l
	}
	return v
}

// action puts an action of a template in the place of a value: it stands behind a mark until the
// text is made.
func (s *scene) action(path []any, v any) any {
	expr := "$"
	for _, step := range path {
		if n, ok := step.(int); ok {
			expr = fmt.Sprintf("(index %s %d)", expr, n)
			continue
		}
		if expr == "$" {
			expr = fmt.Sprintf("$.%s", step) // the topmost keys are names
			continue
		}
		expr = fmt.Sprintf("(index %s %s)", expr, quoted(step.(string)))
	}
	mark := func(action string) string {
		s.actions = append(s.actions, action)
		return fmt.Sprintf("MARK%dKRAM", len(s.actions)-1)
	}
	_, isText := v.(string)
	switch n := s.r.IntN(7); {
	case n == 0:
		return mark("{{ $.spec.lacking }}")
	case n == 1:
		return mark(`{{ fail "checked" }}`)
	case n == 2 && isText:
		return "pre-" + mark("{{ $.metadata.name }}") + "-post"
	case n == 3:
		return mark("{{ " + expr + " }}")
	case n == 4:
		return mark(`{{ default "fallback" ` + expr + ` }}`)
	}
	return mark("{{ " + expr + " | toJson }}")
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// template turns the reference's value into one with actions and inline functions.
func (s *scene) template(v any, path []any) any {
	if len(path) > 1 && s.one(9) {
		return s.action(path, v)
	}
	if len(path) > 1 && s.one(14) {
		p := given.FieldPath(path)
		if s.one(4) {
			p[len(p)-1-s.r.IntN(2)] = refconfig.Step{Index: -1, Any: true}
		}
		s.omit = append(s.omit, p.String())
	}
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for _, k := range tree.Keys(v) {
			m[k] = s.template(v[k], append(slices.Clone(path), k))
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = s.template(x, append(slices.Clone(path), i))
		}
		return l
	case string:
		if len(path) > 1 && s.one(5) {
			function, value := "regex", s.pick(`cpu=\d mem=\d`, "[a-z]+", "(?<n>[a-z]+)", `[^.]\.[^.]`, "(?<n>.*)")
			if s.one(2) {
				function, value = "capturegroups", s.pick(`cpu=(?<n>\d) mem=(?<m>\d)`, "(?<n>[a-z]+)", "(?<n>x|y)plain", v)
			}
			p := given.FieldPath(path)
			if s.one(5) {
				p[len(p)-1] = refconfig.Step{Index: -1, Any: true}
			}
			s.inline = append(s.inline, fmt.Sprintf("pathToKey: %s, inlineDiffFunc: %s", quoted(p.String()), function))
			return value
		}
	}
	return v
}

// files writes the reference.
func (s *scene) files(value any) fstest.MapFS {
	text := s.head + tree.YAML(value)
	for i, a := range s.actions {
		mark := fmt.Sprintf("MARK%dKRAM", i)
		text = strings.Replace(text, mark, a, 1)
	}
	config := fmt.Sprintf("{ignore-unspecified-fields: %v", s.unspec)
	if len(s.omit) > 0 {
		config += ", fieldsToOmitRefs: [mine]"
	}
	if len(s.inline) > 0 {
		config += ", perField: [{" + strings.Join(s.inline, "}, {") + "}]"
	}
	meta := "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n    - path: sub/t.yaml\n      config: " + config + "}\n"
	if len(s.omit) > 0 {
		meta += "fieldsToOmit:\n  items:\n    mine:\n"
		for _, p := range s.omit {
			meta += "    - pathToKey: " + quoted(p) + "\n"
		}
	}
	return fstest.MapFS{"metadata.yaml": {Data: []byte(meta)}, "sub/t.yaml": {Data: []byte(text)}}
}

// load loads the reference with the value of its template, and the object; ok is false if the
// reference has mistakes.
func (s *scene) load(t *testing.T, value, object map[string]any) (
	ref *refconfig.Reference, engine *render.Engine, in compare.Collected, ok bool,
) {
	t.Helper()
	ref, problems := refconfig.Load(s.files(value), ".", refconfig.LoadOptions{})
	engine, more := render.Compile(t.Context(), ref)
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	in.Objects = given.Objects(t, "in.json", string(text))
	return ref, engine, in, len(problems)+len(more) == 0
}

// differingPair returns a scene, and the same CR as its template states it and with changes. The value
// of the template is nil if the changes left no map.
func differingPair(seed, stream int) (s *scene, value, object map[string]any) {
	s = &scene{r: rand.New(rand.NewPCG(uint64(seed), uint64(stream)))}
	s.unspec = s.one(3)
	object = identity(s.value(4))
	if value, _ = s.mutate(object, 4).(map[string]any); value != nil {
		value["apiVersion"], value["kind"], value["metadata"] = "v1", "Thing", map[string]any{"name": "it"}
	}
	return s, value, object
}

// compared compares an object with the value of the template.
func (s *scene) compared(t *testing.T, value, object any, opt compare.Options) *finding.Run {
	t.Helper()
	ref, engine, in, ok := s.load(t, value.(map[string]any), object.(map[string]any))
	if !ok {
		t.Fatalf("the reference has mistakes:\n%s", tree.YAML(value))
	}
	opt.Workers = 1
	return run(t, ref, engine, in, opt)
}

// parsed returns the value of a YAML text.
func parsed(t *testing.T, text string) any {
	t.Helper()
	documents, err := kubeyaml.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return documents[0].Value()
}

func identity(spec any) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "Thing", "metadata": map[string]any{"name": "it"}, "spec": spec}
}

// changed returns the CRs of an input with some of their scalars changed or taken away.
func changed(t *testing.T, r *rand.Rand, in compare.Collected) []*manifest.Object {
	var all []*manifest.Object
	for i, o := range in.Objects {
		value, err := o.Decode()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(change(r, nil, value))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, given.Objects(t, fmt.Sprintf("%d.json", i), string(text))...)
	}
	return all
}

// change returns a value with some of its scalars changed or taken away, but for those that tell
// the object from others.
func change(r *rand.Rand, path []string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for _, k := range tree.Keys(v) {
			at := append(slices.Clone(path), k)
			_, isMap := v[k].(map[string]any)
			_, isList := v[k].([]any)
			kept := slices.Contains([]string{"apiVersion", "kind", "metadata"}, at[0]) && len(at) < 3
			if isMap || isList || kept || r.IntN(6) > 0 {
				m[k] = v[k]
				if !kept || isMap {
					m[k] = change(r, at, v[k])
				}
				continue
			}
			if r.IntN(3) > 0 {
				m[k] = other(r)
			}
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = change(r, append(slices.Clone(path), ""), x)
			_, isMap := x.(map[string]any)
			_, isList := x.([]any)
			if !isMap && !isList && r.IntN(6) == 0 {
				l[i] = other(r)
			}
		}
		return l
	}
	return v
}

func other(r *rand.Rand) any {
	return []any{"other", "a.b(c", int64(7), nil, []any{"x"}, map[string]any{"y": "z"}}[r.IntN(6)]
}
