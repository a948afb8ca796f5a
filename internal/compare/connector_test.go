package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// recorded returns CRs as the controllers of Config Connector left them, by their places.
func recorded(t *testing.T) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	paths, _ := filepath.Glob("../../../shared/real/config-connector/*.yaml")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range given.Objects(t, path, string(text)) {
			if all[fmt.Sprintf("%s#%d", filepath.Base(path), i+1)], err = o.Decode(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(all) == 0 {
		t.Skip("no CRs of Config Connector at hand")
	}
	return all
}

// told is the result of comparing a CR with the reference of examples/config-connector.
type told struct {
	compared bool
	findings []string // codes and paths
	messages string
}

// connector compares CRs with the reference of examples/config-connector.
func connector(t *testing.T) func(cr any) told {
	ref, engine := load(t, "../../examples/config-connector/reference")
	return func(cr any) (out told) {
		t.Helper()
		text, err := json.Marshal(cr)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Run(
			context.Background(), ref, engine, Collected{Objects: given.Objects(t, "cr.json", string(text))}, Options{},
		)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range res.Comparisons {
			out.compared = true
			if c.Error != nil {
				t.Fatalf("%s: %+v", c.Object.Name, c.Error)
			}
			for _, d := range c.Differences {
				if d.Category != finding.Expected {
					out.findings, out.messages = append(out.findings, d.Code+" "+d.Path), out.messages+d.Message+"\n"
				}
			}
		}
		return out
	}
}

// textAt returns the text at a path of a CR; "" if there is none.
func textAt(cr map[string]any, path string) string {
	p, err := refconfig.ParseFieldPath(path)
	if err != nil {
		panic(err)
	}
	v, _ := tree.At(cr, p)
	s, _ := v.(string)
	return s
}

// TestWhatConfigConnectorRecorded checks that a CR that its controller found up to date has no
// finding, and that a CR that it refused has one with its message.
func TestWhatConfigConnectorRecorded(t *testing.T) {
	find, compared := connector(t), 0
	for place, cr := range recorded(t) {
		got := find(cr)
		if !got.compared {
			continue // of a kind that the reference does not have
		}
		compared++
		const ready = "status.conditions.0."
		refused := func(f string) bool { return strings.HasPrefix(f, "KCC-UPDATE-FAILED spec") }
		switch reason := textAt(cr, ready+"reason"); {
		case reason == "UpToDate" && len(got.findings) > 0:
			t.Errorf("%s is up to date, and found is %q: %s", place, got.findings, got.messages)
		case reason == "UpdateFailed" && (!slices.ContainsFunc(got.findings, refused) || !strings.Contains(got.messages, textAt(cr, ready+"message"))):
			t.Errorf(
				"%s: found is %q, and it was refused with %q: %s",
				place,
				got.findings,
				textAt(cr, ready+"message"),
				got.messages,
			)
		case strings.Contains(textAt(cr, ready+"message"), "ComputeAddress is immutable") && !slices.Contains(got.findings, "KCC-UPDATE-FAILED spec"):
			t.Errorf("%s names no field, and found is %q", place, got.findings)
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// TestWhatConfigConnectorWouldRefuse changes CRs that were up to date in ways that their
// controllers refuse: each in a third of the ways, by turns, and with Whole in all.
func TestWhatConfigConnectorWouldRefuse(t *testing.T) {
	find := connector(t)
	failed := func(message string) string {
		return `{"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "UpdateFailed", "message": "` + message + `"}]}}`
	}
	all := recorded(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		cr := all[name]
		if textAt(cr, "status.conditions.0.reason") != "UpToDate" || !find(cr).compared {
			continue
		}
		location, link := "location", textAt(cr, "status.externalRef")+textAt(cr, "status.selfLink")
		if textAt(cr, "spec."+location) == "" {
			location = "region"
		}
		place := strings.ToLower(textAt(cr, "spec."+location))
		placed := strings.Contains(link, "/"+place+"/") ||
			strings.Contains(textAt(cr, "status.connectionName"), ":"+place+":")
		for j, change := range []struct {
			patch string
			want  string // "" for nothing at all
			when  bool   // whether that is told
		}{
			{`{"spec": {"resourceID": "other"}}`, "KCC-IDENTITY spec.resourceID", link != ""},
			{`{"metadata": {"name": "other"}, "spec": {"resourceID": null}}`, "KCC-IDENTITY metadata.name", link != ""},
			{`{"spec": {"` + location + `": "other"}}`, "KCC-PARENT spec." + location, placed},
			{`{"spec": {"projectRef": {"external": "projects/other"}}}`, "KCC-PARENT spec.projectRef", strings.Contains(link, "projects/")},
			// maybe the number of the same project
			{`{"spec": {"projectRef": {"external": "123456789012"}}}`, "", true},
			{`{"spec": {"projectRef": {"name": "other", "external": null}}}`, "", true}, // nothing is known of this CR
			{`{"spec": {"projectRef": {"name": "other", "external": "projects/other"}}}`, "KCC-REF spec.projectRef", true},
			{`{"spec": {"otherRef": {"namespace": "other"}}}`, "KCC-REF spec.otherRef", true},
			{`{"status": null}`, "", true}, // a manifest
			{failed("field spec.other_field is immutable"), "KCC-UPDATE-FAILED spec.otherField", true},
			{failed("the desired mutation for the following field(s) is invalid: [someList.0.LowerItem.#]"), "KCC-UPDATE-FAILED spec.someList.lowerItem", true},
			{failed("quota exceeded"), "KCC-UPDATE-FAILED spec", true},
		} {
			if !testkit.Whole() && (i+j)%7 > 0 {
				continue
			}
			patch, err := tree.FromJSON([]byte(change.patch))
			if err != nil {
				t.Fatal(err)
			}
			got := find(tree.Merge(tree.Copy(cr), patch))
			switch told := slices.Contains(got.findings, change.want); {
			case change.want == "" && len(got.findings) > 0:
				t.Errorf("%s with %s: found is %q: %s", name, change.patch, got.findings, got.messages)
			case change.want != "" && told != change.when:
				t.Errorf(
					"%s with %s: found is %q, %q is among them: %v, want %v",
					name,
					change.patch,
					got.findings,
					change.want,
					told,
					change.when,
				)
			}
		}
	}
}
