package compare

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// maker makes random objects, and templates that they match. It makes the same for the same seed.
type maker struct {
	*rand.Rand
}

func (g *maker) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *maker) scalar() any {
	switch g.IntN(8) {
	case 0:
		return int64(g.IntN(5) - 1)
	case 1:
		return g.IntN(2) == 0
	case 2:
		return 0.5 + float64(g.IntN(3))
	case 3:
		return g.one(
			"yes",
			"1",
			"08",
			"null",
			"~",
			"a: b",
			"x #y",
			"- z",
			"{}",
			"",
			" ",
			"1e3",
			"0x1F",
			"*x",
			"\"q\"",
			"it's",
			"{{ .x }}",
			"vtHeld0X",
		)
	case 4:
		return g.one("two\nlines", "end\n", "\ttab", "ü—界", "a\\nb", "\u0001", "trailing ", "👍", "p-1\n\n")
	}
	return g.one("web", "db", "10Gi", "eth0", "0-3,8", "registry/x:1.2")
}

func (g *maker) key() string {
	return g.one(
		"a",
		"b",
		"name",
		"spec",
		"image",
		"args",
		"x1",
		"replicas",
		"example.com/k",
		"on",
		"5",
		"a b",
		"q\"q",
		"{{",
		"-",
		"#c",
		"ü",
	)
}

func (g *maker) value(depth int) any {
	switch k := g.IntN(6); {
	case depth > 0 && k < 2:
		return g.mapping(depth - 1)
	case depth > 0 && k == 2:
		return g.items(depth - 1)
	}
	return g.scalar()
}

func (g *maker) mapping(depth int) map[string]any {
	m := map[string]any{}
	for range g.IntN(5) {
		m[g.key()] = g.value(depth)
	}
	return m
}

// items makes a list of scalars, of maps with the same keys, or of anything.
func (g *maker) items(depth int) []any {
	l := []any{}
	kind, keys := g.IntN(3), []string{"name", g.key(), g.key()}
	for range g.IntN(4) {
		switch kind {
		case 0:
			l = append(l, g.scalar())
		case 1:
			m := map[string]any{}
			for _, k := range keys {
				m[k] = g.scalar()
			}
			l = append(l, m)
		default:
			l = append(l, g.value(depth))
		}
	}
	return l
}

// object makes an object.
func (g *maker) object() map[string]any {
	o := g.mapping(3)
	for _, k := range []string{"spec", "data"} {
		o[k] = g.mapping(3)
	}
	o["apiVersion"], o["kind"] = "v1", "Thing"
	o["metadata"] = map[string]any{"name": "x", "labels": g.mapping(0), "uid": "u-1"}
	return o
}

// template writes a template that the object matches, without some of its fields.
func (g *maker) template(o map[string]any) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Thing\nmetadata:\n  name: x\n")
	if labels := tree.Copy(o["metadata"]).(map[string]any)["labels"]; g.IntN(2) == 0 {
		g.field(&b, "  ", "labels", labels, ".metadata.labels")
	}
	for _, k := range tree.Keys(o) {
		switch k {
		case "apiVersion", "kind", "metadata":
		default:
			if g.IntN(12) > 0 {
				g.field(&b, "", k, o[k], access("", k))
			}
		}
	}
	return b.String()
}

// access returns the expression for a key of a map.
func access(of, key string) string {
	if regexp.MustCompile(`^[a-z]\w*$`).MatchString(key) && !strings.HasPrefix(of, "(") {
		return of + "." + key
	}
	if of == "" {
		of = "."
	}
	return fmt.Sprintf("(index %s %s)", of, inJSON(key))
}

func inJSON(v any) string { text, _ := json.Marshal(v); return string(text) }

// literal writes a value into a template as it is, and escapes braces that would begin an action.
func literal(v any) string { return strings.ReplaceAll(inJSON(v), "{{", `{{"{{"}}`) }

// field writes a key and its value. The expression yields the value of the object.
func (g *maker) field(b *strings.Builder, indent, key string, v any, expression string) {
	label := indent + literal(key) + ":"
	switch v := v.(type) {
	case map[string]any:
		g.mapField(b, indent, label, v, expression)
	case []any:
		g.listField(b, indent, label, v, expression)
	default:
		fmt.Fprintf(b, "%s %s\n", label, g.scalarText(v, expression))
	}
}

func (g *maker) scalarText(v any, expression string) string {
	s, isText := v.(string)
	full := v != nil && v != "" && v != false && v != int64(0)
	if strings.Contains(s, "\n") { // printed as it is, a text of several lines is read as YAML
		return g.one(
			literal(v), fmt.Sprintf("{{ %s | quote }}", expression), fmt.Sprintf("{{ %s | toJson }}", expression),
		)
	}
	switch k := g.IntN(9); {
	case k < 2:
		return literal(v)
	case k == 2 && full:
		return fmt.Sprintf("{{ %s | default 7 }}", expression)
	case k == 3 && isText:
		return fmt.Sprintf("{{ %s | quote }}", expression)
	case k == 4 && isText && strings.HasPrefix(s, "registry/"):
		return fmt.Sprintf(`registry/{{ %s | trimPrefix "registry/" }}`, expression)
	case k == 5:
		return fmt.Sprintf("{{ %s | toJson }}", expression)
	case k == 6 && v != nil:
		return fmt.Sprintf(
			"{{ if eq %s %s }}{{ %s }}{{ else }}other{{ end }}",
			expression,
			strings.ReplaceAll(inJSON(v), "\\u0026", "&"),
			expression,
		)
	case k == 7 && full:
		return fmt.Sprintf("{{ coalesce %s %s }}", expression, expression)
	}
	return fmt.Sprintf("{{ %s }}", expression)
}

func (g *maker) mapField(b *strings.Builder, indent, label string, m map[string]any, expression string) {
	switch k := g.IntN(8); {
	case len(m) == 0, k == 0:
		fmt.Fprintf(b, "%s %s\n", label, literal(m))
	case k == 1:
		fmt.Fprintf(b, "%s\n{{ %s | toYaml | indent %d }}\n", label, expression, len(indent)+2)
	case k == 2:
		fmt.Fprintf(b, "%s {{- %s | toYaml | nindent %d }}\n", label, expression, len(indent)+2)
	case k == 3:
		fmt.Fprintf(b, "{{- with %s }}\n%s\n", expression, label)
		g.fields(b, indent+"  ", m, "")
		b.WriteString("{{- end }}\n")
	case k == 4:
		fmt.Fprintf(b, "{{- if %s }}\n%s\n", expression, label)
		g.fields(b, indent+"  ", m, expression)
		b.WriteString("{{- end }}\n")
	default:
		b.WriteString(label + "\n")
		g.fields(b, indent+"  ", m, expression)
	}
}

// fields writes the keys of a map, at least one of them.
func (g *maker) fields(b *strings.Builder, indent string, m map[string]any, expression string) {
	for i, k := range tree.Keys(m) {
		if i == 0 || g.IntN(12) > 0 {
			g.field(b, indent, k, m[k], access(expression, k))
		}
	}
}

func (g *maker) listField(b *strings.Builder, indent, label string, l []any, expression string) {
	switch k := g.IntN(6); {
	case len(l) == 0, k == 0:
		fmt.Fprintf(b, "%s %s\n", label, literal(l))
	case k == 1:
		fmt.Fprintf(b, "%s {{ %s | toJson }}\n", label, expression)
	case k == 2:
		fmt.Fprintf(b, "%s\n{{- range %s }}\n%s- {{ . | toJson }}\n{{- end }}\n", label, expression, indent)
	case k == 3 && uniformMaps(l):
		fmt.Fprintf(b, "%s\n{{- range $i, $x := %s }}\n%s- {{ $_ := $i }}\n", label, expression, indent)
		for _, k := range tree.Keys(l[0].(map[string]any)) {
			print := access("$x", k)
			if text := inJSON(l); strings.Contains(text, `\n`) ||
				strings.Count(text, "[{")+strings.Count(text, ",{") < strings.Count(text, "{") ||
				strings.Count(text, "[") > 1 {
				print += " | toJson"
			}
			fmt.Fprintf(b, "%s  %s: {{ %s }}\n", indent, literal(k), print)
		}
		b.WriteString("{{- end }}\n")
	default:
		b.WriteString(label + "\n")
		for i, x := range l {
			item := fmt.Sprintf("(index %s %d)", expression, i)
			if m, ok := x.(map[string]any); ok && len(m) > 0 {
				fmt.Fprintf(b, "%s-\n", indent)
				g.fields(b, indent+"  ", m, item)
				continue
			}
			if _, ok := x.([]any); ok || x == nil {
				fmt.Fprintf(b, "%s- %s\n", indent, literal(x))
				continue
			}
			fmt.Fprintf(b, "%s- %s\n", indent, g.itemText(x, item))
		}
	}
}

func (g *maker) itemText(x any, item string) string {
	if m, ok := x.(map[string]any); ok {
		return literal(m)
	}
	return g.scalarText(x, item)
}

func uniformMaps(l []any) bool {
	first, ok := l[0].(map[string]any)
	for _, x := range l {
		m, isMap := x.(map[string]any)
		ok = ok && isMap && len(m) == len(first)
		for k := range m {
			_, both := first[k]
			ok = ok && both
		}
	}
	return ok && len(first) > 0
}

// metadata writes the metadata of the reference, which omits some fields of the object.
func (g *maker) metadata(o map[string]any) string {
	entries := []string{`{pathToKey: metadata.uid}`}
	for path, v := range tree.Leaves(o) {
		switch v.(type) {
		case map[string]any, []any: // empty
			continue
		}
		if g.IntN(10) == 0 && !identifies(path) {
			p := slices.Clone(path)
			if at := g.IntN(len(p)); g.IntN(3) == 0 && at > 0 && p[0].Key != "metadata" {
				p[at] = refconfig.Step{Index: -1, Any: true}
			}
			entries = append(entries, fmt.Sprintf(
				"{pathToKey: %s, isPrefix: %v}",
				inJSON(p.String()),
				g.IntN(4) == 0 && p[0].Key != "metadata" && len(p) > 1,
			))
		}
	}
	return fmt.Sprintf(
		"apiVersion: v2\nfieldsToOmit: {defaultOmitRef: d, items: {d: [%s]}}\nparts: [{name: p, components: [{name: c, allOf: "+
			"[{path: t.yaml, config: {ignore-unspecified-fields: %v}}]}]}]\n",
		strings.Join(entries, ", "),
		g.IntN(4) == 0,
	)
}

// made returns a reference and a run with an object that matches it.
func (g *maker) made(t *testing.T) (files fstest.MapFS, r *run) {
	t.Helper()
	o := g.object()
	files = fstest.MapFS{"metadata.yaml": {Data: []byte(g.metadata(o))}, "t.yaml": {Data: []byte(g.template(o))}}
	ref, engine := given.Load(t, files, "")
	c := manifest.Read("in.yaml", "", []byte(tree.YAML(o)), manifest.Hints{})
	if len(c.Objects) != 1 {
		t.Fatalf("%+v\n%s", c, tree.YAML(o))
	}
	return files, newRun(t.Context(), ref, engine, Collected{Objects: c.Objects}, Options{})
}

// TestMadeUpReferences audits random objects against random templates that they match.
func TestMadeUpReferences(t *testing.T) {
	a := newAudit(t, nil, 11)
	seeds := uint64(testkit.Tries(60))
	for seed := range seeds {
		g := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
		files, r := g.made(t)
		a.run = r
		e := r.comparer.store.distinct[0]
		c := r.compare(e).comparison
		if c == nil || c.Result.Severity() > finding.OnlyExtra.Severity() {
			v, _ := e.decode()
			t.Errorf(
				"seed %d: %+v\n%s\n%s\n%s\n%s",
				seed,
				c.Error,
				lines(c.differences),
				files["metadata.yaml"].Data,
				files["t.yaml"].Data,
				tree.YAML(v),
			)
			return
		}
		failed := a.failed
		a.object(e)
		if a.failed > failed {
			t.Errorf("seed %d\n%s\n%s", seed, files["metadata.yaml"].Data, files["t.yaml"].Data)
			return
		}
	}
	a.print(50 * int(seeds))
}
