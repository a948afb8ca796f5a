package cli

import (
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// everyKind has an alarm and a finding of each class, each with a different word. Because some
// formats list only ten findings, crs has those about CRs, and rest has the others. nothing is
// incomplete although all files can be read.
const everyKind = `
-- ref/crs.yaml --
apiVersion: v2
parts:
- name: p
  components:
  - name: c
    anyOf: [{path: error.yaml}, {path: drift.yaml}, {path: missing.yaml}, {path: extra.yaml}, {path: violation.yaml}, {path: invalid.yaml}, {path: note.yaml}, {path: version.yaml, config: {ignore-unspecified-fields: true, fieldsToOmitRefs: [none]}}]
fieldsToOmit: {items: {none: []}}
-- ref/rest.yaml --
apiVersion: v2
parts:
- name: p
  components:
  - name: c
    allOf: [{path: of-absent.yaml}, {path: of-not-collected.yaml}, {path: of-referenced.yaml}]
  - name: pair
    allOrNoneOf: [{path: there.yaml}, {path: of-wanted.yaml}]
  - name: none
    noneOf: [{path: of-rule.yaml}]
  - name: one
    oneOf: [{path: of-perhaps-broken.yaml}]
  - name: never
    noneOf: [{path: of-not-known.yaml}]
-- ref/codes.yaml --
codes: {OWN-CODE: {title: x}, OWN-NOTE: {title: y}}
-- ref/error.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-error, namespace: app}
{{ fromJson 3 }}
-- ref/drift.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-drift, namespace: app}
data: {a: b}
-- ref/missing.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-missing, namespace: app}
data: {a: b}
-- ref/extra.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-extra, namespace: app}
-- ref/violation.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-violation, namespace: app}
{{ violation "OWN-CODE" "data.b" "says-violation" }}
-- ref/invalid.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-invalid, namespace: app}
data: {a: long}
-- ref/note.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-note, namespace: app}
{{ note "OWN-NOTE" "says-note" }}
-- ref/version.yaml --
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata: {name: version}
status: {desired: {version: 4.16.1}}
-- ref/there.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: there, namespace: app}
-- ref/of-absent.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-absent, namespace: app}
-- ref/of-wanted.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-wanted, namespace: app}
-- ref/of-not-collected.yaml --
apiVersion: example.com/v1
kind: Widget
metadata: {name: of-not-collected}
-- ref/of-perhaps-broken.yaml --
apiVersion: example.com/v1
kind: Widget
metadata: {name: of-perhaps-broken}
-- ref/of-not-known.yaml --
apiVersion: example.com/v1
kind: Widget
metadata: {name: of-not-known}
-- ref/of-referenced.yaml --
apiVersion: v1
kind: ServiceAccount
metadata: {name: collector, namespace: app}
-- ref/of-rule.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: forbidden, namespace: app}
-- schemas.json --
{"openapi": "3.0.0", "components": {"schemas": {"ConfigMap": {"type": "object",
  "properties": {"data": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}}},
  "x-kubernetes-group-version-kind": [{"group": "", "kind": "ConfigMap", "version": "v1"}]},
  "Other": {"type": "object", "required": ["spec"], "x-kubernetes-group-version-kind": [{"group": "", "kind": "Other", "version": "v1"}]}}}}
-- rest/quay-sha256-0/cluster-scoped-resources/core/others/of-other.yaml --
apiVersion: v1
kind: Other
metadata: {name: of-other}
-- crs/all.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: of-error, namespace: app}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: of-drift, namespace: app}
data: {a: c}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: of-missing, namespace: app}
data: {}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: of-extra, namespace: app}
data: {a: b}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: of-violation, namespace: app}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: of-invalid, namespace: app}
data: {a: long}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: of-note, namespace: app}
---
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata: {name: version}
status: {desired: {version: 4.8.1}}
-- rest/quay-sha256-0/version --
openshift/must-gather
-- rest/quay-sha256-0/namespaces/app/core/configmaps.yaml --
apiVersion: v1
kind: ConfigMapList
items:
- metadata: {name: there, namespace: app}
- metadata: {name: forbidden, namespace: app}
-- rest/quay-sha256-0/namespaces/app/apps/replicasets.yaml --
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: r, namespace: app, ownerReferences: [{apiVersion: v1, kind: ServiceAccount, name: collector, uid: u}]}
-- rest/quay-sha256-0/namespaces/app/core/of-unmatched.yaml --
apiVersion: v1
kind: OfUnmatched
metadata: {name: a, namespace: app}
-- crs/of-unreadable.yaml --
apiVersion: v1
kind: [
-- nothing/a.yaml --
apiVersion: v1
kind: Event
metadata: {name: e, namespace: app}
`

// kindWords returns a word of every kind of finding in everyKind.
func kindWords() map[string]string {
	words := map[string]string{
		"alarm": "the cluster is 4.8.1", "violation": "says-violation", "note": "says-note", "unmatched": "OfUnmatched", "rule": "forbidden", "unreadable": "not valid YAML",
		"incomplete": "no CR that the reference describes", "invalid CR": "of-other",
	}
	for _, class := range slices.Concat(classesOf(true), classesOf(false)) {
		if words[class] == "" {
			words[class] = "of-" + strings.ReplaceAll(class, " ", "-")
		}
	}
	return words
}

// leftOut returns for each format the kinds of findings that it does not show, or shows only
// indirectly.
func leftOut() map[string][]string {
	whole := []string{"unmatched", "invalid CR", "referenced", "note", "unreadable", "not known"}
	return map[string][]string{
		"text": nil, "json": nil, "yaml": nil, "diff": nil, "html": nil, "csv": nil, "ndjson": nil, "github": nil, "gitlab": nil, "markdown": nil,
		"sarif": nil, "junit": nil,
		"fix":       append(whole, "error", "violation", "invalid", "extra"),
		"overrides": append(whole, "invalid", "extra", "violation"), // it accepts a violation without its message
	}
}

// TestEveryFormatTellsEveryKindOfFinding checks that each format shows each alarm and each kind of
// finding, except those of leftOut.
func TestEveryFormatTellsEveryKindOfFinding(t *testing.T) {
	inFolder(t, everyKind)
	texts, counts := map[string]string{}, map[string]int{}
	for input, reference := range map[string]string{"crs": "crs.yaml", "rest": "rest.yaml", "nothing": "crs.yaml"} {
		must(os.Mkdir("out", 0o755))
		args := strings.Fields("--verbose --all-resources --color never --validate --crds schemas.json --override-reason x " +
			"--fail-on drift,missing,invalid,extra,unmatched-all,referenced ref/" + reference + " " + input)
		for _, f := range allFormats() {
			args = append(args, "-o", f.name+"=out/"+f.name)
		}
		_, out, errs := outcome(args...)
		for _, f := range allFormats() {
			for _, e := range folderEntries(t, filepath.Join("out", f.name)) {
				texts[f.name] += html.UnescapeString(e.Name + "\n" + e.Data)
			}
			if texts[f.name] == "" {
				t.Fatalf("%s was not written: %s%s", f.name, out, errs)
			}
		}
		for class, n := range documentSays(t, read(t, "out/json")).counts {
			counts[class] += n
		}
		must(os.RemoveAll("out"))
	}
	words := kindWords()
	for _, class := range slices.Concat(classesOf(true), classesOf(false), []string{"note", "alarms"}) {
		if counts[class] == 0 {
			t.Errorf("the reports have no finding that is %s", class)
		}
	}
	for _, f := range allFormats() {
		without, known := leftOut()[f.name]
		if !known {
			t.Errorf("%s has no row that says what it leaves out", f.name)
		}
		for kind, word := range words {
			if told := strings.Contains(texts[f.name], word); !told && !slices.Contains(without, kind) {
				t.Errorf("%s does not tell of %s:\n%.3000s", f.name, kind, texts[f.name])
			}
		}
	}
}
