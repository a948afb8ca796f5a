package diff_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// TestFieldsThatATemplateCannotHave checks that an entry for a field that the template cannot have
// is an error, and one for a field that the values of a CR may add is not.
func TestFieldsThatATemplateCannotHave(t *testing.T) {
	for path, faulty := range map[string]bool{
		"data.k": false, "data.gone": true, "data.gone.*": true, "data.limits.*": false, "data.limits.*.cpu": false, "data.limits.cpu": true, "data.list.*.x": false,
		"*.gone": false,
	} {
		ref, problems := refconfig.Load(fstest.MapFS{
			"metadata.yaml": {
				Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: t.yaml, " +
					"config: {perField: [{pathToKey: \"" + path + "\", quantity: true}]}}]}]}]\n"),
			},
			"t.yaml": {
				Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\ndata: {k: \"1\", limits: {}, list: []}\n"),
			},
		}, ".", refconfig.LoadOptions{})
		engine, more := render.Compile(t.Context(), ref)
		if len(problems)+len(more) > 0 {
			t.Fatal(path, problems, more)
		}
		found := diff.Check(engine.Templates()[0]).Errors
		if len(found) > 0 != faulty || faulty && !strings.Contains(found[0].Message, "which t.yaml does not have") {
			t.Errorf("%s: %v, want a fault: %v", path, found, faulty)
		}
	}
}
