package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// TestWrappedTextsDecodeAlone: an object in another is decoded from its own lines as it is from all
// of them. An anchor at the end makes the tool keep what it decoded.
func TestWrappedTextsDecodeAlone(t *testing.T) {
	testkit.Each(t, "testdata/carried.txtar", func(t *testing.T, a *testkit.Archive) {
		for _, file := range a.Files[:len(a.Files)-1] {
			if !strings.HasSuffix(file.Name, ".yaml") {
				continue
			}
			for _, document := range strings.Split(string(file.Data), "---\n") {
				alone := Read("input", file.Name, []byte(document), Hints{Wrapped: true})
				all := Read("input", file.Name, []byte(document+"anchor: &anchor 1\n"), Hints{Wrapped: true})
				if len(alone.Objects) != len(all.Objects) {
					t.Fatalf("%d and %d objects in\n%s", len(alone.Objects), len(all.Objects), document)
				}
				for i, o := range alone.Objects {
					if o.Wrapper == "" {
						continue
					}
					o.Detach()
					mine, err1 := o.Decode()
					other, err2 := all.Objects[i].Decode()
					if diff := cmp.Diff(other, mine); diff != "" || err1 != nil || err2 != nil {
						t.Errorf("%s: %v %v\n%s", o.ID, err1, err2, diff)
					}
				}
			}
		}
	})
}

// TestKindsThatCarryCRs: of these groups only; another kind of that name is a CR like others.
func TestKindsThatCarryCRs(t *testing.T) {
	for kinds, want := range map[string]Carrying{
		"policy.open-cluster-management.io/v1: Policy ConfigurationPolicy":        CarriesRead,
		"work.open-cluster-management.io/v1: ManifestWork ManifestWorkReplicaSet": CarriesRead,
		"hive.openshift.io/v1: SyncSet SelectorSyncSet":                           CarriesRead,
		"template.openshift.io/v1: Template":                                      CarriesRead,
		"v1: Template":                                                            CarriesRead,
		"kubernetes.crossplane.io/v1alpha2: Object":                               CarriesRead,
		"kubernetes.m.crossplane.io/v1alpha1: Object":                             CarriesRead,
		"policy.open-cluster-management.io/v1: PolicyGenerator":                   CarriesElsewhere,
		"ran.openshift.io/v1: PolicyGenTemplate":                                  CarriesElsewhere,
		"argoproj.io/v1alpha1: Application ApplicationSet":                        CarriesElsewhere,
		"helm.toolkit.fluxcd.io/v2: HelmRelease":                                  CarriesElsewhere,
		"example.com/v1: Policy ConfigurationPolicy PolicyGenerator PolicyGenTemplate ManifestWork ManifestWorkReplicaSet SyncSet": CarriesNone,
		"example.com/v1: SelectorSyncSet Template Application ApplicationSet HelmRelease Object":                                   CarriesNone,
		"policy.open-cluster-management.io/v1: Template Object Other":                                                              CarriesNone,
		"v1: Policy ConfigurationPolicy PolicyGenerator ManifestWork SyncSet Object Application HelmRelease ConfigMap":             CarriesNone,
	} {
		version, names, _ := strings.Cut(kinds, ": ")
		for _, kind := range strings.Fields(names) {
			text := []byte("apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: a}\n")
			unread := want
			if want == CarriesRead {
				unread = CarriesUnread
			}
			read, asked := only(t, Read("a.yaml", "", text, Hints{})), only(t, Read("a.yaml", "", text, Hints{Wrapped: true}))
			if read.Carries != unread || asked.Carries != want {
				t.Errorf("%s %s carries %v, and if asked %v, want %v and %v", version, kind, read.Carries, asked.Carries, unread, want)
			}
		}
	}
}

// TestAFileThatKustomizeUses: its CRs are refused, and what a patch leaves out is not lost; what does not
// parse is.
func TestAFileThatKustomizeUses(t *testing.T) {
	c := Read("patch.yaml", "", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\nkind: ConfigMap\nmetadata: {name: b}\n"), Hints{})
	if len(c.Lost) != 1 {
		t.Fatalf("%v is lost", c.Lost)
	}
	broken := Lost{Problem: refconfig.Problem{Code: code.DocumentBroken}}
	c.Lost = append(c.Lost, broken)
	before := len(c.Passed)
	c.LeaveUsed()
	if !only(t, c).Refused() || len(c.Lost) != 1 || c.Lost[0].Code != broken.Code || len(c.Passed) != before+1 || c.Passed[before].Reason != PassedKustomize {
		t.Errorf("%s", describe(c))
	}
	c.LeaveUsed()
	if len(c.Lost) != 1 || len(c.Passed) != before+1 {
		t.Errorf("once more: %s", describe(c))
	}
}

// TestHostileWrappers: a great many objects in one are read in the time of their text, and wrappers
// in wrappers end.
func TestHostileWrappers(t *testing.T) {
	const head = "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  name: w\nspec:\n  workload:\n    manifests:\n"
	const many = 20_000
	var text strings.Builder
	text.WriteString(head)
	for i := range many {
		fmt.Fprintf(
			&text,
			"    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: c%d\n    - name: unknown\n",
			i,
		)
	}
	found := Read("a.yaml", "", []byte(text.String()), Hints{Wrapped: true})
	if len(found.Objects) != 1+many || len(found.Problems) != 1 ||
		!strings.Contains(found.Problems[0].Message, fmt.Sprintf("(and %d more)", many-1)) {
		t.Errorf("%d objects, %d problems", len(found.Objects), len(found.Problems))
	}
	for _, o := range found.Objects[1:] {
		if o.Text() == 0 || o.Text() > 200 {
			t.Fatalf("%s has %d bytes of text", o.ID, o.Text())
		}
	}
	large := `{"apiVersion": "v1", "kind": "Template", "metadata": {"name": "t"}, "data": [` + strings.Repeat("1,", 200) + `1]}`
	found = Read("a.json", "", []byte(large), Hints{Wrapped: true, Limits: kubeyaml.Limits{Values: 200}}) // the scanner does not count
	if len(found.Problems) != 1 || found.Problems[0].Code != code.LimitValues ||
		!strings.HasPrefix(found.Problems[0].Message, "Template t contains CRs, but cannot be read: ") {
		t.Errorf("%d objects, %v", len(found.Objects), found.Problems)
	}
	deep := `{"apiVersion": "v1", "kind": "ConfigMap"}`
	for range 200 {
		deep = `{"apiVersion": "v1", "kind": "Template", "metadata": {"name": "t"}, "objects": [` + deep + `]}`
	}
	found = Read("a.json", "", []byte(deep), Hints{Wrapped: true})
	if len(found.Objects) != 1+mostWrapped || len(found.Problems) != 1 || found.Problems[0].Code != "VT1030" {
		t.Errorf("%d objects, %v", len(found.Objects), found.Problems)
	}
	bomb := "a: &a {apiVersion: v1, kind: Template, objects: [x, x, x, x, x, x, x, x]}\n"
	for i, name := range "bcdefgh" {
		bomb += fmt.Sprintf(
			"%c: &%c {apiVersion: v1, kind: Template, objects: [%s]}\n",
			name,
			name,
			strings.Repeat(fmt.Sprintf("*%c,", 'a'+i), 10),
		)
	}
	found = Read(
		"a.yaml", "", []byte("apiVersion: v1\nkind: Template\n"+bomb+"objects: [*h, *h]\n"), Hints{Wrapped: true},
	)
	if len(found.Objects) > 1 || len(found.Problems) != 1 {
		t.Errorf("%d objects, %v", len(found.Objects), found.Problems)
	}
}
