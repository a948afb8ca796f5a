package placeholder_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/text/placeholder"
)

// marked puts the placeholders of a text between guillemets.
func marked(text string) string {
	var out strings.Builder
	for _, p := range placeholder.Cut(text) {
		if p.Open {
			p.Text = "«" + p.Text + "»"
		}
		out.WriteString(p.Text)
	}
	return out.String()
}

func TestCut(t *testing.T) {
	for _, want := range []string{
		"plain", "«$name»", "a-«$name»-b", "«${NAME}»", "«${NAME:-none}»", "«{{ .x }}»«{{ .y }}»", "«{{hub .x hub}}»",
		"tcp://«$kafka»-server:9092", "«$_a1»-b$", "$1", "$$name", "$(NAME)", "${}", "${a{b}", "${a", "{{ never closed", "}}",
		"«{{ if .x }}a{{ else }}b{{ end }}» and «{{ .y }}»", "«{{- /* a comment */ -}}»", "«{{ if .x }}»a",
		"first $a\nsecond ${B} «{{ .c }}»", "«$last»\n",
		"[main]\n[«$iface»]\ncpus=[«$cpus»]\n  a = [«$b»] \n", "a\n[$b] c\n", "a\nif [ $b ]\n", "a\nx[$b]\n", "a\n${c[$d]}\n", "a\n[$b\n]\n", "a\n[]$b\n",
	} {
		if got := marked(strings.NewReplacer("«", "", "»", "").Replace(want)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWhole(t *testing.T) {
	for text, want := range map[string]bool{"$a": true, " {{ .a }}\n": true, "{{ .a }}{{ .b }}": true, "{{ if .x }}a{{ end }}": true, "${{A}}": true, "": false,
		"a": false, "a$b": false, "$b.c": false, "{{ .a }}-b": false} {
		if got := placeholder.Whole(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !placeholder.Within(map[string]any{"a": []any{1, "x-$b"}}) || !placeholder.Within(map[string]any{"$k": 1}) ||
		placeholder.Within([]any{"a", 1, nil}) {
		t.Error("what lies below a value is not seen")
	}
}

func TestMeets(t *testing.T) {
	for _, c := range []struct {
		text, glob string
		want       bool
	}{
		{"$name", "cluster", true}, {"pool-$n", "pool-7", true}, {"pool-$n", "cluster", false}, {"pool-$n", "pool-", true}, {"$n-pool", "a-pool", true},
		{"$n-pool", "a-pool-b", false}, {"a-$x-b", "*-b", true}, {"a-$x", "*-b", true}, {"a-$x.c", "*-b", false}, {"a-$x-b", "c-*", false}, {"a", "a", true},
		{"a", "b", false}, {"$a", "", true}, {"a$b", "", false},
	} {
		if got := placeholder.MayMatch(c.text, c.glob); got != c.want {
			t.Errorf("%q and %q: %v", c.text, c.glob, got)
		}
	}
}

func TestReadings(t *testing.T) {
	text := strings.Join(
		[]string{
			"{{- if .x }}",
			"a: {{ .a }} # {{ \"b\" }}",
			"s: |",
			"  {{ if .kept }}",
			"  $kept {{ .kept }}",
			"{{ end }}",
			"  still the text",
			"m:",
			"  {{ toYaml .m }}",
			"l: [ ${L} ]",
			"two: {{ printf `",
			"  }} ` }}",
			"last: 1",
			"{{- end }}",
			"",
		},
		"\n",
	)
	var got []string
	for _, r := range placeholder.Readings([]byte(text)) {
		if bytes.Count(r, []byte("\n")) != strings.Count(text, "\n") {
			t.Errorf("a reading has other lines:\n%s", r)
		}
		if bytes.Contains(r, []byte("toYaml")) || bytes.Contains(r, []byte("${L}")) {
			t.Errorf("a placeholder still stands there:\n%s", r)
		}
		got = append(got, placeholder.Restore(string(r)))
	}
	first := strings.Join(
		[]string{
			"",
			"a: {{ .a }} # {{ \"b\" }}",
			"s: |",
			"  {{ if .kept }}",
			"  $kept {{ .kept }}",
			"",
			"  still the text",
			"m:",
			"  {{ toYaml .m }}",
			"l: [ ${L} ]",
			"two: {{ printf `\n  }} ` }}",
			"",
			"last: 1",
			"",
			"",
		},
		"\n",
	)
	want := []string{
		first,
		strings.Replace(first, "toYaml .m }}", "toYaml .m }}:", 1),
		strings.Replace(first, "  {{ toYaml .m }}", "", 1),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if all := placeholder.Readings([]byte("a: $b\n")); all != nil {
		t.Errorf("what is YAML anyway has readings: %q", all)
	}
}

// No reading may lose or add a line, and the pieces of a text must add up to the text.
func FuzzReadings(f *testing.F) {
	for _, seed := range []string{"", "a: {{ .b }}\n", "{{ if x }}\n{{\n}}\n", "a: |\n {{\n}}\n", "${ ${a} $b$$c", "{{if}}{{end}}{{if}}", "\r\n{{}}\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := ""
		for _, p := range placeholder.Cut(text) {
			all += p.Text
		}
		if all != text {
			t.Errorf("%q became %q", text, all)
		}
		for _, r := range placeholder.Readings([]byte(text)) {
			if got, want := bytes.Count(r, []byte("\n")), strings.Count(text, "\n"); got != want {
				t.Errorf("%q: %d line breaks, not %d: %q", text, got, want, r)
			}
		}
	})
}
