package compare

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/tree"
)

// recorded are CRs as Config Connector's controllers left them, by the names of their files.
func recorded(t *testing.T) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	paths, _ := filepath.Glob("../../../shared/real/config-connector/*.yaml")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects(t, path, string(text)) {
			if all[filepath.Base(path)], err = o.Decode(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(all) == 0 {
		t.Skip("no CRs of Config Connector at hand")
	}
	return all
}

// connector compares a CR with the reference of examples/config-connector, and returns the codes and paths of what was found.
func connector(t *testing.T) func(cr any) (found []string, messages string) {
	ref, engine := load(t, "../../examples/config-connector/reference")
	return func(cr any) (found []string, messages string) {
		t.Helper()
		text, err := json.Marshal(cr)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Run(context.Background(), ref, engine, Collected{Objects: objects(t, "cr.json", string(text))}, Options{})
		if err != nil || len(res.Comparisons) != 1 || res.Comparisons[0].Error != nil {
			t.Fatalf("%v: compared are %+v", err, res.Comparisons)
		}
		for _, d := range res.Comparisons[0].Differences {
			if d.Category != finding.Expected {
				found, messages = append(found, d.Code+" "+d.Path), messages+d.Message+"\n"
			}
		}
		return found, messages
	}
}

// TestWhatConfigConnectorRecorded: nothing is told of what its controllers found up to date, and what they refused is told with the message.
func TestWhatConfigConnectorRecorded(t *testing.T) {
	find := connector(t)
	for name, cr := range recorded(t) {
		conditions, _ := cr["status"].(map[string]any)["conditions"].([]any)
		condition := conditions[0].(map[string]any)
		found, messages := find(cr)
		switch reason := condition["reason"]; {
		case reason == "UpToDate" && len(found) > 0:
			t.Errorf("%s is up to date, and found is %q: %s", name, found, messages)
		case reason == "UpdateFailed" && !slices.Equal(found, []string{"KCC-UPDATE-FAILED spec"}):
			t.Errorf("%s names no field, and found is %q", name, found)
		case reason == "UpdateFailed" && !strings.Contains(messages, condition["message"].(string)):
			t.Errorf("%s: %q is told of %q", name, messages, condition["message"])
		}
	}
}

// TestWhatConfigConnectorWouldRefuse: CRs that were up to date, each changed in a way that its controller guards.
func TestWhatConfigConnectorWouldRefuse(t *testing.T) {
	find := connector(t)
	failed := func(message string) string {
		return `{"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "UpdateFailed", "message": "` + message + `"}]}}`
	}
	for name, cr := range recorded(t) {
		status := cr["status"].(map[string]any)
		if status["conditions"].([]any)[0].(map[string]any)["reason"] != "UpToDate" {
			continue
		}
		link, _ := status["externalRef"].(string)
		if link == "" {
			link, _ = status["selfLink"].(string)
		}
		inProject := strings.Contains(link, "projects/")
		location := "location"
		if cr["kind"] == "SQLInstance" {
			location = "region"
		}
		placed := cr["kind"] != "SpannerInstance" && cr["kind"] != "StorageBucket"
		for _, change := range []struct {
			patch string
			want  string // "" for nothing at all
			when  bool   // whether that is told
		}{
			{`{"spec": {"resourceID": "other"}}`, "KCC-IDENTITY spec.resourceID", true},
			{`{"metadata": {"name": "other"}, "spec": {"resourceID": null}}`, "KCC-IDENTITY metadata.name", true},
			{`{"spec": {"` + location + `": "other"}}`, "KCC-PARENT spec." + location, placed},
			{`{"spec": {"projectRef": {"external": "projects/other"}}}`, "KCC-PARENT spec.projectRef", inProject},
			{`{"spec": {"projectRef": {"external": "123456789012"}}}`, "", true},        // maybe the number of the same project
			{`{"spec": {"projectRef": {"name": "other", "external": null}}}`, "", true}, // nothing is known of this CR
			{`{"spec": {"projectRef": {"name": "other", "external": "projects/other"}}}`, "KCC-REF spec.projectRef", true},
			{`{"spec": {"otherRef": {"namespace": "other"}}}`, "KCC-REF spec.otherRef", true},
			{`{"status": null}`, "", true}, // a manifest
			{failed("field spec.other_field is immutable"), "KCC-UPDATE-FAILED spec.otherField", true},
			{failed("the desired mutation for the following field(s) is invalid: [someList.0.LowerItem.#]"), "KCC-UPDATE-FAILED spec.someList.lowerItem", true},
			{failed("quota exceeded"), "KCC-UPDATE-FAILED spec", true},
		} {
			patch, err := tree.FromJSON([]byte(change.patch))
			if err != nil {
				t.Fatal(err)
			}
			found, messages := find(tree.Merge(tree.Copy(cr), patch))
			switch told := slices.Contains(found, change.want); {
			case change.want == "" && len(found) > 0:
				t.Errorf("%s with %s: found is %q: %s", name, change.patch, found, messages)
			case change.want != "" && told != change.when:
				t.Errorf("%s with %s: found is %q, %q is among them: %v, want %v", name, change.patch, found, change.want, told, change.when)
			}
		}
	}
}
