package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

//go:embed surroundings.yaml
var surroundings []byte

// object is a CR with the values that determine its place in the archive.
type object struct {
	group, kind, namespace, name string
	content                      map[string]any
}

// load reads the CRs of a folder, appends the surroundings, and adds to each object the fields that
// a running cluster writes.
func load(folder string) ([]object, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no CR; name the folder of the example", folder)
	}
	objects, err := decode(surroundings)
	if err != nil {
		return nil, fmt.Errorf("surroundings.yaml: %w", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		more, err := decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		objects = append(objects, more...)
	}
	slices.SortStableFunc(objects, func(a, b object) int {
		return cmp.Or(strings.Compare(a.namespace, b.namespace), strings.Compare(a.group, b.group),
			strings.Compare(a.kind, b.kind), strings.Compare(a.name, b.name))
	})
	for i, o := range objects {
		addRuntimeFields(o, i)
	}
	return objects, nil
}

// decode reads every document of a YAML text as an object.
func decode(data []byte) ([]object, error) {
	var objects []object
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var content map[string]any
		err := decoder.Decode(&content)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		metadata, ok := content["metadata"].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("document %d has no metadata", len(objects)+1)
		}
		group, _, found := strings.Cut(text(content["apiVersion"]), "/")
		if !found {
			group = "core"
		}
		objects = append(objects, object{
			group:     group,
			kind:      text(content["kind"]),
			namespace: text(metadata["namespace"]),
			name:      text(metadata["name"]),
			content:   content,
		})
	}
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// addRuntimeFields adds the fields that an API server writes into the metadata. It derives times
// and versions from the position, as if the objects were made in this order.
func addRuntimeFields(o object, position int) {
	made := time.Date(2024, 9, 17, 6, 10, 0, 0, time.UTC).Add(
		time.Duration(position) * 47 * time.Second,
	).Format(time.RFC3339)
	metadata := o.content["metadata"].(map[string]any)
	metadata["creationTimestamp"] = made
	metadata["resourceVersion"] = strconv.Itoa(20511 + 173*position)
	metadata["uid"] = uid(o)
	if _, ok := o.content["spec"]; ok {
		metadata["generation"] = 1
	}
	fields := map[string]any{}
	for key, value := range o.content {
		if key == "apiVersion" || key == "kind" || key == "metadata" {
			continue
		}
		below := map[string]any{}
		if keys, ok := value.(map[string]any); ok {
			for k := range keys {
				below["f:"+k] = map[string]any{}
			}
		}
		fields["f:"+key] = below
	}
	metadata["managedFields"] = []any{map[string]any{
		"apiVersion": o.content["apiVersion"],
		"fieldsType": "FieldsV1",
		"fieldsV1":   fields,
		"manager":    "cluster-setup",
		"operation":  "Update",
		"time":       made,
	}}
}

// uid makes an identifier that looks like a random one from the identity of an object.
func uid(o object) string {
	h := sha256.Sum256([]byte(strings.Join([]string{o.group, o.kind, o.namespace, o.name}, "/")))
	h[6], h[8] = h[6]&0x0f|0x40, h[8]&0x3f|0x80 // version 4, as API servers make them
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
