package refdiff

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// TestTemplatesThatTakeCRsOfOthers: if a template comes or goes, and CRs are compared with another one
// then, these CRs may have to change. Each template is the name that it states, "" for any name.
func TestTemplatesThatTakeCRsOfOthers(t *testing.T) {
	const anyName = "{{ .metadata.name }}"
	for _, c := range []struct {
		name, rule string
		old, new   []string
		want       Group
	}{
		{"one of two goes", "anyOf", []string{"a", "b"}, []string{"b"}, Dropped},
		{"a specific one goes", "anyOf", []string{anyName, "a"}, []string{anyName}, Must},
		{"a specific required one goes", "allOf", []string{anyName, "a"}, []string{anyName}, Must},
		{"a pattern remains", "anyOf", []string{"a-" + anyName, "a-b"}, []string{"a-" + anyName}, Must},
		{"another pattern remains", "anyOf", []string{"b-" + anyName, "a-b"}, []string{"b-" + anyName}, Dropped},
		{"a general one goes", "anyOf", []string{"a", anyName}, []string{"a"}, Dropped},
		{"another one comes", "anyOf", []string{"b"}, []string{"a", "b"}, May},
		{"a specific one comes", "anyOf", []string{anyName}, []string{anyName, "a"}, Must},
		{"a general one comes", "anyOf", []string{"a"}, []string{"a", anyName}, May},
	} {
		reference := func(name string, templates []string) Version {
			files, rule := fstest.MapFS{}, ""
			for _, stated := range templates {
				file := fmt.Sprintf("%x.yaml", stated)
				rule += "{path: " + file + "},"
				files[file] = &fstest.MapFile{Data: fmt.Appendf(nil,
					"apiVersion: example.com/v1\nkind: Clock\nmetadata:\n  name: %s\n  namespace: b\nspec: {n: 1}\n", stated)}
			}
			files["metadata.yaml"] = &fstest.MapFile{Data: fmt.Appendf(nil,
				"apiVersion: v2\nparts: [{name: p, components: [{name: c, %s: [%s]}]}]\n", c.rule, strings.TrimSuffix(rule, ","))}
			return version(t, files, name)
		}
		d, err := Of(t.Context(), reference("old", c.old), reference("new", c.new))
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Changes) != 1 || d.Changes[0].Group != c.want {
			t.Errorf("%s: want %q: %v", c.name, c.want, d.Changes)
		}
	}
}
