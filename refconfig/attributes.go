package refconfig

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/crtext"
	"github.com/validationtool/validationtool/internal/yamlfile"
)

// attributesAnnotation is where a CR of the annotations format says what it belongs to.
const attributesAnnotation = "reference-config.openshift.io/attributes"

// attributes are what the annotation says: a JSON object with part-of, component-name and required.
type attributes struct {
	partOf, component string
	required          bool
	given             bool // there is an annotation
}

// attributes finds the annotation of a template and reads it. A template is often no YAML before it is executed, so the
// annotation is found by its line and its indentation: the key must stand on a line of its own, below metadata.annotations
// of the CR itself. One that belongs to an object inside the CR, such as a pod template, is none of ours.
func (l *loader) attributes(file string, one crtext.CR) attributes {
	a := attributes{required: true}
	r := annotationReader{document: l.document(file, uniformCodes(code.RefAnnotation), DefaultAliasLimit)}
	if one.IsJSON {
		if text := jsonAttributes(one.Text); text != nil {
			a.given, r.first = true, one.Before+1
			r.read(attributesAnnotation+": "+string(text)+"\n", &a)
		}
		return a
	}
	lines := strings.Split(string(one.Text), "\n")
	found := -1
	for i, line := range lines {
		if !strings.Contains(line, attributesAnnotation) || yamlfile.IsBare(line) {
			continue
		}
		at := Place{File: file, Line: one.Before + i + 1, Column: 1 + yamlfile.Indentation(line)}
		key, _ := yamlfile.KeyOf(line)
		switch way := yamlfile.Way(lines, i); {
		case key == attributesAnnotation && len(way) == 2 && way[0] == "annotations" && way[1] == "metadata":
			if found >= 0 {
				l.warn(code.RefDuplicateKey, at, "the annotation %s stands here twice; this one counts, that of line %d does not", attributesAnnotation, one.Before+found+1)
			}
			found = i
		case key == attributesAnnotation && (len(way) == 0 || way[len(way)-1] == "metadata"):
			l.fault(code.RefAnnotation, at, "the annotation %s must stand below metadata.annotations", attributesAnnotation)
		case key == "metadata" && len(way) == 0, key == "annotations" && len(way) == 1 && way[0] == "metadata":
			l.fault(code.RefAnnotation, at, "the annotation %s must be on a line of its own, below metadata.annotations", attributesAnnotation)
		}
	}
	if found >= 0 {
		a.given, r.first = true, one.Before+found+1
		r.read(yamlfile.Value(lines[found:]), &a)
	}
	return a
}

// annotationReader reads the annotation out of its excerpt, which begins at line first of the file.
type annotationReader struct {
	*document
	first int
}

// where is the place of a line of the excerpt; the column is known in the line of the node only.
func (r annotationReader) where(n *yamlfile.Node, line int) Place {
	p := Place{File: r.file, Line: r.first + line - 1}
	if line == n.Line {
		p.Column = n.Column
	}
	return p
}

func (r annotationReader) fail(n *yamlfile.Node, line int, format string, args ...any) {
	r.fault(code.RefAnnotation, r.where(n, line), format, args...)
}

func (r annotationReader) read(text string, a *attributes) {
	root, err := yamlfile.Parse([]byte(text))
	if root != nil && len(root.Content) == 2 {
		n := root.Content[1]
		switch kind := yamlfile.Kind(n); {
		case kind == "a mapping" && !strings.Contains(text, "{{"):
			r.flow(n, a)
			return
		case kind != "a mapping" && kind != "a list" && !strings.Contains(n.Value, "{{"):
			r.json(n, a)
			return
		}
	}
	column := Place{File: r.file, Line: r.first, Column: 1 + yamlfile.Indentation(text)}
	switch {
	case strings.Contains(text, "{{"):
		r.fault(code.RefAnnotation, column, "the attributes must be literal; template actions are not executed in them")
	case err != nil:
		line, message := yamlfile.SyntaxFault([]byte(text), err)
		column.Line += max(line, 1) - 1
		column.Column = 0
		r.fault(code.RefAnnotation, column, "the attributes cannot be read: %s", message)
	default:
		r.fault(code.RefAnnotation, column, "the attributes must be a JSON object")
	}
}

// json reads the attributes from text.
func (r annotationReader) json(n *yamlfile.Node, a *attributes) {
	if strings.TrimSpace(n.Value) == "" {
		r.fail(n, n.Line, "the attributes are empty; a JSON object is needed: {}")
		return
	}
	var whole any
	if err := json.Unmarshal([]byte(n.Value), &whole); err != nil {
		r.fail(n, yamlfile.LineIn(n, faultOffset(err, n.Value)), "the attributes are not valid JSON: %v", err)
		return
	}
	if _, isObject := whole.(map[string]any); !isObject {
		r.fail(n, n.Line, "the attributes must be a JSON object, not %s", jsonKind(whole))
		return
	}
	decoder := json.NewDecoder(strings.NewReader(n.Value))
	_, _ = decoder.Token() // the text is valid, and an object
	seen := map[string]bool{}
	for decoder.More() {
		key, _ := decoder.Token()
		line := yamlfile.LineIn(n, int(decoder.InputOffset())-1)
		var value any
		if err := decoder.Decode(&value); err != nil {
			return
		}
		name, _ := key.(string)
		r.attribute(n, line, name, value, seen, a)
	}
}

// faultOffset is where JSON text is broken.
func faultOffset(err error, text string) int {
	var fault *json.SyntaxError
	if errors.As(err, &fault) {
		return max(int(fault.Offset)-1, 0)
	}
	return len(text)
}

// flow reads the attributes from a mapping: the JSON object without quotes around it. Kubernetes would not take it for an
// annotation, but what is meant is plain.
func (r annotationReader) flow(n *yamlfile.Node, a *attributes) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, node := n.Content[i], n.Content[i+1]
		var value any = map[string]any{}
		switch yamlfile.Kind(node) {
		case "text":
			value = node.Value
		case "a list":
			value = []any{}
		case "nothing":
			value = nil
		case "a number":
			value = 0.0
		}
		if b, ok := yamlfile.Boolean(node); ok && (name.Value == "required" || yamlfile.Kind(node) != "text") {
			value = b
		}
		r.attribute(name, name.Line, name.Value, value, seen, a)
	}
}

// attribute takes over one attribute.
func (r annotationReader) attribute(n *yamlfile.Node, line int, name string, value any, seen map[string]bool, a *attributes) {
	if seen[name] {
		r.warn(code.RefDuplicateKey, r.where(n, line), "the attribute %q stands here twice; the last one counts", name)
	}
	seen[name] = true
	known := []string{"part-of", "component-name", "required"}
	text, isText := value.(string)
	flag, isFlag := value.(bool)
	switch {
	case name != known[0] && name != known[1] && name != known[2]:
		r.fail(n, line, "unknown attribute %q; %s", name, code.KnownKeys(name, known))
	case name == known[2] && !isFlag:
		r.fail(n, line, "the attribute %q must be true or false, not %s", name, jsonKind(value))
	case name == known[2]:
		a.required = flag
	case !isText:
		r.fail(n, line, "the attribute %q must be text, not %s", name, jsonKind(value))
	case name == known[0]:
		a.partOf = text
	default:
		a.component = text
	}
}

// jsonKind names what a JSON value is, for messages.
func jsonKind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "text"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}

// jsonAttributes returns the annotation with the attributes of a CR, nil if it has none.
func jsonAttributes(text []byte) json.RawMessage {
	var object struct {
		Metadata struct {
			Annotations map[string]json.RawMessage `json:"annotations"`
		} `json:"metadata"`
	}
	_ = json.Unmarshal(text, &object) // what has another form has no annotations
	return object.Metadata.Annotations[attributesAnnotation]
}
