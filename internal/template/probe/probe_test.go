package probe_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// parse parses a template of an object of which the text has all but the identity. ok is false if the
// parser rejects it.
func parse(text string) (parsed *template.Template, ok bool) {
	set, _ := template.NewSet(nil)
	parsed, faults := set.Parse(&refconfig.Template{
		Path: "t.yaml", File: "ref/t.yaml", Source: []byte("apiVersion: v1\nkind: Thing\nmetadata:\n  name: x\n" + text),
	})
	return parsed, len(faults) == 0
}

// parsed parses a template as parse does.
func parsed(t *testing.T, text string) *template.Template {
	t.Helper()
	one, ok := parse(text)
	if !ok {
		t.Fatalf("%q cannot be parsed", text)
	}
	return one
}

// TestNeeds: a probe knows what an execution does on a CR without a field.
func TestNeeds(t *testing.T) {
	for body, want := range map[string]string{
		`v: {{ .x }}`:                                                           `x mandatory`,
		`{{ if .x }}v: {{ .x }}{{ end }}`:                                       `x optional`,
		`{{ if .y }}v: {{ .x }}{{ end }}`:                                       `x conditional [.y]; y optional`,
		`{{ if ne .x "a" }}v: {{ .x }}{{ end }}`:                                `x mandatory`,
		`v: {{ .x | default "a" }}`:                                             `x optional "a"`,
		`v: {{ if .x }}{{ .x }}{{ else }}a{{ end }}`:                            `x optional "a"`,
		`v: {{ .x | default .y }}`:                                              `x optional; y computed`,
		`v: {{ printf "%s-%s" .x .y }}`:                                         `x computed; y computed`,
		`v: {{ .x | quote }}`:                                                   `x mandatory`,
		`{{ with .x }}v: {{ .y }}{{ end }}`:                                     `x optional; x.y conditional [.x]`,
		`{{ range .x }}v: {{ .y }}{{ end }}`:                                    `x optional; x.*.y mandatory`,
		`{{ range .x }}v: {{ .y }}{{ else }}v: {{ .z }}{{ end }}`:               `x optional; x.*.y mandatory; z conditional [not (.x)]`,
		`{{ $v := "a" }}{{ range .x }}{{ $v = .y }}{{ end }}v: {{ $v }}`:        `x optional; x.*.y computed`,
		`{{ range $k, $v := .x }}{{ $k }}: 1{{ end }}`:                          `x optional`,
		`v: {{ (fromYaml .x).y }}`:                                              `x mandatory`,
		`v: {{ if hasKey . "x" }}{{ .x }}{{ end }}`:                             `x optional`,
		`v: {{ .x.y }}{{ if .x }}{{ end }}`:                                     `x mandatory; x.y mandatory`,
		`{{ if not .x }}{{ fail "no" }}{{ end }}`:                               `x mandatory`,
		`{{ if .y }}{{ else if not .x }}{{ fail "no" }}{{ end }}`:               `x conditional [not (.y)]; y conditional [not .x]`,
		`{{ minListLength 1 .x }}`:                                              `x mandatory`,
		`{{ maxListLength 1 .x }}`:                                              `x optional`,
		`{{ define "n" }}{{ .x }}{{ end }}v: {{ include "n" . }}`:               `x mandatory`,
		`{{ define "n" }}{{ .x }}{{ end }}v: {{ include "n" . | default "a" }}`: `x computed`,
		`{{ define "n" }}{{ .x | default 1 }}{{ end }}v: {{ include "n" . }}`:   `x optional 1`,
		`{{ define "n" }}{{ if not .x }}{{ violation "T-N" "no" }}{{ end }}{{ end }}{{ $_ := include "n" . }}`: `x mandatory`,
		`{{ $v := "a" }}{{ if .x }}{{ $v = .x }}{{ end }}v: {{ $v }}`:                                          `x optional`,
		`{{ range list "a" "b" }}{{ . }}: {{ index $.x . | default . }}{{ end }}`:                              `x.a optional "a"; x.b optional "b"`,
		`{{ $v := dict "k" .x }}v: {{ $v.k }}`:                                                                 `x mandatory`,
		`v: {{ ternary .x .y true }}`:                                                                          `x optional <nil>`,
		`v: {{ toYaml . }}`:                                                                                    `the whole CR computed`,
	} {
		if text := needs(probe.Execute(t.Context(), parsed(t, "spec:\n  "+body+"\n"))); text != want {
			t.Errorf("%s: got %s, want %s", body, text, want)
		}
	}
}

// needs returns what a probe found, as text.
func needs(found *probe.Probed) string {
	var got []string
	for _, f := range found.Fields {
		text := f.Path + " " + string(f.Need)
		if f.When != nil {
			text += fmt.Sprintf(" %v", f.When)
		}
		if f.Default != nil {
			text += fmt.Sprintf(" %#v", *f.Default)
		}
		got = append(got, text)
	}
	return strings.Join(got, "; ")
}

// TestComputedNames: a call whose name is computed leads to the templates that may be meant.
func TestComputedNames(t *testing.T) {
	const defined = `{{ define "r-a" }}{{ .x }}{{ end }}{{ define "r-b" }}{{ .y }}{{ end }}{{ define "q" }}{{ .z }}{{ end }}v: `
	for body, want := range map[string]string{
		`{{ include (printf "r-%s" .k) . }}`: `k mandatory; x conditional [eq (printf "r-%s" .k) "r-a"]; ` +
			`y conditional [eq (printf "r-%s" .k) "r-b"]`,
		`{{ include (print "r-" .k) . }}`:                                   `k mandatory; x conditional [eq (print "r-" .k) "r-a"]; y conditional [eq (print "r-" .k) "r-b"]`,
		`{{ $n := printf "r-%s" .k }}{{ include $n . }}`:                    `k mandatory; x conditional [eq $n "r-a"]; y conditional [eq $n "r-b"]`,
		`{{ include (printf "r-%s" (.k | default "a")) . }}`:                `k optional; x conditional [eq (printf "r-%s" (.k | default "a")) "r-a"]; y conditional [eq (printf "r-%s" (.k | default "a")) "r-b"]`,
		`{{ include .k . }}`:                                                `k mandatory; the whole CR computed`,
		`{{ include (printf "s-%s" .k) . }}`:                                `k mandatory; the whole CR computed`,
		`{{ define "r-" }}{{ .w }}{{ end }}{{ include (print "r-" .k) . }}`: `k mandatory; w conditional [eq (print "r-" .k) "r-"]; x conditional [eq (print "r-" .k) "r-a"]; y conditional [eq (print "r-" .k) "r-b"]`,
	} {
		found := probe.Execute(t.Context(), parsed(t, defined+body+"\n"))
		if text := needs(found); text != want {
			t.Errorf("%s: got %s, want %s", body, text, want)
		}
		if isOpen := strings.Contains(want, "the whole CR"); len(found.Computed) != 1 || found.Incomplete != isOpen {
			t.Errorf("%s: %v, incomplete: %v", body, found.Computed, found.Incomplete)
		}
	}
}

// TestGivenValues: with some values of the CR, only what these lead to is asked for.
func TestGivenValues(t *testing.T) {
	const defined = `{{ define "r-a" }}{{ .x }}{{ end }}{{ define "r-b" }}{{ .y }}{{ end }}v: `
	given := map[string]any{
		"k": "a", "on": true, "off": false, "m": map[string]any{"n": int64(1)},
		"l": []any{map[string]any{"p": "q"}, map[string]any{}}, "none": []any{},
	}
	for body, want := range map[string]string{
		`{{ include (printf "r-%s" .k) . }}`:                                     `k mandatory; x mandatory`,
		`{{ if eq .k "a" }}{{ .x }}{{ else }}{{ .y }}{{ end }}`:                  `k optional; x mandatory`,
		`{{ if .on }}{{ .x }}{{ else }}{{ .y }}{{ end }}`:                        `on optional; x mandatory`,
		`{{ if .off }}{{ .x }}{{ else }}{{ .y }}{{ end }}`:                       `off optional; y mandatory`,
		`{{ if .m }}{{ .x }}{{ else }}{{ .y }}{{ end }}`:                         `m optional; x mandatory`,
		`{{ if .open }}{{ .x }}{{ else }}{{ .y }}{{ end }}`:                      `open optional; x conditional [.open]; y conditional [not (.open)]`,
		`{{ with .m }}{{ .n }}{{ .o }}{{ end }}`:                                 `m optional; m.n mandatory; m.o mandatory`,
		`{{ if .none }}{{ .x }}{{ end }}`:                                        `none optional`,
		`{{ range .none }}{{ .x }}{{ else }}{{ .y }}{{ end }}`:                   `none optional; y mandatory`,
		`{{ range .l }}{{ .p }}{{ end }}`:                                        `l optional; l.*.p mandatory`,
		`{{ range .l }}{{ if .p }}{{ .s }}{{ end }}{{ end }}`:                    `l optional; l.*.p optional; l.*.s mandatory`,
		`{{ range $k, $v := .m }}{{ if eq $k "o" }}{{ $v.z }}{{ end }}{{ end }}`: `m optional; m.* optional`,
		`{{ if hasKey . "k" }}{{ .x }}{{ else }}{{ .y }}{{ end }}`:               `k optional; x mandatory`,
	} {
		if text := needs(probe.ExecuteWith(t.Context(), parsed(t, defined+body+"\n"), given)); text != want {
			t.Errorf("%s: got %s, want %s", body, text, want)
		}
	}
}

// TestConditionsNameFieldsOfTheCR: a condition in a named template or a loop says which field of the CR it
// looks at.
func TestConditionsNameFieldsOfTheCR(t *testing.T) {
	for body, want := range map[string]string{
		`{{ define "n" }}{{ if eq .a "b" }}{{ .c }}{{ end }}{{ end }}{{ template "n" .s }}`:                           `eq .s.a "b"`,
		`{{ define "n" }}{{ if .p.a }}{{ .p.c }}{{ end }}{{ end }}{{ template "n" (dict "p" .s) }}`:                   `.s.a`,
		`{{ define "n" }}{{ if not (eq .p.a .q) }}{{ .p.c }}{{ end }}{{ end }}{{ template "n" (dict "p" .s "q" 1) }}`: `not (eq .s.a .q)`,
		`{{ range $i, $e := .s }}{{ if $e.a }}{{ $.c }}{{ end }}{{ end }}`:                                            `range $i, $e := .s and .s.*.a`,
		`{{ with .s }}{{ if .a }}{{ .c }}{{ end }}{{ end }}`:                                                          `.s and .s.a`,
	} {
		for _, f := range probe.Execute(t.Context(), parsed(t, "v: "+body+"\n")).Fields {
			if strings.HasSuffix(f.Path, "c") && strings.Join(f.When, "; ") != want {
				t.Errorf("%s: %s where %s, want %s", body, f.Path, strings.Join(f.When, "; "), want)
			}
		}
	}
}

// TestComments: the comment above the line that reads a field says what the field is.
func TestComments(t *testing.T) {
	for above, want := range map[string]string{
		"": "", "  # One.\n": "One.", "  # One.\n  # Two.\n": "One.\nTwo.", "  # One.\n\n": "", "  a: b\n": "",
		"  # One.\n  a: b\n": "", "  {{- /* One. */}}\n": "One.", "  {{- /* One.\n  Two. */ -}}\n": "One.\n  Two.",
		"  {{- if .y }}{{ end }}\n": "", "  # {{ .y }}\n": "",
	} {
		for _, f := range probe.Execute(t.Context(), parsed(t, "spec:\n"+above+"  x: {{ .x }}\n")).Fields {
			if f.Path == "x" && f.Description != want {
				t.Errorf("%q: %q, want %q", above, f.Description, want)
			}
		}
	}
}

// TestEveryFunctionTakesUnknownValues: a probe knows which fields a call reads, whatever the function
// makes of them.
func TestEveryFunctionTakesUnknownValues(t *testing.T) {
	table := function.Table()
	for _, name := range tree.Keys(table) {
		for count := 1; count < 6; count++ {
			if table[name].CheckCount(count) != nil || name == "default" && count > 2 {
				continue // default ignores further arguments
			}
			var args, want []string
			for i := range count {
				want = append(want, "x"+string(rune('a'+i)))
				args = append(args, "."+want[i])
			}
			last := count - 1
			for _, call := range []string{
				name + " " + strings.Join(args, " "),
				args[last] + " | " + name + " " + strings.Join(args[:last], " "),
			} {
				got, err := readBy(t, call)
				if err != nil {
					t.Errorf("%s: its field Unknown does not suit it: %v", call, err)
				}
				for _, field := range want {
					if err == nil && !got[field] {
						t.Errorf("%s: the probe does not know that the template reads .%s", call, field)
					}
				}
			}
		}
	}
}

// readBy returns the keys that a probe finds in a call. The error is a panic.
func readBy(t *testing.T, call string) (found map[string]bool, err error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	found = map[string]bool{}
	one := parsed(t, "v: {{ "+call+" }}\n")
	probe.Print(t.Context(), one)
	for _, f := range probe.Execute(t.Context(), one).Fields {
		for step := range strings.SplitSeq(f.Path, ".") {
			found[step] = true
		}
	}
	return found, nil
}
