package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// profiles describes many small objects, one a file, and a reference for them.
type profiles struct {
	count     int
	compared  int // objects that have a template
	differing int // the percentage of the compared objects that differ from their template
	templates int
}

// write writes the folders input and reference.
func (p profiles) write(t *tree) {
	p.writeReference(t)
	p.writeObjects(t, "input")
}

// writeObjects writes the objects into a folder.
func (p profiles) writeObjects(t *tree, folder string) {
	printer := newPrinter()
	for i := range p.count {
		o := p.object(printer, i)
		t.file(fmt.Sprintf("%s/%03d/%s.yaml", folder, i/100, o.Name), o.print("Profile"))
	}
}

// object returns the i-th object. Compared and differing ones are spread evenly, and those beyond
// the count begin anew.
func (p profiles) object(printer printer, i int) object {
	o := newObject(newRandom(i), printer, "bench.example.com/v1", "Other")
	o.Namespace, o.Owner = fmt.Sprint("team-", o.IntN(30)), o.Word()
	if before := share(p.compared, p.count, i); share(p.compared, p.count, i+1) > before {
		o.Size = before % p.templates
		o.Kind = fmt.Sprintf("Profile%03d", o.Size)
		if share(p.differing, 100, before+1) > share(p.differing, 100, before) {
			o.Change = 1 + o.IntN(4)
		}
	}
	return o
}

// share returns how many of the first i things are among the part of them that is spread evenly.
func share(part, of, i int) int { return i * part / of }

// writeReference writes a reference with a number of templates, ten in each component. None is
// required.
func (p profiles) writeReference(t *tree) {
	meta := "apiVersion: v2\ntemplateFunctionFiles:\n- functions.tmpl\nparts:\n- name: bench\n  components:\n"
	for i := range p.templates {
		if i%10 == 0 {
			meta += fmt.Sprintf("  - name: component-%d\n    anyOf:\n", i/10)
		}
		meta += fmt.Sprintf("    - path: profile-%03d.yaml\n", i)
		o := object{
			printer: newPrinter(), APIVersion: "bench.example.com/v1", Kind: fmt.Sprintf("Profile%03d", i), Size: i,
			Name: "{{ .metadata.name }}", Namespace: "{{ .metadata.namespace }}", Owner: "{{ .spec.owner }}",
			PartOf: `{{ template "part" . }}`,
		}
		t.file(fmt.Sprintf("reference/profile-%03d.yaml", i), o.print("Profile"))
	}
	t.file("reference/metadata.yaml", []byte(meta))
	t.file("reference/functions.tmpl",
		[]byte("{{- define \"part\" -}}{{- if .metadata.name -}} benchmark {{- end -}}{{- end -}}\n"))
}

// largeList describes a List of which one object in a hundred is compared.
type largeList struct {
	size   int
	inJSON bool
}

// write writes the file list and the folder reference. As kubectl prints a List, keys are sorted, so
// that kind comes last.
func (l largeList) write(t *tree) {
	p := profiles{count: 100, compared: 1, differing: 50, templates: 10}
	p.writeReference(t)
	printer := newPrinter()
	list := bytes.NewBufferString("apiVersion: v1\nitems:\n")
	if l.inJSON {
		list = bytes.NewBufferString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [")
	}
	for i := 0; list.Len() < l.size; i++ {
		text := p.object(printer, i).print("Profile")
		if !l.inJSON {
			list.Write(asItem(text))
			continue
		}
		var object map[string]any
		err := yaml.Unmarshal(text, &object)
		item, failed := json.MarshalIndent(object, "        ", "    ")
		t.err = errors.Join(t.err, err, failed)
		fmt.Fprintf(list, "%s\n        %s", strings.Repeat(",", min(i, 1)), item)
	}
	if l.inJSON {
		list.WriteString("\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n")
	} else {
		list.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	}
	t.file("list", list.Bytes())
}

// levels is the depth of a CR whose innermost value differs from the reference.
type levels int

// write writes the folders input and reference.
func (l levels) write(t *tree) {
	text := func(innermost string) []byte {
		return []byte("apiVersion: v1\nkind: Deep\nmetadata:\n  name: deep\nspec: " +
			strings.Repeat("{inner: ", int(l)) + innermost + strings.Repeat("}", int(l)) + "\n")
	}
	t.file("input/deep.yaml", text("2"))
	t.file("reference/deep.yaml", text("1"))
	t.file("reference/metadata.yaml",
		[]byte("apiVersion: v2\nparts:\n- name: bench\n  components:\n  - name: deep\n    allOf:\n    - path: deep.yaml\n"))
}

// longText describes a ConfigMap with a long text.
type longText struct {
	size      int
	compared  bool // the reference has the text too
	differing int  // the percentage of its lines that differ from the reference
}

// write writes the file settings.yaml and the folder reference.
func (l longText) write(t *tree) {
	r := newRandom("text")
	var expected, text bytes.Buffer
	for i := 0; text.Len() < l.size; i++ {
		line := r.Words(9)
		fmt.Fprintf(&expected, "    %s\n", line)
		if share(l.differing, 100, i+1) > share(l.differing, 100, i) {
			line = r.Words(9)
		}
		fmt.Fprintf(&text, "    %s\n", line)
	}
	const head, tail = "apiVersion: v1\ndata:\n", "  mode: safe\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: bench\n"
	t.file("settings.yaml", []byte(head+"  log: |\n"+text.String()+tail))
	reference := head + tail
	if l.compared {
		reference = head + "  log: |\n" + expected.String() + tail
	}
	t.file("reference/settings.yaml", []byte(reference))
	t.file("reference/metadata.yaml", []byte(`apiVersion: v2
parts:
- name: bench
  components:
  - name: settings
    allOf:
    - path: settings.yaml
      config:
        ignore-unspecified-fields: true
`))
}
