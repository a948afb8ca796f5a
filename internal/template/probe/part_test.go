package probe_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/template/probe"
)

// listed are the parts below a part, a line each: the key, what stands there, and the conditions.
func listed(p *probe.Part, depth int) (lines []string) {
	for _, b := range p.Below {
		line := strings.Repeat("  ", depth) + b.Key
		if b.Item {
			line += "-"
		}
		if len(b.Below) == 0 {
			line += fmt.Sprintf(" = %q", b.Text())
		}
		if !b.Fixed {
			line += " open"
		}
		for _, w := range b.When {
			line += " | " + w.Text
		}
		lines = append(append(lines, line), listed(b, depth+1)...)
	}
	return lines
}

// pipes are the actions below a part of which a value consists, with the fields that they print as they
// are, in their order.
func pipes(p *probe.Part) (all []string) {
	if p.Pipe != "" {
		all = append(all, fmt.Sprint(p.Pipe, " <", p.From, ">"))
	}
	for _, b := range p.Below {
		all = append(all, pipes(b)...)
	}
	return all
}

// TestValuesOfOneAction: a value in quotes, or with a text beside its action, is not that of the action.
func TestValuesOfOneAction(t *testing.T) {
	const text = "a: {{ .x }}\nb: \"{{ .y }}\"\nc: v{{ .z }}\nd: '{{ .w }}'\ne: {{ .u }}{{ .v }}\n" +
		"f: {{ quote .t }}\ng: {{ upper .s }}\nh: {{ quote (upper .r) }}\ni: {{ $v := .q }}{{ $v }}\nk: {{ printf \"%s%s\" .o .p }}\n"
	root, _ := probe.Print(t.Context(), parsed(t, text)).Parts()
	const want = `.x <x>, quote .t <t>, upper .s <.>, quote (upper .r) <.>, $v <q>, printf "%s%s" .o .p <.>`
	if got := strings.Join(pipes(root), ", "); got != want {
		t.Error(got)
	}
}

// TestParts: every branch of a template is in its parts, with the conditions around it.
func TestParts(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"branches": {"spec:\n  {{- if .a }}\n  a: 1\n  {{- else if .b }}\n  a: 2\n  {{- else }}\n  c: {{ .c }}\n  {{- end }}\n", `spec open
  a = "1" | .a
  a = "2" | not (.a) | .b
  c = "{{ .c }}" open | not (.a) | not (.b)`},
		"a branch in a value": {"mode: {{ if .a }}x{{ else }}z{{ end }}\n", `mode = "x" | .a
mode = "z" | not (.a)`},
		"a branch in a text": {"data: |\n  one\n  {{- if .a }}\n  two\n  {{- else }}\n  three\n  {{- end }}\n", `data = "one\ntwo"
data = "one\nthree" | not (.a)`},
		"a loop": {"labels:\n  {{- range $k, $v := .m }}\n  {{ $k }}: {{ $v }}\n  {{- end }}\n  own: x\nports:\n{{- range .ports }}\n- name: {{ .name }}\n  fixed: 1\n{{- end }}\n", `labels open
  {{ $k }} = "{{ $v }}" open | range $k, $v := .m
  own = "x"
ports open
  - open | range .ports
    name = "{{ .name }}" open
    fixed = "1"`},
		"a loop with nothing in it": {"{{ range .a }}\nb: {{ . }}\n{{ else }}\nc: 1\n{{ end }}", `b = "{{ . }}" open | range .a
c = "1" | not (.a)`},
		"lines and texts": {"a:\n{{ toYaml .x | indent 2 }}\n  b: \"{{ .y }}\"\nc: v{{ .z | quote }}-{{ .w }}\nd: {{ .x | toYaml | nindent 2 }}\n", `a open
  {{ toYaml .x }} = "{{ toYaml .x }}" open
  b = "\"{{ .y }}\"" open
c = "v{{ .z | quote }}-{{ .w }}" open
d = "{{ .x | toYaml }}" open`},
		"a variable that a condition sets": {"{{ $v := \"a\" }}{{ if .x }}{{ $v = \"b\" }}{{ end }}a: {{ $v }}\nb: {{ \"x\" }}\n", `a = "{{ $v }}" open
b = "x"`},
		"a named template": {"{{ define \"n\" }}{{ if .x }}k: {{ .y }}\nl: 1{{ end }}{{ end }}{{ define \"o\" }}{{ .x }}{{ end }}spec:\n  {{- include \"n\" . | nindent 2 }}\no: {{ include \"o\" . | trim }}\np: {{ eq (include \"o\" .) \"x\" }}\n", `spec open
  k = "{{ .y }}" open | include "n" . | .x
  l = "1" | include "n" .
o = "{{ include \"o\" . | trim }}" open
p = "{{ eq (include \"o\" .) \"x\" }}" open`},
	} {
		t.Run(name, func(t *testing.T) {
			root, all := probe.Print(t.Context(), parsed(t, c.text)).Parts()
			lines := listed(root, 0)
			if got := strings.Join(lines[min(len(lines), 4):], "\n"); got != c.want || !all {
				t.Errorf("all: %v, got\n%s\nwant\n%s", all, got, c.want)
			}
		})
	}
}

// TestPartsOfWhatIsNoYAML: what cannot be read is not all.
func TestPartsOfWhatIsNoYAML(t *testing.T) {
	for _, text := range []string{"a: b: c\n", "- a\n", "a: {{ .x }}: {{ .y }}: z\n"} {
		if root, all := probe.Print(t.Context(), parsed(t, text)).Parts(); all || root == nil {
			t.Errorf("%q: %v", text, listed(root, 0))
		}
	}
}
