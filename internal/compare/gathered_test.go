package compare

import (
	"context"
	"fmt"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestNothingIsAbsentFromABrokenArchive checks that a missing CR is not absent if an archive is
// broken, because the rest of the archive may contain it. One line names all broken archives.
func TestNothingIsAbsentFromABrokenArchive(t *testing.T) {
	ref, engine := loadFiles(t, map[string]string{"a.yaml": configMap("ns", "a", "k: v"),
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}]}]}]"})
	place := func(entry string) refconfig.Place { return refconfig.Place{File: "in.tar", Entry: entry} }
	broken := func(n int) (all []refconfig.Problem) {
		for i := range n {
			all = append(all, refconfig.Problem{
				Code:    code.ArchiveBroken,
				Place:   place(fmt.Sprint(i, ".tar")),
				Message: "it breaks off",
			})
		}
		return all
	}
	for _, c := range []struct {
		name   string
		in     Collected
		absent int
		alarm  string
	}{
		{"whole", Collected{}, 1, ""},
		{"a file is broken", Collected{Unreadable: []refconfig.Problem{{Code: code.DocumentBroken, Place: place("x.yaml")}}}, 1, ""},
		{"cut", Collected{Unreadable: broken(1)}, 0, "in.tar!0.tar: this archive is cut short or corrupt: CRs that are missing here may be in the cluster (VT1006)"},
		{"cut twice", Collected{Unreadable: broken(2)}, 0,
			"in.tar!0.tar: this archive is cut short or corrupt (and 1 more): CRs that are missing here may be in the cluster (VT1006)"},
		{"an archive that may hold CRs is not opened", Collected{Closed: true}, 0,
			"nothing of P was collected: the cluster may or may not have it (VT3007)"},
		{"cut and skipped", Collected{Warnings: broken(1)}, 0, "in.tar!0.tar: it breaks off (VT1006)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.in.Objects = given.Objects(t, "in.yaml", configMap("other", "x", "k: v"))
			res, err := Run(context.Background(), ref, engine, c.in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			alarm := ""
			for _, a := range res.Alarms {
				alarm += a.String()
			}
			if s := res.Summary; s.AbsentCRs != c.absent || s.MissingCRs != 1 || alarm != c.alarm {
				t.Errorf("%d of %d absent, alarm %q", s.AbsentCRs, s.MissingCRs, alarm)
			}
		})
	}
}

// TestWhatListsShow checks that the path of a List gives its namespace, and its kind if the List is
// generic.
func TestWhatListsShow(t *testing.T) {
	ref, engine := loadFiles(t, map[string]string{"a.yaml": configMap("ns", "a", "k: v"),
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}]}]}]"})
	for _, c := range []struct {
		list   cluster.Listed
		absent int
	}{
		{cluster.Listed{}, 0},
		{cluster.Listed{Kind: "ConfigMap", Namespace: "ns", Layout: "must-gather"}, 1},
		{cluster.Listed{Plural: "configmaps", Namespace: "ns", Layout: "must-gather"}, 1},
		{cluster.Listed{Kind: "ConfigMap", Namespace: "other", Layout: "must-gather"}, 0},
		{cluster.Listed{Kind: "ConfigMap", Layout: "must-gather"}, 0},
		{cluster.Listed{Group: "example.com", Kind: "ConfigMap", Namespace: "ns", Layout: "must-gather"}, 0},
		{cluster.Listed{Kind: "Secret", Namespace: "ns", Layout: "must-gather"}, 0},
		{cluster.Listed{Kind: "ConfigMap", Namespace: "ns", Layout: "troubleshoot"}, 0},
	} {
		in := Collected{
			Gathered: true,
			Listed:   []cluster.Listed{c.list},
			Objects:  given.Objects(t, "in.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: x}"),
		}
		res, err := Run(context.Background(), ref, engine, in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s := res.Summary; s.AbsentCRs != c.absent || s.NotCollectedCRs != 1-c.absent {
			t.Errorf("%+v: %d absent, %d not collected", c.list, s.AbsentCRs, s.NotCollectedCRs)
		}
	}
}

// TestFailedToCollect checks that a CR that could not be collected is not absent, and that a lookup
// of such a CR makes the run incomplete. A Status about another kind or name has no effect.
func TestFailedToCollect(t *testing.T) {
	const looked = `k: "{{ with lookupCR "example.com/v1" "Widget" "" "one" }}{{ .size }}{{ end }}"`
	files := map[string]string{"a.yaml": configMap("ns", "a", "k: v"), "b.yaml": configMap("ns", "b", looked),
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}, {path: b.yaml}]}]}]"}
	ref, engine := loadFiles(t, files)
	for _, c := range []struct {
		failed     collector.PathID
		absent     int
		unreadable int
	}{
		{collector.PathID{Plural: "Node"}, 1, 0},
		{collector.PathID{Plural: "ConfigMap"}, 0, 0},
		{collector.PathID{Plural: "configmaps", Name: "a"}, 0, 0},
		{collector.PathID{Plural: "configmaps", Name: "c"}, 1, 0},
		{collector.PathID{Plural: "ConfigMap", Group: "example.com"}, 1, 0},
		{collector.PathID{Plural: "Widget", Group: "example.com"}, 1, 1},
		{collector.PathID{Plural: "widgets", Group: "example.com", Name: "one"}, 1, 1},
		{collector.PathID{Plural: "widgets", Group: "example.com", Name: "two"}, 1, 0},
		{collector.PathID{Plural: "Widget"}, 1, 0},
	} {
		in := Collected{
			Failed:  []manifest.Failed{{PathID: c.failed}},
			Objects: given.Objects(t, "in.yaml", configMap("ns", "b", "k: v")),
		}
		res, err := Run(context.Background(), ref, engine, in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := res.Summary
		if s.MissingCRs != 1 || s.AbsentCRs != c.absent || s.NotCollectedCRs != 1-c.absent ||
			s.Unreadable != c.unreadable {
			t.Errorf(
				"%s: %d missing, %d absent, %d not collected, %d unreadable",
				c.failed,
				s.MissingCRs,
				s.AbsentCRs,
				s.NotCollectedCRs,
				s.Unreadable,
			)
		}
		if incomplete := s.Verdict == finding.Incomplete; incomplete != (c.unreadable > 0) {
			t.Errorf("%s: %s", c.failed, s.Verdict)
		}
	}
}
