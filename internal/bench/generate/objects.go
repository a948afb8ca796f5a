package main

import (
	"bytes"
	"fmt"
	"strings"
)

// objects describes many small objects.
type objects struct {
	count     int
	compared  int // objects that have a template
	differing int // percentage of the compared objects that differ from their template
	templates int
}

// write writes the folders input, with a file for each object, and reference.
func (o objects) write(path string, seed uint64) (tally, error) {
	var made tally
	if o.templates < 1 || o.compared > o.count {
		return made, fmt.Errorf(
			"%d templates, %d of %d objects compared: at least one template is needed, and at most all objects can be compared",
			o.templates,
			o.compared,
			o.count,
		)
	}
	out, err := newOutput(path)
	if err != nil {
		return made, err
	}
	if err := writeReference(out, o.templates); err != nil {
		return made, err
	}
	r := newRandom(seed, "objects")
	for i, next := 0, o.maker(); i < o.count; i++ {
		text, name := next(r)
		if err := out.file(fmt.Sprintf("input/%03d/%s.yaml", i/100, name), 0o644, text); err != nil {
			return made, err
		}
		made.files++
		made.objects++
		made.bytes += int64(len(text))
	}
	return made, out.close()
}

// maker returns a function that makes one object after the other, without end. Compared and
// differing objects are spread evenly.
func (o objects) maker() func(*random) (text []byte, name string) {
	others := newStamp("other.example.com/v1", "Other", profile(0))
	var clean []stamp
	var differing [][]stamp
	for t := range o.templates {
		apiVersion, kind := profileKind(t)
		clean = append(clean, newStamp(apiVersion, kind, profile(t)))
		var all []stamp
		for _, change := range changes() {
			body := profile(t)
			change(body["spec"].(map[string]any))
			all = append(all, newStamp(apiVersion, kind, body))
		}
		differing = append(differing, all)
	}
	i, compared := 0, 0
	return func(r *random) ([]byte, string) {
		use := others
		if share(o.compared, i%o.count, o.count) > 0 {
			use = clean[compared%o.templates]
			if share(o.differing, compared%100, 100) > 0 {
				use = differing[compared%o.templates][r.n(len(changes()))]
			}
			compared++
		}
		i++
		v := newValues(r, fmt.Sprintf("%s-%s-%05d", r.word(), r.suffix(4), i), fmt.Sprint("team-", r.n(30)))
		v.word = r.word()
		return appendTo(nil, use.single, v), v.name
	}
}

// profileKind returns the kind of the objects for a template.
func profileKind(template int) (apiVersion, kind string) {
	return "bench.example.com/v1", fmt.Sprintf("Profile%03d", template)
}

// profile returns the fields of an object for a template, without metadata. The user chooses the
// word.
func profile(template int) map[string]any {
	settings := map[string]any{}
	for i := range 12 {
		settings[words()[(template+i)%len(words())]] = fmt.Sprintf("value-%d", i)
	}
	var containers []any
	for i := range 2 {
		containers = append(containers, map[string]any{
			"name":  fmt.Sprint("main-", i),
			"image": fmt.Sprintf("registry.example.com/%s:1.%d", words()[i], template),
			"args": []any{
				"--v=2",
				"--listen=0.0.0.0:8443",
				fmt.Sprint("--limit=", template),
			},
			"ports": ports(8000 + i),
		})
	}
	return map[string]any{
		"spec": map[string]any{
			"owner":      markWord,
			"replicas":   3,
			"paused":     false,
			"settings":   settings,
			"containers": containers,
			"limits": map[string]any{
				"cpu":    "4",
				"memory": "8Gi",
				"pods":   100 + template,
			},
			"tolerations": []any{map[string]any{"key": "dedicated", "operator": "Exists"}},
		},
	}
}

// changes returns the ways in which objects differ from their template: a changed, missing or
// additional value, and a change in a list.
func changes() []func(spec map[string]any) {
	return []func(map[string]any){
		func(spec map[string]any) { spec["limits"].(map[string]any)["memory"] = "6Gi" },
		func(spec map[string]any) { delete(spec, "tolerations") },
		func(spec map[string]any) { spec["settings"].(map[string]any)["added"] = "by somebody" },
		func(spec map[string]any) {
			spec["containers"].([]any)[1].(map[string]any)["args"] = []any{"--v=4", "--listen=0.0.0.0:8443"}
		},
	}
}

// writeReference writes a reference with a number of templates, ten in each component. None is
// required.
func writeReference(out output, templates int) error {
	var meta bytes.Buffer
	meta.WriteString("apiVersion: v2\ntemplateFunctionFiles:\n- functions.tmpl\nparts:\n- name: bench\n  components:\n")
	for t := range templates {
		if t%10 == 0 {
			fmt.Fprintf(&meta, "  - name: component-%d\n    anyOf:\n", t/10)
		}
		fmt.Fprintf(&meta, "    - path: profile-%03d.yaml\n", t)
		apiVersion, kind := profileKind(t)
		object := map[string]any{
			"apiVersion": apiVersion,
			"kind":       kind,
			"metadata": map[string]any{"name": markName, "namespace": markSpace,
				"labels": map[string]any{"app.kubernetes.io/name": markName, "app.kubernetes.io/part-of": "benchmark"}},
		}
		object["spec"] = profile(t)["spec"]
		text := appendTo(
			nil,
			pieces(document(object)),
			values{name: "{{ .metadata.name }}", space: "{{ .metadata.namespace }}", word: "{{ .spec.owner }}"},
		)
		text = []byte(strings.Replace(string(text), ": benchmark\n", ": {{ template \"part\" . }}\n", 1))
		if err := out.file(fmt.Sprintf("reference/profile-%03d.yaml", t), 0o644, text); err != nil {
			return err
		}
	}
	functions := "{{- define \"part\" -}}\n{{- if .metadata.name -}} benchmark {{- end -}}\n{{- end -}}\n"
	if err := out.file("reference/functions.tmpl", 0o644, []byte(functions)); err != nil {
		return err
	}
	return out.file("reference/metadata.yaml", 0o644, meta.Bytes())
}
