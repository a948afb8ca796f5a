package finding_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// TestGoldenReports holds all that is told of runs: an archive of testdata has runs as JSON
// reports have them, runs of an earlier report in the folder "then", and what is told of them with
// the words of --fail-on in its first line.
func TestGoldenReports(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		failOn, err := finding.ParseFailOn(string(a.Comment))
		if err != nil {
			t.Fatal(err)
		}
		now, then := reportOf(t, a, "now/", failOn), reportOf(t, a, "then/", failOn)
		now.Conclude()
		then.Conclude()
		earlier := saved.Earlier{Path: "old.json", Report: then}
		var b strings.Builder
		if len(then.Runs) > 0 {
			d := saved.DiffOf(finding.Tool{}, earlier, saved.Earlier{Path: "new.json", Report: now}, failOn)
			fmt.Fprintf(&b, "%s, exit status %d\n", d.Overall(), d.ExitStatus)
			for _, c := range d.Clusters {
				fmt.Fprintf(&b, "%s, status %d: %s\n", c.Name, c.Status(), d.Sentence(c))
				for _, f := range c.Findings {
					fmt.Fprintf(&b, "  %s\n", tell(f))
				}
			}
			saved.Mark(now, earlier)
			now.ExitStatus, now.Summary = 0, finding.Overall{}
			for _, run := range now.Runs {
				run.CountImpacts()
			}
			now.Conclude()
		}
		fmt.Fprintf(&b, "%s: %s, exit status %d\n", now.Summary.Verdict, now.Sentence(), now.ExitStatus)
		for _, run := range slices.SortedStableFunc(slices.Values(now.Runs), finding.WorstFirst) {
			tellRun(&b, run, failOn)
		}
		a.Want(t, "want", b.String())
	})
}

// reportOf returns a report of the runs in a folder.
func reportOf(t *testing.T, a *testkit.Archive, folder string, failOn finding.FailOn) *finding.Report {
	r := &finding.Report{FailOn: failOn}
	for _, f := range a.Files {
		name, isRun := strings.CutPrefix(f.Name, folder)
		if !isRun {
			continue
		}
		docs, fault := kubeyaml.Parse(f.Data)
		if fault != nil {
			t.Fatalf("%s: %v", f.Name, fault)
		}
		text, err := json.Marshal(docs[0].Value())
		if err != nil {
			t.Fatal(err)
		}
		run := &finding.Run{Cluster: finding.Cluster{Name: name}}
		if err := json.Unmarshal(text, run); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		for _, c := range run.Comparisons {
			finding.Identify(c.Differences, c.Object, c.Template.Path)
			for _, d := range c.Differences {
				c.Counts.Count(d.Category, 1)
			}
			if c.Result = c.Counts.Result(); c.Error != nil {
				c.Result = finding.Failed
			}
		}
		run.Conclude()
		run.CountImpacts()
		r.Runs = append(r.Runs, run)
	}
	return r
}

// tellRun writes what is told of a run.
func tellRun(b *strings.Builder, run *finding.Run, failOn finding.FailOn) {
	fmt.Fprintf(b, "\n%s%s: %s, impact %q", run.Heading(), run.Name(), run.Summary.Verdict.Short(), run.Impact())
	for _, word := range finding.FailOnWords() {
		fmt.Fprintf(b, ", %s %d", word, run.ExitStatus(finding.FailOn{word}))
	}
	fmt.Fprintf(b, "\n%s\n", run.Sentence(failOn))
	if one := run.Sentence(finding.FailOn{finding.FailOnAbsent}); one != run.Sentence(failOn) {
		fmt.Fprintln(b, one)
	}
	if unlisted := run.Unlisted(); unlisted != "" {
		fmt.Fprintln(b, unlisted)
	}
	for _, f := range run.Gone(failOn) {
		fmt.Fprintf(b, "gone: %s\n", tell(f))
	}
	var all []finding.Finding
	for f := range run.Findings(failOn, nil) {
		all = append(all, f)
		fmt.Fprintf(b, "  %s\n", tell(f))
	}
	name := func(path string) string { return "template " + path }
	entries := run.Entries(finding.Grouping{}, failOn)
	for _, e := range entries {
		subject, said := e.Describe(name)
		fmt.Fprintf(b, "%s | %s | %s", e.Word(), subject, said)
		if e.About != "" {
			fmt.Fprintf(b, " | %s", e.About)
		}
		if run.IsAside(e, failOn, finding.Filter{}) {
			b.WriteString(" | aside")
		}
		b.WriteString("\n")
	}
	if together := finding.Together(all); len(together) < len(all) {
		for _, e := range together {
			subject, said := e.Describe(name)
			fmt.Fprintf(b, "together: %s | %s | %s\n", e.Word(), subject, said)
		}
	}
}

// tell writes a finding in a line.
func tell(f finding.Finding) string {
	text := fmt.Sprintf("%s effect %d level %d %.8s: %s: %s", f.Class, f.Effect, f.Level(), f.Fingerprint, f.Subject(), f.Coded())
	if f.Source != (finding.Source{}) {
		text += " at " + f.Source.String()
	}
	if f.Change != "" {
		text += " " + string(f.Change)
	}
	if f.Was != "" {
		text += ", was " + f.Was
	}
	return text
}
