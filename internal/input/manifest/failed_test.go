package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFailed: a Status of a failure names what could not be collected, as kubectl is asked for it
// or as a server says it.
func TestFailed(t *testing.T) {
	for _, c := range []struct {
		status string
		want   []string
	}{
		{"{apiVersion: v1, kind: Status, status: Failure, details: {kind: Widget.v1.example.com}}", []string{"Widget.example.com"}},
		{"{apiVersion: v1, kind: Status, status: Failure, details: {kind: Widget.example.com}}", []string{"Widget.example.com"}},
		{"apiVersion: v1\nkind: Status\nstatus: Failure\ndetails:\n  kind: Secret\n", []string{"Secret"}},
		{`{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "Forbidden", "details": {"name": "a", "group": "apps", "kind": "deployments"}}`, []string{"deployments.apps/a"}},
		{"{apiVersion: v1, kind: Status, status: Failure, reason: NotFound, details: {kind: pods, name: a}}", nil},
		{"{apiVersion: v1, kind: Status, status: Success, details: {kind: pods}}", nil},
		{"{apiVersion: v1, kind: Status, status: Failure}", nil},
		{"{apiVersion: v1, kind: Status, status: Failure, details: [kind]}", nil},
		{"{apiVersion: example.com/v1, kind: Status, status: Failure, details: {kind: Widget}, metadata: {name: a}}", nil},
	} {
		var got []string
		for _, f := range Read("in.yaml", "", []byte("---\n"+c.status+"\n---\n"), Hints{}).Failed {
			got = append(got, f.String())
			if f.Place.Line != 2 {
				t.Errorf("%s: line %d", c.status, f.Place.Line)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.status, diff)
		}
	}
}
