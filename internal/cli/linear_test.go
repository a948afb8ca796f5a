package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// numbered is n texts, each made of its number.
func numbered(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

// dimensions are inputs that can grow in one way each.
func dimensions() map[string]func(n int) string {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: storefront-settings\n  namespace: shop\n"
	with := func(before, one string) func(n int) string {
		return func(n int) string {
			return head + before + numbered(
				n, func(i int) string { return strings.ReplaceAll(one, "%", fmt.Sprint(i)) },
			)
		}
	}
	documents := func(one string) func(n int) string {
		return func(n int) string {
			return numbered(n, func(i int) string { return "---\n" + strings.ReplaceAll(one, "%", fmt.Sprint(i)) })
		}
	}
	return map[string]func(n int) string{
		"extra keys":       with("data:\n", "  k%: v\n"),
		"annotations":      with("  annotations:\n", "    a%: v\n"),
		"lines of a text":  with("data:\n  CURRENCY: |\n", "    line %\n"),
		"comments":         with("data:\n", "  k%: v\n  # why\n\n"),
		"anchors":          with("data:\n", "  k%: &a% v\n"),
		"aliases":          with("x: &a v\ndata:\n", "  k%: *a\n"),
		"owners":           with("  ownerReferences:\n", "  - {apiVersion: v1, kind: ConfigMap, name: o%, uid: u}\n"),
		"keys again":       with("data:\n", "  k: v%\n"),
		"items":            with("data:\n  l:\n", "  - v%\n"),
		"copies":           documents(head + "data: {a: \"%\"}\n"),
		"unmatched":        documents("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a%, namespace: shop}\n"),
		"kinds":            documents("apiVersion: v1\nkind: K%\nmetadata: {name: a}\n"),
		"broken documents": documents("apiVersion: v1\nkind: [x%\n"),
		"clusters": documents(
			"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: a%}\nspec: {clusterID: \"%\"}\n",
		),
		"namespaces": documents("apiVersion: v1\nkind: Namespace\nmetadata: {name: a, uid: u%}\n"),
	}
}

// TestLinear: an input that is ten times as large in one dimension makes no more than twelve times
// as many allocations, and takes no more than twelve times as much memory in all.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	reference := filepath.Join("..", "..", "examples", "quickstart", "reference")
	for name, text := range dimensions() {
		for _, format := range []string{"text", "json"} {
			var cost [2]runtime.MemStats
			for i, n := range []int{200, 2000} {
				in := filepath.Join(t.TempDir(), "in.yaml")
				pack.Files(t, filepath.Dir(in), map[string]string{"in.yaml": text(n)})
				var before runtime.MemStats
				runtime.ReadMemStats(&before)
				outcome(reference, in, "-o", format)
				runtime.ReadMemStats(&cost[i])
				cost[i].Mallocs -= before.Mallocs
				cost[i].TotalAlloc -= before.TotalAlloc
			}
			const most = 12
			if few, many := cost[0], cost[1]; many.Mallocs > most*few.Mallocs || many.TotalAlloc > most*few.TotalAlloc {
				t.Errorf(
					"%s as %s: %d allocations of %d bytes become %d of %d",
					name,
					format,
					few.Mallocs,
					few.TotalAlloc,
					many.Mallocs,
					many.TotalAlloc,
				)
			}
		}
	}
}

// TestFunctionsOfManyFieldsTakeWorkAsThereAreFields: a function at many fields of one map does not
// copy the map for each.
func TestFunctionsOfManyFieldsTakeWorkAsThereAreFields(t *testing.T) {
	var used [2]uint64
	for at, n := range []int{300, 3000} {
		dir := t.TempDir()
		data := func(value string) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + numbered(
				n, func(i int) string { return fmt.Sprintf("  k%d: %q\n", i, value) },
			)
		}
		pack.Files(t, dir, map[string]string{
			"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml, config: " +
				"{perField: [{pathToKey: data.*, inlineDiffFunc: capturegroups}]}}]}]}]\n",
			"ref/t.yaml": data("(?<x>a+)b"),
			"in/a.yaml":  data("aab"),
		})
		before := allocated()
		if status, out, errs := runIn(t, "", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in")); status != 0 {
			t.Fatalf("exit status %d: %.500s", status, out+errs)
		}
		used[at] = allocated() - before
	}
	if used[1] > 15*used[0] {
		t.Errorf("ten times the fields allocate %d bytes rather than %d", used[1], used[0])
	}
}

// TestManyFindingsTakeWorkAsThereAre: what a template says of a CR is not copied, or looked for,
// for each finding anew.
func TestManyFindingsTakeWorkAsThereAre(t *testing.T) {
	for name, action := range map[string]string{"checks": `{{ fail (print "no" .) }}`, "checks of fields": "\nk{{ . }}: {{ fail (print .) }}", "keys": `{{ index $ (print .) }}`} {
		t.Run(name, func(t *testing.T) {
			var used [2]uint64
			for at, n := range []int{1000, 10_000} {
				dir := t.TempDir()
				pack.Files(t, dir, map[string]string{
					"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml}]}]}]\n",
					"ref/t.yaml": fmt.Sprintf(
						"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n{{ range until %d }}%s{{ end }}\n",
						n,
						action,
					),
					"in/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
				})
				before := allocated()
				if status, out, errs := runIn(t, "", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in")); status != 1 {
					t.Fatalf("exit status %d: %.500s", status, out+errs)
				}
				used[at] = allocated() - before
			}
			if used[1] > 15*used[0] {
				t.Errorf("ten times the findings allocate %d bytes rather than %d", used[1], used[0])
			}
		})
	}
}
