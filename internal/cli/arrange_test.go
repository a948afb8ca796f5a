package cli

import (
	"slices"
	"testing"
)

// arranged arranges the arguments of a comparison.
func arranged(args []string) (line, error) { return arrange(new(program).commands()[0].Flags, args) }

func TestOptionsBehindArguments(t *testing.T) {
	for _, c := range []struct {
		args, options, rest []string
	}{
		{[]string{"ref", "in", "-o", "json"}, []string{"--output=json"}, []string{"ref", "in"}},
		{[]string{"ref", "--output=json", "in", "-v"}, []string{"--output=json", "--verbose=true"}, []string{"ref", "in"}},
		{[]string{"ref", "-", "--width", "80"}, []string{"--width=80"}, []string{"ref", "-"}},
		{[]string{"-vo", "json", "ref"}, []string{"--verbose=true", "--output=json"}, []string{"ref"}},
		{[]string{"-vo=json", "ref"}, []string{"--verbose=true", "--output=json"}, []string{"ref"}},
		{[]string{"-v", "ref", "--", "-o", "in"}, []string{"--verbose=true"}, []string{"ref", "-o", "in"}},
		{[]string{"-f", "-", "ref"}, []string{"--filename=-"}, []string{"ref"}},
		{[]string{"--override-reason", "--see below", "ref"}, []string{"--override-reason=--see below"}, []string{"ref"}},
		{nil, nil, nil},
	} {
		got, err := arranged(c.args)
		if !slices.Equal(c.options, got.options) || !slices.Equal(c.rest, got.args) || got.asked() != "" || err != nil {
			t.Errorf("%q: %q and %q; asks for %q, %v", c.args, got.options, got.args, got.asked(), err)
		}
	}
	for _, args := range [][]string{{"-h"}, {"ref", "in", "-h"}, {"ref", "--help", "in"}, {"-vh", "ref"}, {"-o", "json", "--help"}} {
		if a, err := arranged(args); a.asked() != "help" || err != nil {
			t.Errorf("%q asks for no help, %v", args, err)
		}
	}
	for _, args := range [][]string{{"--bogus", "-h"}, {"-z", "ref", "--help"}, {"--width", "80", "--width", "90", "-h"}, {"--output", "--help"}} {
		if a, err := arranged(args); a.asked() != "help" || err == nil {
			t.Errorf("%q, in which something is wrong, asks for no help, %v", args, err)
		}
	}
	if a, _ := arranged([]string{"ref", "--", "-h"}); a.asked() != "" {
		t.Error("an argument behind -- asks for help")
	}
}

func TestWrongOptions(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"ref", "in", "--output"}, "--output needs a value"},
		{[]string{"ref", "in", "-o"}, "-o needs a value"},
		{[]string{"ref", "--width", "--", "in"}, "--width needs a value"},
		{[]string{"ref", "--output", "--summary", "in"}, "--output needs a value"},
		{[]string{"ref", "--output", "--width=80", "in"}, "--output needs a value"},
		{[]string{"-ov", "text"}, "-o needs a value"},
		{[]string{"--fali-on", "none"}, "unknown option --fali-on; did you mean --fail-on?"},
		{[]string{"--verbos"}, "unknown option --verbos; did you mean --verbose?"},
		{[]string{"-z"}, "unknown option -z"},
		{[]string{"-ojson"}, "unknown option -ojson; did you mean -o json?"},
		{[]string{"--o-json"}, "unknown option --o-json"},
		{[]string{"--color", "always", "ref", "--color=never"}, "--color takes one value, but is given more than once"},
		{[]string{"--width", "80", "--width", "80"}, "--width takes one value, but is given more than once"},
	} {
		if _, err := arranged(c.args); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
	for _, args := range [][]string{{"-p", "a", "-p", "b"}, {"-v", "-v"}, {"--component", "a", "--component=b"}, {"-f", "a", "--filename", "b"}} {
		if _, err := arranged(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestWrongValues: a value that an option cannot have is said together with the option.
func TestWrongValues(t *testing.T) {
	for arg, want := range map[string]string{
		"--width=wide":     `invalid value "wide" for flag -width: parse error`,
		"--verbose=maybe":  `invalid boolean value "maybe" for -verbose: parse error`,
		"--color=red":      `invalid value "red" for flag -color: it can be auto, always or never`,
		"--limit=file=no":  `invalid value "file=no" for flag -limit: file is "no"; it must be a whole number of bytes, or have the unit KiB, MiB, GiB or TiB`,
		"--output=xml":     `--output: "xml" is not a format; it can be text, json, yaml, diff, html, csv, github, gitlab, markdown, sarif, junit, fix or overrides`,
		"--fail-on=drfit":  `--fail-on: "drfit" is unknown; it can be drift, missing, absent, invalid, extra, unmatched, referenced, impacting, new or none`,
		"--category=drfit": `--category: "drfit" is unknown; it can be drift, missing, invalid, extra or expected`,
	} {
		status, out, errs := outcome("ref", "in", arg)
		if want = "validationTool: VT1001: " + want + "; see validationTool --help\n"; status != exitUnreliable || out != "" || errs != want {
			t.Errorf("%s: %d, %s%s, want %s", arg, status, out, errs, want)
		}
	}
}
