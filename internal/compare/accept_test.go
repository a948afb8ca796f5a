package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
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
	return s.pick("", "plain", "a.b", "(x|y)+", "cpu=4 mem=8", "cpu=5 mem=8", "line one\nline two\n", "1", "true", "null", "a\tb",
		"\u2028sep\u0085", "\x7f", "😀", "(?<n>x", "(?<n>[0-9]+)", "trailing ", "a: b # c", "<&>", "\ufeffbom", "[", "2024-05-01")
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

// action puts an action of a template in the place of a value: it stands behind a mark until the text is made.
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
		s.omit = append(s.omit, fieldPath(path).String())
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
			s.inline = append(s.inline, fmt.Sprintf("pathToKey: %s, inlineDiffFunc: %s", quoted(fieldPath(path).String()), function))
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

func identity(spec any) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "Thing", "metadata": map[string]any{"name": "it"}, "spec": spec}
}

// TestOverridesAcceptWhatWasFound: overrides made from a comparison, applied to the next, leave no drift and nothing
// missing, and each of them is used. Only a check that is about no field can stay.
func TestOverridesAcceptWhatWasFound(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 1000
	}
	accepted, loaded, stayed := 0, 0, 0
	for seed := range rounds {
		s := &scene{r: rand.New(rand.NewPCG(uint64(seed), 7))}
		s.unspec = s.one(3)
		object := identity(s.value(4))
		if s.one(6) {
			s.head = s.pick("{{ $.spec.lacking }}\n", "{{ fail \"headed\" }}\n", "{{ $.metadata.annotations.a }}\n", "{{ $.lacking.deep.er }}\n")
		}
		value := s.template(s.mutate(object, 4), nil)
		m, ok := value.(map[string]any)
		if !ok {
			continue
		}
		m["apiVersion"], m["kind"], m["metadata"] = "v1", "Thing", map[string]any{"name": "it"}
		fsys := s.files(value)
		ref, problems := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
		engine, more := render.Compile(ref)
		if len(problems)+len(more) > 0 {
			continue
		}
		loaded++
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		in := Collected{Objects: objects(t, "in.json", string(text))}
		opt := Options{Workers: 1, Accept: &Accept{Extra: s.one(2)}}
		n, left := roundTrip(t, fmt.Sprint("seed ", seed), ref, engine, in, opt)
		accepted += n
		for _, l := range left {
			if l.Path == nil && strings.Contains(l.Message, "check of the template") {
				stayed++
				continue
			}
			t.Errorf("seed %d: left: %s: %s\n%s\n%s\n%s", seed, l.Path, l.Message, fsys["metadata.yaml"].Data, fsys["sub/t.yaml"].Data, text)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d references load; %d overrides; %d findings stay", loaded, rounds, accepted, stayed)
	if accepted < rounds/4 {
		t.Errorf("only %d overrides in %d rounds", accepted, rounds)
	}
}

// roundTrip compares, and compares again with the overrides that accept what was found. It returns how many these are and
// what they leave, and holds the second comparison to that.
func roundTrip(t *testing.T, name string, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options) (int, []NotAccepted) {
	t.Helper()
	first, err := Run(context.Background(), ref, engine, in, opt)
	if err != nil {
		t.Fatal(err)
	}
	var made []refconfig.Override
	var left []NotAccepted
	leftOf := map[manifest.ID]int{}
	for _, c := range first.Comparisons {
		if c.Acceptance == nil {
			continue
		}
		for _, o := range c.Acceptance.Overrides {
			o.Reason, o.File, o.Line = "because", "made.yaml", len(made)+1
			made = append(made, o)
		}
		if c.Outcome != Failed {
			left = append(left, c.Acceptance.Left...)
			leftOf[c.Object] = len(c.Acceptance.Left)
		}
	}
	extra := opt.Accept.Extra
	opt.Overrides, opt.Accept = append(slices.Clone(opt.Overrides), made...), nil
	second, err := Run(context.Background(), ref, engine, in, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range second.Warnings {
		if w.Code == code.OverrideUnused {
			t.Errorf("%s: %s", name, w.Message)
		}
	}
	for i, c := range second.Comparisons {
		n := c.Counts[Drift] + c.Counts[Missing]
		if extra {
			n += c.Counts[Extra]
		}
		was := first.Comparisons[i]
		if n != leftOf[c.Object] || c.Template != was.Template || (c.Outcome == Failed) != (was.Outcome == Failed) {
			t.Errorf("%s: %s: %d findings stay where %d should: %s %v\n%v", name, c.Object, n, leftOf[c.Object], lines(c.Differences), c.Err, made)
		}
	}
	return len(made), left
}

// changed returns the objects of a run with some of their scalars changed or taken away.
func changed(t *testing.T, r *rand.Rand, base *run) []*manifest.Object {
	var all []*manifest.Object
	for i, e := range base.store.distinct {
		value, err := e.decode()
		if err != nil {
			t.Fatal(err)
		}
		copied := tree.Copy(value)
		eachScalar(value, nil, func(path []any, _ any) {
			if p := fieldPath(path); identifies(p) || p[0].Key == "metadata" && len(p) < 3 || r.IntN(6) > 0 {
				return
			}
			if parent, ok := tree.At(copied, fieldPath(path[:len(path)-1])); ok && r.IntN(3) == 0 {
				if m, isMap := parent.(map[string]any); isMap {
					delete(m, path[len(path)-1].(string))
					return
				}
			}
			if _, ok := tree.At(copied, fieldPath(path)); ok {
				put(copied, path, []any{"other", "a.b(c", int64(7), nil, []any{"x"}, map[string]any{"y": "z"}}[r.IntN(6)])
			}
		})
		text, err := json.Marshal(copied)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, objects(t, fmt.Sprintf("%d.json", i), string(text))...)
	}
	return all
}

// TestOverridesOfReferences does the same with the CRs of the examples, and with those for the published references where
// they are at hand: as they are, and with random changes.
func TestOverridesOfReferences(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, c := range []struct {
		reference string
		inputs    []string
	}{
		{"../../examples/quickstart/reference", []string{"../../examples/quickstart/cluster"}},
		{"../../examples/ran-du/reference", []string{"../../examples/ran-du/cluster"}},
		{shared + "references/core", []string{shared + "inputs/core", shared + "inputs/core-defaults"}},
		{shared + "references/hub", []string{shared + "inputs/hub"}},
	} {
		if _, err := os.Stat(c.reference); err != nil {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(c.reference))+"/"+filepath.Base(c.reference), func(t *testing.T) {
			base := loadRun(t, c.reference, c.inputs...)
			ref, engine := load(t, c.reference)
			total := 0
			for round := range 10 {
				in := base.in
				if round > 1 {
					in.Objects = changed(t, rand.New(rand.NewPCG(uint64(round), 5)), base)
				}
				made, left := roundTrip(t, c.reference, ref, engine, in, Options{Accept: &Accept{Extra: round%2 == 1}})
				total += made
				for _, l := range left {
					if !strings.Contains(l.Message, "check of the template") && !strings.Contains(l.Message, "secret data") {
						t.Errorf("round %d: left: %s: %s", round, l.Path, l.Message)
					}
				}
			}
			t.Logf("%d overrides", total)
			if total == 0 {
				t.Error("no override was made")
			}
		})
	}
}
