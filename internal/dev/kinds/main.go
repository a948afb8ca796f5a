// Command kinds makes the table of the kinds of Kubernetes that package crdschema embeds, from the
// OpenAPI documents and the generated Go code in the sources of one version of Kubernetes. The go
// command downloads them as a module and verifies them.
//
// It is a module of its own, because it starts the go command.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// version is the version of Kubernetes.
const version = "v1.37.2"

func main() {
	log.SetFlags(0)
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	if err := run(*out); err != nil {
		log.Fatal(err)
	}
}

// run writes the table, compressed.
func run(out string) error {
	folder, err := download()
	if err != nil {
		return err
	}
	table, err := tableOf(folder)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	if _, err := io.WriteString(w, table); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	const mode = 0o644
	return os.WriteFile(out, packed.Bytes(), mode)
}

// download returns the folder with the sources of Kubernetes.
func download() (string, error) {
	var text, said bytes.Buffer
	c := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@"+version)
	c.Stdout, c.Stderr = &text, &said
	failed := c.Run()
	var module struct{ Dir, Error string }
	if err := json.Unmarshal(text.Bytes(), &module); err != nil {
		return "", errors.Join(failed, errors.New(said.String()))
	}
	if module.Dir == "" {
		return "", errors.New(cmp.Or(module.Error, "the module has no folder"))
	}
	return module.Dir, nil
}

// schema is a schema as an OpenAPI document has it. Its fields are what the table keeps.
type schema struct {
	Ref        string             `json:"$ref,omitempty"`
	Type       string             `json:"type,omitempty"`
	Format     string             `json:"format,omitempty"`
	Enum       []any              `json:"enum,omitempty"`
	Properties map[string]*schema `json:"properties,omitempty"`
	Additional json.RawMessage    `json:"additionalProperties,omitempty"` // a schema or a boolean
	Items      *schema            `json:"items,omitempty"`
	Required   []string           `json:"required,omitempty"`
	AllOf      []*schema          `json:"allOf,omitempty"`
	OneOf      []*schema          `json:"oneOf,omitempty"`
	ListType   string             `json:"x-kubernetes-list-type,omitempty"`
	ListKeys   []string           `json:"x-kubernetes-list-map-keys,omitempty"`
	Kinds      []kind             `json:"x-kubernetes-group-version-kind,omitempty"`
}

// kind is a kind in a version.
type kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

func (k kind) apiVersion() string { return strings.TrimPrefix(k.Group+"/"+k.Version, "/") }

// tableOf returns the table. Its first line is the version. A line with a kind has its apiVersion, the
// kind and the name of its schema; one with a schema has its name and the schema as JSON. Both are
// sorted, the kinds first. It has the kinds of which a cluster keeps objects, and what they need.
func tableOf(folder string) (string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "api", "openapi-spec", "v3", "*_openapi.json"))
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", fmt.Errorf("there is no OpenAPI document in %s", folder)
	}
	schemas, kinds := map[string]*schema{}, map[string]string{} // names of schemas, by apiVersion and kind
	for _, file := range files {
		if err := read(file, schemas, kinds); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
	}
	if err := addEnums(filepath.Join(folder, "pkg", "generated", "openapi", "zz_generated.openapi.go"), schemas); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintln(&b, version)
	needed := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintln(&b, name, kinds[name])
		if err := need(schemas, kinds[name], needed); err != nil {
			return "", err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		schemas[name].Kinds = nil
		text, err := json.Marshal(schemas[name])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s %s\n", name, text)
	}
	return b.String(), nil
}

const shared = "#/components/schemas/"

// read adds the schemas and kinds of an OpenAPI document.
func read(file string, schemas map[string]*schema, kinds map[string]string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var document struct {
		Components struct{ Schemas map[string]*schema }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	for name, s := range document.Components.Schemas {
		if err := s.tidy(); err != nil {
			return err
		}
		schemas[name] = s
		for _, k := range s.Kinds {
			// A list, or what is only sent, such as Status, has no metadata of an object. Versions that are not
			// stable differ between versions of Kubernetes.
			m := s.Properties["metadata"]
			if m != nil && strings.HasSuffix(m.Ref, ".ObjectMeta") && !strings.ContainsAny(k.Version, "ab") {
				kinds[k.apiVersion()+" "+k.Kind] = name
			}
		}
	}
	return nil
}

// tidy drops what a schema has beside a reference, and the folder of references.
func (s *schema) tidy() error {
	if len(s.AllOf) == 1 && s.AllOf[0].Ref != "" {
		*s = schema{Ref: s.AllOf[0].Ref}
	}
	s.Ref = strings.TrimPrefix(s.Ref, shared)
	below := slices.Concat(slices.Collect(maps.Values(s.Properties)), s.AllOf, s.OneOf)
	if s.Items != nil {
		below = append(below, s.Items)
	}
	for _, one := range below {
		if err := one.tidy(); err != nil {
			return err
		}
	}
	if !bytes.HasPrefix(s.Additional, []byte("{")) {
		return nil
	}
	var further schema
	if err := json.Unmarshal(s.Additional, &further); err != nil {
		return err
	}
	if err := further.tidy(); err != nil {
		return err
	}
	text, err := json.Marshal(further)
	s.Additional = text
	return err
}

// need marks a schema and those that it refers to.
func need(schemas map[string]*schema, name string, needed map[string]bool) error {
	if needed[name] {
		return nil
	}
	if schemas[name] == nil {
		return fmt.Errorf("there is no schema %s", name)
	}
	needed[name] = true
	text, err := json.Marshal(schemas[name])
	if err != nil {
		return err
	}
	for i, part := range strings.Split(string(text), `"$ref":"`) {
		if other, _, _ := strings.Cut(part, `"`); i > 0 {
			if err := need(schemas, other, needed); err != nil {
				return err
			}
		}
	}
	return nil
}

// addEnums adds the allowed values, which only the generated Go code has: a function for each
// schema, with a composite literal.
func addEnums(file string, schemas map[string]*schema) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	found := 0
	for _, d := range parsed.Decls {
		f, isFunction := d.(*ast.FuncDecl)
		if !isFunction {
			continue
		}
		name, ofAPI := strings.CutPrefix(f.Name.Name, "schema_k8sio_api_")
		s := schemas["io.k8s.api."+strings.ReplaceAll(name, "_", ".")]
		if !ofAPI || s == nil {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			entry, isEntry := n.(*ast.KeyValueExpr)
			if !isEntry {
				return true
			}
			if key, isText := entry.Key.(*ast.BasicLit); isText {
				field, _ := strconv.Unquote(key.Value)
				found += s.Properties[field].enums(entry.Value)
				return false
			}
			return true
		})
	}
	if found == 0 {
		return fmt.Errorf("%s has no allowed values", file)
	}
	return nil
}

// enums takes the allowed values of a field, or of its items, from its literal. It returns how many
// fields have some.
func (s *schema) enums(literal ast.Expr) (found int) {
	if s == nil {
		return 0
	}
	ast.Inspect(literal, func(n ast.Node) bool {
		entry, isEntry := n.(*ast.KeyValueExpr)
		if !isEntry {
			return true
		}
		key, isName := entry.Key.(*ast.Ident)
		switch {
		case !isName:
		case key.Name == "Items":
			found += s.Items.enums(entry.Value)
			return false
		case key.Name == "AdditionalProperties":
			return false
		case key.Name == "Enum" && s.Type == "string":
			found++
			for _, one := range entry.Value.(*ast.CompositeLit).Elts {
				if text, isText := one.(*ast.BasicLit); isText {
					value, _ := strconv.Unquote(text.Value)
					s.Enum = append(s.Enum, value)
				}
			}
		}
		return true
	})
	return found
}
