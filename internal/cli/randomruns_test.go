package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// manifoldReference returns a reference whose inputs can have findings of every class.
func manifoldReference() map[string]string {
	service := func(name string) string {
		return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + ", namespace: app}\nspec: {type: ClusterIP}\n"
	}
	return map[string]string{
		"ref/metadata.yaml": `apiVersion: v2
parts:
- name: p
  components:
  - name: base
    allOf: [{path: ns.yaml}, {path: cm.yaml}, {path: account.yaml}, {path: widget.yaml}]
  - name: one
    oneOf: [{path: x-svc.yaml}, {path: y-svc.yaml}]
  - name: never
    noneOf: [{path: never.yaml}]
  - name: group
    allOrNoneOf: [{path: m-svc.yaml}, {path: n-svc.yaml}]
  - name: any
    anyOf: [{path: fails.yaml}, {path: refuses.yaml}, {path: secret.yaml}, {path: version.yaml}, {path: told.yaml}]
  - name: shaped
    anyOf:
    - path: shape.yaml
      config:
        perField: [{pathToKey: spec.set, list: set}, {pathToKey: spec.map, list: map(name)}, {pathToKey: spec.text, embedded: json}, {pathToKey: spec.pattern, inlineDiffFunc: capturegroups}, {pathToKey: spec.size, quantity: true}]
`,
		"ref/codes.yaml":   "codes:\n  R-BAD: {title: what is wrong, triage: mend it}\n  R-ODD: {title: what is odd}\n",
		"ref/ns.yaml":      "apiVersion: v1\nkind: Namespace\nmetadata: {name: app, uid: \"{{ .metadata.uid }}\"}\n",
		"ref/cm.yaml":      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .metadata.name }}\", namespace: app}\ndata: {level: info, size: small, own: \"{{ .data.own }}\"}\n",
		"ref/account.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: collector, namespace: app}\n",
		"ref/widget.yaml":  "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {enabled: true}\n",
		"ref/x-svc.yaml": service(
			"x-svc",
		), "ref/y-svc.yaml": service("y-svc"), "ref/m-svc.yaml": service("m-svc"), "ref/n-svc.yaml": service("n-svc"),
		"ref/fails.yaml":   "apiVersion: v1\nkind: Limits\nmetadata: {name: l}\nspec: {{ if .spec.worse }}{{ fromJson 3 }}{{ else if .spec.bad }}{{ fail \"bad\" }}{{ else }}{a: 1}{{ end }}\n",
		"ref/refuses.yaml": "apiVersion: v1\nkind: Refused\nmetadata: {name: \"{{ .metadata.name }}\"}\n{{ if .spec.bad }}{{ doNotMatch \"not this one\" }}{{ end }}\n",
		"ref/never.yaml":   "apiVersion: example.com/v1\nkind: Never\nmetadata: {name: n}\n",
		"ref/secret.yaml":  "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: app}\ndata: {key: bm9uZQ==}\n",
		"ref/version.yaml": "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nstatus: {desired: {version: 4.16.1}}\nspec: {clusterID: \"{{ .spec.clusterID }}\"}\n",
		"ref/told.yaml": "apiVersion: v1\nkind: Told\nmetadata: {name: \"{{ .metadata.name }}\"}\n{{ range .spec.wrong }}{{ violation \"R-BAD\" \"spec.wrong\" (print . \" is wrong\") }}{{ end }}{{ range .spec.odd }}{{ note \"R-ODD\" (print . \" is odd\") }}{{ end }}" +
			"spec: {wrong: {{ .spec.wrong | toJson }}, odd: {{ .spec.odd | toJson }}}\n",
		"ref/shape.yaml": "apiVersion: v1\nkind: Shape\nmetadata: {name: s}\nspec:\n  set: [a, b, {c: d}]\n  map: [{name: x, v: 1}, {name: y, v: 2}]\n  text: '{\"a\": 1, \"b\": [1, 2]}'\n  pattern: 'v(?<n>[0-9]+)-(?<m>[a-z]+)'\n  size: 1Gi\n",
		"impact.yaml":    "default: review\nrules:\n- {impact: impacting, category: drift}\n- {impact: not-impacting, template: \"*svc.yaml\"}\n",
	}
}

// manifoldCRs returns some CRs of a cluster, each with or without deviations. A quarter of the
// clusters has none.
func manifoldCRs(r *rand.Rand, cluster int) (all []string) {
	tidy, services := r.IntN(4) == 0, []string{"x", "y", "m", "n", "unknown"}
	if tidy {
		services = []string{"x", "m", "n"}
	}
	some := func(text string, choices ...string) {
		if !tidy && r.IntN(3) == 0 {
			return
		}
		if tidy {
			choices = choices[:min(len(choices), 1)]
		}
		if len(choices) > 0 {
			text = fmt.Sprintf(text, choices[r.IntN(len(choices))])
		}
		all = append(all, text)
	}
	all = append(all, fmt.Sprintf(
		"apiVersion: config.openshift.io/v1\nkind: Infrastructure\nmetadata: {name: cluster}\nstatus: {infrastructureName: site-%d}\n",
		cluster,
	))
	some("apiVersion: v1\nkind: Namespace\nmetadata: {name: app, uid: u}\n")
	for i := range 1 + r.IntN(3) {
		some(
			fmt.Sprintf(
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings-%d, namespace: app}\ndata: %%s\n", i,
			),
			"{level: info, size: small, own: a}",
			"{level: debug, size: small, own: b}",
			"{level: debug, size: small, own: b}",
			"{level: info, own: c}",
			"{level: info, size: small, own: d, more: e}",
			"{level: debug, other: e}",
		)
	}
	some("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: collector, namespace: app}\n")
	some(
		"apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, namespace: app, ownerReferences: [{apiVersion: v1, kind: ServiceAccount, name: collector, uid: u}]}\n",
	)
	some(
		"apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {enabled: %s}\n",
		"true",
		"false",
		"true, more: 1",
	)
	if r.IntN(6) == 0 {
		all = append(all, "apiVersion: v1\nkind: Status\nstatus: Failure\ndetails: {kind: nevers, group: example.com}\n")
	}
	for _, name := range services {
		some(
			"apiVersion: v1\nkind: Service\nmetadata: {name: "+name+"-svc, namespace: app}\nspec: {type: %s}\n",
			"ClusterIP",
			"NodePort",
			"ClusterIP, more: x",
		)
	}
	some("apiVersion: v1\nkind: Limits\nmetadata: {name: l}\nspec: {a: 1%s}\n", "", ", bad: true", ", worse: true")
	some("apiVersion: v1\nkind: Refused\nmetadata: {name: r}\nspec: {bad: %s}\n", "true", "false")
	some(
		"apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: app}\ndata: {key: %s}\n",
		"bm9uZQ==",
		"b25l",
		"dHdvCg==",
	)
	for i := range 1 + r.IntN(2) {
		some(
			fmt.Sprintf("apiVersion: v1\nkind: Told\nmetadata: {name: t%d}\nspec: %%s\n", i),
			"{odd: [a], wrong: []}",
			"{odd: [], wrong: [b]}",
			"{odd: [a, c], wrong: [b, b, d]}",
		)
	}
	some(
		"apiVersion: v1\nkind: Shape\nmetadata: {name: s}\nspec: %s\n",
		"{set: [{c: d}, b, a], map: [{name: y, v: 2}, {name: x, v: 1}], text: '{\"b\":[1,2],\"a\":1}', pattern: v1-a, size: 1024Mi}",
		"{set: [a, e, f], map: [{name: y, v: 3}, {name: z}], text: '{\"b\":[1,3],\"c\":1}', pattern: v1-1, size: 1}",
		"{set: a, map: [{name: x}, {name: x}], text: '{', pattern: [], size: x}",
	)
	some(
		fmt.Sprintf(
			"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: id-%d}\nstatus: {desired: {version: %%s}}\n",
			cluster,
		),
		"4.16.1",
		"4.8.1",
	)
	return all
}

// manifoldInput writes some CRs of a cluster as one of several sorts of inputs, and returns its
// path.
func manifoldInput(t *testing.T, r *rand.Rand, path string, cluster int) string {
	files, folder := map[string]string{}, ""
	if r.IntN(3) == 0 { // a must-gather, of which some may not have been collected
		folder = "must-gather.local.1/quay-io-sha256-1/namespaces/app/x/"
	}
	for i, text := range manifoldCRs(r, cluster) {
		files[fmt.Sprintf("%s%d.yaml", folder, i)] = text
	}
	switch r.IntN(12) {
	case 0:
		files[folder+"broken.yaml"] = "apiVersion: v1\nkind: [\n"
	case 1:
		return writeArchive(t, path+".tar.gz", archived(files), 20+r.IntN(200))
	case 2:
		return writeArchive(t, path+".tar.gz", archived(files), 0)
	case 3: // nothing that the reference speaks of
		files = map[string]string{"event.yaml": "apiVersion: v1\nkind: Event\nmetadata: {name: e, namespace: app}\n"}
	}
	pack.Files(t, path, files)
	return path
}

// randomRun is a reference, inputs and options of a run.
type randomRun struct {
	reference string
	inputs    []string
	impact    string // a file of rules for it; "" where there is none
}

// manifoldRuns makes runs with one to three random clusters.
func manifoldRuns(t *testing.T, r *rand.Rand, dir string, n int) (all []randomRun) {
	pack.Files(t, dir, manifoldReference())
	for i := range n {
		one := randomRun{reference: filepath.Join(dir, "ref"), impact: filepath.Join(dir, "impact.yaml")}
		for cluster := range []int{1, 1, 2, 3}[r.IntN(4)] {
			one.inputs = append(
				one.inputs, manifoldInput(t, r, filepath.Join(dir, fmt.Sprintf("in%d-%d", i, cluster)), cluster),
			)
		}
		all = append(all, one)
	}
	return all
}

// hostileRun makes a run with names, keys and values that look like the markup of formats.
func hostileRun(t *testing.T) randomRun {
	dir := hostileTree(t)
	return randomRun{reference: filepath.Join(dir, "ref"), inputs: []string{filepath.Join(dir, "in")}}
}

// exampleRuns makes runs with the examples, without some of their CRs and with changes in others.
func exampleRuns(t *testing.T, r *rand.Rand, dir string, n int) (all []randomRun) {
	eachExample(t, func(t *testing.T, reference string, objects []map[string]any) {
		if strings.Contains(reference, "shared") && n > 2 {
			n = 2 // they are large
		}
		for range n {
			var some []map[string]any
			for _, o := range objects {
				if r.IntN(5) > 0 {
					some = append(some, damagedInput(r, o, r.IntN(3)))
				}
			}
			input := filepath.Join(dir, fmt.Sprintf("example%d.yaml", len(all)))
			pack.Files(t, dir, map[string]string{filepath.Base(input): documents(some)})
			all = append(all, randomRun{reference: reference, inputs: []string{input}})
		}
	})
	return all
}

// damagedInput changes some scalars in the spec and data of an object.
func damagedInput(r *rand.Rand, o map[string]any, round int) map[string]any {
	o = tree.Copy(o).(map[string]any)
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range tree.Keys(v) {
				switch r.IntN(40) {
				case 0:
					v[k] = "damaged"
				case 1:
					delete(v, k)
				case 2:
					v["damaged"] = true
				default:
					walk(v[k])
				}
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	if round%3 > 0 {
		walk(o["spec"])
		walk(o["data"])
	}
	return o
}

// writeArchive writes a file without its last bytes.
func writeArchive(t *testing.T, path, data string, cut int) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(data[:len(data)-min(cut, len(data)-1)]), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
