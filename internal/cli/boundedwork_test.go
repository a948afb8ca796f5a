package cli

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// numbered repeats a text n times, with a number in the place of each %.
func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "%", fmt.Sprint(i)))
	}
	return b.String()
}

// costOf runs a command line, and returns its allocations, their bytes, and what it prints.
func costOf(line string) (allocations, bytes uint64, printed string) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, out, errs := typed(line)
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc, out + errs
}

// growing is a run that can grow in one way: in its texts, # is the size, and %(...)% is repeated
// as often, with a number in the place of each %.
type growing struct {
	template, config, input string // of one CR, after its metadata; what stands in the input instead of a CR begins with ---
	args                    string
}

// grown returns the files of a size.
func (g growing) grown(n int) map[string]string {
	size := func(text string) string {
		before, rest, found := strings.Cut(strings.ReplaceAll(text, "#", fmt.Sprint(n)), "%(")
		if repeated, after, _ := strings.Cut(rest, ")%"); found {
			return before + numbered(n, repeated) + after
		}
		return before
	}
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n"
	input := size(g.input)
	if !strings.HasPrefix(input, "---") {
		input = head + input
	}
	return map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml, config: {" + g.config + "}}]}]}]\n",
		"ref/t.yaml":        head + size(g.template),
		"in/in.yaml":        input,
		"o.yaml":            "- {kind: ConfigMap, name: a, type: mergepatch, reason: r, patch: '{\"data\":{\"k0\":\"b\"}}'}\n",
	}
}

func growingRuns() map[string]growing {
	documents := func(one string) growing { return growing{input: "%(---\n" + one + ")%"} }
	return map[string]growing{
		"extra keys":       {input: "data:\n%(  k%: v\n)%"},
		"annotations":      {input: "  annotations:\n%(    a%: v\n)%"},
		"lines of a text":  {template: "data: {a: x}\n", input: "data:\n  a: |\n%(    line %\n)%"},
		"comments":         {input: "data:\n%(  k%: v\n  # why\n\n)%"},
		"anchors":          {input: "data:\n%(  k%: &a% v\n)%"},
		"aliases":          {input: "x: &a v\ndata:\n%(  k%: *a\n)%"},
		"owners":           {input: "  ownerReferences:\n%(  - {apiVersion: v1, kind: ConfigMap, name: o%, uid: u}\n)%"},
		"keys again":       {input: "data:\n%(  k: v%\n)%"},
		"items":            {input: "data:\n  l:\n%(  - v%\n)%"},
		"copies":           documents("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata: {a: \"%\"}\n"),
		"unmatched":        documents("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a%, namespace: b}\n"),
		"kinds":            documents("apiVersion: v1\nkind: K%\nmetadata: {name: a}\n"),
		"broken documents": documents("apiVersion: v1\nkind: [x%\n"),
		"clusters": documents(
			"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: a%}\nspec: {clusterID: \"%\"}\n",
		),
		"namespaces": documents("apiVersion: v1\nkind: Namespace\nmetadata: {name: a, uid: u%}\n"),
		"functions of many fields": {
			config:   "perField: [{pathToKey: data.*, inlineDiffFunc: capturegroups}]",
			template: "data:\n%(  k%: '(?<x>a+)b'\n)%", input: "data:\n%(  k%: aab\n)%",
		},
		"documents in texts": {
			config:   "perField: [{pathToKey: data.*, embedded: json}]",
			template: "data:\n%(  k%: '{\"a\": 1}'\n)%", input: "data:\n%(  k%: '{\"a\": 2}'\n)%",
		},
		"differences under an override": {
			template: "data:\n%(  k%: a\n)%", input: "data:\n%(  k%: b\n)%", args: "--show-suppressed --overrides o.yaml",
		},
		"checks":           {template: `{{ range until # }}{{ fail (print "no" .) }}{{ end }}`},
		"checks of fields": {template: "{{ range until # }}\nk{{ . }}: {{ fail (print .) }}{{ end }}\n"},
		"keys":             {template: `{{ range until # }}{{ index $ (print .) }}{{ end }}`},
	}
}

// TestLinear checks that an input or a template of ten times the size makes at most fifteen times
// the allocations, in number and bytes, as text and JSON together, and with Whole as each of them.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	for name, g := range growingRuns() {
		formats := []string{"text -o json=report.json"}
		if pack.Whole() {
			formats = []string{"text", "json"}
		}
		for _, format := range formats {
			var allocations, bytes [2]uint64
			for i, n := range []int{300, 3000} {
				t.Chdir(pack.Folder(t, g.grown(n)))
				var printed string
				allocations[i], bytes[i], printed = costOf("ref in " + g.args + " -o " + format)
				if strings.Contains(printed, "the reference cannot be used") {
					t.Fatalf("%s: %s", name, printed)
				}
			}
			const most = 15
			if allocations[1] > most*allocations[0] || bytes[1] > most*bytes[0] {
				t.Errorf("%s as %s: %d allocations of %d bytes become %d of %d", name, format, allocations[0], bytes[0], allocations[1], bytes[1])
			}
		}
	}
}

// TestFixturesShareWhatIsAlike checks that templates are analysed once for all fixtures with the
// same options.
func TestFixturesShareWhatIsAlike(t *testing.T) {
	allocated := func(fixtures, templates int) int {
		files := map[string]string{
			"metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [" + numbered(templates, "{path: t%.yaml}, ") + "]}]}]\n",
		}
		for i := range templates {
			files[fmt.Sprintf("t%d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: A\nmetadata: {name: t%d}\n", i)
		}
		for i := range fixtures {
			files[fmt.Sprintf("tests/%d/input.yaml", i)], files[fmt.Sprintf("tests/%d/expect.yaml", i)] = files["t0.yaml"], "verdict: compliant\n"
		}
		t.Chdir(pack.Folder(t, files))
		_, bytes, _ := costOf("test .")
		return int(bytes)
	}
	few, many := allocated(20, 10), allocated(20, 1010)
	one := allocated(1, 1010) - allocated(1, 10)
	if each := (many - few - one) / (19 * 1000); each > 700 {
		t.Errorf("each template takes %d bytes more of each further fixture", each)
	}
}

// TestHostileReferencesTakeBoundedWork checks that the memory of commands for references does not
// grow with the square of a template's size. It tries a quarter of the size, and with Whole all.
func TestHostileReferencesTakeBoundedWork(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	most := uint64(270 << 20) // bytes
	if pack.Whole() {
		most = 400 << 20
	}
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
	for name, body := range map[string]string{
		"a deep field":            "x: {{ .a" + strings.Repeat(".b", pack.Tries(20_000)) + " }}\n",
		"a deep field in steps":   "x: {{ with .a }}" + strings.Repeat("{{ with .b.b.b.b.b.b.b.b.b.b }}", pack.Tries(2000)) + "{{ .c }}" + strings.Repeat("{{ end }}", pack.Tries(2000)+1) + "\n",
		"many conditions":         "x:\n{{ if .a }}  y: 1\n" + numbered(pack.Tries(6000), "{{ else if .b% }}  y: {{ .c% }}\n") + "{{ end }}",
		"fields below conditions": "x:\n" + strings.Repeat("{{ if .a }}", pack.Tries(900)) + numbered(300, "  y%: {{ .a.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b }}\n") + strings.Repeat("{{ end }}", pack.Tries(900)),
		"many alternatives":       "x: {{ coalesce" + numbered(pack.Tries(4000), " .a%") + " }}\n",
		"many conditions in one":  "x: {{ if or" + numbered(pack.Tries(4000), " .a%") + " }}1{{ end }}\n",
		"many arguments":          "x: {{ printf \"\"" + numbered(pack.Tries(4000), " .a%") + " }}\n",
		"an action of many lines": "x: " + strings.Repeat("{{ .a\n}}", pack.Tries(5000)) + "\n",
		"codes":                   "x: 1\n",
	} {
		t.Chdir(pack.Folder(t, map[string]string{
			"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n",
			"ref/a.yaml":        head + body,
			"other/a.yaml":      head,
		}))
		if name == "codes" {
			pack.Files(t, ".", map[string]string{"ref/codes.yaml": numbered(pack.Tries(1000), "A-%: {title: x}\n")})
		}
		for _, args := range []string{"lint ref", "inspect ref", "needs ref", "render --output - ref", "diff ref other"} {
			_, bytes, printed := costOf("reference " + args)
			if bytes > most || strings.Contains(printed, "VT5005") {
				t.Errorf("%s, %s: it takes %d MiB: %.200s", name, args, bytes>>20, printed)
			}
		}
	}
}

// TestUnknownNamesTakeBoundedWork checks that every unknown name in files of users is reported, with a
// suggestion. With Whole there are so many names that only the first ones have one: comparing each
// name with all others would take quadratic time.
func TestUnknownNamesTakeBoundedWork(t *testing.T) {
	n := pack.Tries(1500)
	const head, cm = "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
	files := map[string]string{
		"missing/metadata.yaml": head + numbered(n, "    - path: a%000.yaml\n"),
		"lists/metadata.yaml": head + "    - path: a.yaml\n      config:\n        fieldsToOmitRefs:\n" +
			numbered(n, "        - a%000\n") + "fieldsToOmit:\n  items:\n" + numbered(n, "    b%000: []\n"),
		"lists/a.yaml":        cm,
		"codes/metadata.yaml": head + "    - path: a.yaml\n",
		"codes/codes.yaml":    "codes:\n" + numbered(n, "  B%000: {title: t}\n"),
		"codes/a.yaml":        cm + numbered(n, "{{ violation \"A%000\" \"m\" }}\n"),
		"many/metadata.yaml":  head + numbered(n, "    - path: b%000.yaml\n"),
		"pairs.yaml":          "correlationSettings:\n  manualCorrelation:\n    correlationPairs:\n" + numbered(n, "      v1_ConfigMap_b_a%000: c%000.yaml\n"),
		"values.yaml":         numbered(n, "c%000.yaml: []\n"),
		"in/a.yaml":           cm,
	}
	for i := range n {
		files[fmt.Sprintf("missing/b%d000.yaml", i)] = ""
		files[fmt.Sprintf("many/b%d000.yaml", i)] = cm
	}
	t.Chdir(pack.Folder(t, files))
	for line, told := range map[string]string{
		"lint missing":                      "does not exist",
		"lint lists":                        "which does not exist",
		"lint codes":                        "does not explain",
		"--diff-config pairs.yaml many in":  "has no template",
		"inspect --values values.yaml many": "has no template",
	} {
		_, out, errs := typed(line)
		all := out + errs
		if meant := strings.Count(all, "did you mean"); strings.Count(all, told) != n || meant == 0 || (meant == n) == pack.Whole() || len(all) > 4<<20 {
			t.Errorf("%s: %d are told, of %d what they mean, in %d bytes: %.300s", line, strings.Count(all, told), meant, len(all), all)
		}
	}
}

// TestWhatReportsRepeatIsBounded checks that texts of a reference that reports repeat for each CR
// have a limit.
func TestWhatReportsRepeatIsBounded(t *testing.T) {
	const cr = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
	long := strings.Repeat("n", 20_000)
	for name, metadata := range map[string]string{
		"a description": "parts: [{name: p, description: " + long + ", components: [{name: c, allOf: [{path: a.yaml}]}]}]\n",
		"a part":        "parts: [{name: " + long + ", components: [{name: c, allOf: [{path: a.yaml}]}]}]\n",
		"a component":   "parts: [{name: p, components: [{name: " + long + ", allOf: [{path: a.yaml}]}]}]\n",
		"a long value":  "parts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n",
	} {
		value := ""
		if name == "a long value" {
			value = "x: " + long + "\n"
		}
		t.Chdir(pack.Folder(t, map[string]string{"ref/metadata.yaml": "apiVersion: v2\n" + metadata, "ref/a.yaml": cr + value, "in/a.yaml": cr + value}))
		for _, line := range []string{"-o json ref in", "lint ref"} {
			_, bytes, printed := costOf(line)
			if strings.Contains(printed, "VT5020") != (value == "") || strings.Contains(printed, "reports repeat them") != (value == "") || bytes > 300<<20 {
				t.Errorf("%s, %s: %d MiB: %.300s", name, line, bytes>>20, printed)
			}
		}
	}
}

// TestStartUpAllocatesLittle limits what a run allocates for its command line, and for a small report.
func TestStartUpAllocatesLittle(t *testing.T) {
	for _, c := range []struct {
		line string
		most float64
	}{
		{"version", 1800},
		{"../../examples/quickstart/reference ../../examples/quickstart/cluster", 10000},
	} {
		n := testing.AllocsPerRun(5, func() { outcome(strings.Fields(c.line)...) })
		if n > c.most {
			t.Errorf("%s: %.0f allocations, more than %.0f", c.line, n, c.most)
		}
	}
}
