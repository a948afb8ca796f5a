package cli

import (
	"slices"
	"strings"
	"testing"
)

// fronted separates the options and arguments of a comparison.
func fronted(args []string) (options, rest []string, err error) {
	return front(new(program).commands()[0].Flags, args)
}

func TestOptionsBehindArguments(t *testing.T) {
	for _, c := range []struct{ args, options, rest string }{
		{"ref in -o json", "--output json", "ref in"},
		{"ref --output=json in -v", "--output=json --verbose", "ref in"},
		{"ref - --width 80", "--width 80", "ref -"},
		{"-vo json ref", "--verbose --output json", "ref"},
		{"-vo=json ref", "--verbose --output=json", "ref"},
		{"-v ref -- -o in", "--verbose", "ref -o in"},
		{"-f - ref", "--filename -", "ref"},
		{"--override-reason --because ref", "--override-reason --because", "ref"},
		{"", "", ""},
	} {
		options, rest, err := fronted(strings.Fields(c.args))
		if !slices.Equal(strings.Fields(c.options), options) || !slices.Equal(strings.Fields(c.rest), rest) ||
			helpIn(options) != "" || err != nil {
			t.Errorf("%s: %q and %q, %v", c.args, options, rest, err)
		}
	}
	for _, args := range []string{
		"-h", "ref in -h", "ref --help in", "-vh ref", "-o json --help",
		"--bogus -h", "-z ref --help", "--width 80 --width 90 -h", "--output --help", // errors do not matter
	} {
		if options, _, _ := fronted(strings.Fields(args)); helpIn(options) != "--help" {
			t.Errorf("%s asks for no help: %q", args, options)
		}
	}
	if options, _, _ := fronted([]string{"ref", "--", "-h"}); helpIn(options) != "" {
		t.Error("an argument behind -- asks for help")
	}
}

// TestWrongOptions: a message says which option is wrong, and what was meant or what is allowed.
func TestWrongOptions(t *testing.T) {
	for args, want := range map[string]string{
		"--output":                        "--output needs a value",
		"-o":                              "-o needs a value",
		"--width -- more":                 "--width needs a value",
		"--output --summary more":         "--output needs a value",
		"--output --width=80 more":        "--output needs a value",
		"-ov text":                        "unknown option -ov; did you mean -o v?",
		"--fali-on none":                  "unknown option --fali-on; did you mean --fail-on?",
		"--verbos":                        "unknown option --verbos; did you mean --verbose?",
		"-z":                              "unknown option -z",
		"-=":                              "unknown option -",
		"-ojson":                          "unknown option -ojson; did you mean -o json?",
		"--o-json":                        "unknown option --o-json",
		"--namespace x":                   "unknown option --namespace",
		"--color always --color=never":    "--color: it takes one value, but is given more than once",
		"--width 80 --width 80":           "--width: it takes one value, but is given more than once",
		"-c a --diff-config b":            "--diff-config: it takes one value, but is given more than once",
		"--width=wide":                    `--width: "wide" is not possible; it must be a whole number from 40 to 1000`,
		"--width=39":                      `--width: "39" is not possible; it must be a whole number from 40 to 1000`,
		"--context=-1":                    `--context: "-1" is not possible; it must be a whole number, 0 or more`,
		"--jobs=0":                        `--jobs: "0" is not possible; it must be a whole number, 1 or more`,
		"--verbose=maybe":                 `--verbose: "maybe" is unknown; it can be true or false`,
		"--color=red":                     `--color: "red" is unknown; it can be auto, always or never`,
		"--limit=file=no":                 `--limit: file is "no"; it must be a whole number of bytes, or have the unit KiB, MiB, GiB or TiB`,
		"--output=xml":                    `--output: "xml" is not a format; it can be text, json, yaml, diff, html, csv, ndjson, github, gitlab, markdown, sarif, junit, fix or overrides`,
		"--fail-on=drfit":                 `--fail-on: "drfit" is unknown; it can be drift, missing, absent, invalid, extra, unmatched, unmatched-all, referenced, impacting, new or none`,
		"--category=drfit":                `--category: "drfit" is unknown; it can be drift, missing, invalid, extra, expected or new`,
		"-o json=a.json -o yaml=./a.json": "--output: json=a.json and yaml=./a.json have the same file; name another one for one of them",
		"-o json -o yaml":                 "--output: json and yaml both go to standard output; name a file for one of them, as in yaml=FILE",
		"--shard=4":                       `--shard: "4" is not INDEX/COUNT; write two numbers, such as 0/4`,
		"--override-expires=soon":         `--override-expires: "soon" is not a date; write it like 2030-01-31`,
		"--override-expires=2020-01-31":   "--override-expires: 2020-01-31 is in the past",
		"--cr=a/b/c/d":                    `--cr: "a/b/c/d" is not a selector: write KIND, KIND/NAME or KIND/NAMESPACE/NAME`,
		"--override-reason because":       "--override-reason, --override-for and --override-expires are for --output overrides only",
		"--interactive -":                 "--interactive reads answers from standard input, so the INPUT cannot be standard input",
		"--report-dir a -o json":          "--report-dir saves a JSON report of each input; it cannot be used with --output or --join",
	} {
		status, out, errs := outcome(append([]string{"ref", "in"}, strings.Fields(args)...)...)
		if want = "validationTool: VT1001: " + want + "; see validationTool --help\n"; status != exitUnreliable || out != "" || errs != want {
			t.Errorf("%s: %d, %s%s, want %s", args, status, out, errs, want)
		}
	}
	for _, args := range []string{"-p a -p b", "-v -v", "-v --verbose", "--component a --component=b", "-f a --filename b"} {
		if _, _, err := fronted(strings.Fields(args)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}
