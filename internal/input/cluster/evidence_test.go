package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestWhyAnObjectMayBeThere holds each reason for which a missing object may only not have been
// collected, and what is no reason.
func TestWhyAnObjectMayBeThere(t *testing.T) {
	file := func(namespace string) refconfig.Place {
		return refconfig.Place{File: "mg/namespaces/" + namespace + "/core/configmaps.yaml"}
	}
	object := func(wrapper string) *manifest.Object {
		id := manifest.ID{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "other"}
		return &manifest.Object{ID: id, Wrapper: wrapper}
	}
	problem := func(c code.Code, at refconfig.Place) []refconfig.Problem {
		return []refconfig.Problem{{Code: c, Place: at}}
	}
	failed := func(name string) []manifest.Failed {
		return []manifest.Failed{{PathID: collector.PathID{Plural: "configmaps", Name: name}}}
	}
	for name, c := range map[string]struct {
		in   Collected
		want finding.Uncollected
	}{
		"a folder of manifests":          {Collected{}, ""},
		"an archive that was not opened": {Collected{Closed: true}, finding.ArchiveClosed},
		"a generic List at its path shows it": {Collected{Gathered: true, Listed: []Listed{
			{Plural: "secrets", Namespace: "shop", Layout: "inspect"}, {Plural: "configmaps", Namespace: "shop", Layout: "inspect"}}}, ""},
		"that of another kind does not": {Collected{Gathered: true, Listed: []Listed{
			{Plural: "secrets", Namespace: "shop", Layout: "inspect"}}}, finding.NotAsked},
		"nor that of another group":           {Collected{Gathered: true, Listed: []Listed{{Kind: "ConfigMap", Group: "example.com"}}}, finding.NotAsked},
		"its file holds nothing, and is told": {Collected{Gathered: true, Hollow: problem(code.FileBlank, file("shop"))}, finding.FileUnread},
		"its file holds nothing, and another one's": {Collected{
			Gathered: true, Hollow: append(problem(code.FileBlank, file("other")), problem(code.FileBlank, file("shop"))...)}, finding.FileUnread},
		"its file holds nothing, and cannot be read": {Collected{
			Gathered: true, Hollow: problem(code.FileBlank, file("shop")), Unreadable: problem(code.ObjectLost, file("shop"))}, finding.FileUnread},
		"its file cannot be read, and another's holds nothing": {Collected{
			Gathered: true, Hollow: problem(code.FileBlank, file("other")), Unreadable: problem(code.ObjectLost, file("shop"))}, finding.FileUnread},
		"its file is lost":                   {Collected{Gathered: true, Lost: []manifest.Lost{{Problem: refconfig.Problem{Place: file("shop")}}}}, finding.FileUnread},
		"that of another group":              {Collected{Failed: []manifest.Failed{{PathID: collector.PathID{Plural: "configmaps", Group: "example.com"}}}}, ""},
		"that of any group":                  {Collected{Failed: []manifest.Failed{{PathID: collector.PathID{Plural: "configmaps", Group: "*"}}}}, finding.CollectionFailed},
		"nothing shows it":                   {Collected{Gathered: true}, finding.NotAsked},
		"one of its kind shows it":           {Collected{Gathered: true, Objects: []*manifest.Object{object("")}}, ""},
		"an empty List beside it shows it":   {Collected{Gathered: true, Listed: []Listed{{Kind: "ConfigMap"}}}, ""},
		"one in another object does not":     {Collected{Gathered: true, Objects: []*manifest.Object{object("Policy p")}}, finding.NotAsked},
		"its file cannot be read":            {Collected{Gathered: true, Unreadable: problem(code.ObjectLost, file("shop"))}, finding.FileUnread},
		"a file of that name in a folder":    {Collected{Unreadable: problem(code.ObjectLost, file("shop"))}, ""},
		"the file of another namespace":      {Collected{Gathered: true, Unreadable: problem(code.ObjectLost, file("other"))}, finding.NotAsked},
		"its file holds nothing":             {Collected{Gathered: true, Blank: []refconfig.Place{file("shop")}}, finding.FileUnread},
		"a file of a cluster nobody knows":   {Collected{Gathered: true, Unreadable: problem(code.ClusterUnclear, file("shop"))}, finding.NotAsked},
		"an archive that breaks off":         {Collected{Unreadable: problem(code.ArchiveBroken, refconfig.Place{})}, finding.ArchiveCut},
		"one that is told as a warning":      {Collected{Warnings: problem(code.ArchiveBroken, refconfig.Place{})}, finding.ArchiveCut},
		"its collection failed":              {Collected{Failed: failed("wanted")}, finding.CollectionFailed},
		"that of all of its kind":            {Collected{Failed: failed("")}, finding.CollectionFailed},
		"that of another":                    {Collected{Failed: failed("another")}, ""},
		"a failure counts before all others": {Collected{Gathered: true, Failed: failed(""), Blank: []refconfig.Place{file("shop")}}, finding.CollectionFailed},
	} {
		is := func(want string) func(string) bool { return func(s string) bool { return s == want } }
		s := Query{Group: "", Kind: "ConfigMap", Namespace: is("shop"), Name: is("wanted")}
		e := NewEvidence(&c.in)
		if got := e.WhyUncollected(s); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got := e.ProvesAbsent(s); got != (c.in.Gathered && c.want == "") {
			t.Errorf("%s: it is denied: %v", name, got)
		}
		if got := e.HasGaps(); got != (c.in.Gathered || c.in.Failed != nil || c.want != "") {
			t.Errorf("%s: it has gaps: %v", name, got)
		}
		told := c.want == finding.ArchiveCut || c.want == finding.FileUnread && (c.in.Hollow == nil || c.in.Unreadable != nil)
		if got := e.WhyUnknown(s); c.want != "" && (got != c.want) != told {
			t.Errorf("%s: all are there: %q", name, got)
		}
		s.Group = "*"
		if got := e.WhyUncollected(s); got != c.want && !strings.Contains(name, "another group") {
			t.Errorf("%s, of any group: %q, want %q", name, got, c.want)
		}
		if c.want.Words() == "" && c.want != "" {
			t.Errorf("%q has no words", c.want)
		}
	}
}

// TestEvidenceThatAllObjectsAreThere holds what proves that an input has all objects that a lookup asks
// for, or a rule forbids.
func TestEvidenceThatAllObjectsAreThere(t *testing.T) {
	const mine, custom = "ConfigMap", "Policy"
	group := map[string]string{custom: "example.com"}
	object := func(kind, namespace, name string, item int) *manifest.Object {
		id := manifest.ID{APIVersion: group[kind] + "/v1", Kind: kind, Namespace: namespace, Name: name}
		return &manifest.Object{ID: id, Place: refconfig.Place{File: "mg", Item: item}}
	}
	listed := func(kind, layout, namespace string) Listed {
		return Listed{Kind: kind, Layout: layout, Namespace: namespace}
	}
	spaces := listed("Namespace", collector.SupportBundleKit, "")
	a, b := object("Namespace", "", "a", 1), object("Namespace", "", "b", 2)
	foreign := object("Namespace", "", "z", 1) // of another group
	foreign.ID.APIVersion = "example.com/v1"
	inA := listed(mine, collector.Inspect, "a")
	inB := listed(mine, collector.Inspect, "b")
	for name, c := range map[string]struct {
		layout, kind, namespace string // a namespace of "" is any
		objects                 []*manifest.Object
		listed                  []Listed
		known                   bool
	}{
		"the List of the namespace": {kind: mine, namespace: "a", listed: []Listed{inA}, known: true},
		"that of another":           {kind: mine, namespace: "a", listed: []Listed{inB}},
		"that of one of all":        {kind: mine, listed: []Listed{inA}},
		"those of some, and nobody says of all": {
			layout: collector.Inspect, kind: mine, listed: []Listed{inA, inB}, objects: []*manifest.Object{a, b},
		},
		"those of each that the cluster has": {
			kind: mine, listed: []Listed{inA, inB, spaces}, known: true,
			objects: []*manifest.Object{object(custom, "", "x", 1), object("Secret", "a", "y", 1), foreign, a, b},
		},
		"one of these is missing": {kind: mine, listed: []Listed{inA, spaces}, objects: []*manifest.Object{a, b}},
		"no such namespace":       {kind: mine, namespace: "c", listed: []Listed{inA, spaces}, objects: []*manifest.Object{a, b}, known: true},
		"a List that a user made": {kind: mine, listed: []Listed{listed(mine, "", "")}, known: true},
		"a List of a user, with items of one namespace": {
			kind: mine, namespace: "a", objects: []*manifest.Object{object(mine, "a", "other", 1)}, known: true,
		},
		"it shows nothing about another": {kind: mine, namespace: "b", objects: []*manifest.Object{object(mine, "a", "other", 1)}},
		"nor about all":                  {kind: mine, objects: []*manifest.Object{object(mine, "a", "other", 1)}},
		"nor if it is of one kind": {
			kind: mine, listed: []Listed{listed(mine, "", "")}, objects: []*manifest.Object{object(mine, "a", "other", 1)},
		},
		"a List of a user, with items of several namespaces": {
			kind: mine, objects: []*manifest.Object{object(mine, "a", "other", 1), object(mine, "b", "other", 2)}, known: true,
		},
		"that of the only one that the cluster has": {kind: mine, listed: []Listed{inA, spaces}, objects: []*manifest.Object{a}, known: true},
		"a List of a user, with items of one namespace, beside an object of another": {
			kind: mine, namespace: "b", objects: []*manifest.Object{object(mine, "a", "other", 1), object(mine, "b", "other", 0)},
		},
		"one object of a user": {kind: mine, objects: []*manifest.Object{object(mine, "a", "other", 0)}},
		"one that was asked by kind": {
			layout: collector.Inspect, kind: custom, objects: []*manifest.Object{object(custom, "a", "other", 0)}, known: true,
		},
		"one out of a List": {
			layout: collector.Inspect, kind: custom, objects: []*manifest.Object{object(custom, "a", "other", 1)},
		},
		"one out of a List of its namespace, which is not here": {
			layout: collector.Inspect, kind: custom, namespace: "a", objects: []*manifest.Object{object(custom, "a", "other", 1)},
		},
		"one of a collector that chooses": {
			layout: collector.Inspect, kind: mine, objects: []*manifest.Object{object(mine, "a", "other", 0)},
		},
	} {
		in := Collected{
			Gathered: true,
			Objects:  c.objects,
			Listed:   c.listed,
			Layout:   func(refconfig.Place) string { return c.layout },
		}
		any := func(string) bool { return true }
		q := Query{Group: group[c.kind], Kind: c.kind, Namespace: any, Name: any, Spread: c.namespace == ""}
		if c.namespace != "" {
			q.Namespace = func(s string) bool { return s == c.namespace }
		}
		if got := NewEvidence(&in).WhyUnknown(q) == ""; got != c.known {
			t.Errorf("%s: known is %v", name, got)
		}
	}
}

// TestWhatProvesThatAnObjectIsAbsent: only a collector that asks for its kind, or the List of an API
// server that would have it, does.
func TestWhatProvesThatAnObjectIsAbsent(t *testing.T) {
	const crd, all = "CustomResourceDefinition", "clusteroperators.config.openshift.io"
	object := func(group, kind, namespace, name, file string, item int) *manifest.Object {
		id := manifest.ID{APIVersion: group + "v1", Kind: kind, Namespace: namespace, Name: name}
		return &manifest.Object{ID: id, Place: refconfig.Place{File: file, Item: item}}
	}
	config := func(namespace, file string, item int) *manifest.Object {
		return object("", "ConfigMap", namespace, "other", file, item)
	}
	list := func(kind, file string) Listed { return Listed{Kind: kind, Served: refconfig.Place{File: file}} }
	inspected := []finding.Input{{}, {Layout: collector.Inspect}}
	definitions := []*manifest.Object{object("apiextensions.k8s.io/", crd, "", "a.example.org", "", 0),
		object("apiextensions.k8s.io/", crd, "", all, "", 0)}
	for name, c := range map[string]struct {
		group, kind, namespace string // of "*": any
		inputs                 []finding.Input
		objects                []*manifest.Object
		listed                 []Listed
		absent                 bool
	}{
		"a List of the API server":                     {kind: "ConfigMap", listed: []Listed{list("Secret", "s"), list("ConfigMap", "l")}, absent: true},
		"a List that a user made":                      {kind: "ConfigMap", listed: []Listed{{Kind: "ConfigMap"}}},
		"one of another kind":                          {kind: "ConfigMap", listed: []Listed{list("Secret", "l")}},
		"one of another group":                         {group: "example.com", kind: "ConfigMap", listed: []Listed{list("ConfigMap", "l")}},
		"no kind":                                      {listed: []Listed{list("", "l")}},
		"one with CRs of the namespace":                {kind: "ConfigMap", objects: []*manifest.Object{config("shop", "l", 1)}, listed: []Listed{list("ConfigMap", "l")}, absent: true},
		"one of its kind beside the user's":            {kind: "ConfigMap", objects: []*manifest.Object{config("shop", "l", 1), config("shop", "m", 1)}, listed: []Listed{list("ConfigMap", "l")}, absent: true},
		"one with CRs of another namespace":            {kind: "ConfigMap", objects: []*manifest.Object{config("other", "l", 1)}, listed: []Listed{list("ConfigMap", "l")}},
		"one with CRs of several":                      {kind: "ConfigMap", objects: []*manifest.Object{config("other", "l", 1), config("more", "l", 2)}, listed: []Listed{list("ConfigMap", "l")}, absent: true},
		"one of a namespace, and the CR may be in any": {kind: "ConfigMap", namespace: "*", objects: []*manifest.Object{config("shop", "l", 1)}, listed: []Listed{list("ConfigMap", "l")}},
		"one of CRs without a namespace":               {kind: "ConfigMap", namespace: "*", objects: []*manifest.Object{config("", "l", 1)}, listed: []Listed{list("ConfigMap", "l")}, absent: true},
		"CRs in a List of a user":                      {kind: "ConfigMap", objects: []*manifest.Object{config("shop", "m", 1)}, listed: []Listed{list("Secret", "l")}},
		"CRs beside a List":                            {kind: "ConfigMap", objects: []*manifest.Object{config("shop", "l", 0)}},
		"events of the other group":                    {group: "events.k8s.io", kind: "Event", listed: []Listed{list("Event", "l")}, absent: true},
		"other kinds of the other group":               {group: "events.k8s.io", kind: "ConfigMap", listed: []Listed{list("ConfigMap", "l")}},
		"a kind that no definition defines":            {group: "example.com", kind: "Pool", inputs: inspected, objects: definitions, absent: true},
		"without all definitions":                      {group: "example.com", kind: "Pool", inputs: inspected, objects: definitions[:1]},
		"of nobody who has all definitions":            {group: "example.com", kind: "Pool", inputs: []finding.Input{{Layout: collector.SOS}}, objects: definitions},
		"a kind that one of them defines":              {group: "example.org", kind: "A", inputs: inspected, objects: definitions},
		"no kind, where all definitions are":           {group: "example.com", inputs: inspected, objects: definitions},
		"events of a third group":                      {group: "example.com", kind: "Event", listed: []Listed{list("Event", "l")}},
		"an empty one beside Lists of other kinds": {kind: "ConfigMap", listed: []Listed{list("ConfigMap", "l")}, absent: true, objects: []*manifest.Object{
			object("", "Secret", "shop", "other", "m", 1), object("example.com/", "ConfigMap", "shop", "other", "m", 1)}},
	} {
		inside := config("other", "l", 1)
		inside.Wrapper = "Policy p" // it shows nothing
		in := Collected{Objects: append([]*manifest.Object{inside}, c.objects...), Listed: c.listed, Inputs: c.inputs, Gathered: c.inputs != nil}
		q := Query{
			Group: c.group, Kind: c.kind, Spread: c.namespace == "*", Name: func(s string) bool { return s == "wanted" },
			Namespace: func(s string) bool { return c.namespace == "*" || s == "shop" },
		}
		if got := NewEvidence(&in).ProvesAbsent(q); got != c.absent {
			t.Errorf("%s: absent is %v", name, got)
		}
	}
}

// TestLookups: no name and no namespace, or an asterisk, is any.
func TestLookups(t *testing.T) {
	for _, c := range []struct {
		lookup      Lookup
		exact, only bool // one name; one namespace
		text        string
	}{
		{Lookup{"v1", "ConfigMap", "app", "a"}, true, true, "ConfigMap app/a (v1)"},
		{Lookup{"v1", "ConfigMap", "*", "a"}, true, false, "ConfigMap a (v1)"},
		{Lookup{"v1", "ConfigMap", "", "*"}, false, false, "ConfigMap * (v1)"},
		{Lookup{"v1", "ConfigMap", "app", ""}, false, true, "ConfigMap app/* (v1)"},
	} {
		q := c.lookup.query()
		if c.lookup.Exact() != c.exact || c.lookup.String() != c.text || q.Spread == c.only ||
			!q.Name("a") || q.Name("b") == c.exact || !q.Namespace("app") || q.Namespace("b") == c.only {
			t.Errorf("%+v: exact %v, %s", c.lookup, c.lookup.Exact(), c.lookup)
		}
	}
}

// TestUnansweredLookups: the kind of a lookup is told as far as it is shown, and the first object
// that asks; what is answered, or asked of an input without gaps, is not told.
func TestUnansweredLookups(t *testing.T) {
	asked := Lookup{"v1", "ConfigMap", "app", "a"}
	by := func(name string) *manifest.Object {
		return &manifest.Object{ID: manifest.ID{APIVersion: "v1", Kind: "Pod", Name: name}}
	}
	for _, c := range []struct {
		gathered, answered bool
		shown              Lookup
		want               string // the kind, and what is told
	}{
		{true, false, asked, "{v1 ConfigMap} ConfigMap app/a (v1), which the template of Pod a looks up, may not have been collected"},
		{true, false, Lookup{"v1", "(hidden)", "app", "a"}, "{ } (hidden) app/a (v1), which"},
		{true, false, Lookup{"(hidden)", "ConfigMap", "app", "a"}, "{ } ConfigMap app/a ((hidden)), which"},
		{true, true, asked, ""},
		{false, false, asked, ""},
		{true, false, Lookup{"v1", "ConfigMap", "told", "a"}, ""}, // a problem of reading says so
		{true, false, Lookup{"v1", "ConfigMap", "past", "a"}, "{ } ConfigMap past/a (v1), as it was, which"},
	} {
		e := NewEvidence(&Collected{Gathered: c.gathered, Unreadable: []refconfig.Problem{{Place: refconfig.Place{File: "mg/namespaces/told/core/configmaps.yaml"}}}})
		asked, isPast := asked, c.shown.Namespace == "past"
		if isPast || c.shown.Namespace == "told" {
			asked = c.shown
		}
		if e.HasGaps() != c.gathered {
			t.Errorf("gathered %v: it has gaps: %v", c.gathered, e.HasGaps())
		}
		for _, name := range []string{"b", "a", "c"} {
			e.Ask(asked, c.shown, by(name), c.answered)
		}
		got := ""
		for _, u := range e.Unanswered(isPast) {
			got += fmt.Sprint(u.Kind, " ", u.Message)
		}
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") || !e.AskedFor("ConfigMap") || e.AskedFor("Pod") {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
	}
}

// TestWhichKindsAreDefined: definitions show that a custom kind of another name is undefined, whatever
// its plural; other objects show nothing.
func TestWhichKindsAreDefined(t *testing.T) {
	const crd, of = "CustomResourceDefinition", "apiextensions.k8s.io"
	for _, c := range []struct {
		defined     manifest.ID
		group, kind string
		undefined   bool
	}{
		{manifest.ID{APIVersion: of + "/v1", Kind: crd, Name: "roles.example.com"}, "example.com", "Route", true},
		{manifest.ID{APIVersion: of + "/v1", Kind: crd, Name: "routes.example.com"}, "example.com", "Route", false},
		{manifest.ID{APIVersion: of + "/v1", Kind: crd, Name: "routes.example.org"}, "example.com", "Route", true},
		{manifest.ID{APIVersion: of + "/v1", Kind: crd, Name: "indices.example.com"}, "example.com", "Index", false},
		{manifest.ID{APIVersion: of + "/v1", Kind: crd, Name: "route-tables.example.com"}, "example.com", "RouteTable", false},
		{manifest.ID{APIVersion: of + "/v1", Kind: crd, Name: "as.example.com"}, "example.com", "A", false},
		{manifest.ID{APIVersion: of + "/v1", Kind: crd, Name: "men.example.com"}, "example.com", "Man", false},
		{manifest.ID{APIVersion: of + "/v1", Kind: crd, Name: "roles.example.com"}, "apps", "Deployment", false},
		{manifest.ID{APIVersion: of + "/v1", Kind: "Other", Name: "roles.example.com"}, "example.com", "Route", false},
		{manifest.ID{APIVersion: "example.com/v1", Kind: crd, Name: "roles.example.com"}, "example.com", "Route", false},
	} {
		e := NewEvidence(&Collected{Objects: []*manifest.Object{{ID: c.defined}}})
		if got := e.Undefined(Query{Group: c.group, Kind: c.kind}); got != c.undefined {
			t.Errorf("%s of %s beside %s: undefined is %v", c.kind, c.group, c.defined, got)
		}
		q := DefinitionOf(finding.Kind{APIVersion: c.group + "/v1", Kind: c.kind})
		if q.Kind != crd || q.Group != of || !q.Namespace("") || q.Namespace("a") || q.Name("men.example.com") != (c.kind == "Man") {
			t.Errorf("%s of %s: its definition is %+v", c.kind, c.group, q)
		}
	}
}

// TestTimesOfSeveralClustersAreNotCompared: a moment that may be of another cluster does not show that
// one was gathered at several times.
func TestTimesOfSeveralClustersAreNotCompared(t *testing.T) {
	for shared, want := range map[bool]int{true: 0, false: 1} {
		in := files{"a/infrastructure.yaml": infrastructure("a"), "a/version.yaml": version("1")}
		if shared {
			in["b/infrastructure.yaml"], in["b/version.yaml"] = infrastructure("b"), version("2")
		}
		found, err := splitOf(t, Options{}, in)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]Collected, len(found.List))
		var moments []*moment
		for file, day := range map[string]int{"m": 14, "n": 20} {
			when := time.Date(2024, 9, day, 11, 2, 8, 0, time.UTC)
			moments = append(moments, &moment{file: file + "/timestamp", first: when, last: when})
		}
		date(all, found, moments)
		got := 0
		for _, c := range all {
			for _, w := range c.Warnings {
				if strings.Contains(w.Message, "6 days after") {
					got++
				}
			}
		}
		if got != want {
			t.Errorf("shared by two clusters: %v; %d warnings, want %d", shared, got, want)
		}
	}
}
