package render_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
)

// saidOf lists the violations and notes of an execution.
func saidOf(r render.Rendering) string {
	var all []string
	for _, f := range r.Unplaced {
		all = append(all, f.Code+" "+f.Path.String()+" "+f.Message)
	}
	for _, s := range r.Remarks {
		all = append(all, "note "+s.Code+" "+s.Path.String()+" "+s.Message)
	}
	return strings.Join(all, "|")
}

func TestStatements(t *testing.T) {
	const include = `{{ define "i" }}text{{ violation "A-I" (printf "from %s" .s) }}{{ end }}`
	for _, c := range []struct{ name, template, want string }{
		{"on the whole", `{{ violation "A-B" "m" }}`, "A-B . m"},
		{"at a field", `{{ violation "A-B" "spec.a.0" "m" }}`, "A-B spec.a.0 m"},
		{"a path that is worked out", `{{ violation "A-B" (printf "spec.%s" .s) "m" }}{{ violation "A-B" "" "n" }}{{ violation "A-B" "." "o" }}`, "A-B spec.x m|A-B . n|A-B . o"},
		{"through a pipe", `{{ printf "%d" 3 | violation "A-B" "spec" }}{{ "x" | note "A-B" }}`, "A-B spec 3|note A-B . x"},
		{"a note", `{{ note "A-B" "spec" "m" }}`, "note A-B spec m"},
		{"both of one", `{{ note "A-B" "m" }}{{ violation "A-B" "m" }}`, "A-B . m|note A-B . m"},
		{"the same once", `{{ range list 1 2 3 }}{{ violation "A-B" "m" }}{{ end }}{{ violation "A-B" "spec" "m" }}`, "A-B . m|A-B spec m"},
		{"each of a range", `{{ range $i, $x := list "x" "y" }}{{ violation "A-B" (printf "l.%d" $i) $x }}{{ end }}`, "A-B l.0 x|A-B l.1 y"},
		{"in a branch that is not taken", `{{ if .no }}{{ violation "A-B" "m" }}{{ end }}`, ""},
		{"behind what decides before", `{{ if or .s (violation "A-B" "m") }}{{ end }}`, ""},
		{"as a condition", `{{ if violation "A-B" "m" }}{{ violation "A-C" "m" }}{{ end }}`, "A-B . m"},
		{"in an include", include + `{{ $x := include "i" . }}{{ if ne $x "text" }}{{ fail "x" }}{{ end }}`, "A-I . from x"},
		{"in a template call", include + `{{ template "i" . }}`, "A-I . from x"},
		{"of what is absent", `{{ violation "A-B" .no }}{{ violation "A-C" (printf "%s %d %v" .no .no .no) }}{{ note "A-D" (print .no "x") }}`,
			"A-B . (not set)|A-C . (not set) (not set) (not set)|note A-D . (not set)x"},
		{"a number", `{{ violation "A-B" 3 }}`, "A-B . 3"},
		{"blanks at the end", `{{ note "A-B" (printf "%-8s" "x") }}`, "note A-B . x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const head = "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\n"
			r, err := compile(t, head+"# "+c.template+"\nv: 1\n").Execute(object(t, head+"s: x"), render.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := saidOf(r); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if len(r.Value) != 4 {
				t.Errorf("it prints something: %v", r.Value)
			}
		})
	}
}

// An invalid computed argument must be an error on the object with its location in the template.
func TestFaultsOfStatements(t *testing.T) {
	for template, want := range map[string]string{
		`{{ violation .s "m" }}`:                  `"x" is not a valid code`,
		`{{ violation (upper "vt12") "m" }}`:      `looks like a code of the tool`,
		`{{ violation (print "-" "A") "m" }}`:     `"-A" is not a valid code`,
		`{{ violation (print "A" "--B") "m" }}`:   `"A--B" is not a valid code`,
		`{{ violation (print "1" "A") "m" }}`:     `"1A" is not a valid code`,
		`{{ violation "A" (list "a") "m" }}`:      `the path of a field must be text, not a list`,
		`{{ violation "A" (print "a.." "b") 1 }}`: `the path "a..b" cannot be read`,
		`{{ note "A" (print "a." "*") "m" }}`:     `the path "a.*" matches several fields`,
		`{{ violation "A" (dict) }}`:              `the message must be text, not a map`,
		`{{ violation (len "abc") "m" }}`:         `a code must be text, not a number`,
		`{{ violation .no "m" }}`:                 `a code must be text, not nothing`,
		`{{ violation (repeat 65 "A") "m" }}`:     `is longer than 64 characters`,
		`{{ violation "A" }}`:                     `violation needs`,
		`{{ note "A" "b" "c" "d" }}`:              `note needs`,
	} {
		_, err := compile(t, "kind: Thing\nv: 1\n"+template+"\n").Execute(object(t, "s: x"), render.Options{})
		var fault *render.Error
		if !errors.As(err, &fault) || fault.Code != code.EvalTemplate || !strings.Contains(fault.Message, want) ||
			!strings.HasPrefix(fault.At.String(), "ref/") {
			t.Errorf("%s: %v, want %s", template, err, want)
		}
	}
}

// The output limit must also apply to statements.
func TestStatementsAreBounded(t *testing.T) {
	text := `{{ range $i := until 10000 }}{{ violation "A-B" (printf "spec.%d" $i) "message" }}{{ end }}`
	r, err := compile(
		t, "kind: Thing\nv: 1\n"+text+"\n",
	).Execute(object(t, "s: x"), render.Options{Limits: render.Limits{Output: 100 << 10}})
	var fault *render.Error
	if !errors.As(err, &fault) || fault.Code != code.LimitOutput {
		t.Errorf("%d are said, %v", len(r.Unplaced), err)
	}
}

// A statement that depends on a placeholder must not be made.
func TestStatementsOnPlaceholders(t *testing.T) {
	const text = `{{ if lt (int .x) 3 }}{{ violation "A-B" "m" }}{{ end }}{{ violation "A-C" .x }}{{ violation "A-D" "m" }}`
	for source, want := range map[bool]string{false: "A-B . m|A-C . $x|A-D . m", true: "A-D . m"} {
		r, err := compile(
			t, "kind: Thing\nv: 1\n"+text+"\n",
		).Execute(object(t, "x: $x"), render.Options{Source: source})
		if got := saidOf(r); err != nil || got != want {
			t.Errorf("source %v: %s, %v", source, got, err)
		}
	}
}

// An absent value must print as "(not set)" with every verb.
func TestNoStatementShowsWhatIsNotThere(t *testing.T) {
	for _, verb := range strings.Split("sdqvxXtfgeobcUp", "") {
		r, err := compile(
			t, fmt.Sprintf("kind: Thing\nv: 1\n{{ note \"A\" (printf \"%%%s\" .no) }}\n", verb),
		).Execute(object(t, "s: x"), render.Options{})
		if got := saidOf(r); err != nil || got != "note A . (not set)" {
			t.Errorf("%s: %s, %v", verb, got, err)
		}
	}
}
