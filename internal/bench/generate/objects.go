package main

import (
	"bytes"
	"fmt"
	"strings"
)

// objects says how many small objects are to be made.
type objects struct {
	count     int
	compared  int // of them, that have a template
	differing int // of these, the percentage that differs from it
	templates int
}

// write makes the folders input, with a file for each object, and reference.
func (o objects) write(path string, seed uint64) (tally, error) {
	var made tally
	if o.templates < 1 || o.compared > o.count {
		return made, fmt.Errorf(
			"%d templates, %d of %d objects compared: there has to be a template, and not more compared than there are",
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

// maker returns a function that makes one object after the other, without end. Those that are
// compared, and among them those that differ, are spread evenly.
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

// profileKind is the kind of the objects for a template.
func profileKind(template int) (apiVersion, kind string) {
	return "bench.example.com/v1", fmt.Sprintf("Profile%03d", template)
}

// profile is what an object for a template holds besides its metadata. The word is up to the user.
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

// changes are the ways in which objects differ from their template: another value, one less, one
// more, and in a list.
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

// writeReference writes a reference of so many templates, ten to a component. None of them is
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
