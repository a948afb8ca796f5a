package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/cli"
)

// report is what the scripts look at of the JSON report.
type report struct {
	Comparisons []struct {
		Object      object
		Template    struct{ Path, Description string }
		Correlation struct {
			By         string
			Fields     []string
			Candidates []struct {
				Path  string
				Score int
			}
		}
		Result      string
		Error       *struct{ Code, Message string }
		Override    *struct{ Reasons []string }
		Differences []struct {
			Category, Path, Message, Code string
			Reference, Input              json.RawMessage
		}
	}
	Rules []struct {
		Part, Component, Rule, Code, Message, Description string
		Templates                                         []string
		Missing                                           []struct {
			Nearest *struct {
				Object  object
				Differs []string
			}
		}
	}
	Unmatched []struct{ Object object }
	Refused   []struct {
		Object  object
		Reasons []struct{ Template, Reason string }
	}
	Referenced []struct {
		Template, How string
		By            object
	}
	NotCollected []struct{ APIVersion, Kind string }
	LeftOut      []string
	Alarms       []struct{ Code, Message string }
	Warnings     []struct{ Code, Message string }
}

type object struct{ Kind, Namespace, Name string }

func (o object) String() string {
	if o.Namespace != "" {
		return o.Kind + " " + o.Namespace + "/" + o.Name
	}
	return o.Kind + " " + o.Name
}

// found is the command findings of scripts: a comparison whose findings are printed in short, a line each, and its exit status.
func found() {
	var out bytes.Buffer
	args := append([]string{"validationTool", "-o", "json", "--show-expected"}, os.Args[1:]...)
	status := cli.Run(context.Background(), args, cli.IO{In: os.Stdin, Out: &out, Err: os.Stderr, Env: os.LookupEnv})
	if out.Len() > 0 {
		runs, err := readRuns[report](out.Bytes())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		for _, r := range runs {
			r.print(os.Stdout)
		}
	}
	os.Exit(status)
}

func (r *report) print(w io.Writer) {
	for _, c := range r.Comparisons {
		fmt.Fprintf(w, "%s %s: %s, by %s %s\n", c.Result, c.Object, c.Template.Path, c.Correlation.By, strings.Join(c.Correlation.Fields, " "))
		for _, one := range c.Correlation.Candidates {
			fmt.Fprintf(w, "  candidate %s: %d\n", one.Path, one.Score)
		}
		if c.Override != nil {
			fmt.Fprintf(w, "  overridden: %s\n", strings.Join(c.Override.Reasons, "; "))
		}
		if c.Error != nil {
			fmt.Fprintf(w, "  %s %s\n", c.Error.Code, c.Error.Message)
		}
		for _, d := range c.Differences {
			fmt.Fprintf(w, "  %s %s: %s -> %s", d.Category, d.Path, side(d.Reference), side(d.Input))
			if d.Code != "" {
				fmt.Fprintf(w, " (%s: %s)", d.Code, d.Message)
			}
			fmt.Fprintln(w)
		}
	}
	for _, b := range r.Rules {
		fmt.Fprintf(w, "%s %s/%s %s, %s: %s\n", b.Code, b.Part, b.Component, b.Rule, b.Message, strings.Join(b.Templates, " "))
		for _, m := range b.Missing {
			if n := m.Nearest; n != nil {
				fmt.Fprintf(w, "  nearest %s, other %s\n", n.Object, strings.Join(n.Differs, " "))
			}
		}
	}
	for _, u := range r.Unmatched {
		fmt.Fprintf(w, "unmatched %s\n", u.Object)
	}
	for _, u := range r.Refused {
		for _, reason := range u.Reasons {
			fmt.Fprintf(w, "refused %s: %s: %s\n", u.Object, reason.Template, reason.Reason)
		}
	}
	for _, one := range r.Referenced {
		fmt.Fprintf(w, "referenced %s: %s of %s\n", one.Template, one.How, one.By)
	}
	for _, k := range r.NotCollected {
		fmt.Fprintf(w, "maybe not collected %s %s\n", k.APIVersion, k.Kind)
	}
	for _, name := range r.LeftOut {
		fmt.Fprintf(w, "left out %s\n", name)
	}
	for _, one := range slices.Concat(r.Alarms, r.Warnings) {
		fmt.Fprintf(w, "%s %s\n", one.Code, one.Message)
	}
}

// side is one side of a difference: its JSON on one line, or a dash.
func side(v json.RawMessage) string {
	var line bytes.Buffer
	if v == nil || json.Compact(&line, v) != nil {
		return "-"
	}
	return line.String()
}
