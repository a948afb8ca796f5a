package compare

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/accept"
	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/given"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// TestNamesAreLookedAtSoOften: looks at names end, long names count as several, and an ordinary run has enough of them.
func TestNamesAreLookedAtSoOften(t *testing.T) {
	count := func(name string) (n int) {
		r := &run{selection: &selection{}}
		for r.looks(template.Identity{Name: template.Literal("a")}, manifest.ID{Name: name}) {
			n++
		}
		return n
	}
	if n := count("b"); n < 100*20_000 || n > 10_000_000 {
		t.Errorf("%d looks", n)
	}
	if n := count(strings.Repeat("b", 64_000)); n > 10_000 {
		t.Errorf("%d looks at long names", n)
	}
}

// TestLookupsAreNoSearch: what a lookup goes through is what it finds.
func TestLookupsAreNoSearch(t *testing.T) {
	var objects []*manifest.Object
	for i := range 40 {
		objects = append(objects, &manifest.Object{ID: manifest.ID{APIVersion: "v1", Kind: "A", Namespace: fmt.Sprint("n", i%4), Name: fmt.Sprint("a", i%20)}},
			&manifest.Object{ID: manifest.ID{APIVersion: "v1", Kind: "A", Name: fmt.Sprint("c", i)}})
	}
	s := newStore(objects, false)
	for _, c := range []struct {
		namespace, name string
		want            int
	}{{"", "", 60}, {"n1", "", 5}, {"", "a7", 1}, {"n3", "a7", 1}, {"n1", "a7", 0}, {"", "c7", 1}, {"n1", "c7", 0}} {
		if got := s.places([2]string{"v1", "A"})[[2]string{c.namespace, c.name}]; len(got) != c.want {
			t.Errorf("%q %q: %d", c.namespace, c.name, len(got))
		}
	}
}

// TestTemplatesAreLookedForSoOften: where CRs are many and templates state no beginning of a name, the last CRs are not compared, and that is told.
func TestTemplatesAreLookedForSoOften(t *testing.T) {
	const templates, objects = 5500, 9000
	ref := &refconfig.Reference{}
	for i := range templates {
		name := fmt.Sprintf("t%d.yaml", i)
		ref.Templates = append(ref.Templates, &refconfig.Template{Path: name, File: name,
			Source: fmt.Appendf(nil, "apiVersion: v1\nkind: A\nmetadata: {name: \"{{ .x }}-%d\"}\n", i)})
	}
	engine, problems := render.Compile(context.Background(), ref)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r := &run{selection: newSelection(ref, engine, Options{}), store: &store{}}
	for i := range objects {
		r.store.distinct = append(r.store.distinct, &stored{object: &manifest.Object{ID: manifest.ID{APIVersion: "v1", Kind: "A", Name: fmt.Sprintf("a-%d", i)}}})
	}
	r.bound()
	first, last := r.store.distinct[0], r.store.distinct[objects-1]
	if candidates, _ := r.templatesFor(first); len(candidates) != 1 || first.beyond {
		t.Errorf("the first CR has %d templates", len(candidates))
	}
	if candidates, _ := r.templatesFor(last); len(candidates) != 0 || !last.beyond || len(r.unread) != 1 || r.unread[0].Code != code.LimitTime {
		t.Errorf("the last CR has %d templates, %v", len(candidates), r.unread)
	}
	r.store.distinct, r.unread = r.store.distinct[:1000], nil
	if r.bound(); r.store.distinct[999].beyond || r.unread != nil {
		t.Error("a thousand CRs are too many")
	}
}

// TestTextsAreSearchedSoLong: a CR whose texts, or those that its template makes, take very long to search for Secrets is not compared, and that is
// told; others are, also where a template looks at one text often.
func TestTextsAreSearchedSoLong(t *testing.T) {
	texts := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: 'kind Secret &%d", i, i)
			b.WriteString(strings.Repeat(`\n---\na`, 3) + "', ")
		}
		return b.String()
	}
	files := map[string]string{"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}, {path: b.yaml}, {path: made.yaml}, {path: often.yaml}]}]}]\n",
		"a.yaml": configMap("ns", "a", "k: v"), "b.yaml": configMap("ns", "b", "k: v"),
		"made.yaml":  configMap("ns", "made", "") + "{{ range until 400 }}{{ $x := upper (print . $.data.k0) }}{{ end }}",
		"often.yaml": configMap("ns", "often", "") + "{{ range until 400 }}{{ $x := upper (print $.data.k0) }}{{ end }}"}
	var input strings.Builder
	for name, n := range map[string]int{"a": 400, "b": 1, "made": 1, "often": 1} {
		input.WriteString("---\n" + configMap("ns", name, texts(n)))
	}
	res := runFiles(t, files, input.String(), Options{Share: Share{Work: budget.NewWork(100_000)}})
	for _, c := range res.Comparisons {
		want := c.Object.Name == "a" || c.Object.Name == "made"
		if got := c.Error != nil && c.Error.Code == code.LimitTime && strings.Contains(c.Error.Message, "Secrets"); got != want {
			t.Errorf("%s: %v", c.Object.Name, c.Error)
		}
	}
	if len(res.Comparisons) != 4 {
		t.Errorf("%d comparisons", len(res.Comparisons))
	}
}

// TestEveryTextIsSearchedOnce: inline diff functions, finding overrides and finding fixes ask again whether texts hold Secrets, and take no
// more searches.
func TestEveryTextIsSearchedOnce(t *testing.T) {
	texts, stated := "", ""
	for i := range 200 {
		texts += fmt.Sprintf("k%d: 'kindSecret: [&x%d %s%s]', ", i, i, strings.Repeat("[", 190), strings.Repeat("]", 190))
		stated += fmt.Sprintf("{{ violation \"ORG-1\" \"data.k%d\" \"no\" }}", i)
	}
	drift := strings.ReplaceAll(texts, "kindSecret", "a")
	allocated := func(config, template string, opt Options) uint64 {
		files := map[string]string{"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml" + config + "}]}]}]\n",
			"a.yaml": template}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := runFiles(t, files, configMap("ns", "a", texts), opt)
		runtime.ReadMemStats(&after)
		if len(res.Comparisons) != 1 || res.Comparisons[0].Error != nil {
			t.Fatalf("%s: %v", config, res.Comparisons)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	for name, c := range map[string]struct {
		config, template string
		opt              Options
	}{
		"inline diff functions": {", config: {perField: [{pathToKey: data.*, inlineDiffFunc: regex}]}", configMap("ns", "a", drift), Options{}},
		"overrides":             {"", configMap("ns", "a", drift) + stated, Options{Accept: &accept.Request{}}},
		"fixes":                 {"", configMap("ns", "a", "more: x"), Options{Fix: true}},
	} {
		once := allocated("", c.template, Options{})
		if n := allocated(c.config, c.template, c.opt); n > once+once/2 {
			t.Errorf("%s: %d KiB are allocated, and %d without", name, n>>10, once>>10)
		}
	}
}

// TestTextsThatAreNotSearchedAreTold: an explanation says that it hides texts which take too long to search, and
// nobody is asked about a CR of which that is so.
func TestTextsThatAreNotSearchedAreTold(t *testing.T) {
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n")},
		"a.yaml":        {Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\nx: y\n")}, "b.yaml": {Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\nx: z\n")}}, "ref")
	many := ""
	for i := range 400 {
		many += fmt.Sprintf("k%d: 'kind Secret &%d\\n---\\na\\n---\\na\\n---\\na', ", i, i)
	}
	for name, c := range map[string]struct {
		data        string
		told, asked bool
	}{"many texts": {many, true, false}, "a text": {"k: 'kind Secret &'", false, true}} {
		in := Collected{Objects: given.Objects(t, "in.yaml", "apiVersion: v1\nkind: A\nmetadata: {name: a}\nx: {"+c.data+"}\n")}
		opt, asked := Options{Share: Share{Work: budget.NewWork(1000)}}, false
		study := NewStudy(ref, engine, in, opt).Object(0)
		if told := slices.ContainsFunc(study.Warnings, func(w finding.Warning) bool { return w.Code == code.LimitTime && strings.Contains(w.Message, "hidden") }); told != c.told {
			t.Errorf("%s: %v", name, study.Warnings)
		}
		opt.Share.Work, opt.Choose = budget.NewWork(1000), func(finding.Question) (int, bool) { asked = true; return 0, true }
		if _, err := Run(t.Context(), ref, engine, in, opt); err != nil || asked != c.asked {
			t.Errorf("%s: asked %v, %v", name, asked, err)
		}
	}
}

// TestReadingIsWork: where many CRs are in a few bytes, reading them takes up to half of the steps that there are, whether templates are for them or not.
func TestReadingIsWork(t *testing.T) {
	files := map[string]string{"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}]}]}]\n", "a.yaml": "apiVersion: v1\nkind: A\nmetadata: {name: \"{{ .metadata.name }}\"}\n"}
	var own, others strings.Builder
	for i := range 4 {
		fmt.Fprintf(&own, "---\napiVersion: v1\nkind: A\nmetadata: {name: a%d}\n", i)
	}
	for i := range 100 {
		fmt.Fprintf(&others, "---\napiVersion: v1\nkind: B\nmetadata: {name: b%d}\n", i)
	}
	for input, most := range map[string]int{own.String(): 0, own.String() + others.String(): 3} {
		work := budget.NewWork(2000)
		work.Bound(0)
		given := 0
		for _, c := range runFiles(t, files, input, Options{Share: Share{Work: work}}).Comparisons {
			if c.Error != nil && c.Error.Code == code.LimitTime {
				given++
			}
		}
		if given > most || given == 0 && most > 0 {
			t.Errorf("%d CRs of 4 are given up, which should be up to %d", given, most)
		}
	}
}

// TestCopiesAreWork: holding CRs against their copies takes steps of those there are, and CRs that are given up are not held against theirs.
func TestCopiesAreWork(t *testing.T) {
	for name, template := range map[string]string{"compared": "", "refused": "{{ if ne .metadata.name \"a0\" }}{{ doNotMatch \"no\" }}{{ end }}"} {
		files := map[string]string{"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}]}]}]\n",
			"a.yaml": "apiVersion: v1\nkind: A\nmetadata: {name: \"{{ .metadata.name }}\"}\n" + template}
		for copies, gives := range map[int]bool{1: false, 2: true} {
			var input strings.Builder
			for i := range 8 {
				for n := range copies {
					fmt.Fprintf(&input, "---\napiVersion: v1\nkind: A\nmetadata: {name: a%d}\nx: [%d%s]\n", i, n, strings.Repeat(", 0", 1000))
				}
			}
			work := budget.NewWork(50_000)
			work.Bound(0)
			res := runFiles(t, files, input.String(), Options{Share: Share{Work: work}})
			given := 0
			for _, c := range res.Comparisons {
				if c.Error != nil && c.Error.Code == code.LimitTime {
					given++
				}
			}
			differ := len(slices.DeleteFunc(res.Warnings, func(w finding.Warning) bool { return w.Code != code.CopiesDiffer }))
			if given > 0 != gives || gives && differ != 8-given {
				t.Errorf("%s, %d copies: %d CRs are given up, and %d differ from their copies", name, copies, given, differ)
			}
		}
	}
}

// TestTheSameIsComparedWhateverFormat: which CRs there are steps for hangs neither on what the report shows of them, nor on what is made of them for fixes
// and overrides.
func TestTheSameIsComparedWhateverFormat(t *testing.T) {
	files := map[string]string{"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}]}]}]\n",
		"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: ns, name: \"{{ .metadata.name }}\"}\ndata: {k: v}\n"}
	var input strings.Builder
	for i := range 12 {
		input.WriteString("---\n" + configMap("ns", fmt.Sprint("a", i), "k: '"+strings.Repeat("kind: Secretly ", 300)+"'"))
	}
	evaluated := func(opt Options) (n int) {
		opt.Share.Work = budget.NewWork(6000)
		opt.Share.Work.Bound(0)
		for _, c := range runFiles(t, files, input.String(), opt).Comparisons {
			if c.Error == nil {
				n++
			}
		}
		return n
	}
	plain := evaluated(Options{})
	if plain == 0 || plain == 12 {
		t.Fatalf("%d CRs are compared", plain)
	}
	for name, opt := range map[string]Options{
		"text":      {Show: overlay.Show{Brief: true, Lines: true}},
		"html":      {Show: overlay.Show{Lines: true}},
		"whole":     {Show: overlay.Show{Lines: true, Full: true}},
		"overrides": {Show: overlay.Show{NoValues: true}, Accept: &accept.Request{}},
		"fixes":     {Fix: true},
	} {
		if n := evaluated(opt); n != plain {
			t.Errorf("%s: %d CRs are compared, and %d else", name, n, plain)
		}
	}
}
