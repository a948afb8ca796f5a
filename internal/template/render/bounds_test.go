package render_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// A template that exhausts memory or stack, or never ends, must end in an error on the object.
func TestCallsAreBounded(t *testing.T) {
	own := `{{ $d := dict }}{{ $_ := set $d "x" (list $d) }}`
	double := `{{ $s := "xxxxxxxx" }}{{ $l := list 1 }}{{ range until 60 }}`
	for _, c := range []struct {
		template string
		want     code.Code
	}{
		{`{{ repeat 100000000000 "x" }}`, code.LimitOutput},
		{`{{ repeat 9223372036854775807 "xx" }}`, code.LimitOutput},
		{`{{ len (until 1000000000) }}`, code.LimitOutput},
		{`{{ until -1000000000 }}`, code.LimitOutput},
		{`{{ untilStep 0 9223372036854775807 4611686018427387904 }}`, code.LimitOutput},
		{`{{ untilStep 0 -9223372036854775807 -4611686018427387904 }}`, code.LimitOutput},
		{`{{ seq 1 1 10000000000 }}`, code.LimitOutput},
		{`{{ seq 10000000000 }}`, code.LimitOutput},
		{`{{ seq 0 -10000000000 }}`, code.LimitOutput},
		{`{{ indent 100000000000 "x" }}`, code.LimitOutput},
		{`{{ nindent 10000 (repeat 10000 "\n") }}`, code.LimitOutput},
		{`{{ randAlpha 100000000000 }}`, code.LimitOutput},
		{`{{ randBytes 100000000000 }}`, code.LimitOutput},
		{`{{ replace "" (repeat 100000 "x") (repeat 10000 "x") }}`, code.LimitOutput},
		{`{{ regexReplaceAll "x" (repeat 100000 "x") (repeat 10000 "y") }}`, code.LimitOutput},
		{`{{ regexReplaceAll ".*" (repeat 100000 "x") (repeat 1000 "$0") }}`, code.LimitOutput},
		{`{{ join (repeat 10000 "x") (until 10000) }}`, code.LimitOutput},
		{`{{ wrapWith 1 (repeat 10000 "x") (repeat 10000 "x ") }}`, code.LimitOutput},
		{`{{ printf (repeat 1000 "%999999d") 1 }}`, code.LimitOutput},
		{`{{ printf (repeat 1000 "%[1]s") (repeat 100000 "x") }}`, code.LimitOutput},
		{`{{ printf (repeat 100 "%*d") 1 }}`, code.LimitOutput},
		{`{{ splitList "" (repeat 10000000 "x") }}`, code.LimitOutput},
		{`{{ $l := until 1000000 }}{{ without $l ` + strings.Repeat("1 ", 50) + `}}`, code.LimitOutput},
		{`{{ trimAll (repeat 1000000 "é") (repeat 1000000 "x") }}`, code.LimitOutput},
		{`{{ regexMatch (repeat 100 "(a|b)*c") (repeat 3000000 "ab") }}`, code.LimitOutput},
		{`{{ regexReplaceAll (print "a.*x|b" (repeat 5000 "|q")) (repeat 100000 "ab") "y" }}`, code.LimitOutput},
		{own + `{{ $d }}`, code.LimitNesting},
		{own + `{{ toYaml $d }}`, code.LimitNesting},
		{own + `{{ toJson $d }}`, code.LimitNesting},
		{own + `{{ toToml $d }}`, code.LimitNesting},
		{own + `{{ deepCopy $d }}`, code.LimitNesting},
		{own + `{{ merge (dict) $d }}`, code.LimitNesting},
		{own + `{{ quote $d }}`, code.LimitNesting},
		{`{{ $_ := set . "x" . }}{{ toYaml . }}`, code.LimitNesting},
		{double + `{{ $s = printf "%s%s" $s $s }}{{ end }}`, code.LimitOutput},
		{double + `{{ $s = cat $s $s }}{{ end }}`, code.LimitOutput},
		{`{{ $l := until 3000000 }}{{ concat $l $l }}`, code.LimitOutput},
		{double + `{{ $l = list $l $l }}{{ end }}{{ $l }}`, code.LimitValues},
		{double + `{{ $l = list $l $l }}{{ end }}{{ toJson $l }}`, code.LimitValues},
		{`{{ range until 3 }}{{ genPrivateKey "none" }}{{ end }}`, ""},
		{`{{ define "x" }}{{ . }}{{ end }}{{ $s := repeat 10000000 "x" }}{{ range until 1000 }}{{ $_ := include "x" $s }}{{ end }}`, code.LimitOutput},
		{`{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}`, code.LimitCalls},
		{`{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}`, code.LimitCalls},
		{`{{ range until 100000 }}{{ if and ` + strings.Repeat("$ ", 1000) + `}}{{ end }}{{ end }}`, code.LimitSteps},
		{`{{ range until 100000 }}{{ if $` + strings.Repeat(".a", 1000) + ` }}{{ end }}{{ end }}`, code.LimitSteps},
		{`{{ range until 100000 }}{{ if ` + strings.Repeat("(", 1000) + "$" + strings.Repeat(")", 1000) + ` }}{{ end }}{{ end }}`, code.LimitSteps},
		{`{{ $x := $` + strings.Repeat(".a", 10_000) + ` }}{{ range until 1000 }}{{ $x }}{{ end }}`, code.LimitOutput},
		{own + `{{ hasKey $d "x" }}{{ kindOf $d }}{{ len $d.x }}`, ""},
		{`{{ $l := list }}{{ range until 500 }}{{ $l = append $l . }}{{ end }}{{ len (uniq $l) }}`, ""},
		{`{{ untilStep 0 5 0 }}{{ seq }}{{ seq 2 1 9 }}{{ untilStep 9 0 -3 }}`, ""},
		{`{{ regexReplaceAll "a(b)" "abc" "${1}$1" }}{{ printf "%5s|%-3d|%[1]v" "x" 1 }}`, ""},
	} {
		t.Run(c.template, func(t *testing.T) {
			t.Parallel()
			_, err := compile(
				t, header+"# "+strings.ReplaceAll(c.template, "\n", " "),
			).Execute(object(t, "{a: {b: 1}, s: x}"), render.Options{})
			var e *render.Error
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (!errors.As(err, &e) || e.Code != c.want || !strings.HasPrefix(e.At.String(), "ref/t.yaml:5:")):
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// Results that depend on the order of keys must be the same every time.
func TestMapsHaveAnOrder(t *testing.T) {
	template := compile(
		t,
		header+`v: {{ keys .m | join "" }}{{ values .m | join "" }}{{ keys .m .m | first }}{{ toJson .m | len }}{{ .m }}`,
	)
	for range 30 {
		r, err := template.Execute(object(t, "m: {d: 4, a: 1, c: 3, b: 2, e: 5}"), render.Options{})
		if want := "abcde12345a31map[a:1 b:2 c:3 d:4 e:5]"; err != nil || r.Value["v"] != want {
			t.Fatalf("%v %v", r.Value["v"], err)
		}
	}
}

// A function that changes its argument must change a copy, however the template reaches it.
func TestNoTemplateChangesTheObject(t *testing.T) {
	for _, template := range []string{
		`{{ $_ := set .a "b" 2 }}`, `{{ $_ := unset .a "b" }}`, `{{ $_ := merge .a (dict "n" 1) }}`, `{{ $_ := mergeOverwrite .a (dict "b" 3) }}`,
		`{{ $m := dict }}{{ $_ := merge $m . }}{{ $_ := set $m.a "b" 2 }}`,
		`{{ define "x" }}{{ $_ := set . "b" 2 }}{{ end }}{{ template "x" .a }}`,
		`{{ define "x" }}{{ $_ := set . "b" 2 }}{{ end }}{{ include "x" .a }}`,
		`{{ define "x" }}{{ $_ := set . "b" 2 }}{{ end }}{{ $n := print "" "x" }}{{ include $n .a }}`,
		`{{ define "x" }}{{ $_ := set . "b" 2 }}{{ end }}{{ $a := .a }}{{ with (print "" "x") }}{{ include . $a }}{{ end }}`,
		`{{ define "x" }}{{ include . . }}{{ end }}{{ define "set" }}{{ $_ := set $.a "b" 2 }}{{ end }}{{ include (lower "SET") . }}`,
		`{{ $l := .l }}{{ $_ := sortAlpha $l }}{{ $_ := reverse $l }}{{ $_ := append $l 1 }}{{ $_ := initial $l }}{{ $_ := push (rest $l) 7 }}{{ $_ := without $l "a" }}`,
		`{{ $_ := set (first .maps) "x" 1 }}`, `{{ range .maps }}{{ $_ := set . "x" 1 }}{{ end }}`, `{{ $_ := omit .a "b" }}{{ $_ := pick .a "b" }}{{ $_ := values .a }}`,
	} {
		in := object(t, "{a: {b: 1}, s: x, l: [c, b, a], maps: [{k: v}]}")
		before := tree.Copy(in)
		if _, err := compile(t, header+"# "+template).Execute(in, render.Options{}); err != nil {
			t.Errorf("%s: %v", template, err)
		}
		if !tree.Equal(before, in) {
			t.Errorf("%s changed the object to %v", template, in)
		}
	}
}

// A template must not change the objects that a lookup returns, because all CRs share them.
func TestNoTemplateChangesWhatItLooksUp(t *testing.T) {
	for _, template := range []string{
		`{{ $_ := set (lookupCR "v1" "Thing" "" "x").a "b" 2 }}`, `{{ range lookupCRs "v1" "Thing" "" "" }}{{ $_ := unset .a "b" }}{{ end }}`,
		`{{ $o := lookupCR "v1" "Thing" "" "x" }}{{ $_ := mergeOverwrite $o.a (dict "b" 3) }}`,
		`{{ define "x" }}{{ $_ := set . "b" 2 }}{{ end }}{{ include "x" (lookupCR "v1" "Thing" "" "x").a }}`,
		`{{ $_ := set (oldCR).a "b" 2 }}`,
	} {
		other := object(t, "{a: {b: 1}}")
		before := tree.Copy(other)
		opt := render.Options{
			Lookup: func(_, _, _, _ string) []map[string]any { return []map[string]any{other} },
			Old:    func() map[string]any { return other },
		}
		if _, err := compile(t, header+"# "+template).Execute(object(t, "{s: x}"), opt); err != nil {
			t.Errorf("%s: %v", template, err)
		}
		if !tree.Equal(before, other) {
			t.Errorf("%s changed what it looked up to %v", template, other)
		}
	}
}

// An execution must not panic, exceed its limits or change the object. It must give the same result
// every time, and each leaf of its value must have a note.
func FuzzTemplate(f *testing.F) {
	for _, seed := range [][2]string{
		{"v: {{ .a.b }}", "a: {b: 1}"}, {"v:\n  {{- .a | toYaml | nindent 2 }}", "a: {b: [1, {c: x}]}"},
		{"{{ range $i, $x := .l }}\nk{{ $i }}: {{ $x | quote }}{{ else }}none: true{{ end }}", "l: [1, a: b]"},
		{`{{ with .a }}v: [{{ .b }}, "{{ .c }}"]{{ end }} # {{ .d }}`, "a: {b: '4', c: 5}"}, {`{{ fail "no" }}{{ doNotMatch "x" }}`, "{}"},
		{`{{ define "n" }}{{ . }}: 1{{ end }}{{ template "n" .s }}` + "\n" + `{{ include "n" (index .l 0) }}`, "{s: x, l: [y]}"},
		{`v: {{ lookupCR "v1" "Thing" "*" "*" | toJson }}{{ (lookupCRs "v1" "Thing" "" "").x }}`, "{}"},
		{`{{ $d := dict "a" .s }}{{ $_ := set $d "b" $d.a }}v: {{ $d.b }}{{ $d | toYaml }}`, "s: yes"},
		{"v: |\n  {{ .s }}\nw: >-\n  {{ .s | default 3 }}{{ break }}", "s: \"a\\n\\n b\""}, {"{{ if and .a (not .b) }}{{ .a }}: {{ .a }}{{ end }}", "{a: on, b: off}"},
		{`v: {{ ternary .a .b (eq 1 2.0) }}{{ coalesce .x .y }}{{ cpuSetSize .s }}{{ maxListLength 1 .l }}`, "{s: 0-3, l: [1, 2]}"},
		{`v: {{ semver .s }}{{ now | date "2006" }}{{ .s | regexFind "[0-9]+" | int | add 1 }}`, "s: 4.16.1"},
		{"{{ range until 3 }}{{ if . }}{{ continue }}{{ end }}k: {{ . }}\n{{ end }}", "{}"}, {"vtHeld0X: {{ .a }}vtHeldQ", "a: vtHeld1X"},
		{"a: &x {{ .a }}\nb: *x\n<<: {{ .m | toJson }}\n---\n", "{a: 1, m: {k: v}}"}, {"? {{ .a }}\n: - {{ .b }}\n  - !!str {{ .b }}", "{a: 1, b: 2}"},
		{":{{$}}\xfe", "000"}, {"kind: {{ .a }}\xff", "a: x"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, template, input string) {
		docs, err := kubeyaml.Parse([]byte(input))
		if err != nil || len(docs) != 1 || len(template) > 4<<10 {
			return
		}
		in, _ := docs[0].Value().(map[string]any)
		for _, text := range []string{template, header + template} {
			if compiled, ok := tryCompile(text); ok {
				checkExecution(t, compiled, text, in)
			}
		}
	})
}

func tryCompile(text string) (*render.Template, bool) {
	e, problems := render.Compile(context.Background(), reference(text))
	for _, p := range problems {
		if p.Message == "" || p.Code == "" || p.Place.File == "" || p.Place.Line < 1 {
			panic(p)
		}
	}
	if len(problems) > 0 {
		return nil, false
	}
	return e.Templates()[0], true
}

func checkExecution(t *testing.T, template *render.Template, text string, in map[string]any) {
	t.Helper()
	before := tree.Copy(in)
	opt := render.Options{Lookup: func(_, _, _, _ string) []map[string]any { return []map[string]any{in} }}
	first, err := template.Execute(in, opt)
	if !tree.Equal(before, in) {
		t.Fatalf("the object was changed to %v", in)
	}
	var e *render.Error
	var refused *render.Refused
	if err != nil && !errors.As(err, &refused) &&
		(!errors.As(err, &e) || e.Code == "" || e.Message == "" || !strings.HasPrefix(e.At.String(), "ref/t.yaml:")) {
		t.Fatalf("%T %v", err, err)
	}
	if err == nil {
		checkNode(t, first.Value, first.Node)
	}
	if isRandom(text) {
		return
	}
	second, again := template.Execute(in, opt)
	if (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() ||
		!tree.Equal(first.Value, second.Value) {
		t.Fatalf("the second time: %v %v\nthe first: %v %v", second.Value, again, first.Value, err)
	}
}

// isRandom reports whether a template may call a function with random results.
func isRandom(text string) bool {
	for _, s := range []string{"rand", "now", "ago", "uuid", "gen", "shuffle", "crypt", "htpasswd", "date", "Date", "duration", "AES", "Cert"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// checkNode checks that a node has the value of its children, and a note at every leaf.
func checkNode(t *testing.T, value any, n *provenance.Node) {
	t.Helper()
	if !tree.Equal(value, n.Value()) {
		t.Fatalf("%v is beside %v", value, n.Value())
	}
	m, _ := value.(map[string]any)
	for k, x := range m {
		checkNode(t, x, n.Child(k))
	}
	l, _ := value.([]any)
	for i, x := range l {
		checkNode(t, x, n.Item(i))
	}
	note, whole := n.Note()
	if whole != (len(m)+len(l) == 0) || note.Finding != nil && (note.Finding.Code == "" || note.Finding.Message == "") ||
		note.Print < 0 {
		t.Fatalf("%v has the note %+v as a whole: %v", value, note, whole)
	}
}
