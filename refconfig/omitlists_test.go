package refconfig_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/refconfig"
)

// A long list that many templates leave out must be an error, whether they share it or each has its
// own. A short list must not.
func TestFieldsToOmitAreBounded(t *testing.T) {
	for _, c := range []struct {
		templates, fields int
		refs              string
		want              bool
	}{{2100, 1000, "[long]", true}, {2100, 1000, "[own%d, long]", true}, {2100, 20, "[own%d, long]", false}} {
		files := fstest.MapFS{"a.yaml": {Data: []byte("apiVersion: v1\nkind: A\n")}}
		text := "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [\n"
		lists := "fieldsToOmit:\n  items:\n    long:\n"
		for i := range c.fields {
			lists += fmt.Sprintf("    - pathToKey: a%d\n", i)
		}
		for i := range c.templates {
			text += "{path: a.yaml, config: {fieldsToOmitRefs: " + strings.ReplaceAll(
				c.refs, "%d", fmt.Sprint(i),
			) + "}},\n"
			lists += fmt.Sprintf("    own%d: [{pathToKey: b%d}]\n", i, i)
		}
		files["metadata.yaml"] = &fstest.MapFile{Data: []byte(text + "]}]}]\n" + lists)}
		_, problems := refconfig.Load(files, ".", refconfig.LoadOptions{})
		if got := len(problems) == 1 && problems[0].Code == "VT5020"; got != c.want || !c.want && len(problems) > 0 {
			t.Errorf("%d templates with %d fields: %d faults", c.templates, c.fields, len(problems))
		}
	}
}
