package refdiff

import (
	"strings"
	"testing"
	"testing/fstest"

	comparing "github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/manifest"
)

// TestNewFindingsAreAnnounced edits templates in every way of a table: if a CR agrees with one version and
// not with the next, there is a change that must be made.
func TestNewFindingsAreAnnounced(t *testing.T) {
	var objects []*manifest.Object
	for _, a := range []string{"", "  a: 0\n", "  a: 1\n", "  a: 2\n", "  a: \"\"\n"} {
		for _, b := range []string{"", "  b: 1\n", "  b: 2\n"} {
			for _, one := range []string{"", "  one: 0\n", "  one: 1\n", "  one: 2\n"} {
				for _, z := range []string{"", "  z: 1\n"} {
					text := "apiVersion: example.com/v1\nkind: Clock\nmetadata: {name: a, namespace: b}\nspec:\n  fixed: 1\n"
					objects = append(objects, given.Objects(t, "in.yaml", text+a+b+one+z)...)
				}
			}
		}
	}
	// Of each expression, FIELD is one of two fields, or both are read.
	expressions := []string{
		"  one: 1\n",
		"  one: 0\n",
		"  one: {{ .spec.FIELD }}\n",
		"  one: {{ .spec.FIELD | default 1 }}\n",
		"  one: {{ .spec.FIELD | default 2 }}\n",
		"  one: {{ .spec.FIELD | toJson }}\n",
		"  z: {{ .spec.z }}{{ if .spec.FIELD }}{{ fail \"no\" }}{{ end }}\n",
		"  one: {{ .spec.one | default 1 }}\n",
		"  {{- if .spec.one }}\n  one: {{ .spec.one }}\n  {{- end }}\n",
		"  {{- if .spec.FIELD }}\n  one: 1\n  {{- end }}\n",
		"  {{- if .spec.FIELD }}\n  one: 1\n  {{- else }}\n  one: 2\n  {{- end }}\n",
		"  {{- with .spec.FIELD }}\n  one: {{ . }}\n  {{- end }}\n",
		"  one: {{ ternary 1 2 (hasKey .spec \"FIELD\") }}\n",
		"  one: {{ .spec.one | default .spec.FIELD }}\n",
		"  one: {{ coalesce .spec.one .spec.FIELD 2 }}\n",
		"  one: {{ dig \"FIELD\" 2 .spec }}\n",
		"  one: {{ len (list .spec.FIELD | compact) }}\n",
		"  one: {{ printf \"%v\" (.spec.FIELD | default 1) | int }}\n",
		"  one: {{ add (.spec.FIELD | default 0) 1 }}\n",
		"  one: {{ add (.spec.a | default 0) (.spec.b | default 1) }}\n",
		"  one: {{ max .spec.FIELD 1 }}\n",
		"  {{- $x := .spec.FIELD }}{{ $y := $x | default 1 }}\n  one: {{ $y }}\n",
		"  {{- $x := 1 }}{{ if .spec.FIELD }}{{ $x = 2 }}{{ end }}\n  one: {{ $x }}\n",
		"  {{- if eq (.spec.FIELD | default 1 | int) 1 }}\n  z: 1\n  {{- end }}\n",
		"  {{- if include \"empty\" .spec.FIELD }}\n  z: 1\n  {{- end }}\n",
		"  {{- if eq (include \"asks\" .) \"yes\" }}\n  z: 1\n  {{- end }}\n",
		"  {{- template \"keys\" . }}\n",
		"  {{- include \"keys\" . }}\n",
		"  one: {{ template \"value\" . }}\n",
		"  one: {{ include \"value\" . }}\n",
		"  one: {{ include \"value\" . | int }}\n",
		"  # {{ .spec.FIELD }}\n",
		"  # {{ if .spec.FIELD }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if .spec.FIELD }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if not .spec.FIELD }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if and .spec.a .spec.b }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if or .spec.a .spec.b }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if eq (.spec.FIELD | default 1 | int) 2 }}{{ doNotMatch \"no\" }}{{ end }}\n",
		"  {{- range $k, $v := .spec }}{{ if eq $k \"FIELD\" }}\n  z: 1\n  {{- end }}{{ end }}\n",
		"  one: {{ coalesce .spec.FIELD 1 }}\n",
		"  one: {{ ternary 1 2 (empty .spec.FIELD) }}\n",
		"  one: {{ and .spec.FIELD 1 }}\n",
		"  one: {{ or .spec.FIELD 1 }}\n",
	}
	const named = `{{- define "empty" }}{{ if . }}1{{ end }}{{ end }}
{{- define "asks" }}{{ if .spec.FIELD }}yes{{ end }}{{ end }}
{{- define "value" }}{{ if .spec.FIELD }}1{{ else }}2{{ end }}{{ end }}
{{- define "keys" }}{{ if .spec.FIELD }}
  one: 1{{ end }}{{ end }}
`
	var all []agreeing
	for _, text := range expressions {
		for _, field := range []string{"a", "b"} {
			text := strings.ReplaceAll(text, "FIELD", field)
			whole := strings.ReplaceAll(named, "FIELD", field) + "apiVersion: example.com/v1\nkind: Clock\n" +
				"metadata: {name: a, namespace: b}\nspec:\n  fixed: 1\n" + text
			all = append(all, agreeingOf(t, text, whole, objects))
		}
	}
	pairs := 0
	for i, old := range all {
		for j, new := range all {
			if isNeighbour := i/2 == j/2; i == j || !isNeighbour && !testkit.Whole() && (i+j)%17 > 0 {
				continue
			}
			pairs += isAnnounced(t, old, new, objects)
		}
	}
	if pairs < 200 {
		t.Errorf("a CR agrees only with the first of %d pairs", pairs)
	}
}

// TestEmptyValuesAreAnnounced does the same for values that a condition and default take for none. The
// versions print the CR's own value in ways that differ for these, and each is compared with each.
func TestEmptyValuesAreAnnounced(t *testing.T) {
	ways := []string{
		"  one: {{ .spec.onePRINT }}\n",
		"  one: {{ .spec.one | default FULLPRINT }}\n",
		"  one: {{ default OTHER .spec.onePRINT }}\n",
		"  one: {{ .spec.one | default EMPTYPRINT }}\n",
		"  one: {{ coalesce .spec.one FULLPRINT }}\n",
		"  one: {{ or .spec.one FULLPRINT }}\n",
		"  one: {{ and .spec.one FULLPRINT }}\n",
		"  one: {{ ternary FULL .spec.one (empty .spec.one)PRINT }}\n",
		"  one: {{ if .spec.one }}{{ .spec.onePRINT }}{{ else }}{{ FULLPRINT }}{{ end }}\n",
		"  one: {{ with .spec.one }}{{ .PRINT }}{{ else }}{{ FULLPRINT }}{{ end }}\n",
		"  {{- $x := .spec.one | default FULL }}\n  one: {{ $xPRINT }}\n",
		"  one: {{ .spec.one | toJson }}\n",
		"  one: {{ .spec.one | default FULL | toJson }}\n",
		"  {{- if .spec.one }}\n  one: {{ FULLPRINT }}\n  {{- end }}\n",
		"  {{- if hasKey .spec \"one\" }}\n  one: {{ FULLPRINT }}\n  {{- end }}\n",
		"  {{- if .spec.one }}\n  one: {{ .spec.onePRINT }}\n  {{- end }}\n",
		"  {{- if not (empty .spec.one) }}\n  one: {{ .spec.onePRINT }}\n  {{- end }}\n",
		"  {{- if and .spec.one .spec }}\n  one: {{ .spec.onePRINT }}\n  {{- end }}\n",
		"  {{- if or .spec.one .spec.one }}\n  one: {{ .spec.onePRINT }}\n  {{- end }}\n",
		"  {{- with .spec.one }}\n  one: {{ .PRINT }}\n  {{- end }}\n",
		"  {{- if hasKey .spec \"one\" }}\n  one: {{ .spec.onePRINT }}\n  {{- end }}\n",
		"  {{- if hasKey .spec \"one\" }}\n  one: {{ .spec.one | default FULLPRINT }}\n  {{- end }}\n",
		"  {{- if ne .spec.one nil }}\n  one: {{ .spec.onePRINT }}\n  {{- end }}\n",
		"",
	}
	for _, c := range []struct {
		name, empty, full, other string   // as arguments of a function
		print                    string   // how a value is printed
		values                   []string // of CRs
	}{
		{"integer", "0", "1", "2", "", []string{"0", "1", "2"}},
		{"text", `""`, `"a"`, `"b"`, " | quote", []string{`""`, "a", "b"}},
		{"boolean", "false", "true", "true", "", []string{"false", "true"}},
		{"list", "list", "(list 1)", "(list 2)", " | toJson", []string{"[]", "[1]", "[2]"}},
		{"map", "dict", `(dict "k" 1)`, `(dict "k" 2)`, " | toJson", []string{"{}", "{k: 1}", "{k: 2}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const head = "apiVersion: example.com/v1\nkind: Clock\nmetadata: {name: a, namespace: b}\nspec:\n  fixed: 1\n"
			objects := given.Objects(t, "in.yaml", head)
			for _, value := range c.values {
				objects = append(objects, given.Objects(t, "in.yaml", head+"  one: "+value+"\n")...)
			}
			var all []agreeing
			for _, way := range ways {
				text := strings.NewReplacer("EMPTY", c.empty, "FULL", c.full, "OTHER", c.other, "PRINT", c.print).Replace(way)
				all = append(all, agreeingOf(t, text, head+text, objects))
			}
			pairs := 0
			for i, old := range all {
				for j, new := range all {
					if testkit.Whole() || (i+j)%3 == 0 {
						pairs += isAnnounced(t, old, new, objects)
					}
				}
			}
			if pairs < 30 {
				t.Errorf("a CR agrees only with the first of %d pairs", pairs)
			}
		})
	}
}

// agreeing is a version of a reference with one template.
type agreeing struct {
	Version
	text   string // what makes it differ from the others
	agrees []bool // with each CR
}

// agreeingOf compares CRs with a template, the whole of it, that ignores other fields of the CRs.
func agreeingOf(t *testing.T, text, whole string, objects []*manifest.Object) agreeing {
	v := agreeing{text: text, Version: version(t, fstest.MapFS{
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: " +
			"[{path: t.yaml, config: {ignore-unspecified-fields: true}}]}]}]\n")},
		"t.yaml": {Data: []byte(whole)},
	}, "ref")}
	for _, o := range objects {
		in := comparing.Collected{Objects: []*manifest.Object{o}}
		run, err := comparing.Run(t.Context(), v.Ref, v.Engine, in, comparing.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v.agrees = append(v.agrees, len((&Diff{}).findings(run, nil)) == 0)
	}
	return v
}

// isAnnounced checks that something must change if a CR agrees with the old version and not with the new
// one. It returns 1 for such a pair of versions, else 0.
func isAnnounced(t *testing.T, old, new agreeing, objects []*manifest.Object) int {
	for k := range objects {
		if !old.agrees[k] || new.agrees[k] {
			continue
		}
		d, err := Of(t.Context(), old.Version, new.Version)
		if err != nil {
			t.Fatal(err)
		}
		if content, _ := objects[k].Decode(); d.Summary.Must == 0 {
			t.Errorf("%s%s%v agrees only with the first, and nothing must change: %v", old.text, new.text, content["spec"], d.Changes)
		}
		return 1
	}
	return 0
}
