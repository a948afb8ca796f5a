package cluster

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// TestCollected reads inputs and holds all that is collected of each cluster: an archive of testdata
// has the files, each input being what is at the top, and the result for each choice of options. A
// file "x.tar!/name" is an entry of an archive.
func TestCollected(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		t.Chdir(t.TempDir())
		inputs, plain, packed := map[string]bool{}, map[string]string{}, map[string][]testkit.Entry{}
		for name, text := range a.Texts() {
			if strings.HasPrefix(name, "want") {
				continue
			}
			top, _, _ := strings.Cut(name, "/")
			inputs[strings.TrimSuffix(top, "!")] = true
			archive, entry, inside := strings.Cut(name, "!/")
			if !inside {
				plain[name] = text
				continue
			}
			packed[archive] = append(packed[archive], testkit.Entry{Name: entry, Data: text})
		}
		for archive, entries := range packed {
			slices.SortFunc(entries, func(a, b testkit.Entry) int { return strings.Compare(a.Name, b.Name) })
			plain[archive] = string(testkit.Tar(entries...))
		}
		testkit.Files(t, ".", plain)
		for _, f := range a.Files {
			if words, isWanted := strings.CutPrefix(f.Name, "want"); isWanted {
				opt := options(t, strings.Fields(words))
				opt.Inputs = slices.Sorted(maps.Keys(inputs))
				a.Want(t, f.Name, collected(t, opt))
			}
		}
	})
}

// collected returns all that is read with options.
func collected(t *testing.T, opt Options) string {
	var used []string
	opt.Used = func(path string) { used = append(used, path) }
	var found, bytes atomic.Int64 // several goroutines report what they found
	opt.Found = func(n, of int) {
		found.Add(int64(n))
		bytes.Add(int64(of))
	}
	r := Read(t.Context(), opt)
	r.KeepNames()
	var trimmed sync.Map
	all, err := r.Collect(func(o *manifest.Object) { trimmed.Store(o, true) })
	var b strings.Builder
	for _, one := range all {
		one.print(&b)
		for _, o := range slices.Concat(one.Objects, one.Refused) {
			if _, is := trimmed.Load(o); !is {
				t.Errorf("%s was not trimmed", o.ID)
			}
		}
	}
	fmt.Fprintf(&b, "found: %d in %d bytes\n", found.Load(), bytes.Load())
	slices.Sort(used)
	used = slices.Compact(used) // a path may be passed again after another one
	fmt.Fprintf(&b, "passed: %v\nused: %v\n", r.Passed(), used)
	if err != nil {
		fmt.Fprintln(&b, err)
	}
	return b.String()
}

// options returns options by their words.
func options(t *testing.T, words []string) (opt Options) {
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "join":
			opt.Join = true
		case "each":
			opt.Each = true
		case "only":
			opt.Only = append(opt.Only, value)
		case "nested":
			opt.Nested = true
		case "wrapped":
			opt.Wrapped = true
		case "skip":
			opt.SkipUnreadable = true
		case "most":
			fmt.Sscan(value, &opt.Most)
		case "objects":
			fmt.Sscan(value, &opt.Objects)
		default:
			t.Fatalf("no option %s", word)
		}
	}
	return opt
}

// print writes what was collected of a cluster, without what is empty.
func (c Collected) print(b *strings.Builder) {
	fmt.Fprintf(b, "cluster %q gathered %v %s\n", c.Cluster, c.Gathered, c.When)
	for _, in := range c.Inputs {
		fmt.Fprintf(b, "  input %+v\n", in)
	}
	of := func(o *manifest.Object) string {
		layout := ""
		if c.Layout != nil {
			layout = c.Layout(o.Place)
		}
		return fmt.Sprintf("%s at %s %s%s", o.ID, o.Place, o.Wrapper, layout)
	}
	for _, o := range c.Objects {
		fmt.Fprintf(b, "  object %s\n", of(o))
	}
	for _, o := range c.Refused {
		fmt.Fprintf(b, "  refused %s\n", of(o))
	}
	if c.Closed {
		fmt.Fprintln(b, "  closed")
	}
	for what, all := range []([]refconfig.Problem){c.Unreadable, c.NotRead, c.Warnings, c.Hollow} {
		for _, p := range all {
			fmt.Fprintf(b, "  %s %s %v\n", []string{"unreadable", "not read", "warning", "hollow"}[what], p.Code, p)
		}
	}
	for _, l := range c.Lost {
		fmt.Fprintf(b, "  lost %v %v %v\n", l.Problem, l.Kinds, l.Any)
	}
	for _, p := range c.Blank {
		fmt.Fprintf(b, "  blank %v\n", p)
	}
	for _, f := range c.Failed {
		fmt.Fprintf(b, "  failed %+v\n", f)
	}
	for _, l := range c.Listed {
		fmt.Fprintf(b, "  listed %+v\n", l)
	}
	slices.Sort(c.Files)
	fmt.Fprintf(b, "  files %v\n", c.Files)
	any := func(string) bool { return true }
	for _, tell := range []func() (refconfig.Problem, bool){
		c.NotLookedInto, func() (refconfig.Problem, bool) { return c.Forbidden(any) },
	} {
		if p, told := tell(); told {
			fmt.Fprintf(b, "  told %v\n", p)
		}
	}
}

// TestInputsOfOneClusterCountTogether: what was read of a cluster in several parts is all told of it,
// and what belongs to no cluster in particular concerns each.
func TestInputsOfOneClusterCountTogether(t *testing.T) {
	part := func(cluster, in string) Collected {
		at := refconfig.Place{File: in}
		p := []refconfig.Problem{{Code: code.ObjectLost, Place: at}}
		o := &manifest.Object{ID: manifest.ID{Kind: "Kind", Name: in}, Place: at}
		return Collected{
			Cluster: cluster, Inputs: []finding.Input{{Path: in}}, Objects: []*manifest.Object{o},
			Unreadable: p, Lost: []manifest.Lost{{Problem: p[0]}}, Warnings: p, Blank: []refconfig.Place{at}, Hollow: p,
			Failed: []manifest.Failed{{Place: at}}, Listed: []Listed{{Kind: in}}, full: map[string]string{in: in},
			Gathered: in == "b", Layout: func(p refconfig.Place) string {
				if p != at {
					return ""
				}
				return "of " + in
			},
		}
	}
	nobodys := part("", "c")
	nobodys.Objects = nil
	flat := part("one", "e")
	flat.Layout = nil
	by := ByName([]Collected{part("one", "a"), part("one", "b"), flat, part("two", "d"), nobodys})
	for name, want := range map[string]string{"one": "[a:  b:  e:  c: ]", "two": "[d:  c: ]", "": "[c: ]"} {
		if got := fmt.Sprint(by[name].Unreadable); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	var b strings.Builder
	by["one"].print(&b)
	for _, in := range []string{"a", "b"} {
		for _, what := range []string{
			"input {Path:" + in, "object Kind " + in + " () at " + in + " of " + in, "unreadable VT1043 " + in, "warning VT1043 " + in,
			"hollow VT1043 " + in, "lost " + in, "blank " + in, "listed {Group: Kind:" + in,
		} {
			if !strings.Contains(b.String(), what) {
				t.Errorf("%q is not in %s", what, b.String())
			}
		}
	}
	if one := by["one"]; !one.Gathered || len(one.Failed) != 3 || len(one.full) != 3 {
		t.Errorf("%v, %v, %v", one.Gathered, one.Failed, one.full)
	}
	if alone := ByName([]Collected{part("one", "a")}); len(alone) != 1 || len(alone[""].Objects) != 1 {
		t.Errorf("the only cluster is %v", alone)
	}
}

// TestNothingToCompare: the hint is about what most probably holds the CRs.
func TestNothingToCompare(t *testing.T) {
	closed := func(foreign ...string) (all []source.Problem) {
		for i, f := range foreign {
			at := refconfig.Place{File: fmt.Sprint("inner", i)}
			all = append(all, source.Problem{Problem: at.Problem(code.ArchiveNotRead, ""), Foreign: f})
		}
		return all
	}
	link := source.Problem{Problem: refconfig.Place{File: "link"}.Problem(code.LinkSkipped, "")}
	broken := source.Problem{Problem: refconfig.Place{File: "broken"}.Problem(code.InputUnreadable, "")}
	file := source.Input{Path: "a.tar.gz", Format: "file"}
	if err := noObjects(nil, source.Summary{NotRead: closed("")}, passedOver{source.ReasonTemplate: {count: 1}}); !strings.Contains(
		err.Error(), "1 file belongs to another reference: name the CRs of a cluster") {
		t.Error(err)
	}
	for _, c := range []struct {
		summary source.Summary
		want    string
	}{
		{source.Summary{}, "name the folder or archive that holds the CRs as YAML or JSON"},
		{source.Summary{Problems: []source.Problem{broken}}, "name the folder or archive"},
		{source.Summary{Inputs: []source.Input{file}}, "a.tar.gz has the name of an archive, but not the content"},
		{source.Summary{Inputs: []source.Input{{Path: "a.tar.gz", Format: "tar.gz"}}}, "name the folder or archive"},
		{source.Summary{Inputs: []source.Input{{Path: "a.yaml", Format: "file"}}}, "name the folder or archive"},
		{source.Summary{Inputs: []source.Input{file}, Problems: []source.Problem{broken, link, link}}, "2 links were not followed, such as link: name the targets"},
		{source.Summary{Problems: []source.Problem{link}, NotRead: closed("")}, "1 archive was not opened, such as inner0: read inner archives with --nested"},
		{source.Summary{NotRead: closed("a disk image", "")}, "2 archives were not opened, such as inner1: read inner archives with --nested"},
		{source.Summary{NotRead: closed("a disk image")}, "1 archive was not opened, such as inner0: it is a disk image"},
		{source.Summary{NotRead: closed(""), Skipped: map[string]int{source.ReasonReference: 1}}, "1 file belongs to the reference, and a reference is not compared with itself"},
	} {
		got := noObjects([]string{"a", "-"}, c.summary, nil).Error()
		if !strings.HasPrefix(got, "VT1004: a, standard input: no Kubernetes object was found; "+c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestWhatCountsNotIsToldByPlace: whatever the order of the inputs, the first place is named, and
// what is there is told in order, up to three CRs.
func TestWhatCountsNotIsToldByPlace(t *testing.T) {
	cr := func(kind string, line int, carries manifest.Carrying) *manifest.Object {
		o := &manifest.Object{ID: manifest.ID{Kind: kind, Name: fmt.Sprint(line)}, Place: refconfig.Place{File: "f", Line: line}}
		o.Carries, o.Compliance = carries, "forbidden"
		return o
	}
	all := []*manifest.Object{
		cr("B", 3, manifest.CarriesUnread), cr("A", 1, manifest.CarriesUnread), cr("A", 4, manifest.CarriesUnread),
		cr("C", 2, manifest.CarriesNone), cr("D", 5, manifest.CarriesRead), cr("A", 1, manifest.CarriesUnread),
	}
	c := Collected{Objects: all, Refused: all[:5]}
	const inside = "f:1: missing CRs may be inside other CRs, which were not read: 2 A, 1 B; --wrapped compares the CRs inside them"
	for range 2 {
		if p, told := c.NotLookedInto(); !told || p.Error() != inside {
			t.Errorf("%v %v, want %s", told, p, inside)
		}
		slices.Reverse(c.Objects)
	}
	for kinds, want := range map[string]string{
		"ABCD": "f:1: A 1 () (forbidden), C 2 () (forbidden), B 3 () (forbidden), and 2 more", "ABC": "f:1: A 1 () (forbidden), C 2 () (forbidden), B 3 () (forbidden), and 1 more",
		"AB": "f:1: A 1 () (forbidden), B 3 () (forbidden), A 4 () (forbidden)", "X": "",
	} {
		p, told := c.Forbidden(func(kind string) bool { return strings.Contains(kinds, kind) })
		_, p.Message, _ = strings.Cut(p.Message, ": ")
		if told != (want != "") || told && p.Error() != want {
			t.Errorf("%s: %v %v, want %s", kinds, told, p, want)
		}
	}
}

// TestBatchesHaveAnOrder: by input, then by name, then by the order in an archive.
func TestBatchesHaveAnOrder(t *testing.T) {
	var want []source.File
	for _, in := range []int{0, 1} {
		for _, name := range []string{"a", "b"} {
			for _, entry := range []string{"", "x"} {
				want = append(want, source.File{Input: in, Name: name, Entry: entry}, source.File{Input: in, Name: name, Entry: entry, Turn: 1})
			}
		}
	}
	random := rand.New(rand.NewSource(1))
	for range 9 {
		var batches []*Batch
		for _, i := range random.Perm(len(want)) {
			batches = append(batches, &Batch{File: want[i]})
		}
		for i, b := range sorted(batches) {
			if b.File.Input != want[i].Input || b.File.Name != want[i].Name || b.File.Entry != want[i].Entry || b.File.Turn != want[i].Turn {
				t.Fatalf("%d is %+v, want %+v", i, b.File, want[i])
			}
		}
	}
}

// TestAnInputThatIsNotThere ends the reading.
func TestAnInputThatIsNotThere(t *testing.T) {
	_, err := Read(t.Context(), Options{Inputs: []string{"none"}}).Collect(func(*manifest.Object) {})
	if err == nil || !strings.HasPrefix(err.Error(), code.InputNotFound+": ") {
		t.Error(err)
	}
}

// TestGapsConcernTheirKindsAndNamespaces: a failed collection or a file without CRs concerns only the kinds,
// names and namespaces that it may be about.
func TestGapsConcernTheirKindsAndNamespaces(t *testing.T) {
	in := Collected{
		Gathered: true, Failed: []manifest.Failed{{PathID: collector.PathID{Plural: "configmaps", Name: "failed"}}},
		Hollow: []refconfig.Problem{
			refconfig.Place{File: "mg/namespaces/app/core/secrets.yaml"}.Problem(code.FileBlank, ""),
			refconfig.Place{File: "mg/namespaces/app/example.com/pools/a.yaml"}.Problem(code.FileBlank, ""),
			refconfig.Place{File: "readme.yaml"}.Problem(code.FileBlank, ""),
			refconfig.Place{File: "mg/namespaces/app/core/endpoints.yaml~"}.Problem(code.FileBlank, ""),
		},
	}
	is := func(want string) func(string) bool { return func(s string) bool { return s == want } }
	for _, c := range []struct {
		kind, namespace, name string
		want                  int
	}{
		{"ConfigMap", "app", "failed", 1}, {"ConfigMap", "app", "other", 0}, {"Secret", "app", "a", 1}, {"Secret", "other", "a", 0},
		{"", "app", "failed", 0}, {"Service", "app", "failed", 0}, {"Pool", "app", "a", 0}, {"Endpoints", "app", "a", 1},
		{"Pool.example.com", "app", "a", 1}, {"Pool.example.com", "app", "b", 0}, {"Secret.example.com", "app", "a", 0},
	} {
		kind, group, _ := strings.Cut(c.kind, ".")
		concerned, others := NewEvidence(&in).Gaps(Query{Group: group, Kind: kind, Namespace: is(c.namespace), Name: is(c.name)})
		if len(concerned) != c.want || len(concerned)+len(others) != 5 {
			t.Errorf("%+v: %v and %v", c, concerned, others)
		}
	}
}

// TestWhatAnUnopenedArchiveMayHold: a tar at the top of a folder may hold CRs of the cluster, except
// packages of charts; anywhere else only what has the name of a must-gather.
func TestWhatAnUnopenedArchiveMayHold(t *testing.T) {
	for name, want := range map[string][2]bool{
		"mg.tgz": {true, false}, "mg.tar.xz": {true, false}, "mg.tar": {true, false}, "backup.zip": {false, false},
		"logo.7z": {false, false}, "db-1.2.3.tgz": {false, false}, "db-1.2.3.tar": {true, false}, "x/db.tgz": {false, false},
		"x/Must-Gather.tar.gz": {true, true}, "must-gather.zip": {true, true}, "must-gather/logs.tgz": {false, false},
		"namespaces/a/pods/b/metrics.tar": {false, false},
	} {
		p := source.Problem{Name: name}
		got := [2]bool{mayHoldCRs(p, source.Input{}), mayHoldCRs(p, source.Input{Layout: collector.MustGather})}
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestAnInterruptedReadingNamesWhatItDidNotRead: inputs of which something was read are told with
// their clusters.
func TestAnInterruptedReadingNamesWhatItDidNotRead(t *testing.T) {
	c, err := splitOf(t, Options{}, files{"v.yaml": version("1")}, files{"v.yaml": version("2")}, files{}, files{})
	if err != nil {
		t.Fatal(err)
	}
	inputs := []source.Input{{Path: "read", Whole: true}, {Path: "begun"}, {Path: "empty", Whole: true}, {Path: "unread"}}
	r := &Reading{Summary: source.Summary{Inputs: inputs}, stopped: &watch.Ended{Why: "stopped"}}
	all := r.stop([]Collected{{Objects: make([]*manifest.Object, 1)}, {}}, c)
	var told []string
	for _, one := range all {
		told = append(told, fmt.Sprint(one.Stopped.Why, one.Inputs))
	}
	want := []string{
		"stopped while the input was read: 1 CR was found until then, and no rule was evaluated[]",
		"stopped while the input was read: 0 CRs were found until then, and no rule was evaluated[]",
		"stopped before these inputs were read[{unread     }]",
	}
	if !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
}
