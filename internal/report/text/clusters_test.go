package text

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// randomRun is a run with some numbers in its summary, as Conclude makes them.
func randomRun(r *rand.Rand, number int) *finding.Run {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	one := &finding.Run{
		Cluster: finding.Cluster{
			Name: fmt.Sprintf(
				"%s%d", pick("du-", "名前-", "ein-sehr-langer-name-mit-vielen-teilen-", "e\u0301-"), number,
			),
			Version: pick("", "4.16.8", "4.8.0-0.nightly-2022-11-25-185455"),
		},
		Inputs: []finding.Input{
			{
				Path: pick(
					"a.tar.gz", "archives/of/many/places/"+strings.Repeat("long", 20)+"/a.tar.gz", "\x1b[31mred",
				),
				Format: "tar.gz",
			},
		},
	}
	one.Summary.Objects.Read = 1
	one.Comparisons = append(one.Comparisons, &finding.Comparison{Result: finding.Clean})
	for range r.IntN(3) * r.IntN(200) {
		one.Comparisons = append(
			one.Comparisons, &finding.Comparison{Result: finding.Drifted, Counts: finding.Counts{Drift: 1}},
		)
	}
	for range r.IntN(3) {
		one.Rules = append(one.Rules, finding.Rule{
			Code:      code.RuleMissing,
			Templates: []string{"a", "b"},
			Missing:   []finding.Missed{{Template: "a"}, {Template: "b", NotCollected: r.IntN(2) > 0}},
		})
	}
	if r.IntN(4) == 0 {
		one.Unreadable = append(one.Unreadable, refconfig.Place{File: "x"}.Problem(code.InputUnreadable, "m"))
	}
	one.Conclude()
	return one
}

// TestTheTableSaysWhatTheRunsSay reads the numbers back, and holds the lines to the width.
func TestTheTableSaysWhatTheRunsSay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	line := regexp.MustCompile(`  (compliant|DRIFT|INCOMPLETE) +(\d+) +(\d+) +(\d+)  `)
	for range 200 {
		report := &finding.Report{}
		for i := range 2 + r.IntN(12) {
			report.Runs = append(report.Runs, randomRun(r, i))
		}
		report.Conclude()
		width := []int{40, 60, 90, 120, 150, 300}[r.IntN(6)]
		var b bytes.Buffer
		if err := Report(&b, report, Options{Width: width, Summary: true, InputOrder: true}); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		out = out[strings.LastIndex(out, "=\n"):]
		ruler, rows := newRuler(), 0
		for _, l := range strings.Split(out, "\n") {
			if ruler.width(l) > width && !strings.HasPrefix(l, "Next, ") {
				t.Fatalf("a line is wider than %d:\n%s", width, out)
			}
			m := line.FindStringSubmatch(l + "  ")
			if m == nil {
				continue
			}
			s := report.Runs[rows].Summary
			want := []string{
				s.Verdict.Short(),
				strconv.Itoa(s.Objects.Drift),
				strconv.Itoa(s.MissingCRs - s.NotCollectedCRs),
				strconv.Itoa(s.NotCollectedCRs),
			}
			if strings.Join(m[1:], " ") != strings.Join(want, " ") {
				t.Fatalf("row %d has %v, want %v:\n%s", rows, m[1:], want, out)
			}
			rows++
		}
		if wide := width >= 90; wide && rows != len(report.Runs) {
			t.Fatalf("%d rows for %d clusters:\n%s", rows, len(report.Runs), out)
		}
		c := report.Summary.Clusters
		if said := report.Sentence(); c.Compliant+c.Drift+c.Incomplete != len(report.Runs) ||
			!strings.Contains(out, "\n"+said+"\n") && width >= 90 {
			t.Fatalf("%q does not end:\n%s", said, out)
		}
		if strings.Contains(out, "\x1b") {
			t.Fatal("it has escapes")
		}
	}
}

func TestTheMiddleIsCut(t *testing.T) {
	r := newRuler()
	for _, c := range [][3]string{{"short", "10", "short"}, {"du-site-a-x7k2p", "9", "du-s…k2p"}, {"名前名前名前", "7", "名…前"}, {"abc", "1", "a…"}} {
		width, _ := strconv.Atoi(c[1])
		got := r.middle(c[0], width)
		if r.width(got) > max(width, 2) || !strings.HasPrefix(got, c[2][:1]) ||
			len(c[0]) > width != strings.Contains(got, "…") {
			t.Errorf("%q at %d is %q", c[0], width, got)
		}
	}
}

// TestClustersCanBeToldApart: where too little of names and places fits beside each other, all of
// them stands below each other.
func TestClustersCanBeToldApart(t *testing.T) {
	report := &finding.Report{}
	for i := range 3 {
		report.Runs = append(report.Runs, &finding.Run{
			Cluster: finding.Cluster{Name: "site-a-cluster-with-a-long-name-x7k2p"},
			Inputs:  []finding.Input{{Path: fmt.Sprintf("all/in/c%d.yaml", i)}},
		})
	}
	report.Conclude()
	for _, width := range []int{40, 80, 100, 140} {
		var b bytes.Buffer
		if err := Report(&b, report, Options{Width: width, Summary: true}); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		out = out[strings.LastIndex(out, "=\n"):]
		for i := range 3 {
			if strings.Count(out, fmt.Sprintf("/c%d.yaml", i)) != 1 {
				t.Errorf("%d columns:\n%s", width, out)
			}
		}
	}
}

// TestTheWorstClustersAreOnTheLastScreen: of many clusters the table lists the worst, and counts
// the others.
func TestTheWorstClustersAreOnTheLastScreen(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	report := &finding.Report{}
	for i := range 200 {
		one := randomRun(r, i)
		one.Unreadable, one.Alarms = nil, nil
		if i == 120 {
			one.Cluster.Name = "cut-short"
			one.Unreadable = []refconfig.Problem{refconfig.Place{File: "x"}.Problem(code.ArchiveBroken, "m")}
		}
		one.Conclude()
		report.Runs = append(report.Runs, one)
	}
	report.Conclude()
	var b bytes.Buffer
	if err := Report(&b, report, Options{Width: 150, Summary: true}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	last := lines[max(0, len(lines)-50):]
	at := slices.IndexFunc(last, func(l string) bool { return strings.HasPrefix(l, "cluster ") })
	if at < 0 || !strings.HasPrefix(last[at+1], "cut-short ") {
		t.Fatalf("the worst cluster is not the first of the table:\n%s", strings.Join(last, "\n"))
	}
	if more := last[at+1+rowsShown]; !strings.HasPrefix(more, "… and 185 more (") ||
		!strings.Contains(more, " DRIFT)") || !strings.Contains(more, " compliant, ") {
		t.Error(more)
	}
	if want := report.Sentence(); last[len(last)-2] != want {
		t.Errorf("it ends with %q, want %q", last[len(last)-2], want)
	}
	if want := "Next, what VT1006 means: validationTool explain VT1006"; last[len(last)-1] != want {
		t.Errorf("it ends with %q, want %q", last[len(last)-1], want)
	}
	if want := "  cut-short: x: m (VT1006)"; !slices.Contains(last, want) {
		t.Errorf("%q is not on the last screen", want)
	}
	if n := strings.Count(b.String(), "\nCluster "); n != 0 {
		t.Errorf("%d clusters have a block of their own in the summary", n)
	}
}

// TestTheEndOfManyClustersFitsOnAScreen: of two hundred clusters the last fifty lines have the verdict,
// the worst cluster and what they have in common, whatever the width.
func TestTheEndOfManyClustersFitsOnAScreen(t *testing.T) {
	report := &finding.Report{}
	for i := range 200 {
		run := &finding.Run{Cluster: finding.Cluster{Name: fmt.Sprint("du-site-", i)}}
		run.Summary.Objects.Read = 100
		if i == 117 {
			run.Cluster.Name = "the-damaged-one"
			run.Unreadable = []refconfig.Problem{refconfig.Place{File: "x"}.Problem(code.InputUnreadable, "m")}
		}
		run.Alarms = []finding.Warning{{Code: code.WrongReference, Message: fmt.Sprint("the cluster is 4.", i%2)}}
		for j := range 60 {
			object := finding.Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "app", Name: fmt.Sprint("cm-", j)}
			all := []finding.Difference{{Category: finding.Drift, Path: "data.mode", Reference: []byte("1"), Input: []byte("2")}}
			finding.Identify(all, object, "cm.yaml")
			run.Comparisons = append(run.Comparisons, &finding.Comparison{
				Object: object, Result: finding.Drifted, Counts: finding.Counts{Drift: 1}, Differences: all,
			})
		}
		run.Conclude()
		report.Runs = append(report.Runs, run)
	}
	report.Conclude()
	for _, width := range []int{60, 80, 120, 200} {
		var b bytes.Buffer
		if err := Report(&b, report, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		screen := strings.Join(lines[max(0, len(lines)-50):], "\n")
		for _, want := range []string{"the-damaged-one", "the-damaged-one: x: m (VT1003)",
			"!! 100 of 200 clusters: the cluster is 4.0 (VT3006); and 1", "Found in several clusters", "200 of 200  ConfigMap app/cm-0",
			"--verbose lists them", "200 clusters: 199 DRIFT, 1 INCOMPLETE"} {
			if !strings.Contains(screen, want) {
				t.Errorf("width %d: %q is not on the last screen:\n%s", width, want, screen)
			}
		}
	}
}
