package lint

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/refconfig"
)

// files returns the files of a folder.
func files(t *testing.T, folder string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		all[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// lint returns the findings in a reference, as lines.
func lint(all fstest.MapFS, opt Options) []string {
	ref, faults := refconfig.Load(all, ".", refconfig.LoadOptions{Unlisted: true})
	opt.Faults = faults
	return lines(Reference(context.Background(), ref, opt))
}

func lines(found *Document) []string {
	var all []string
	for _, f := range found.Flaws {
		all = append(all, fmt.Sprintf("%s:%d: %s %s", f.File, f.Line, f.Severity, f.Code))
	}
	return all
}

// fault is a change that spoils a reference.
type fault struct {
	name     string
	file     string
	old, new string // "" for old: the file is new
	at       string // the line of the finding has this; "" for one of the whole file
	in       string // the file of the finding, where that is another one
	want     string // severity and code
	also     string // a code of findings that come with it
}

// faults are changes of the example ran-du.
func faults() []fault {
	const ns, cfg, meta = "logging/Namespace.yaml", "sriov/SriovOperatorConfig.yaml", "metadata.yaml"
	return []fault{
		{
			name: "an unknown key",
			file: meta,
			old:  "    components:\n      - name: cluster-logging\n",
			new:  "    componets: []\n    components:\n      - name: cluster-logging\n",
			at:   "componets",
			want: "error VT2005",
		},
		{
			name: "a file that is not there",
			file: meta,
			old:  "path: logging/Subscription.yaml",
			new:  "path: logging/Subscriptoin.yaml",
			at:   "Subscriptoin",
			want: "error VT2014",
			also: "VT2062",
		},
		{
			name: "an if without a condition",
			file: ns,
			old:  "  labels:",
			new:  "  {{ if }}\n  labels:",
			at:   "{{ if }}",
			want: "error VT2016",
		},
		{
			name: "an unknown function",
			file: cfg,
			old:  "| default false",
			new:  "| defualt false",
			at:   "defualt",
			want: "error VT2016",
		},
		{
			name: "a template that is not defined, in a condition",
			file: cfg,
			old:  "  logLevel: 0",
			new:  "  {{- if .spec.x }}\n  {{ template \"levels\" . }}\n  {{- end }}\n  logLevel: 0",
			at:   "levels",
			want: "warning VT2042",
		},
		{
			name: "an include that is not defined",
			file: "platform/ClusterVersion.yaml",
			old:  `include "sameMinor"`,
			new:  `include "sameMajor"`,
			at:   "sameMajor",
			want: "error VT2042",
		},
		{
			name: "a kind that only an input shows",
			file: cfg,
			old:  "kind: SriovOperatorConfig",
			new:  "kind: {{ .kind }}",
			at:   "apiVersion",
			want: "error VT2017",
		},
		{
			name: "a clock",
			file: cfg,
			old:  "logLevel: 0",
			new:  `logLevel: {{ (now).Year }}`,
			at:   "logLevel",
			want: "warning VT2034",
		},
		{
			name: "a refusal of everything",
			file: ns,
			old:  "apiVersion",
			new:  "{{ doNotMatch \"no\" }}apiVersion",
			at:   "doNotMatch",
			want: "error VT2051",
		},
		{
			name: "a kind of another group",
			file: "logging/ServiceAccount.yaml",
			old:  "apiVersion: v1",
			new:  "apiVersion: apps/v1",
			at:   "kind:",
			want: "error VT2051",
		},
		{
			name: "a misspelt kind",
			file: ns,
			old:  "kind: Namespace",
			new:  "kind: NameSpace",
			at:   "kind:",
			want: "error VT2051",
		},
		{
			name: "a namespace of a Namespace",
			file: ns,
			old:  "  name:",
			new:  "  namespace: openshift-logging\n  name:",
			at:   "  namespace:",
			want: "error VT2051",
		},
		{
			name: "a namespace that cannot be",
			file: "logging/ServiceAccount.yaml",
			old:  "namespace: openshift-logging",
			new:  "namespace: Openshift_Logging",
			at:   "Openshift_",
			want: "error VT2051",
		},
		{
			name: "a name that cannot be",
			file: "logging/ServiceAccount.yaml",
			old:  "name: log-collector",
			new:  "name: logCollector",
			at:   "logCollector",
			want: "error VT2051",
		},
		{
			name: "a rule against another",
			file: meta,
			old:  "parts:\n",
			new:  "parts:\n  - name: old\n    components:\n      - name: gone\n        noneOf:\n          - path: platform/Tuned.yaml\n",
			at:   "          - path: platform/Tuned.yaml\n            description",
			want: "error VT2052",
			also: "VT2015",
		},
		{
			name: "two templates for one CR",
			file: "platform/Tuned.yaml",
			old:  "apiVersion: tuned.openshift.io/v1\nkind: Tuned\nmetadata:\n  name: du-performance-patch\n  namespace: openshift-cluster-node-tuning-operator",
			new:  "apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovOperatorConfig\nmetadata:\n  name: default\n  namespace: openshift-sriov-network-operator",
			in:   meta,
			at:   "path: sriov/SriovOperatorConfig.yaml",
			want: "error VT2052",
			also: "VT2029",
		},
		{
			name: "a function file that nobody uses",
			file: "functions/more.tmpl",
			new:  "{{ define \"more\" }}more{{ end }}\n",
			at:   "define",
			want: "warning VT2053",
		},
		{
			name: "a definition that nobody calls",
			file: cfg,
			old:  "apiVersion",
			new:  "{{ define \"alone\" }}x{{ end -}}\napiVersion",
			at:   "alone",
			want: "warning VT2053",
		},
		{
			name: "a definition in the place of another",
			file: "functions/aaa.tmpl",
			new:  "{{ define \"pool\" }}worker{{ end }}\n",
			at:   "define",
			want: "warning VT2054",
			also: "VT2053",
		},
		{
			name: "a definition of one's own in vain",
			file: "platform/ClusterVersion.yaml",
			old:  "apiVersion",
			new:  "{{ define \"sameMinor\" }}x{{ end -}}\napiVersion",
			at:   "define",
			want: "warning VT2054",
		},
		{
			name: "a root key in another letter case",
			file: cfg,
			old:  "apiVersion:",
			new:  "apiversion:",
			at:   "apiversion",
			want: "error VT2055",
		},
		{
			name: "a misspelt key of metadata",
			file: ns,
			old:  "  labels:",
			new:  "  lables:",
			at:   "lables",
			want: "error VT2055",
		},
		{name: "a label that is true", file: ns, old: `"true"`, new: "true", at: "monitoring", want: "error VT2056"},
		{
			name: "an annotation that is a number",
			file: ns,
			old:  "allowed: management",
			new:  "allowed: 010",
			at:   "allowed",
			want: "error VT2056",
		},
		{
			name: "a label that a function makes",
			file: ns,
			old:  `cluster-monitoring: "true"`,
			new:  `cluster-monitoring: {{ .metadata.labels.x | lower }}`,
			at:   "lower",
			want: "warning VT2057",
		},
		{
			name: "a key that stands twice",
			file: cfg,
			old:  "  logLevel: 0",
			new:  "  logLevel: 0\n  disableDrain: false",
			at:   "disableDrain: false",
			want: "warning VT2058",
		},
		{
			name: "a key read in another letter case",
			file: cfg,
			old:  ".spec.enableInjector",
			new:  ".spec.enableinjector",
			at:   "enableinjector",
			want: "warning VT2059",
		},
		{
			name: "a path through a list",
			file: meta,
			old:  "      - pathToKey: spec.upgradeStrategy",
			new:  "      - pathToKey: spec.targetNamespaces.name",
			at:   "targetNamespaces",
			want: "warning VT2060",
		},
		{
			name: "a path in another letter case",
			file: meta,
			old:  "      - pathToKey: spec.upgradeStrategy",
			new:  "      - pathToKey: spec.targetnamespaces",
			at:   "targetnamespaces",
			want: "warning VT2060",
		},
		{
			name: "a path that metadata does not have",
			file: meta,
			old:  "pathToKey: metadata.generation",
			new:  "pathToKey: metadata.generations",
			at:   "generations",
			want: "warning VT2060",
		},
		{
			name: "a path through text",
			file: meta,
			old:  "      - pathToKey: spec.upgradeStrategy",
			new:  "      - pathToKey: spec.installPlanApproval.x",
			at:   "installPlanApproval",
			want: "warning VT2060",
		},
		{
			name: "an odd path",
			file: meta,
			old:  "pathToKey: spec.upgradeStrategy",
			new:  "pathToKey: spec.a[0]",
			at:   "a[0]",
			want: "warning VT2039",
		},
		{
			name: "an inline diff function without a field",
			file: meta,
			old:  "spec.profile.0.interface",
			new:  "spec.profiles.0.interface",
			at:   "profiles",
			want: "error VT2026",
		},
		{
			name: "an unknown inline diff function",
			file: meta,
			old:  "inlineDiffFunc: regex",
			new:  "inlineDiffFunc: regexp",
			at:   "regexp",
			want: "error VT2025",
		},
		{
			name: "a list of fields that is not there",
			file: meta,
			old:  "include: operator-marks",
			new:  "include: operator-mark",
			at:   "operator-mark\n",
			want: "warning VT2020",
		},
		{
			name: "a key of the metadata in another letter case",
			file: meta,
			old:  "defaultOmitRef",
			new:  "defaultomitref",
			at:   "defaultomitref",
			want: "warning VT2035",
		},
		{
			name: "text that is no YAML",
			file: cfg,
			old:  "disableDrain: true",
			new:  "disableDrain: [true",
			at:   "disableDrain",
			want: "warning VT2063",
		},
		{
			name: "a key that may not be there",
			file: cfg,
			old:  "  logLevel: 0",
			new:  "  {{ .spec.key }}: 0",
			at:   "{{ .spec.key",
			want: "warning VT2063",
		},
		{
			name: "a division by zero",
			file: cfg,
			old:  "logLevel: 0",
			new:  "logLevel: {{ div 1 0 }}",
			at:   "div",
			want: "warning VT2063",
		},
		{
			name: "a key without a value",
			file: ns,
			old:  "    workload.openshift.io/allowed: management",
			new:  "    workload.openshift.io/allowed:",
			at:   "allowed",
			want: "warning VT2061",
		},
		{
			name: "a function with too few arguments, in a branch that no CR of an identity only comes to",
			file: "platform/PerformanceProfile.yaml",
			old:  `(cpuSetSize .spec.cpu.reserved)`,
			new:  `(cpuSetSize .spec.cpu.reserved 2)`,
			at:   "cpuSetSize",
			want: "error VT2065",
		},
		{
			name: "a function with a piped argument too many",
			file: "functions/pool.tmpl",
			old:  `trimPrefix "node-role.kubernetes.io/" $label`,
			new:  `$label | trimPrefix "node-role.kubernetes.io/" "x"`,
			at:   "trimPrefix",
			want: "error VT2065",
		},
		{
			name: "a named template that reads what a call does not pass",
			file: "functions/pool.tmpl",
			old:  "{{- $pool -}}\n{{- end -}}",
			new: "{{- $pool -}}\n{{ template \"rest\" (dict \"release\" \"z\") }}{{- end -}}" +
				`{{- define "rest" -}}{{ .patch }}{{- end -}}`,
			at:   "template \"rest\"",
			want: "error VT2065",
		},
		{
			name: "an entry for a field of the items of a loop, without the item",
			file: meta,
			old:  "          - path: ptp/PtpConfigBoundary.yaml\n",
			new: "          - path: ptp/PtpConfigBoundary.yaml\n            config:\n              perField:\n" +
				"                - {pathToKey: spec.profile.ptp4lOpts, inlineDiffFunc: regex}\n",
			at:   "spec.profile.ptp4lOpts",
			want: "error VT2026",
		},
		{
			name: "groups that no entry reads",
			file: "ptp/PtpConfigBoundary.yaml",
			old:  "ptpSchedulingPolicy: SCHED_FIFO",
			new:  "ptpSchedulingPolicy: SCHED_(?<policy>[A-Z]+)",
			at:   "ptpSchedulingPolicy",
			want: "warning VT2068",
		},
		{
			name: "definitions that call each other without end",
			file: "functions/pool.tmpl",
			old:  "{{- $pool -}}",
			new:  `{{- $pool -}}{{- template "pool" . -}}`,
			at:   "$pool -}}{{- template",
			want: "error VT2066",
		},
		{
			name: "an expression that does not compile",
			file: "functions/pool.tmpl",
			old:  `hasPrefix "node-role.kubernetes.io/" $label`,
			new:  `regexMatch "node-role(" $label`,
			at:   "regexMatch",
			want: "error VT2067",
		},
		{
			name: "a file that is not listed",
			file: "logging/Extra.yaml",
			new:  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
			at:   "apiVersion",
			want: "warning VT2062",
		},
	}
}

// TestFaultsAreFoundAtTheirLine spoils copies of an example, and of a published reference where it
// is at hand, each in one way.
func TestFaultsAreFoundAtTheirLine(t *testing.T) {
	for folder, faults := range map[string][]fault{
		"../../examples/ran-du/reference":             faults(),
		"../../../shared/conformance/references/core": coreFaults(),
	} {
		if _, err := os.Stat(folder); err == nil { // the published references are not everywhere
			findFaults(t, folder, faults)
		}
	}
}

// TestSeededFaultsAreFound: all of them, each as one finding at its line, and none in the references
// that they are seeded into.
func TestSeededFaultsAreFound(t *testing.T) {
	const seeded = 40
	found := 0
	for name, faults := range seededFaults() {
		folder := "testdata/" + name
		if got := lint(files(t, folder), Options{}); len(got) > 0 {
			t.Errorf("%s: found %q", folder, got)
		}
		found += findFaults(t, folder, faults)
	}
	if found != seeded {
		t.Errorf("%d faults are found, of %d", found, seeded)
	}
}

// findFaults spoils copies of a reference, each in one way, and returns how many faults are found.
func findFaults(t *testing.T, folder string, faults []fault) (found int) {
	t.Helper()
	before := lint(files(t, folder), Options{})
	for _, f := range faults {
		name := path.Base(strings.TrimSuffix(folder, "/reference")) + "/" + f.name
		if t.Run(name, func(t *testing.T) {
			all := files(t, folder)
			f.spoil(t, all)
			want := f.finding(t, all)
			got := slices.DeleteFunc(lint(all, Options{}), func(line string) bool {
				return slices.Contains(before, line) || f.also != "" && strings.HasSuffix(line, f.also)
			})
			if !slices.Equal(got, []string{want}) {
				t.Errorf("found %q, want %q", got, want)
			}
		}) {
			found++
		}
	}
	return found
}

// spoil makes the change. A new function file is listed before all others.
func (f fault) spoil(t *testing.T, all fstest.MapFS) {
	t.Helper()
	if f.old != "" {
		text := string(all[f.file].Data)
		if !strings.Contains(text, f.old) {
			t.Fatalf("%s has no %q", f.file, f.old)
		}
		all[f.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, f.old, f.new, 1))}
		return
	}
	all[f.file] = &fstest.MapFile{Data: []byte(f.new)}
	if path.Ext(f.file) == ".tmpl" {
		text := strings.Replace(string(all["metadata.yaml"].Data), "Files:\n", "Files:\n  - "+f.file+"\n", 1)
		all["metadata.yaml"] = &fstest.MapFile{Data: []byte(text)}
	}
}

// finding is what is to be said of the change.
func (f fault) finding(t *testing.T, all fstest.MapFS) string {
	t.Helper()
	in := cmp.Or(f.in, f.file)
	above, _, there := strings.Cut(string(all[in].Data), f.at)
	if !there {
		t.Fatalf("%s has no %q", in, f.at)
	}
	return fmt.Sprintf("%s:%d: %s", in, 1+strings.Count(above, "\n"), f.want)
}

// TestNothingIsSaidOfSoundReferences: whatever is found in references that were written with care
// is listed here, and was read against the templates by hand.
func TestNothingIsSaidOfSoundReferences(t *testing.T) {
	overlap := []string{"policy-fast.yaml:0: warning VT2029"}
	for name, want := range map[string][]string{
		"quickstart": nil, "annotations": nil, "references/groups": nil, "references/inline": nil, "references/lookups": nil, "references/omit": nil,
		"references/templates": nil, "references/correlation": overlap, "config-connector": nil, "ran-du": {"sriov/SriovNetworkNodePolicyKernel.yaml:0: warning VT2029"},
	} {
		if got := lint(files(t, "../../examples/"+name+"/reference"), Options{}); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"core", "hub"} {
		folder := "../../../shared/conformance/references/" + name
		if _, err := os.Stat(folder); err != nil {
			continue // the published references are not everywhere
		}
		if got := lint(files(t, folder), Options{Compatible: true}); len(got) > 0 {
			t.Errorf("%s: found %q", name, got)
		}
	}
}

// TestCompatible: what kube-compare reads otherwise is said only where it is asked for.
func TestCompatible(t *testing.T) {
	for name, want := range map[string][]string{
		"quickstart":           {"settings.yaml:9: warning VT2064"},
		"references/lookups":   {"functions.tmpl:3: warning VT2064"},
		"references/omit":      {"metadata.yaml:8: warning VT2064"},
		"references/templates": {"radio.yaml:11: warning VT2064", "radio.yaml:18: warning VT2064"},
	} {
		if got := lint(files(t, "../../examples/"+name+"/reference"), Options{Compatible: true}); !slices.Equal(
			got, want,
		) {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
}

// TestWhatIsNotKnownIsNotSaid: texts that look like faults, and are none.
func TestWhatIsNotKnownIsNotSaid(t *testing.T) {
	for name, template := range map[string]string{
		"a key in each of two branches":              "data:\n  {{- if .data.a }}\n  a: b\n  {{- else }}\n  a: c\n  {{- end }}\n",
		"text in a block":                            "data:\n  a: |\n    b: yes\n    b: yes\n   \n    - c\n",
		"values in quotes":                           "data:\n  a: \"true\"\n  b: '10'\n  c: 1.2.3\n  d: \"x\" # yes\n",
		"a value in two branches":                    "data:\n  a: {{ if .data.a }}yes{{ else }}no{{ end }}way\n",
		"a value that keeps its type":                "data:\n  a: {{ .data.a }}\n",
		"a function with quotes":                     "data:\n  a: {{ .data.a | lower | quote }}\n",
		"a variable that may have quotes":            "data:\n  {{- $x := quote .data.a }}\n  a: {{ $x | trim }}\n",
		"a key that is printed":                      "data:\n  {{ .data.name | default \"n\" }}: x\n  a: {{ .data.A }}\n",
		"keys that differ in case":                   "data:\n  a: {{ .data.A }}\n  A: b\n",
		"a refusal in a condition":                   "{{- if .data.b }}{{ doNotMatch \"b\" }}{{ end }}\n",
		"null":                                       "data:\n  a: null\n",
		"an anchor":                                  "data: &d\n  a: b\nx: *d\n",
		"braces":                                     "data: {a: b, c: 'd'}\n",
		"braces over lines":                          "data: {a: b,\n  b: 'yes',\n  c: d}\n",
		"a list at the margin":                       "data:\n  a: b\nx:\n- a: 1\n  b: 2\n- a: 1\n",
		"a second document":                          "data:\n  a: b\n# ---\n",
		"JSONPath in a block and in quotes":          "data:\n  a: |\n    b: { .metadata.name }\n  b: \"{ .spec.x }\"\n  c: -o={.status}\n",
		"an empty default":                           "data:\n  a: {{ default .data.b \"\" | quote }}\n",
		"a default that may apply":                   "data:\n  a: {{ .data.a | default \"x\" | default .data.b | quote }}\n",
		"values in braces that keep their type":      "data: {a: {{ .data.a }}, b: 'yes', c: {{ eq .kind \"A\" }}, d: \"1\"}\n",
		"a map in braces":                            "data: { a.b: c }\n",
		"a key called Values":                        "spec:\n  Values: {{ .spec.Values }}\n",
		"keys of a free map, where more are printed": "data:\n  a: {{ .data.A }}\n  {{- if .data.more }}\n  {{- .data.more | toYaml | nindent 2 }}\n  {{- end }}\n",
		"a definition by another name":               "data:\n  a: {{ include (printf \"%s\" \"x\") . | quote }}\n{{- define \"x\" }}y{{ end }}\n",
	} {
		all := fstest.MapFS{
			"metadata.yaml": {
				Data: []byte(
					"apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml, config: {ignore-unspecified-fields: true}}]}]}]\n",
				),
			},
			"a.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n" + template)},
		}
		if got := lint(all, Options{}); len(got) > 0 {
			t.Errorf("%s: found %q in\n%s", name, got, all["a.yaml"].Data)
		}
	}
}
