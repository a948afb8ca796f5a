package finding

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomFleet returns clusters with some findings of a few, so that many of them are alike. Some
// clusters have no CR.
func randomFleet(r *rand.Rand) (runs []*Run) {
	for i := range 1 + r.IntN(20) {
		var texts []string
		for field := range 4 {
			if value := r.IntN(6); value < 2 {
				texts = append(texts, fmt.Sprintf(`cm spec.f%d 0 %d`, field, 1+value))
			}
		}
		run := found(texts...)
		run.Cluster.Name = fmt.Sprintf("n%02d", i)
		run.Summary.Objects.Read = 1
		if r.IntN(4) == 0 {
			run.Rules = []Rule{{
				Code: "VT3002", Rule: "noneOf", Message: "should not be present",
				Present: []Present{{Object: Object{Kind: "A", Name: fmt.Sprint("a", r.IntN(2))}}},
			}}
		}
		if r.IntN(8) == 0 {
			run = &Run{Inputs: []Input{{Path: fmt.Sprint("empty", i)}}}
		}
		run.Conclude()
		runs = append(runs, run)
	}
	return runs
}

// TestNoFindingIsLostInRows: what the usual row has, without what a row has less and with what it has
// more, is what each of its clusters has; and each cluster is in one row. The order of the inputs does
// not matter. An input without CRs lacks nothing.
func TestNoFindingIsLostInRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		runs := randomFleet(r)
		report := &Report{Runs: runs}
		said := described(report)
		f := report.Fleet(Filter{})
		usual := []string{}
		for _, row := range f.Rows {
			if row.Usual {
				usual = hashes(slices.Collect(f.findings(row.Runs[0])))
			}
		}
		met := map[int]bool{}
		groups := f.Groups()
		for n, row := range f.Rows {
			var names []string
			for _, i := range row.Runs {
				names = append(names, runs[i].Name())
			}
			if g := groups[n]; !slices.Equal(g.Clusters, names) || (g.More != nil) != (row.More > 0) || (g.Less != nil) != (row.Less > 0) {
				t.Fatalf("a document has %+v for the row %+v of %q", g, row, names)
			}
			more, less := f.Odd(row)
			if len(more) != row.More || len(less) != row.Less {
				t.Fatalf("%v: %d more and %d less are listed", row, len(more), len(less))
			}
			gone := hashes(less)
			want := slices.DeleteFunc(slices.Clone(usual), func(h string) bool { return row.Blank || slices.Contains(gone, h) })
			want = append(want, hashes(more)...)
			slices.Sort(want)
			for _, i := range row.Runs {
				if got := hashes(slices.Collect(f.findings(i))); !slices.Equal(got, want) || met[i] {
					t.Fatalf("cluster %d has %v, its row %v", i, got, want)
				}
				met[i] = true
			}
		}
		if len(met) != len(runs) {
			t.Fatalf("%d of %d clusters are in a row", len(met), len(runs))
		}
		r.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		if again := described(report); again != said {
			t.Fatalf("in another order:\n%s\nbefore:\n%s", again, said)
		}
	}
}

// hashes returns the identities of findings, sorted.
func hashes(all []Finding) (out []string) {
	for _, f := range all {
		out = append(out, fmt.Sprintf("%x", f.ContentHash()))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// described describes the rows and the shared findings of a report.
func described(r *Report) string {
	var out strings.Builder
	f := r.Fleet(Filter{})
	for _, g := range f.Groups() {
		g.Runs = nil
		fmt.Fprintln(&out, g.Verdict, g.Clusters, g.Findings, g.Usual)
		for _, odd := range []*Odd{g.More, g.Less} {
			if odd != nil {
				for _, one := range odd.Findings {
					fmt.Fprintln(&out, " ", one.Words)
				}
			}
		}
	}
	all, several := f.Shared()
	for _, one := range append(all, several...) {
		fmt.Fprintln(&out, one.Subject, one.Text, f.Names(one))
	}
	return out.String()
}

// TestFiltersOnlyHideLines: the rows, their numbers and what several clusters have are the same with each
// filter and baseline; what is not shown is counted.
func TestFiltersOnlyHideLines(t *testing.T) {
	filters := []Filter{
		{OnlyNew: true},
		{OnlyNew: true, AskedNew: true},
		{Categories: []Category{Extra}},
		{Categories: []Category{Missing}},
		{Selectors: []Selector{{Kind: "ConfigMap", Name: "cm"}}},
		{Selectors: []Selector{{Kind: "A"}}, OnlyNew: true},
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		report := &Report{Runs: randomFleet(r)}
		for _, run := range report.Runs {
			for _, c := range run.Comparisons {
				c.Differences[0].Change = []Change{New, Changed, Unchanged, ""}[r.IntN(4)]
			}
		}
		all := report.Fleet(Filter{})
		for _, filter := range filters {
			f := report.Fleet(filter)
			if got, want := fmt.Sprint(f.Rows), fmt.Sprint(all.Rows); got != want {
				t.Fatalf("with %+v: rows\n%s, without:\n%s", filter, got, want)
			}
			if got, want := numbers(f.Shared()), numbers(all.Shared()); got != want {
				t.Fatalf("with %+v: shared %s, without: %s", filter, got, want)
			}
			for _, row := range f.Rows {
				more, less, hidden := f.Against(row)
				shown := 0
				for _, one := range slices.Concat(more, less) {
					shown += one.Findings()
				}
				if want := row.More + row.Less; !row.Usual && row.Findings > 0 && shown+hidden[0]+hidden[1] != want {
					t.Fatalf("with %+v: %d shown and %v hidden of %d", filter, shown, hidden, want)
				}
			}
		}
	}
}

// TestRareFindingsStandFirst: in a row, those that the fewest clusters have, and those that the fewest lack.
func TestRareFindingsStandFirst(t *testing.T) {
	report := &Report{}
	for i, texts := range []string{"e", "e", "e", "b c d", "b c", "b", "a e", "a e", "a e", "a e"} {
		var all []string
		for name := range strings.FieldsSeq(texts) {
			all = append(all, name+" x 1 2")
		}
		run := found(all...)
		run.Cluster.Name, run.Summary.Objects.Read = fmt.Sprint("n", i), 1
		run.Conclude()
		report.Runs = append(report.Runs, run)
	}
	f := report.Fleet(Filter{})
	got := ""
	for _, row := range f.Rows {
		more, less := f.Odd(row)
		for _, one := range more {
			got += " +" + one.Object.Name
		}
		for _, one := range less {
			got += " -" + one.Object.Name
		}
		got += ","
	}
	if want := ", +d +c +b -e -a, +c +b -e -a, +b -e -a, -a,"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// numbers says how many clusters have each of the findings, in any order.
func numbers(all, several []Common) string {
	var said []string
	for _, one := range slices.Concat(all, several) {
		said = append(said, fmt.Sprint(one.N(), one.Subject, one.Text))
	}
	slices.Sort(said)
	return fmt.Sprint(len(all), said)
}

// TestInputsWithoutCRsAreNoClusters: they stand first, and do not count as clusters, not even as the
// usual ones.
func TestInputsWithoutCRsAreNoClusters(t *testing.T) {
	var runs []*Run
	for i, texts := range [][]string{{"a x 1 2"}, {"a x 1 2", "b y 1 2"}, {}, {}, {}} {
		run := found(texts...)
		if len(texts) > 0 {
			run.Cluster.Name, run.Summary.Objects.Read = fmt.Sprint("n", i), 1
		}
		run.Conclude()
		runs = append(runs, run)
	}
	r := &Report{Runs: runs}
	r.Conclude()
	f := r.Fleet(Filter{})
	if all, _ := f.Shared(); len(all) != 1 || f.Clusters != 2 {
		t.Errorf("of %d clusters, %d findings are of all", f.Clusters, len(all))
	}
	if f.Rows[0].Usual || f.Rows[0].Known || !f.Rows[1].Usual {
		t.Errorf("the rows are %+v", f.Rows)
	}
	if want := "2 clusters: 2 compliant; INCOMPLETE: 3 inputs gave no CR"; r.Sentence() != want {
		t.Errorf("%s, want %s", r.Sentence(), want)
	}
}

// TestTheOrderOfRows: incomplete clusters first, then the usual row, which most clusters have, then those with
// more that is odd, then those with more clusters.
func TestTheOrderOfRows(t *testing.T) {
	for all, want := range map[string]string{
		"a=pq b=pq c=p d=pqr e=pqrs f=! g=pqst": "f +1 -0, ab usual +0 -0, e +2 -0, g +2 -0, d +1 -0, c +0 -1",
		"a=p b=q":                               "a usual +0 -0, b +1 -1",
		"a=p b=q c= d=":                         "cd usual +0 -0, a +1 -0, b +1 -0",
		"a=pq b=p":                              "b usual +0 -0, a +1 -0",
		"a=! b=!":                               "ab +1 -0",
		"a=p b=p c=q d=r e=r f=s g=p":           "abg usual +0 -0, de +1 -1, c +1 -1, f +1 -1",
		"a=xp b=p c=yp":                         "abc usual +0 -0",
		"a=XP b=P c=P":                          "bc usual +0 -0, a +1 -0",
	} {
		report := &Report{FailOn: FailOn{FailOnDrift, FailOnMissing}}
		for one := range strings.FieldsSeq(all) {
			name, letters, _ := strings.Cut(one, "=")
			run := &Run{}
			for _, letter := range letters {
				c := found(fmt.Sprintf(`cm%c spec.f 0 1`, letter)).Comparisons[0]
				switch letter {
				case 'x', 'y':
					c.Differences[0].Category = Extra
				case 'X':
					c.Differences[0].Category = Extra
					report.FailOn = FailOn{FailOnExtra}
				}
				c.Counts.Count(c.Differences[0].Category, 1)
				c.Result = c.Counts.Result()
				run.Comparisons = append(run.Comparisons, c)
			}
			if run.Cluster.Name = name; letters == "!" {
				run = &Run{Cluster: run.Cluster}
			} else {
				run.Comparisons = append(run.Comparisons, &Comparison{Result: Clean})
				run.Summary.Objects.Read = 1
			}
			run.Conclude()
			report.Runs = append(report.Runs, run)
		}
		var rows []string
		for _, row := range report.Fleet(Filter{}).Rows {
			names := ""
			for _, i := range row.Runs {
				names += report.Runs[i].Cluster.Name
			}
			if row.Usual {
				names += " usual"
			}
			rows = append(rows, fmt.Sprintf("%s +%d -%d", names, row.More, row.Less))
		}
		if got := strings.Join(rows, ", "); got != want {
			t.Errorf("%s: %s, want %s", all, got, want)
		}
	}
}

// TestAClusterThatIsGivenTwiceCountsOnce: in the numbers of clusters, in what they share and in a row;
// what differs between its runs is not lost.
func TestAClusterThatIsGivenTwiceCountsOnce(t *testing.T) {
	var runs []*Run
	for i, texts := range []string{"a x 1 2", "a x 1 2", "a x 1 2;b y 1 2", "b y 1 2"} {
		run := found(strings.Split(texts, ";")...)
		run.Summary.Objects.Read = 1
		run.Cluster = Cluster{Name: "twice", ID: "7"}
		if i == 3 {
			run.Cluster = Cluster{Name: "other", ID: "8"}
		}
		run.Conclude()
		runs = append(runs, run)
	}
	r := &Report{Runs: runs}
	r.Conclude()
	f := r.Fleet(Filter{})
	got := r.Sentence()
	for _, row := range f.Rows {
		got += fmt.Sprint(" ", row.Runs)
	}
	all, several := f.Shared()
	for _, one := range append(all, several...) {
		got += fmt.Sprint(" ", one.N(), one.Subject)
	}
	if want := "2 clusters: 2 compliant [3] [0] [2] 2ConfigMap app/b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestCountClusters counts the clusters of runs in any order: a cluster with several runs counts once, as differing if one of them differs.
func TestCountClusters(t *testing.T) {
	for of, want := range map[string]int{ // runs as ID/infrastructure
		"":                  0,
		"a/x":               1,
		"a/x a/x":           1,
		"a/x a/":            1,
		"a/x b/x":           2,
		"a/x /x":            1,
		"a/x b/x /x":        2,
		"/x /x":             1,
		"/x /y":             2,
		"a/x /y":            2,
		"/ / a/":            3, // nothing tells that they are the same
		"a/x a/y /y /x b/z": 2,
	} {
		runs := strings.Fields(of)
		for range len(runs) + 1 {
			r := &Report{}
			for _, one := range runs {
				id, infrastructure, _ := strings.Cut(one, "/")
				run := &Run{Cluster: Cluster{ID: id, Infrastructure: infrastructure}}
				run.Summary.Objects.Read = 1
				run.Summary.Verdict = Differs
				r.Runs = append(r.Runs, run)
			}
			if len(r.Runs) > 0 {
				r.Runs[0].Summary.Verdict = Compliant
			}
			worst := map[Verdict]int{}
			for _, verdict := range r.verdicts() {
				worst[verdict]++
			}
			alone := len(r.Runs) > 0 && !slices.Contains(r.firsts()[1:], 0)
			if got := r.CountClusters(); got != want || len(r.verdicts()) != want || (worst[Compliant] == 1) != alone {
				t.Errorf("%v: %d clusters, verdicts %v, want %d", runs, got, worst, want)
			}
			if len(runs) > 0 {
				runs = append(runs[1:], runs[0])
			}
		}
	}
}
