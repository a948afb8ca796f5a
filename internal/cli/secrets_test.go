package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// secretCase is a CR that holds secrets in one place or another. In the texts, CANARY stands for
// one of its own, and B64CANARY for that in base64; what the reference says is not secret, unless
// it is of a Secret too.
type secretCase struct {
	name     string
	template string // of the reference; "" for none
	input    string // a file of the input
	// of the template's config: function, or key:value, and path; or "unspecified" to ignore
	// unspecified fields
	perField  string
	overrides string
	path      string // of the file; "" for name.yaml
	quiet     bool   // the canary shows nowhere, also not with --show-secrets
}

func secretCases() []secretCase {
	head := func(kind, name string) string {
		return "apiVersion: v1\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n  namespace: app\n"
	}
	secret, config := func(name string) string { return head("Secret", name) }, func(name string) string { return head("ConfigMap", name) }
	indented := func(text, indent string) string {
		return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent)
	}
	manifest := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: inner\ndata:\n  password: B64CANARY\nstringData:\n  token: CANARY\n"
	object := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"inner"},"stringData":{"token":"CANARY"}}`
	cases := []secretCase{
		{
			name:     "drift",
			template: secret("drift") + "data:\n  password: b2xk\n",
			input:    secret("drift") + "data:\n  password: B64CANARY\n",
		},
		{
			name:     "extra",
			template: secret("extra") + "data: {}\n",
			input:    secret("extra") + "data:\n  password: B64CANARY\nstringData:\n  more: CANARY\n",
		},
		{
			name:     "expected",
			template: secret("expected") + "data: {{ .data | toJson }}\nstringData:\n  a: {{ .stringData.a }}\n",
			input:    secret("expected") + "data:\n  password: B64CANARY\nstringData:\n  a: CANARY\n",
		},
		{
			name:     "no-map",
			template: secret("no-map") + "data: {a: b}\n",
			input:    secret("no-map") + "data: CANARY\nstringData: [CANARY, {x: CANARY}]\n",
		},
		{name: "copy", template: secret("copy") + "data: {}\n", input: secret("copy") + "data: {}\n"},
		{
			name:     "annotations",
			template: secret("annotations"),
			input: "apiVersion: v1\nkind: Secret\nmetadata:\n  name: annotations\n  namespace: app\n  annotations:\n" +
				"    openshift.io/token-secret.value: CANARY\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {\"stringData\":{\"a\":\"CANARY\"}}\n",
		},
		{name: "in-list", template: secret("in-list") + "data: {a: x}\n",
			input: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: in-list, namespace: app}\n  data: {a: B64CANARY}\n"},
		{name: "in-secret-list", template: secret("in-secret-list") + "data: {a: x}\n", path: "in-secret-list.json",
			input: `{"apiVersion":"v1","kind":"SecretList","items":[{"metadata":{"name":"in-secret-list","namespace":"app"},"data":{"a":"B64CANARY"},"stringData":{"b":"CANARY"}}]}`},
		{
			name:     "duplicate",
			template: secret("duplicate") + "data: {a: x}\n",
			input:    secret("duplicate") + "data:\n  a: B64CANARY\n  a: B64CANARY\ndata:\n  a: B64CANARY\n",
		},
		{name: "unmatched", input: secret("unmatched") + "data:\n  a: B64CANARY\n", quiet: true},

		// templates that say what they should not
		// lists without order, quantities
		{
			name:     "list-set",
			perField: "list:set spec.l",
			template: config("list-set") + "spec: {l: [{kind: ConfigMap, data: {a: b}}, x]}\n",
			input: config(
				"list-set",
			) + "spec: {l: [x, {apiVersion: v1, kind: Secret, stringData: {a: CANARY}, data: {b: B64CANARY}}, {apiVersion: v1, kind: Secret, stringData: CANARY}]}\n",
		},
		{
			name:     "map",
			perField: "list:map(stringData.a) spec.l",
			template: config("map") + "spec: {l: [{apiVersion: v1, kind: Secret, stringData: {a: x}}]}\n",
			input: config(
				"map",
			) + "spec: {l: [{apiVersion: v1, kind: Secret, stringData: {a: CANARY}}, {apiVersion: v1, kind: Secret, stringData: {a: CANARY}, data: {b: B64CANARY}}]}\n",
		},
		{
			name:     "ordered",
			perField: "list:ordered spec.l",
			template: config(
				"ordered",
			) + `spec: {l: [a, b, {{ (lookupCR "v1" "Secret" "app" "ordered").stringData.a }}]}` + "\n",
			input: config(
				"ordered",
			) + "spec: {l: [CANARY, b, a]}\n---\n" + secret("ordered") + "stringData: {a: CANARY}\n",
		},
		{
			name: "moved-item",
			template: config(
				"moved-item",
			) + `spec: {l: [a, {{ (lookupCR "v1" "Secret" "app" "moved-item").stringData.a }}]}` + "\n",
			input: config(
				"moved-item",
			) + "spec: {l: [CANARY, b, a]}\n---\n" + secret("moved-item") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "quantity",
			perField: "quantity:true stringData.*",
			template: secret("quantity") + "stringData: {a: '1', b: '2'}\n",
			input:    secret("quantity") + "stringData: {a: CANARY, b: 2000m}\n",
		},
		{
			name:     "cpuset",
			perField: "cpuset:true spec.a",
			template: config("cpuset") + `spec: {a: {{ (lookupCR "v1" "Secret" "app" "cpuset").stringData.a }}}` + "\n",
			input:    config("cpuset") + "spec: {a: 0-3}\n---\n" + secret("cpuset") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "compared-quantity",
			template: secret("compared-quantity") + `data: {a: {{ quantityCompare .stringData.a "1" }}}` + "\n",
			input:    secret("compared-quantity") + "stringData: {a: CANARY}\n",
		},

		{
			name:     "fail",
			template: secret("fail") + `data: {a: "{{ fail (printf "bad %s" .stringData.a) }}"}` + "\n",
			input:    secret("fail") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "fail-upper",
			template: secret("fail-upper") + `{{ fail (b64enc (print "x" .stringData.a)) }}` + "\n",
			input:    secret("fail-upper") + "stringData: {a: CANARY}\n",
		},
		{
			name: "violated",
			template: secret(
				"violated",
			) + `{{ violation "A-B" "data.a" (printf "bad %s" .stringData.a) }}{{ note "A-C" .stringData.a }}` + "\n",
			input: secret("violated") + "stringData: {a: CANARY}\n",
		},
		{
			name: "violated-path",
			template: secret(
				"violated-path",
			) + `{{ violation "A-B" (print "data." .stringData.a) "x" }}{{ note "A-B" (print "data." (b64enc .stringData.a)) "y" }}` + "\n",
			input: secret("violated-path") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "violated-code",
			template: secret("violated-code") + `{{ violation .stringData.a "x" }}` + "\n",
			input:    secret("violated-code") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "violated-faulty-path",
			template: secret("violated-faulty-path") + `{{ violation "A-B" (print "[" .stringData.a) "x" }}` + "\n",
			input:    secret("violated-faulty-path") + "stringData: {a: CANARY}\n",
		},
		{
			name: "violated-of-another",
			template: config(
				"violated-of-another",
			) + "{{ define \"i\" }}{{ violation \"A-B\" \"data.a\" (toJson .) }}{{ end }}{{ $x := include \"i\" (lookupCR \"v1\" \"Secret\" \"app\" \"violated-of-another\") }}" +
				"{{ $_ := set .data \"b\" (lookupCR \"v1\" \"Secret\" \"app\" \"violated-of-another\").stringData.a }}{{ note \"A-C\" .data.b }}data: {a: y}\n",
			input: config(
				"violated-of-another",
			) + "data: {a: y}\n---\n" + secret("violated-of-another") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "refused",
			template: secret("refused") + `{{ doNotMatch .stringData.a }}` + "\n",
			input:    secret("refused") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "error",
			template: secret("error") + `{{ mustToDate "2006" .stringData.a }}` + "\n",
			input:    secret("error") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "panic",
			template: secret("panic") + `{{ urlParse (print "%" .stringData.a) }}` + "\n",
			input:    secret("panic") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "cpus",
			template: secret("cpus") + `{{ cpuSetSize .stringData.a }}` + "\n",
			input:    secret("cpus") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "include",
			template: secret("include") + `{{ include .stringData.a . }}` + "\n",
			input:    secret("include") + "stringData: {a: CANARY}\n",
		},
		{
			name: "variable",
			template: secret(
				"variable",
			) + `{{ $d := dict "a" (list .stringData.a) }}{{ range $d.a }}{{ fail (upper . | lower) }}{{ end }}` + "\n",
			input: secret("variable") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "whole",
			template: secret("whole") + `{{ fail (toJson .) }}` + "\n",
			input:    secret("whole") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "broken-text",
			template: secret("broken-text") + "stringData:\n  a: *{{ .stringData.a }}x\n",
			input:    secret("broken-text") + "stringData: {a: CANARY}\n",
			quiet:    true,
		},
		{
			name: "copied",
			template: config(
				"copied",
			) + "data:\n  a: {{ (lookupCR \"v1\" \"Secret\" \"app\" \"copied\").stringData.a }}\n" +
				"  \"-{{ (lookupCR \"v1\" \"Secret\" \"app\" \"copied\").data.a | b64dec }}\": 1\n" +
				"  d: \"{{ .metadata.name }}-{{ (lookupCR \"v1\" \"Secret\" \"app\" \"copied\").data.a | b64dec }}\"\n" +
				"  b: prefix-{{ (lookupCR \"v1\" \"Secret\" \"app\" \"copied\").data.a | b64dec }}\n" +
				"  c: {{ index (lookupCRs \"v1\" \"Secret\" \"app\" \"copied\") 0 | toJson }}\n",
			input: config("copied") + "data: {a: other, b: prefix-CANARY}\n---\n" + secret(
				"copied",
			) + "data: {a: B64CANARY}\nstringData: {a: CANARY}\n",
		},
		{
			name: "copied-whole",
			template: config(
				"copied-whole",
			) + "data: {{ (lookupCR \"v1\" \"Secret\" \"app\" \"copied-whole\").stringData | toJson }}\n",
			input: config("copied-whole") + "---\n" + secret("copied-whole") + "stringData: {a: CANARY}\n",
		},
		{
			name: "dug",
			template: config(
				"dug",
			) + `data: {a: {{ dig "stringData" "a" "" (lookupCR "v1" "Secret" "app" "dug") }}}` + "\n",
			input: config("dug") + "data: {a: x}\n---\n" + secret("dug") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "asked",
			template: secret("asked") + "data: {a: {{ index .data .stringData.a }}}\n",
			input:    secret("asked") + "data: {x: eHh4}\nstringData: {a: CANARY}\n",
		},
		{
			name: "asked-of-another",
			template: config(
				"asked-of-another",
			) + "data: {a: {{ index .data (lookupCR \"v1\" \"Secret\" \"app\" \"asked-of-another\").stringData.a }}}\n",
			input: config(
				"asked-of-another",
			) + "data: {x: y}\n---\n" + secret("asked-of-another") + "stringData: {a: CANARY}\n",
		},
		{
			name:  "queried",
			quiet: true,
			template: config(
				"queried",
			) + "{{ $s := (lookupCR \"v1\" \"Secret\" \"app\" \"queried\").stringData.a }}data: {a: {{ lookupCRs \"v1\" \"ConfigMap\" \"*\" $s | len }}}\n",
			input: config("queried") + "data: {a: 1}\n---\n" + secret("queried") + "stringData: {a: CANARY}\n",
		},
		{
			name: "as-key",
			template: config(
				"as-key",
			) + "data: { {{ (lookupCR \"v1\" \"Secret\" \"app\" \"as-key\").stringData.a }}: x}\n",
			input: config("as-key") + "data: {x: y}\n---\n" + secret("as-key") + "stringData: {a: CANARY}\n",
		},
		{
			name: "as-label",
			template: secret(
				"as-label",
			) + "  labels:\n    {{ .stringData.a }}: x\n    y: {{ .stringData.a }}\n# {{ .stringData.a }}\n",
			input: secret("as-label") + "stringData: {a: CANARY}\n",
		},
		{
			name: "as-same-key",
			template: config(
				"as-same-key",
			) + "data:\n  {{ (lookupCR \"v1\" \"Secret\" \"app\" \"as-same-key\").stringData.a }}:\n    - {a: b}\n",
			input: config("as-same-key") + "data:\n  x: y\n---\n" + secret("as-same-key") + "stringData: {a: CANARY}\n",
		},
		{
			name: "commented",
			template: config(
				"commented",
			) + "# {{ (lookupCR \"v1\" \"Secret\" \"app\" \"commented\").stringData.a }}\ndata:\n  a: |\n    x\n    {{ (lookupCR \"v1\" \"Secret\" \"app\" \"commented\").stringData.a }}\n",
			input: config("commented") + "data:\n  a: y\n---\n" + secret("commented") + "stringData: {a: CANARY}\n",
		},
		{
			name: "letters",
			template: config(
				"letters",
			) + "data:\n  a: \"{{ range splitList \"\" (lookupCR \"v1\" \"Secret\" \"app\" \"letters\").stringData.a }}{{ . }}{{ end }}\"\n",
			input: config("letters") + "data:\n  a: y\n---\n" + secret("letters") + "stringData: {a: CANARY}\n",
		},
		{
			name: "twice",
			template: config(
				"twice",
			) + "data:\n  {{ (lookupCR \"v1\" \"Secret\" \"app\" \"twice\").stringData.a }}: x\n  {{ (lookupCR \"v1\" \"Secret\" \"app\" \"twice\").stringData.a }}: y\n",
			input: config("twice") + "data:\n  a: y\n---\n" + secret("twice") + "stringData: {a: CANARY}\n",
		},
		{
			name: "set",
			template: config(
				"set",
			) + "{{ $_ := set .data \"b\" (lookupCR \"v1\" \"Secret\" \"app\" \"set\").stringData.a }}data: {a: {{ .data.b }}}\n",
			input: config("set") + "data: {a: y}\n---\n" + secret("set") + "stringData: {a: CANARY}\n",
		},
		{
			name: "set-fail",
			template: config(
				"set-fail",
			) + "{{ $_ := set .data \"b\" (lookupCR \"v1\" \"Secret\" \"app\" \"set-fail\").stringData.a }}{{ fail .data.b }}\n",
			input: config("set-fail") + "data: {a: y}\n---\n" + secret("set-fail") + "stringData: {a: CANARY}\n",
		},
		{
			name: "set-dict",
			template: config(
				"set-dict",
			) + "{{ $d := dict \"x\" (dict) }}{{ $_ := set $d.x \"b\" (lookupCR \"v1\" \"Secret\" \"app\" \"set-dict\").stringData.a }}data: {a: {{ $d.x.b }}}\n",
			input: config("set-dict") + "data: {a: y}\n---\n" + secret("set-dict") + "stringData: {a: CANARY}\n",
		},
		{
			name: "set-key",
			template: config(
				"set-key",
			) + "{{ $_ := set .data (lookupCR \"v1\" \"Secret\" \"app\" \"set-key\").stringData.a \"x\" }}data: {{ .data | toJson }}\n",
			input: config("set-key") + "data: {a: y}\n---\n" + secret("set-key") + "stringData: {a: CANARY}\n",
		},
		{
			name: "set-key-range",
			template: config(
				"set-key-range",
			) + "{{ $_ := set .data (lookupCR \"v1\" \"Secret\" \"app\" \"set-key-range\").stringData.a \"x\" }}{{ range $k, $v := .data }}{{ $k }}: 1\n{{ end }}\n",
			input: config(
				"set-key-range",
			) + "data: {a: y}\n---\n" + secret("set-key-range") + "stringData: {a: CANARY}\n",
		},
		{
			name: "merged",
			template: config(
				"merged",
			) + "{{ $_ := merge .data (lookupCR \"v1\" \"Secret\" \"app\" \"merged\").stringData (dict \"b\" 1) }}{{ $_ := mergeOverwrite .data (lookupCR \"v1\" \"Secret\" \"app\" \"merged\").stringData }}data: {b: {{ .data.a }}}\n",
			input: config("merged") + "data: {a: y}\n---\n" + secret("merged") + "stringData: {a: CANARY}\n",
		},
		{
			name: "included",
			template: config(
				"included",
			) + "{{ define \"i\" }}{{ .stringData.a | upper | lower }}{{ end }}data: {b: {{ include \"i\" (lookupCR \"v1\" \"Secret\" \"app\" \"included\") | trim }}}\n",
			input: config("included") + "data: {a: y}\n---\n" + secret("included") + "stringData: {a: CANARY}\n",
		},
		{
			name: "called",
			template: config(
				"called",
			) + "{{ define \"t\" }}b: {{ .stringData.a }}{{ end }}data: { {{ template \"t\" (lookupCR \"v1\" \"Secret\" \"app\" \"called\") }} }\n",
			input: config("called") + "data: {a: y}\n---\n" + secret("called") + "stringData: {a: CANARY}\n",
		},
		{
			name: "in-variable",
			template: config(
				"in-variable",
			) + "{{ $v := \"\" }}{{ with (lookupCR \"v1\" \"Secret\" \"app\" \"in-variable\") }}{{ $v = .stringData.a }}{{ end }}data: {b: {{ printf \"%s-%s\" $v (b64enc $v) }}}\n",
			input: config("in-variable") + "data: {a: y}\n---\n" + secret("in-variable") + "stringData: {a: CANARY}\n",
		},
		{
			name: "ternaried",
			template: config(
				"ternaried",
			) + "data: {b: {{ ternary (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\").stringData.a \"no\" true }}, c: {{ default \"x\" (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\").stringData.a }}, d: {{ coalesce \"\" (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\").stringData.a }}, e: {{ first (list (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\").stringData.a) }}, f: {{ get (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\").stringData \"a\" }}, g: {{ index (values (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\").stringData) 0 }}, h: {{ and true (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\").stringData.a }}, i: {{ pluck \"a\" (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\").stringData | first }}, j: {{ (pick (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\") \"stringData\").stringData.a }}, k: {{ (omit (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\") \"kind\").stringData.a }}, l: {{ (deepCopy (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\")).stringData.a }}, m: {{ (omit (deepCopy (lookupCR \"v1\" \"Secret\" \"app\" \"ternaried\")) \"kind\").stringData.a }}}\n",
			input: config("ternaried") + "data: {a: y}\n---\n" + secret("ternaried") + "stringData: {a: CANARY}\n",
		},
		{
			name: "numbered",
			template: config(
				"numbered",
			) + "data: {b: {{ atoi (regexFind \"[0-9]+\" (lookupCR \"v1\" \"Secret\" \"app\" \"numbered\").stringData.a) }}, c: {{ (lookupCR \"v1\" \"Secret\" \"app\" \"numbered\").stringData | toYaml | fromYaml | toJson }}, d: {{ list (lookupCR \"v1\" \"Secret\" \"app\" \"numbered\") | toJson | fromJsonArray | first | toString | quote }}, e: {{ slice (lookupCR \"v1\" \"Secret\" \"app\" \"numbered\").stringData.a 1 }}, f: {{ sha256sum (lookupCR \"v1\" \"Secret\" \"app\" \"numbered\").stringData.a }}}\n",
			input: config("numbered") + "data: {a: y}\n---\n" + secret("numbered") + "stringData: {a: CANARY}\n",
		},

		// templates that change what says that something is a Secret
		{
			name:     "kind-set",
			template: secret("kind-set") + `{{ $_ := set . "kind" "X" }}{{ fail .stringData.a }}` + "\n",
			input:    secret("kind-set") + "stringData: {a: CANARY}\n",
		},
		{
			name: "kind-unset",
			template: secret(
				"kind-unset",
			) + "  labels: {{ $_ := unset . \"kind\" }}{x: {{ .stringData.a }}, y: {{ toJson . | quote }}}\n",
			input: secret("kind-unset") + "stringData: {a: CANARY}\n",
		},
		{
			name: "kind-merged",
			template: secret(
				"kind-merged",
			) + `{{ $m := mergeOverwrite . (dict "kind" "X") }}{{ fail (toYaml $m) }}{{ fail (toYaml .) }}` + "\n",
			input: secret("kind-merged") + "stringData: {a: CANARY}\n",
		},
		{
			name: "kind-looked-up",
			template: config(
				"kind-looked-up",
			) + "{{ $s := lookupCR \"v1\" \"Secret\" \"app\" \"kind-looked-up\" }}{{ $_ := set $s \"kind\" \"X\" }}{{ $c := deepCopy $s }}data: {a: {{ $s.stringData.a }}, b: {{ $c.stringData.a }}, c: {{ toJson $s | b64enc }}, d: {{ (pick $s \"stringData\").stringData.a }}, e: {{ index $s \"stringData\" \"a\" }}}\n",
			input: config(
				"kind-looked-up",
			) + "data: {a: y}\n---\n" + secret("kind-looked-up") + "stringData: {a: CANARY}\n",
		},
		{
			name: "kind-of-all",
			template: config(
				"kind-of-all",
			) + "{{ $l := lookupCRs \"v1\" \"Secret\" \"app\" \"kind-of-all\" }}{{ range $l }}{{ $_ := unset . \"kind\" }}{{ end }}data: {a: {{ (index $l 0).stringData.a }}, b: {{ (first $l).stringData.a | upper }}, c: '{{ range $l }}{{ .stringData }}{{ end }}', d: '{{ $l }}'}\n",
			input: config("kind-of-all") + "data: {a: y}\n---\n" + secret("kind-of-all") + "stringData: {a: CANARY}\n",
		},
		{
			name: "kind-inside",
			template: head(
				"ManifestWork", "kind-inside",
			) + `{{ $_ := mergeOverwrite . (dict "spec" (dict "template" (dict "kind" "X"))) }}{{ $_ := set (index .list 0) "kind" "Y" }}{{ fail .spec.template.stringData.a }}data: {b: {{ (index .list 0).stringData.a }}, c: {{ .spec.template | toJson | b64enc }}}` + "\n",
			input: head(
				"ManifestWork", "kind-inside",
			) + "spec: {template: {kind: Secret, stringData: {a: CANARY}}}\nlist: [{kind: Secret, stringData: {a: CANARY}}]\n",
		},
		{
			name: "kind-in-dict",
			template: config(
				"kind-in-dict",
			) + "{{ $d := dict \"s\" (lookupCR \"v1\" \"Secret\" \"app\" \"kind-in-dict\") }}{{ $_ := set $d.s \"kind\" \"X\" }}{{ $_ := unset (get $d \"s\") \"apiVersion\" }}data: {a: {{ $d.s.stringData.a }}, b: {{ $d | toJson | quote }}}\n",
			input: config(
				"kind-in-dict",
			) + "data: {a: y}\n---\n" + secret("kind-in-dict") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "kind-omitted",
			template: head("ManifestWork", "kind-omitted") + "spec:\n  kindless: {kind: Secret, stringData: {a: x}}\n",
			input: head(
				"ManifestWork", "kind-omitted",
			) + "spec:\n  kindless: {kind: Secret, stringData: {a: CANARY, b: CANARY}}\n",
		},
		{
			name:     "kind-omitted-extra",
			template: head("ManifestWork", "kind-omitted-extra"),
			input: head(
				"ManifestWork", "kind-omitted-extra",
			) + "spec:\n  kindless: {kind: Secret, stringData: {a: CANARY}}\n",
		},

		// keys that lie deeper in the data than its own
		{
			name:     "deep-keys",
			template: secret("deep-keys") + "stringData: {cfg: {b: c}, more: {}}\n",
			input: secret(
				"deep-keys",
			) + "stringData: {cfg: {CANARY: x}, more: {CANARY: {CANARY: x}}, list: [{CANARY: x}]}\n",
		},
		{
			name:     "deep-keys-of-list",
			template: secret("deep-keys-of-list") + "data: [{a: x}, y]\n",
			input:    secret("deep-keys-of-list") + "data: [{CANARY: x}, [CANARY]]\n",
		},
		{
			name: "deep-keys-printed",
			template: secret(
				"deep-keys-printed",
			) + "  labels: {{ .stringData.cfg | toJson }}\nstringData: {cfg: {{ .stringData.cfg | toJson }}}\n{{ range $k, $v := .stringData.cfg }}{{ fail $k }}{{ end }}\n",
			input: secret("deep-keys-printed") + "stringData: {cfg: {CANARY: x}}\n",
		},
		{
			name:     "deep-keys-error",
			template: secret("deep-keys-error") + "{{ range .stringData.cfg }}{{ .x.y }}{{ end }}\n",
			input:    secret("deep-keys-error") + "stringData: {cfg: {CANARY: text}}\n",
			quiet:    true,
		},
		{
			name:     "deep-keys-omitted",
			template: secret("deep-keys-omitted"),
			input:    secret("deep-keys-omitted") + "stringData: {omitted: {CANARY: {dropped: text, kept: text}}}\n",
		},
		{
			name:     "deep-keys-twice",
			template: secret("deep-keys-twice") + "stringData: {a: {b: c}}\n",
			input:    secret("deep-keys-twice") + "stringData:\n  a:\n    CANARY: x\n    CANARY: x\n",
		},
		{
			name:     "deep-keys-inside",
			template: head("ManifestWork", "deep-keys-inside") + "spec: {}\n",
			input:    head("ManifestWork", "deep-keys-inside") + "spec: {x: {kind: Secret, data: {cfg: {CANARY: x}}}}\n",
		},

		// what a value tells beside others
		{
			name: "lines",
			template: config(
				"lines",
			) + "data: {a: '{{ index .lines 2 }}', b: '{{ range .lines }}{{ . }}{{ end }}', c: '{{ last .lines }}', d: '{{ join \" \" .lines }}'}\nlines: [x, y]\n",
			input: config("lines") + "data: {}\nlines: ['kind: Secret', 'stringData:', '  token: CANARY']\n",
		},
		{
			name:     "lines-of-base64",
			template: config("lines-of-base64") + "data: {a: '{{ index .lines 1 }}'}\n",
			input:    config("lines-of-base64") + "data: {}\nlines: ['" + "ENCODEDLINES" + "']\n",
		},
		{
			name: "bytes",
			template: config(
				"bytes",
			) + "data: {b: '{{ range $i := until (len .data.a) }}{{ if gt $i 70 }}{{ printf \"%c\" (index $.data.a $i) }}{{ end }}{{ end }}'}\n",
			input: config("bytes") + "data: {a: '" + object + "'}\n",
		},
		{
			name:      "moved",
			perField:  "unspecified",
			template:  config("moved") + "spec: {template: {type: Opaque}}\n",
			input:     config("moved") + "spec: {template: {kind: Secret, stringData: {a: CANARY}}}\n",
			overrides: "- kind: ConfigMap\n  name: moved\n  type: rfc6902\n  reason: why\n  patch: '[{\"op\":\"copy\",\"from\":\"/spec/template/stringData/a\",\"path\":\"/spec/z\"}]'\n",
		},
		{
			name:      "override-kind",
			template:  secret("override-kind"),
			input:     secret("override-kind") + "stringData: {a: CANARY}\n",
			overrides: "- kind: Secret\n  name: override-kind\n  type: go-template\n  reason: why\n  patch: '{{ $_ := unset . \"kind\" }}{\"type\":\"mergepatch\",\"patch\":{\"metadata\":{\"labels\":{\"x\":{{ .stringData.a | toJson }}}}}}'\n",
		},

		// inline diff functions
		{
			name:     "regex",
			template: secret("regex") + "stringData:\n  a: '[0-9]+'\n",
			perField: "regex stringData.a",
			input:    secret("regex") + "stringData: {a: CANARY}\n",
		},
		{
			name:     "part",
			template: secret("part") + "stringData:\n  a: '[a-z]+'\n",
			perField: "regex stringData.a",
			input:    secret("part") + "stringData: {a: aCANARY}\n",
		},
		{
			name:     "groups",
			template: secret("groups") + "stringData:\n  a: 'x (?<g>[0-9]+)'\n  b: 'y (?<g>\\S+)'\n",
			perField: "capturegroups stringData.*",
			input:    secret("groups") + "stringData: {a: x CANARY, b: y CANARYb}\n",
		},
		{
			name:     "conflict",
			template: secret("conflict") + "stringData:\n  a: 'x (?<g>\\S+)'\n  b: 'y (?<g>\\S+)'\n",
			perField: "capturegroups stringData.*",
			input:    secret("conflict") + "stringData: {a: x CANARY, b: y CANARYb}\n",
		},
		{
			name:     "bad-expression",
			template: secret("bad-expression") + "stringData:\n  a: '({{ .stringData.a }}'\n",
			perField: "regex stringData.a",
			input:    secret("bad-expression") + "stringData: {a: CANARY}\n",
			quiet:    true,
		},
		{
			name:     "printed-expression",
			template: secret("printed-expression") + "stringData:\n  a: '{{ .stringData.b }}[0-9]+'\n",
			perField: "regex stringData.a",
			input:    secret("printed-expression") + "stringData: {a: other, b: CANARY}\n",
		},
		{
			name: "printed-group",
			template: config(
				"printed-group",
			) + "data:\n  a: 'x(?<{{ (lookupCR \"v1\" \"Secret\" \"app\" \"printed-group\").stringData.a }}>[0-9]+)'\n",
			perField: "capturegroups data.a",
			input: config(
				"printed-group",
			) + "data: {a: xyz}\n---\n" + secret("printed-group") + "stringData: {a: CANARY}\n",
		},
		{
			name: "printed-groups",
			template: secret(
				"printed-groups",
			) + "stringData:\n  a: 'x(?<{{ .stringData.c }}>[a-z])'\n  b: 'x(?<{{ .stringData.c }}>[a-z])'\n",
			perField: "capturegroups stringData.*",
			input:    secret("printed-groups") + "stringData: {a: xa, b: xb, c: CANARY}\n",
		},
		{
			name:     "accepted-of-a-key",
			template: config("accepted-of-a-key") + "data: {a: '(?<n>[a-z]+)(?<g>(.|\\s)*)'}\n",
			perField: "capturegroups data.a",
			input:    config("accepted-of-a-key") + "data: {a: \"-----BEGIN PRIVATE KEY-----\\nCANARY\"}\n",
		},
		{
			name:     "accepted-of-a-manifest",
			template: config("accepted-of-a-manifest") + "data: {a: 'kind: (?<h>[0-9]*)(?<g>(.|\\s)*)'}\n",
			perField: "regex data.a",
			input: config(
				"accepted-of-a-manifest",
			) + "data:\n  a: |\n    " + indented("kind: ConfigMap\n---\n"+manifest, "    ") + "\n",
		},
		{
			name:     "accepted-of-base64",
			template: config("accepted-of-base64") + "data: {a: '(?<n>[a-z]+)(?<g>(.|\\s)*)'}\n",
			perField: "capturegroups data.a",
			input:    config("accepted-of-base64") + "data: {a: \"ENCODED\"}\n",
		},
		{
			name:     "regex-in-text",
			template: config("regex-in-text") + "data:\n  a: 'x(?<n>[0-9]+)'\n",
			perField: "capturegroups data.a",
			input:    config("regex-in-text") + "data:\n  a: |\n    " + indented(manifest, "    ") + "\n",
		},

		// Secrets in other CRs
		{
			name: "work",
			template: head(
				"ManifestWork", "work",
			) + "spec:\n  manifests:\n  - apiVersion: v1\n    kind: Secret\n    data: {password: b2xk}\n",
			input: head(
				"ManifestWork", "work",
			) + "spec:\n  manifests:\n  - apiVersion: v1\n    kind: Secret\n    data: {password: B64CANARY}\n    stringData: {a: CANARY}\n",
		},
		{name: "work-extra", template: head("ManifestWork", "work-extra") + "spec: {}\n",
			input: head(
				"ManifestWork", "work-extra",
			) + "spec:\n  manifests:\n  - apiVersion: v1\n    kind: SecretList\n    items:\n    - data: {password: B64CANARY}\n  - " + object + "\n"},
		{name: "work-same", template: head("ManifestWork", "work-same") + "spec: {{ .spec | toJson }}\nother: 1\n",
			input: head("ManifestWork", "work-same") + "other: 2\nspec:\n  manifests:\n  - " + object + "\n"},
		{
			name: "secretlist-drift",
			template: head(
				"Template", "secretlist-drift",
			) + "objects:\n  kind: SecretList\n  items:\n  - {data: {a: x}}\n",
			input: head(
				"Template", "secretlist-drift",
			) + "objects:\n  kind: SecretList\n  items:\n  - {data: {a: CANARY}}\n",
		},
		{
			name:     "lists-in-lists",
			template: head("Template", "lists-in-lists") + "objects: {kind: SecretList, items: []}\n",
			input: head(
				"Template", "lists-in-lists",
			) + "objects: {kind: SecretList, items: [{kind: SecretList, items: [{data: {a: CANARY}}]}, [{data: {a: CANARY}}], CANARY]}\n",
		},
		{
			name:     "list-of-none",
			template: head("Template", "list-of-none") + "objects: [x]\n",
			input: head(
				"Template", "list-of-none",
			) + "objects: [{kind: SecretList, items: CANARY}, {kind: SecretList, items: {a: {CANARY: x}}}]\n",
		},
		{
			name:     "patched",
			template: head("SyncSet", "patched") + "spec: {patches: [{kind: Secret, name: a, patch: x}]}\n",
			input: head(
				"SyncSet", "patched",
			) + "spec: {patches: [{kind: Secret, name: a, patch: '{\"data\": {\"a\": \"B64CANARY\"}}'}, {target: {kind: Secret}, patch: '[{\"value\": \"CANARY\"}]'}]}\n",
		},
		{
			name:     "user",
			template: head("Access", "user") + "spec: {users: [{user: {token: x}}], other: x}\n",
			input: head(
				"Access", "user",
			) + "spec: {users: [{user: {token: CANARY}}, {user: {exec: {env: [{name: a, value: CANARY}]}}}]}\n",
		},
		{
			name: "user-copied",
			template: head(
				"Access", "user-copied",
			) + "spec: {a: '{{ (index .spec.users 0).user.token }}', b: '{{ .spec.users | toJson | b64enc }}'}\n{{ fail (index .spec.users 0).user.token }}\n",
			input: head("Access", "user-copied") + "spec: {users: [{user: {token: CANARY}}]}\n",
		},
		{
			name:     "registries",
			template: head("Access", "registries") + "spec: {auths: {a: {auth: x}}, hash: {passwordHash: $6$a$b}}\n",
			input: head(
				"Access", "registries",
			) + "spec: {auths: {a: {auth: CANARY, email: CANARY}}, hash: {passwordHash: $6$a$CANARY}, client-key-data: B64CANARY}\n",
		},
		{
			name:     "text",
			template: config("text") + "data:\n  a.yaml: |\n    one\n    two\n",
			input:    config("text") + "data:\n  a.yaml: |\n    " + indented(manifest, "    ") + "\n",
		},
		{
			name:     "text-broken",
			template: config("text-broken") + "data: {a: x}\n",
			input:    config("text-broken") + "data:\n  a: |\n    kind: Secret\n    data: {a: [CANARY\n",
		},
		{
			name:     "text-json",
			template: config("text-json") + "data: {a: x}\n",
			input:    config("text-json") + "data:\n  a: '" + object + "'\n",
		},
		{
			name:     "applied",
			template: config("applied"),
			input:    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\n  namespace: app\n  annotations:\n    note: '" + object + "'\n",
		},
		{
			name:     "text-fail",
			template: config("text-fail") + "{{ fail .data.a }}\n",
			input:    config("text-fail") + "data:\n  a: '" + object + "'\n",
		},
		{
			name: "text-parsed",
			template: config(
				"text-parsed",
			) + "data:\n  a: {{ (fromJson .data.a).stringData.token }}\n  b: {{ (fromYaml .data.a | toYaml | fromYaml).stringData.token }}\n",
			input: config("text-parsed") + "data:\n  a: '" + object + "'\n",
		},
		{
			name:     "text-cut",
			template: config("text-cut") + "{{ fail (regexFind \"token.*\" .data.a) }}\n",
			input:    config("text-cut") + "data:\n  a: '" + object + "'\n",
		},

		// what cannot be read
		{
			name:  "alias",
			path:  "namespaces/app/core/alias.yaml",
			input: secret("alias") + "data:\n  a: *CANARY\n",
			quiet: true,
		},
		{
			name:     "tagged",
			path:     "namespaces/app/core/tagged.yaml",
			input:    secret("tagged") + "data:\n  a: !!int CANARY\n",
			template: secret("tagged"),
			quiet:    true,
		},
		{
			name:  "key",
			path:  "namespaces/app/core/key.yaml",
			input: secret("key") + "data:\n  a: CANARY: x\n",
			quiet: true,
		},
		{name: "cut", path: "namespaces/app/core/cut.yaml", input: secret("cut") + "data:\n  a: \"CANARY", quiet: true},
		{
			name:  "json",
			path:  "namespaces/app/core/json.json",
			input: `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"json"},"data":{"a":CANARY}}`,
			quiet: true,
		},
		{
			name:  "json-cut",
			path:  "namespaces/app/core/json-cut.json",
			input: `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"json"},"data":{"a":"CANARY`,
			quiet: true,
		},
		{
			name: "looked-up",
			template: config(
				"looked-up",
			) + "data: {a: {{ lookupCR \"v1\" \"Secret\" \"app\" \"looked-up-2\" | toJson }}}\n",
			input: config("looked-up") + "---\n" + secret("looked-up-2") + "data:\n  a: !!int CANARY\n",
			quiet: true,
		},

		// overrides
		{
			name:      "override",
			template:  secret("override") + "data: {a: x}\n",
			input:     secret("override") + "data: {a: B64CANARY}\n",
			overrides: "- kind: Secret\n  name: override\n  type: mergepatch\n  reason: why\n  patch: '{\"data\":{\"a\":\"CANARY\"}}'\n",
		},
		{name: "override-template", template: config("override-template") + "data: {a: x}\n",
			input: config(
				"override-template",
			) + "data: {a: y}\n---\n" + secret("override-template") + "stringData: {a: CANARY}\n",
			overrides: "- kind: ConfigMap\n  name: override-template\n  type: go-template\n  reason: why\n  patch: '{\"type\":\"mergepatch\",\"patch\":{\"data\":{\"a\":{{ (lookupCR \"v1\" \"Secret\" \"app\" \"override-template\").stringData.a | toJson }}}}}'\n"},
		{
			name:      "override-fail",
			template:  secret("override-fail"),
			input:     secret("override-fail") + "stringData: {a: CANARY}\n",
			overrides: "- kind: Secret\n  name: override-fail\n  type: go-template\n  reason: why\n  patch: '{{ fail .stringData.a }}'\n",
		},
		{
			name:      "override-path",
			template:  secret("override-path"),
			input:     secret("override-path") + "stringData: {a: CANARY}\n",
			overrides: "- kind: Secret\n  name: override-path\n  type: go-template\n  reason: why\n  patch: '{\"type\": \"rfc6902\", \"patch\": [{\"op\":\"remove\",\"path\":\"/data/{{ .stringData.a }}\"}]}'\n",
		},
		{name: "override-key", template: config("override-key") + "data: {a: x}\n",
			input: config(
				"override-key",
			) + "data: {a: y}\n---\n" + secret("override-key") + "stringData: {a: CANARY}\n",
			overrides: "- kind: ConfigMap\n  name: override-key\n  type: go-template\n  reason: why\n  patch: '{\"type\":\"mergepatch\",\"patch\":{\"data\":{\"a\": \"q\", {{ (lookupCR \"v1\" \"Secret\" \"app\" \"override-key\").stringData.a | toJson }}: {\"b\": \"c\"}}}}'\n"},
		{
			name: "override-moved",
			template: config(
				"override-moved",
			) + "data: {a: {{ (lookupCR \"v1\" \"Secret\" \"app\" \"override-moved\").stringData.a }}}\n",
			input: config(
				"override-moved",
			) + "data: {a: y, z: q}\n---\n" + secret("override-moved") + "stringData: {a: CANARY}\n",
			overrides: "- kind: ConfigMap\n  name: override-moved\n  type: rfc6902\n  reason: why\n  patch: '[{\"op\":\"copy\",\"from\":\"/data/a\",\"path\":\"/data/z\"}]'\n",
		},
		{
			name:      "override-type",
			template:  secret("override-type"),
			input:     secret("override-type") + "stringData: {a: CANARY}\n",
			overrides: "- kind: Secret\n  name: override-type\n  type: go-template\n  reason: why\n  patch: '{\"type\": \"{{ .stringData.a }}\"}'\n",
		},
		{
			name:      "override-text",
			template:  secret("override-text"),
			input:     secret("override-text") + "stringData: {a: CANARY}\n",
			overrides: "- kind: Secret\n  name: override-text\n  type: go-template\n  reason: why\n  patch: 'type: *{{ .stringData.a }}'\n",
		},
		{
			name:      "override-test",
			template:  secret("override-test") + "data: {a: x}\n",
			input:     secret("override-test") + "data: {a: B64CANARY}\n",
			overrides: "- kind: Secret\n  name: override-test\n  type: rfc6902\n  reason: why\n  patch: '[{\"op\":\"test\",\"path\":\"/data/a\",\"value\":\"CANARY\"}]'\n",
		},
	}
	for _, c := range []struct{ name, text string }{
		{"machine-base64", "data:text/plain;charset=utf-8;base64,ENCODED"}, {"machine-url", "data:,URLENCODED"}, {"machine-gzip", "data:;base64,GZIPPED"}, {"config-base64", "ENCODED"},
	} {
		cases = append(cases, secretCase{
			name:     c.name,
			template: head("MachineConfig", c.name) + "spec: {source: 'data:,'}\n",
			input:    head("MachineConfig", c.name) + "spec: {source: '" + c.text + "'}\n",
		})
	}
	return cases
}

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// plant puts a canary into a text.
func plant(text, canary string) string {
	inner := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: inner\nstringData:\n  token: " + canary + "\n"
	return strings.NewReplacer(
		"B64CANARY",
		encoded(canary),
		"CANARY",
		canary,
		"URLENCODED",
		url.PathEscape(inner),
		"ENCODEDLINES",
		chunks(encoded(inner), 40, "', '"),
		"ENCODED",
		encoded(inner),
		"GZIPPED",
		encoded(zipped(inner)),
	).Replace(text)
}

// forms are the ways in which a canary must not show: as it is, in upper case, reversed escapes
// aside, and in base64 wherever it began.
func secretForms(canary string) []string {
	all := []string{canary, strings.ToUpper(canary)}
	for shift := range 3 {
		e := encoded(strings.Repeat("x", shift) + canary)
		e = e[(shift*8+5)/6:]
		all = append(all, strings.TrimRight(e, "=")[:len(canary)])
	}
	return append(all, encoded(encoded(canary))[:len(canary)])
}

// planted is a folder with a reference, an input and overrides that hold secrets in many places.
type planted struct {
	dir, ref, in, overrides string
	canaries                map[string]string // by what they are in
	words                   *words            // all forms of them
}

// plantSecrets makes them of some cases, each with a canary of its own.
func plantSecrets(t *testing.T, cases []secretCase) planted {
	t.Helper()
	files := map[string]string{}
	canaries := map[string]string{}
	// What is left out by default, such as kubectl's copy of an object, is compared here.
	metadata, overrides := "apiVersion: v2\nfieldsToOmit: {defaultOmitRef: none, items: {none: [{pathToKey: spec.kindless.kind}, {pathToKey: stringData.*.*.dropped}]}}\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n", ""
	for i, c := range cases {
		if canaries[c.name] != "" {
			t.Fatalf("%s stands twice", c.name)
		}
		canary := fmt.Sprintf("cnry%03dwxyz", i)
		canaries[c.name] = canary
		p := c.path
		if p == "" {
			p = c.name + ".yaml"
		}
		files["in/"+p] = plant(c.input, canary)
		overrides += plant(c.overrides, canary)
		if c.template == "" {
			continue
		}
		files["ref/"+c.name+".yaml"] = c.template
		metadata += "    - path: " + c.name + ".yaml\n"
		if c.perField == "unspecified" {
			metadata += "      config:\n        ignore-unspecified-fields: true\n"
		}
		if function, field, ok := strings.Cut(c.perField, " "); ok {
			key, value, other := strings.Cut(function, ":")
			if !other {
				key, value = "inlineDiffFunc", function
			}
			metadata += "      config:\n        perField:\n        - pathToKey: " + field + "\n          " + key + ": " + value + "\n"
		}
	}
	files["in/copy-2.yaml"] = "apiVersion: v1\nkind: Secret\nmetadata: {name: copy, namespace: app}\ndata: {a: " + encoded(
		canaries["copy"],
	) + "}\n"
	files["ref/metadata.yaml"] = metadata
	files["overrides.yaml"] = overrides
	files["in/user/overrides.yaml"] = overrides // a user's files may lie in the input
	files["in/user/diff.yaml"] = "correlationSettings:\n  manualCorrelation:\n    correlationPairs:\n      v1_Secret_app_" + canaries["drift"] + ": drift.yaml\n"
	dir := pack.Folder(t, files)
	return planted{
		dir,
		filepath.Join(dir, "ref"),
		filepath.Join(dir, "in"),
		filepath.Join(dir, "overrides.yaml"),
		canaries,
		canaryWords(t, canaries),
	}
}

// canaryWords are the forms of canaries.
func canaryWords(t *testing.T, canaries map[string]string) *words {
	t.Helper()
	all := map[string][]string{}
	for name, canary := range canaries {
		all[name] = secretForms(canary)
	}
	return newWords(t, all)
}

// package variable of its own, cli.HelpFlag, whenever a command line is read. It always writes the
// same, and a process reads one.
func besideOthers(t *testing.T) {
	if !testing.Short() {
		t.Parallel()
	}
}

// run executes the command line.
func runIn(t *testing.T, stdin string, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	none := func(string) (string, bool) { return "", false }
	status = Run(
		context.Background(),
		append([]string{"validationTool"}, args...),
		IO{In: strings.NewReader(stdin), Out: &o, Err: &e, Env: none},
	)
	return status, o.String(), e.String()
}

// flagSets are options that change what a report shows.
func flagSets() [][]string {
	return [][]string{
		{}, {"--verbose"}, {"--full"}, {"--unified", "--full"}, {"--show-expected"}, {"--summary"}, {"--all-resources", "--verbose"}, {"--context", "1000"},
		{
			"--color",
			"always",
		}, {"--nested"}, {"--skip-unreadable"}, {"--correlation", "nearest"}, {"--fail-on", "drift,missing,extra,unmatched,referenced"},
		{"--verbose", "--full", "--show-expected", "--show-overridden", "--all-resources", "--limit", "line=50"},
	}
}

// variants are the ways to print a report.
func variants() [][]string {
	var all [][]string
	for _, format := range []string{"text", "json", "yaml"} {
		for _, flags := range flagSets() {
			all = append(all, append([]string{"--output", format, "--width", "2000"}, flags...))
		}
	}
	return append(all, []string{"--output", "html"}, []string{
		"--output",
		"html",
		"--verbose",
		"--full",
		"--show-expected",
		"--show-overridden",
		"--show-suppressed",
	})
}

// TestNoSecretShows plants canaries in all places where an input, or what is made of it, can hold
// the data of Secrets, prints every format with every option, and looks for them.
func TestNoSecretShows(t *testing.T) {
	besideOthers(t)
	cases := secretCases()
	all := plantSecrets(t, cases)
	files := []string{filepath.Join(all.dir, "report.json"), filepath.Join(all.dir, "report.yaml")}
	flags := [][]string{
		{"--output", "text", "--width", "2000"},
		{"--output", "json"},
		{"--output", "yaml"},
		{"--output", "html"},
		{"--output", "html", "--verbose", "--full", "--show-expected", "--show-overridden", "--show-suppressed"},
	}
	// a format that is alone shows no more than beside others, see
	// TestFormatsAreTheSameBesideOthers
	for _, more := range flagSets() {
		flags = append(flags, slices.Concat(
			[]string{
				"--output",
				"text",
				"--output",
				"json=" + files[0],
				"--output",
				"yaml=" + files[1],
				"--width",
				"2000",
			},
			more,
		))
	}
	for i, flags := range flags {
		if testing.Short() && i%5 > 0 {
			continue
		}
		for _, with := range [][]string{nil, {"--overrides", all.overrides}} {
			args := slices.Concat(flags, with, []string{all.ref, all.in})
			status, out, errs := runIn(t, "", args...)
			if status != 2 || !strings.Contains(out+errs, "override") && with != nil {
				t.Fatalf("%q: status %d, %s", args, status, errs)
			}
			if i >= 5 {
				for _, name := range files {
					text, err := os.ReadFile(name)
					must(errors.Join(err, os.Remove(name)))
					out += string(text)
				}
			}
			all.words.noneIn(t, strings.Join(args[:len(args)-2], " "), out+errs)
		}
	}
	var stream strings.Builder
	for _, c := range cases {
		stream.WriteString("\n---\n" + plant(c.input, all.canaries[c.name]))
	}
	_, out, errs := runIn(t, stream.String(), "--full", "--verbose", "--width", "2000", all.ref, "-")
	all.words.noneIn(t, "standard input", out+errs)
	archive := filepath.Join(all.dir, "in.tar.gz")
	if err := os.WriteFile(archive, pack.GZ(pack.Tar(folderEntries(t, all.in)...)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{archive, filepath.Join(all.in, "user", "overrides.yaml"), filepath.Join(all.in, "user")} {
		_, out, errs := runIn(
			t, "", "--full", "--verbose", "--all-resources", "--timings", "--width", "2000", all.ref, path,
		)
		all.words.noneIn(t, path, out+errs)
	}
}

// folderEntries are the files of a folder as entries of an archive.
func folderEntries(t *testing.T, dir string) []pack.Entry {
	t.Helper()
	var all []pack.Entry
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		all = append(all, pack.Entry{Name: name, Data: string(data)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSecretsShowOnRequest is what makes TestNoSecretShows mean something: the canaries are where
// they would show.
func TestSecretsShowOnRequest(t *testing.T) {
	besideOthers(t)
	cases := secretCases()
	all := plantSecrets(t, cases)
	var printed strings.Builder
	for _, flags := range [][]string{{"--verbose", "--full", "--width", "2000", "--show-expected"}, {"--output", "json", "--show-expected", "--show-overridden"}} {
		for _, with := range [][]string{nil, {"--overrides", all.overrides}} {
			_, out, errs := runIn(t, "", slices.Concat(flags, with, []string{"--show-secrets", all.ref, all.in})...)
			printed.WriteString(out + errs)
		}
	}
	there := all.words.in(printed.String())
	for _, c := range cases {
		_, shows := there[c.name]
		if packed := gzipForm(c, all.canaries[c.name]); packed != "" {
			shows = shows || strings.Contains(printed.String(), packed)
		}
		if c.name == "copy" || c.name == "duplicate" {
			continue
		}
		if shows == c.quiet {
			t.Errorf("%s: the canary shows on request: %v, want %v", c.name, shows, !c.quiet)
		}
	}
}

// gzipForm is the compressed text that a case shows in the place of its canary.
func gzipForm(c secretCase, canary string) string {
	_, text, found := strings.Cut(plant(c.input, canary), "base64,")
	if !found || c.name != "machine-gzip" {
		return ""
	}
	text, _, _ = strings.Cut(text, "'")
	return text
}

// TestLengthAndEqualityShow is all that may be told of secrets.
func TestLengthAndEqualityShow(t *testing.T) {
	dir := pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "parts:\n- name: p\n  components:\n  - name: c\n    type: Required\n    requiredTemplates:\n    - path: s.yaml\n",
		"ref/s.yaml":        "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {same: YWJj, other: YWJj}\n",
		"in.yaml":           "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {same: YWJj, other: YWJjZGVm}\n",
	})
	status, out, _ := runIn(t, "", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in.yaml"))
	var doc struct {
		Comparisons []struct {
			Differences []struct{ Path, Reference, Input string }
		}
	}
	if err := readRun(out, &doc); err != nil || status != 1 {
		t.Fatal(status, err)
	}
	d := doc.Comparisons[0].Differences
	if len(d) != 1 || d[0].Path != "data.other" || d[0].Reference != "(hidden, 4 bytes)" ||
		d[0].Input != "(hidden, 8 bytes)" {
		t.Errorf("%+v", d)
	}
}

// TestHowFarSecretsAreApartDoesNotShow swaps secrets that come more or less near to what templates
// say, and are of one length: whichever of the templates are tried, neither a number nor a choice
// tells them from each other.
func TestHowFarSecretsAreApartDoesNotShow(t *testing.T) {
	besideOthers(t)
	secret := func(guess, key string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata: {namespace: b}\nstringData: {" + key + ": " + guess + "}\n"
	}
	holder := func(guess string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: b}\ndata: {a: \"-----BEGIN PRIVATE KEY-----\\n" + guess + "\", b: {{ .data.b | quote }}}\n"
	}
	var first []string
	for _, canary := range []string{"correcthorse", "correcthorst", "correcxxxxxx", "zzzzzzzzzzzz"} {
		dir := pack.Folder(t, map[string]string{
			"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n    - path: s1.yaml\n    - path: s2.yaml\n    - path: c1.yaml\n    - path: c2.yaml\n",
			"ref/s1.yaml": secret(
				"correcthorsy", "a",
			), "ref/s2.yaml": secret("zzzzzzzzzzzy", "a"), "ref/c1.yaml": holder("correcthorsy"), "ref/c2.yaml": holder("zzzzzzzzzzzy"),
			"in/s.yaml": strings.Replace(
				secret(canary, "a"), "{namespace", "{name: a, namespace", 1,
			) + "---\n" + strings.Replace(
				strings.Replace(holder(canary), "{{ .data.b | quote }}", "y", 1),
				"{namespace",
				"{name: a, namespace",
				1,
			),
		})
		ref, in := filepath.Join(dir, "ref"), filepath.Join(dir, "in")
		var said []string
		for _, args := range [][]string{{ref, in}, {"-o", "json", "--correlation", "nearest", ref, in}, {"explain-match", "--all-candidates", ref, in, "Secret"}, {"explain-match", "-o", "json", ref, in, "ConfigMap"}} {
			_, out, errs := runIn(t, "", args...)
			said = append(
				said,
				regexp.MustCompile("sha256:[0-9a-f]*").ReplaceAllString(strings.ReplaceAll(out+errs, dir, ""), ""),
			)
		}
		if first == nil {
			first = said
		}
		if diff := cmp.Diff(first, said); diff != "" || !strings.Contains(said[0], "changed character") {
			t.Errorf("%s: %s%s", canary, diff, said[0])
		}
	}
}
