package command

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
)

// options are some of each sort.
type options struct {
	output, reason, failOn string
	width                  int
	verbose, summary       bool
	files, components      []string
	set                    []string
}

// command is one that has them.
func (o *options) command() *Command {
	set := func(text string) error {
		if text == "no" {
			return errors.New("it cannot be no")
		}
		o.set = append(o.set, text)
		return nil
	}
	return &Command{Name: "compare", Main: true, Run: func(context.Context, Line) error { return nil }, Options: func() []Option {
		return []Option{
			{Name: "output", Short: "o", Usage: "`FORMAT` of it", Values: []string{"text", "json", "yaml"}, Into: &o.output},
			{Name: "override-reason", Usage: "`TEXT`", Into: &o.reason}, {Name: "fail-on", Usage: "`LIST`", Values: []string{"drift", "extra"}, Into: &o.failOn},
			{Name: "width", Usage: "`N`", Into: &o.width}, {Name: "verbose", Short: "v", Into: &o.verbose}, {Name: "summary", Into: &o.summary}, {Name: "color", Usage: "`WHEN`", Into: new(string)},
			{Name: "filename", Short: "f", Usage: "`INPUT`", Into: &o.files}, {Name: "component", Usage: "`NAME`", Into: &o.components},
			{Name: "limit", Usage: "`NAME=VALUE`", Into: set}, {Name: "overrides", Short: "p", Usage: "`FILE`", Into: new([]string)},
		}
	}}
}

// compared reads the arguments of such a command.
func compared(args []string) (Line, error) { return new(options).command().Read(args) }

func TestOptionsBehindArguments(t *testing.T) {
	for _, c := range []struct {
		args   []string
		values [][2]string
		rest   []string
	}{
		{[]string{"ref", "in", "-o", "json"}, [][2]string{{"output", "json"}}, []string{"ref", "in"}},
		{[]string{"ref", "--output=json", "in", "-v"}, [][2]string{{"output", "json"}, {"verbose", "true"}}, []string{"ref", "in"}},
		{[]string{"ref", "-", "--width", "80"}, [][2]string{{"width", "80"}}, []string{"ref", "-"}},
		{[]string{"-vo", "json", "ref"}, [][2]string{{"verbose", "true"}, {"output", "json"}}, []string{"ref"}},
		{[]string{"-vo=json", "ref"}, [][2]string{{"verbose", "true"}, {"output", "json"}}, []string{"ref"}},
		{[]string{"-v", "ref", "--", "-o", "in"}, [][2]string{{"verbose", "true"}}, []string{"ref", "-o", "in"}},
		{[]string{"-f", "-", "ref"}, [][2]string{{"filename", "-"}}, []string{"ref"}},
		{[]string{"--override-reason", "--see below", "ref"}, [][2]string{{"override-reason", "--see below"}}, []string{"ref"}},
		{nil, nil, nil},
	} {
		got, err := compared(c.args)
		if !slices.Equal(c.values, got.values) || !slices.Equal(c.rest, got.Args) || got.Asked() != "" || err != nil {
			t.Errorf("%q: %q and %q; asks for %q, %v", c.args, got.values, got.Args, got.Asked(), err)
		}
	}
	for _, args := range [][]string{{"-h"}, {"ref", "in", "-h"}, {"ref", "--help", "in"}, {"-vh", "ref"}, {"-o", "json", "--help"}} {
		if a, err := compared(args); a.Asked() != "help" || err != nil {
			t.Errorf("%q asks for no help, %v", args, err)
		}
	}
	for _, args := range [][]string{{"--bogus", "-h"}, {"-z", "ref", "--help"}, {"--width", "80", "--width", "90", "-h"}, {"--output", "--help"}} {
		if a, err := compared(args); a.Asked() != "help" || err == nil {
			t.Errorf("%q, in which something is wrong, asks for no help, %v", args, err)
		}
	}
	if a, _ := compared([]string{"ref", "--", "-h"}); a.Asked() != "" {
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
		{[]string{"--fali-on", "none"}, "there is no option --fali-on; did you mean --fail-on?"},
		{[]string{"--verbos"}, "there is no option --verbos; did you mean --verbose?"},
		{[]string{"-z"}, "there is no option -z"},
		{[]string{"-ojson"}, "there is no option -ojson; did you mean -o json?"},
		{[]string{"--o-json"}, "there is no option --o-json"},
		{[]string{"--color", "always", "ref", "--color=never"}, "--color is given twice, and can have one value"},
		{[]string{"--width", "80", "--width", "80"}, "--width is given twice, and can have one value"},
	} {
		if _, err := compared(c.args); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
	for _, args := range [][]string{{"-p", "a", "-p", "b"}, {"-v", "-v"}, {"--component", "a", "--component=b"}, {"-f", "a", "--filename", "b"}} {
		if _, err := compared(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestOptionsAreSet: every sort of option takes in its value, and says what is wrong with one that cannot be.
func TestOptionsAreSet(t *testing.T) {
	o := &options{output: "text", width: 7, summary: true}
	c := o.command()
	line, err := c.Read([]string{"-v", "--summary=false", "--width", "80", "-f", "a, b", "-f", "c", "--limit", "x=1,y=2", "--fail-on=drift,extra", "ref"})
	if err == nil {
		err = c.Execute(t.Context(), "tool", line)
	}
	want := &options{output: "text", width: 80, verbose: true, failOn: "drift,extra", files: []string{"a", "b", "c"}, set: []string{"x=1", "y=2"}}
	if err != nil || !reflect.DeepEqual(o, want) {
		t.Errorf("%v: %+v, want %+v", err, o, want)
	}
	for arg, want := range map[string]string{
		"--width=wide": `--width is "wide"; it is a whole number`, "--verbose=perhaps": `--verbose is "perhaps"; it can be true or false`,
		"--output=xml": `--output is "xml"; it can be text, json or yaml`, "--limit=yes,no": "--limit: it cannot be no",
	} {
		c := (&options{}).command()
		line, err := c.Read([]string{arg})
		if err == nil {
			err = c.Execute(t.Context(), "tool", line)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", arg, err, want)
		}
	}
}
