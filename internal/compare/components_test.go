package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// TestComponentsAddUp compares made inputs with each component of made references by itself, and
// expects the findings of a comparison with all components.
func TestComponentsAddUp(t *testing.T) {
	rules := []string{"allOf", "allOrNoneOf", "anyOf", "noneOf", "oneOf", "anyOneOf"}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		template := func(name string) string {
			// fixed, open or partly open names, so that templates of several components match
			texts := []string{name, name[:1], `"{{ .metadata.name }}"`, `"` + name[:1] + `-{{ .data.k }}"`}
			return configMap("ns", texts[r.IntN(len(texts))], fmt.Sprint("k: v", r.IntN(3)))
		}
		files := map[string]string{}
		var components, names []string
		for c := range 3 {
			var paths []string
			for range 1 + r.IntN(3) {
				path := fmt.Sprintf("t%d.yaml", r.IntN(5))
				if files[path] == "" {
					files[path] = template(string(rune('a'+r.IntN(3))) + "-v1")
				}
				if !slices.Contains(paths, "{path: "+path+"}") {
					paths = append(paths, "{path: "+path+"}")
				}
			}
			names = append(names, fmt.Sprint("c", c))
			components = append(components, fmt.Sprintf(
				"{name: c%d, %s: [%s]}", c, rules[r.IntN(len(rules))], strings.Join(paths, ", "),
			))
		}
		files["metadata.yaml"] = "apiVersion: v2\nparts: [{name: P, components: [" + strings.Join(components, ", ") + "]}]\n"
		var input []string
		for i := range 4 {
			name := []string{"a", "b", "c", "a-v1", "b-v1", "c-v2", "d"}[r.IntN(7)]
			input = append(input, configMap([]string{"ns", "ns", "other"}[r.IntN(3)], name, fmt.Sprintf("k: v%d, i: '%d'", r.IntN(3), i)))
		}
		for _, nearest := range []bool{false, true} {
			found := func(keep ...string) []string {
				return findingsOf(runFiles(t, files, strings.Join(input, "---\n"), Options{
					Nearest: nearest,
					Keep:    func(c *refconfig.Component) bool { return slices.Contains(keep, c.Name) },
				}))
			}
			var added []string
			for _, name := range names {
				added = append(added, found(name)...)
			}
			slices.Sort(added)
			if d := cmp.Diff(found(names...), slices.Compact(added)); d != "" {
				t.Errorf("seed %d, nearest %v:\n%s\n%s\n%s", seed, nearest, files, strings.Join(input, "---\n"), d)
			}
		}
	}
}

// findingsOf lists the CRs that were compared, refused or unmatched, and the broken rules, sorted.
func findingsOf(run *finding.Run) (all []string) {
	for _, c := range run.Comparisons {
		all = append(all, fmt.Sprintln(c.Object, c.Source, c.Template.Path, c.Result, c.Counts, c.Correlation.By))
	}
	for _, u := range run.Refused {
		all = append(all, fmt.Sprintln("refused", u.Object))
	}
	for _, u := range run.Unmatched {
		all = append(all, fmt.Sprintln("no template", u.Object))
	}
	for _, b := range run.Rules {
		all = append(all, fmt.Sprintln(b.Component, b.Rule, b.Message, b.Templates))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
