package cluster

import (
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
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
		"a folder of manifests":              {Collected{}, ""},
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
		if c.want.Words() == "" && c.want != "" {
			t.Errorf("%q has no words", c.want)
		}
	}
}

// TestMomentsOfSeveralClustersDateNone: a moment that may be of another cluster does not show that
// one was gathered at several times.
func TestMomentsOfSeveralClustersDateNone(t *testing.T) {
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
