package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// large describes one large file.
type large struct {
	size int
	form string // list.yaml, list.json or configmap.yaml
}

// comparedOf is the number of objects in a large List for each object that is compared.
const comparedOf = 100

// write writes a file of about the size to a folder, named after its form, and a reference next to
// it.
func (l large) write(path string, seed uint64) (tally, error) {
	out, err := newOutput(path)
	if err != nil {
		return tally{}, err
	}
	f, err := os.Create(filepath.Join(path, l.form))
	if err != nil {
		return tally{}, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	made := tally{files: 1}
	switch l.form {
	case "list.yaml", "list.json":
		err = errors.Join(l.list(w, &made, newRandom(seed, l.form)), writeReference(out, 10))
	case "configmap.yaml":
		made.objects = 1
		err = errors.Join(l.configMap(w, newRandom(seed, l.form)), writeSettingsReference(out))
	default:
		err = fmt.Errorf("unknown form %q; it can be list.yaml, list.json or configmap.yaml", l.form)
	}
	if err = errors.Join(err, w.Flush(), f.Close()); err != nil {
		return made, err
	}
	info, err := os.Stat(f.Name())
	if err == nil {
		made.bytes = info.Size()
	}
	return made, err
}

// list writes a List as kubectl prints it: keys are sorted, so kind comes last.
func (l large) list(w *bufio.Writer, made *tally, r *random) error {
	next := objects{count: comparedOf, compared: 1, differing: 50, templates: 10}.maker()
	inJSON := l.form == "list.json"
	if inJSON {
		w.WriteString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n")
	} else {
		w.WriteString("apiVersion: v1\nitems:\n")
	}
	for written := 0; written < l.size; made.objects++ {
		text, _ := next(r)
		item := asItem(text)
		if inJSON {
			var err error
			if item, err = asJSON(text); err != nil {
				return err
			}
			if made.objects > 0 {
				w.WriteString(",\n")
			}
		}
		w.Write(item)
		written += len(item)
	}
	if inJSON {
		_, err := w.WriteString(
			"\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n",
		)
		return err
	}
	_, err := w.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	return err
}

// asJSON converts a document to an item of a List in JSON.
func asJSON(text []byte) ([]byte, error) {
	var v map[string]any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	item, err := json.MarshalIndent(v, "        ", "    ")
	return append([]byte("        "), item...), err
}

// configMap writes one object with a long text.
func (l large) configMap(w *bufio.Writer, r *random) error {
	w.WriteString("apiVersion: v1\ndata:\n  log: |\n")
	for written := 0; written < l.size; {
		n, err := w.WriteString("    " + sentence(r, 9) + "\n")
		if err != nil {
			return err
		}
		written += n
	}
	_, err := w.WriteString("  mode: safe\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: bench\n")
	return err
}

// writeSettingsReference writes a reference for a ConfigMap that does not mention its long text.
func writeSettingsReference(out output) error {
	return writeConfigMapReference(out, "mode: safe", "ignore-unspecified-fields: true")
}

// writeConfigMapReference writes a reference with one template for the ConfigMap bench/settings.
func writeConfigMapReference(out output, data, config string) error {
	meta := "apiVersion: v2\nparts:\n- name: bench\n  components:\n  - name: settings\n    allOf:\n    - path: settings.yaml\n"
	if config != "" {
		meta += "      config:\n        " + config + "\n"
	}
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: bench\ndata:\n  " + data + "\n"
	return errors.Join(
		out.file("reference/metadata.yaml", 0o644, []byte(meta)),
		out.file("reference/settings.yaml", 0o644, []byte(text)),
	)
}

// longText describes a long text that differs from the reference.
type longText struct {
	size      int
	differing int // the percentage of its lines that differ
}

// write writes the file settings.yaml to a folder, and a reference next to it.
func (t longText) write(path string, seed uint64) (tally, error) {
	out, err := newOutput(path)
	if err != nil {
		return tally{}, err
	}
	r := newRandom(seed, "text")
	var left, right strings.Builder
	for n := 0; right.Len() < t.size; n++ {
		line := "    " + sentence(r, 6) + "\n"
		left.WriteString(line)
		if share(t.differing, n%100, 100) > 0 {
			line = "    " + sentence(r, 6) + "\n"
		}
		right.WriteString(line)
	}
	if err := writeConfigMapReference(out, "text: |\n"+strings.TrimSuffix(left.String(), "\n"), ""); err != nil {
		return tally{}, err
	}
	text := []byte(
		"apiVersion: v1\ndata:\n  text: |\n" + right.String() + "kind: ConfigMap\nmetadata:\n  name: settings\n  namespace: bench\n",
	)
	return tally{files: 1, objects: 1, bytes: int64(len(text))}, out.file("settings.yaml", 0o644, text)
}
