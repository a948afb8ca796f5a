package lint

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/crdschema"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// typedReference is a reference that agrees with the schemas of typedSchemas.
func typedReference() fstest.MapFS {
	return fstest.MapFS{
		"metadata.yaml": {Data: []byte(`apiVersion: v2
fieldsToOmit:
  defaultOmitRef: usual
  items:
    usual:
      - pathToKey: spec.updatedAt
      - pathToKey: spec.nodePort
      - pathToKey: status
parts:
  - name: edge
    components:
      - name: gateway
        allOf:
          - path: gateway.yaml
            config:
              perField:
                - pathToKey: spec.routes
                  list: map(name)
                - pathToKey: spec.limits.maxConnections
                  quantity: true
                - pathToKey: spec.banner
                  inlineDiffFunc: regex
          - path: site.yaml
            config:
              ignore-unspecified-fields: true
          - path: deployment.yaml
`)},
		"gateway.yaml": {Data: []byte(`apiVersion: edge.example.com/v1
kind: Gateway
metadata:
  name: main
  namespace: edge
spec:
  mode: Fast
  replicas: 2
  port: "80%"
  memory: 1Gi
  banner: ^welcome .*$
  labels:
    any: thing
  {{- if eq .spec.tier "gold" }}
  tier: gold
  {{- else }}
  tier: silver
  {{- end }}
  limits: {{ .spec.limits | toYaml | nindent 4 }}
  routes:
    - name: a
      path: /a
      weight: {{ .spec.weight }}
    {{- range .spec.routes }}
    - name: {{ .name }}
      path: {{ .path }}
    {{- end }}
  raw:
    whatever: {there: is}
{{- range (lookupCRs "edge.example.com/v1" "Site" "" "*") }}
  {{- if .spec.address }}
  site: {{ .spec.address }}
  {{- end }}
{{- end }}
`)},
		"site.yaml": {Data: []byte(`apiVersion: edge.example.com/v1
kind: Site
metadata:
  name: north
spec:
  address: 192.0.2.1
  hosts:
    - name: a
      cores: 4
`)},
		"deployment.yaml": {Data: []byte(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: edge
spec:
  paused: false
  selector:
    matchLabels:
      app: {{ .spec.selector.matchLabels.app }}
`)},
	}
}

// typedSchemas are those of the kinds of typedReference.
func typedSchemas(t *testing.T) *crdschema.Set {
	t.Helper()
	set := &crdschema.Set{}
	text, err := os.ReadFile("testdata/crds.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range manifest.Read("crds.yaml", "", text, manifest.Hints{}).Objects {
		if p := set.AddDefinition(o); p != nil {
			t.Fatal(p)
		}
	}
	text, err = os.ReadFile("testdata/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if p := set.AddOpenAPI(refconfig.Place{File: "openapi.json"}, text, kubeyaml.Limits{}); p != nil {
		t.Fatal(p)
	}
	return set
}

// TestFaultsOfFields finds faults that only a schema tells of, each at its line and no other, and
// none in a reference without one.
func TestFaultsOfFields(t *testing.T) {
	const gateway, site, meta, deployment = "gateway.yaml", "site.yaml", "metadata.yaml", "deployment.yaml"
	for _, c := range []struct {
		name, file, old, new string
		want                 string // severity and code
		says                 string
	}{
		{"nothing", site, "north", "south", "", ""},
		{"a misspelt field", gateway, "  replicas: 2", "  replica: 2", "error VT2132", `did you mean "replicas"?`},
		{"another letter case", gateway, "  mode: Fast", "  Mode: Fast", "error VT2132", `did you mean "mode"?`},
		{"a misplaced field", gateway, "  mode: Fast", "  mode: Fast\n  maxConnections: 1", "error VT2132", "it has spec.limits.maxConnections"},
		{"a field under a condition", gateway, "  tier: silver", "  teir: silver", "warning VT2132", `did you mean "tier"?`},
		{"a field of an item", gateway, "      path: /a", "      paht: /a", "error VT2132", "spec.routes.*.paht"},
		{"a field in a loop", gateway, "      path: {{ .path }}", "      paths: {{ .path }}", "warning VT2132", "spec.routes.*.paths"},
		{"text for a number", gateway, "  replicas: 2", `  replicas: "2"`, "error VT2133", `Invalid value "string": must be of type integer`},
		{"a number for text", site, "    - name: a", "    - name: 1", "error VT2133", `Invalid value "integer": must be of type string`},
		{"true for a text or number", gateway, `  port: "80%"`, "  port: yes", "error VT2133", `Invalid value "boolean": must be of type integer,string`},
		{"a part of a text for a number", gateway, "  replicas: 2", `  replicas: "{{ .spec.replicas }}0"`, "error VT2133", "must be of type integer"},
		{"no value of the list", gateway, "  mode: Fast", "  mode: Fats", "error VT2133", `Unsupported value "Fats": supported values: "Fast", "Safe"; did you mean "Fast"?`},
		{"no value of the list in a branch", gateway, "  tier: silver", "  tier: sliver", "warning VT2133", `did you mean "silver"?`},
		{"out of range", gateway, "  replicas: 2", "  replicas: 0", "error VT2133", "should be greater than or equal to 1"},
		{"no match of the pattern", gateway, "path: /a", "path: a", "error VT2133", "should match '^/'"},
		{"no address", site, "  address: 192.0.2.1", "  address: 192.0.2.256", "error VT2133", "must be of type ipv4"},
		{"a list for a map", gateway, "  labels:\n    any: thing", "  labels:\n    - any", "error VT2133", `Invalid value "array": must be of type object`},
		{"a required field of a CR", gateway, "spec:\n  mode: Fast\n", "spec:\n", "warning VT2134", "requires spec.mode of Gateway"},
		{"a required field of an item", site, "    - name: a\n      cores: 4", "    - cores: 4", "warning VT2134", "spec.hosts.*.name"},
		{"a version that is not served", gateway, "edge.example.com/v1\nkind", "edge.example.com/v1beta1\nkind", "error VT2135", "served as edge.example.com/v1, not as"},
		{"a kind in another case", site, "kind: Site", "kind: site", "error VT2135", "written Site, not site"},
		{"a namespace too many", site, "metadata:\n  name: north", "metadata:\n  name: north\n  namespace: edge", "error VT2135", "delete metadata.namespace"},
		{"a field that is read", gateway, "{{ .spec.weight }}", "{{ .spec.wieght }}", "warning VT2132", `did you mean "weight"?`},
		{"a field of an item that is read", gateway, "{{ .path }}", "{{ .paht }}", "warning VT2132", `did you mean "path"?`},
		{"a value that it is compared with", gateway, `eq .spec.tier "gold"`, `eq .spec.tier "glod"`, "warning VT2133", `did you mean "gold"?`},
		{"a kind that is looked up", gateway, `"Site" "" "*"`, `"SITE" "" "*"`, "warning VT2135", "written Site"},
		{"a field of what is looked up", gateway, "{{- range (lookupCRs \"edge.example.com/v1\" \"Site\" \"\" \"*\") }}\n  {{- if .spec.address", "{{- range (lookupCRs \"edge.example.com/v1\" \"Site\" \"\" \"*\") }}\n  {{- if .spec.adress", "warning VT2132", `did you mean "address"?`},
		{"a path of perField", meta, "spec.limits.maxConnections", "spec.limits.maxConections", "warning VT2132", `did you mean "maxConnections"?`},
		{"a quantity of a list", meta, "spec.limits.maxConnections", "spec.limits", "warning VT2136", "it is of type object"},
		{"a key of a list", meta, "spec.routes\n                  list: map(name)", "spec.routes\n                  list: map(nmae)", "warning VT2132", "identifies them by name"},
		{"a list whose order counts", meta, "                - pathToKey: spec.routes\n                  list: map(name)\n", "", "warning VT2136", "list: map(name)"},
		{"a path that is left out", meta, "pathToKey: spec.updatedAt", "pathToKey: spec.updateAt", "warning VT2132", `did you mean "updatedAt"?`},
		{"a field of a kind of Kubernetes", deployment, "  paused: false", "  pause: false", "error VT2132", `did you mean "paused"?`},
		{"a value of a kind of Kubernetes", deployment, "  paused: false", "  paused: never", "error VT2133", `Invalid value "string": must be of type boolean`},
	} {
		files := typedReference()
		before := string(files[c.file].Data)
		after := strings.Replace(before, c.old, c.new, 1)
		if before == after {
			t.Fatalf("%s: there is no %q", c.name, c.old)
		}
		files[c.file] = &fstest.MapFile{Data: []byte(after)}
		ref, faults := refconfig.Load(files, ".", refconfig.LoadOptions{})
		found := Reference(t.Context(), ref, Options{Faults: faults, Schemas: typedSchemas(t)})
		if c.want == "" {
			if len(found.Flaws) > 0 || len(found.Schemas.Kinds) != 3 || len(found.Schemas.Without) > 0 {
				t.Errorf("%s: %+v %+v", c.name, found.Flaws, found.Schemas)
			}
			continue
		}
		is := func(f Flaw) bool {
			return fmt.Sprintf("%s %s", f.Severity, f.Code) == c.want && strings.Contains(f.Message, c.says)
		}
		i := slices.IndexFunc(found.Flaws, is)
		if i < 0 {
			t.Errorf("%s: %+v", c.name, found.Flaws)
			continue
		}
		first := 1 + strings.Count(before[:strings.Index(before, c.old)], "\n")
		last := first + strings.Count(c.old, "\n") + strings.Count(c.new, "\n") + 1
		if f := found.Flaws[i]; f.File != c.file && c.name != "a list whose order counts" || len(found.Flaws) > 1 ||
			c.file == f.File && (f.Line < first || f.Line > last) {
			t.Errorf("%s: lines %d to %d: %+v", c.name, first, last, found.Flaws)
		}
	}
}
