package refconfig

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// attributesAnnotation is the annotation that says which component a CR belongs to.
const attributesAnnotation = "reference-config.openshift.io/attributes"

// attributes is the content of the annotation: a JSON object with part-of, component-name and
// required.
type attributes struct {
	partOf, component string
	required          bool
	given             bool // the CR has the annotation
}

// attributes reads the annotation of a template. A template is often not valid YAML before it is
// executed, so the annotation is found by line and indentation: its key must be on a line of its
// own, below metadata.annotations of the CR itself. Annotations of objects inside the CR, such as a
// pod template, are ignored.
func (l *loader) attributes(file string, one cr) attributes {
	a := attributes{required: true}
	r := annotationReader{document: l.document(file, kubeyaml.OneCode(code.RefAnnotation), DefaultAliasLimit)}
	if one.isJSON {
		if text := jsonAttributes(one.text); text != nil {
			a.given, r.first = true, one.before+1
			r.read(attributesAnnotation+": "+string(text)+"\n", &a)
		}
		return a
	}
	lines := strings.Split(string(one.text), "\n")
	found := -1
	for i, line := range lines {
		if !strings.Contains(line, attributesAnnotation) || isBare(line) {
			continue
		}
		at := Place{File: file, Line: one.before + i + 1, Column: 1 + indentation(line)}
		key, _ := keyOf(line)
		switch way := keysAbove(lines, i); {
		case key == attributesAnnotation && len(way) == 2 && way[0] == "annotations" && way[1] == "metadata":
			if found >= 0 {
				l.warn(
					code.RefDuplicateKey,
					at,
					"duplicate annotation %s; this one is used, the one in line %d is ignored",
					attributesAnnotation,
					one.before+found+1,
				)
			}
			found = i
		case key == attributesAnnotation && (len(way) == 0 || way[len(way)-1] == "metadata"):
			l.fault(
				code.RefAnnotation, at, "the annotation %s must be below metadata.annotations", attributesAnnotation,
			)
		case key == "metadata" && len(way) == 0, key == "annotations" && len(way) == 1 && way[0] == "metadata":
			l.fault(
				code.RefAnnotation,
				at,
				"the annotation %s must be on a line of its own, below metadata.annotations",
				attributesAnnotation,
			)
		}
	}
	if found >= 0 {
		a.given, r.first = true, one.before+found+1
		r.read(withContinuation(lines[found:]), &a)
	}
	return a
}

// annotationReader reads the annotation from an excerpt of the file that begins at line first.
type annotationReader struct {
	*document
	first int
}

// where returns the location of a line of the excerpt. The column is known only in the line of the
// node.
func (r annotationReader) where(n *kubeyaml.Node, line int) Place {
	p := Place{File: r.file, Line: r.first + line - 1}
	if line == n.Line {
		p.Column = n.Column
	}
	return p
}

func (r annotationReader) fail(n *kubeyaml.Node, line int, format string, args ...any) {
	r.fault(code.RefAnnotation, r.where(n, line), format, args...)
}

func (r annotationReader) read(text string, a *attributes) {
	nodes, err := kubeyaml.Parse([]byte(strings.TrimRight(text, "\n")))
	if err == nil && nodes[0].Kind == kubeyaml.Map && len(nodes[0].Values) == 1 {
		n := nodes[0].Values[0]
		switch {
		case n.Kind == kubeyaml.Map && !strings.Contains(text, "{{"):
			r.flow(n, a)
			return
		case n.Kind == kubeyaml.Scalar && !strings.Contains(n.Text, "{{"):
			r.json(n, a)
			return
		}
	}
	var fault *kubeyaml.SyntaxError
	column := Place{File: r.file, Line: r.first, Column: 1 + indentation(text)}
	switch {
	case strings.Contains(text, "{{"):
		r.fault(code.RefAnnotation, column, "the attributes must not contain template actions, because they are not executed")
	case errors.As(err, &fault):
		column.Line += max(fault.Line, 1) - 1
		column.Column = 0
		r.fault(code.RefAnnotation, column, "the attributes cannot be read: not valid YAML: %s", fault.Message)
	default:
		r.fault(code.RefAnnotation, column, "the attributes must be a JSON object")
	}
}

// json reads the attributes from JSON text.
func (r annotationReader) json(n *kubeyaml.Node, a *attributes) {
	if strings.TrimSpace(n.Text) == "" {
		r.fail(n, n.Line, "the attributes are empty; write at least an empty JSON object: {}")
		return
	}
	var whole any
	if err := json.Unmarshal([]byte(n.Text), &whole); err != nil {
		r.fail(n, n.LineAt(faultOffset(err, n.Text)), "the attributes are not valid JSON: %v", err)
		return
	}
	if _, isObject := whole.(map[string]any); !isObject {
		r.fail(n, n.Line, "the attributes must be a JSON object, not %s", jsonKind(whole))
		return
	}
	decoder := json.NewDecoder(strings.NewReader(n.Text))
	_, _ = decoder.Token() // the text is valid, and an object
	seen := map[string]bool{}
	for decoder.More() {
		key, _ := decoder.Token()
		line := n.LineAt(int(decoder.InputOffset()) - 1)
		var value any
		if err := decoder.Decode(&value); err != nil {
			return
		}
		name, _ := key.(string)
		r.attribute(n, line, name, value, seen, a)
	}
}

// faultOffset returns the offset at which JSON text is invalid.
func faultOffset(err error, text string) int {
	var fault *json.SyntaxError
	if errors.As(err, &fault) {
		return max(int(fault.Offset)-1, 0)
	}
	return len(text)
}

// flow reads the attributes from a YAML mapping: the JSON object without quotes around it.
// Kubernetes would reject it as an annotation, but its meaning is clear.
func (r annotationReader) flow(n *kubeyaml.Node, a *attributes) {
	seen := map[string]bool{}
	for _, lost := range n.Duplicates() {
		seen[kubeyaml.KeyString(lost)] = true
	}
	for i, name := range n.Keys {
		r.attribute(name, name.Line, kubeyaml.KeyString(name), n.Values[i].Value(), seen, a)
	}
}

// attribute sets one attribute.
func (r annotationReader) attribute(
	n *kubeyaml.Node, line int, name string, value any, seen map[string]bool, a *attributes,
) {
	if seen[name] {
		r.warn(code.RefDuplicateKey, r.where(n, line), "duplicate attribute %q; the last one is used", name)
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

// jsonKind names the type of a JSON value for messages.
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

// jsonAttributes returns the annotation with the attributes of a CR in JSON, or nil.
func jsonAttributes(text []byte) json.RawMessage {
	var object struct {
		Metadata struct {
			Annotations map[string]json.RawMessage `json:"annotations"`
		} `json:"metadata"`
	}
	_ = json.Unmarshal(text, &object) // an object of another shape has no annotations
	return object.Metadata.Annotations[attributesAnnotation]
}
