package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// readCRs reads the CRs of a folder. A file that is not YAML, such as a template, is an error.
func readCRs(folder string) ([]map[string]any, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: there is no .yaml file; name a folder with CRs", folder)
	}
	var all []map[string]any
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		for {
			var node yaml.Node
			if err := decoder.Decode(&node); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			cr, ok := value(&node).(map[string]any)
			if _, has := cr["metadata"].(map[string]any); !ok || !has {
				return nil, fmt.Errorf("%s:%d: this is no CR", file, node.Line)
			}
			all = append(all, cr)
		}
	}
	return all, nil
}

// value returns the value of a node. Scalars other than text stay as they are written.
func value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return value(n.Content[0])
	case yaml.AliasNode:
		return value(n.Alias)
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = value(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, value(item))
		}
		return list
	}
	switch n.ShortTag() {
	case "!!str", "!!timestamp":
		return n.Value
	}
	return literal(n.Value)
}

func field(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

// live adds the metadata that an API server writes to a CR, and returns its stamp and values.
func live(cr map[string]any, r *random) (stamp, values) {
	metadata := cr["metadata"].(map[string]any)
	v := values{name: field(metadata, "name"), space: field(metadata, "namespace")}
	when := madeAt(r)
	metadata["uid"], metadata["resourceVersion"], metadata["creationTimestamp"] = r.uid(), versionOf(r), when
	if _, ok := cr["spec"]; ok {
		metadata["generation"] = 1
	}
	metadata["managedFields"] = managedFields(cr, "kubectl-client-side-apply", when)
	text := document(cr)
	return stamp{
		apiVersion: field(cr, "apiVersion"), kind: field(cr, "kind"),
		single: []piece{{text: text}}, item: []piece{{text: asItem(text)}},
	}, v
}

// groupOf returns the API group as it appears in paths.
func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return "core"
	}
	return group
}

// plural returns the plural of a kind as it appears in paths.
func plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case s == "endpoints":
		return s
	case strings.HasSuffix(s, "y") && !strings.HasSuffix(s, "ay"):
		return strings.TrimSuffix(s, "y") + "ies"
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "x"):
		return s + "es"
	}
	return s + "s"
}
