package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// The commands in this file hold the JSON report that the last command of a script printed against
// lines that stand in the script. Each wants all there is of its sort, so that a finding too many
// fails a script as one too few does.

// reportCommands are the commands of scripts that read a report.
func reportCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"found":    lines("found", foundLines),
		"compared": lines("compared", comparedLines),
		"broken":   lines("broken", brokenLines),
		"warned":   lines("warned", warnedLines),
		"field":    field,
	}
}

// jsonReport is what the commands read of a report.
type jsonReport struct {
	Comparisons []struct {
		Object   struct{ Namespace, Name string }
		Template struct{ Path string }
		Result   string
		Error    struct{ Code string }

		Differences []struct {
			Category, Path, Code string
			Reference, Input     json.RawMessage
		}
	}
	Rules []struct {
		Part, Component, Rule, Code, Message string
		Templates                            []string
	}
	Alarms, Warnings []struct{ Code, Place string }
}

// foundLines are the differences of all CRs: NAME CATEGORY PATH REFERENCE INPUT [CODE], where a
// value is JSON, and - is written for one that its side lacks.
func foundLines(r jsonReport) []string {
	var all []string
	for _, c := range r.Comparisons {
		for _, d := range c.Differences {
			all = append(all, join(c.Object.Name, d.Category, d.Path, value(d.Reference), value(d.Input), d.Code))
		}
	}
	return all
}

// value returns a JSON value in one line as compact as can be.
func value(raw json.RawMessage) string {
	if raw == nil {
		return "-"
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err.Error()
	}
	return b.String()
}

// comparedLines are the CRs: [NAMESPACE/]NAME TEMPLATE RESULT [CODE].
func comparedLines(r jsonReport) []string {
	var all []string
	for _, c := range r.Comparisons {
		name := c.Object.Name
		if c.Object.Namespace != "" {
			name = c.Object.Namespace + "/" + name
		}
		all = append(all, join(name, c.Template.Path, c.Result, c.Error.Code))
	}
	return all
}

// brokenLines are the rules that do not hold: PART/COMPONENT RULE CODE: MESSAGE: TEMPLATES.
func brokenLines(r jsonReport) []string {
	var all []string
	for _, b := range r.Rules {
		all = append(all, fmt.Sprintf(
			"%s/%s %s %s: %s: %s", b.Part, b.Component, b.Rule, b.Code, b.Message, strings.Join(b.Templates, " "),
		))
	}
	return all
}

// warnedLines are the alarms, then the other warnings: CODE [PLACE].
func warnedLines(r jsonReport) []string {
	var all []string
	for _, w := range slices.Concat(r.Alarms, r.Warnings) {
		all = append(all, join(w.Code, w.Place))
	}
	return all
}

// join puts a space between the words that are not empty.
func join(words ...string) string {
	var b strings.Builder
	for _, w := range words {
		if w == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}

// readRuns reads what a JSON report says of each cluster.
func readRuns[T any](text []byte) ([]T, error) {
	var doc struct{ Runs []T }
	err := json.Unmarshal(text, &doc)
	return doc.Runs, err
}

// lines makes a command of a function that reads lines from a report.
func lines(name string, read func(jsonReport) []string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, want []string) {
		if neg {
			ts.Fatalf("usage: %s [line...]", name)
		}
		runs, err := readRuns[jsonReport]([]byte(ts.ReadFile("stdout")))
		if err != nil {
			ts.Fatalf("%s: the last command printed no JSON report: %v", name, err)
		}
		var got []string
		for _, r := range runs {
			got = append(got, read(r)...)
		}
		if diff := cmp.Diff(append([]string{}, want...), append([]string{}, got...)); diff != "" {
			ts.Fatalf("%s, -want +got:\n%s\nthat is\n%s", name, diff, quotedLines(name, got))
		}
	}
}

// quotedLines writes a command as a script has it, to be pasted.
func quotedLines(name string, all []string) string {
	for _, line := range all {
		name += " '" + strings.ReplaceAll(line, "'", "''") + "'"
	}
	return name
}

// field holds the value at a path of the first cluster's run, as keys and numbers between dots,
// against a JSON value; with ! the report has nothing there: field PATH VALUE, ! field PATH.
func field(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 && !(neg && len(args) == 1) {
		ts.Fatalf("usage: field PATH VALUE, or ! field PATH")
	}
	runs, err := readRuns[any]([]byte(ts.ReadFile("stdout")))
	ts.Check(err)
	v := runs[0]
	for _, key := range strings.Split(args[0], ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(in) {
				v = nil
				continue
			}
			v = in[i]
		default:
			v = nil
		}
	}
	if neg {
		if v != nil {
			ts.Fatalf("%s is there: %v", args[0], v)
		}
		return
	}
	got, err := json.Marshal(v)
	ts.Check(err)
	if string(got) != args[1] {
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}
