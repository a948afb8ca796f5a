package refconfig

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/userfile"
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
// own, below metadata.annotations of the CR itself, unless the template is valid YAML or JSON.
// Annotations of objects inside the CR, such as a pod template, are ignored.
func (l *loader) attributes(file string, one cr) attributes {
	a := attributes{required: true}
	value, isJSON := inTree(one), json.Valid(one.text)
	if isJSON {
		if value != nil {
			l.readValue(l.attributesDocument(file), value, &a)
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
				c := code.RefDuplicateKey
				if withContinuation(lines[found:]) != withContinuation(lines[i:]) {
					c = code.RefDropped
				}
				l.warn(c, at, "duplicate annotation %s; this one is used, the one in line %d is ignored",
					attributesAnnotation, one.before+found+1)
			}
			found = i
		case key == attributesAnnotation && (len(way) == 0 || way[len(way)-1] == "metadata"):
			l.fault(code.RefAnnotation, at, "the annotation %s must be below metadata.annotations", attributesAnnotation)
		case value != nil && key != attributesAnnotation: // a mapping in braces
			l.readValue(l.attributesDocument(file), value, &a)
			return a
		case key == "metadata" && len(way) == 0, key == "annotations" && len(way) == 1 && way[0] == "metadata":
			l.fault(code.RefAnnotation, at, "the annotation %s must be on a line of its own, below metadata.annotations",
				attributesAnnotation)
		}
	}
	if found >= 0 {
		l.readAttributes(file, one.before+found, withContinuation(lines[found:]), &a)
	}
	return a
}

// readAttributes reads the annotation from an excerpt of a file; before is the number of lines
// before the excerpt.
func (l *loader) readAttributes(file string, before int, text string, a *attributes) {
	a.given = true
	d := l.attributesDocument(file)
	at := Place{File: file, Line: before + 1, Column: 1 + indentation(text)}
	nodes, err := kubeyaml.Limits{}.OrDefault().ParseAt([]byte(strings.TrimRight(text, "\n")), before)
	switch {
	case strings.Contains(text, "{{"):
		d.fault(code.RefAnnotation, at, "the attributes must not contain template actions, because they are not executed")
	case err != nil:
		d.fault(code.RefAnnotation, Place{File: file, Line: err.Line},
			"the attributes cannot be read: not valid YAML: %s", err.Message)
	case nodes[0].Kind != kubeyaml.Map || len(nodes[0].Values) != 1:
		d.fault(code.RefAnnotation, at, "the attributes must be a JSON object")
	default:
		l.readValue(d, nodes[0].Values[0], a)
	}
}

// attributesDocument returns the reader of the attributes in a file.
func (l *loader) attributesDocument(file string) *document {
	codes := userfile.OneCode(code.RefAnnotation)
	codes.Duplicate, codes.Dropped = code.RefDuplicateKey, code.RefDropped
	return l.document(file, codes, DefaultAliasLimit)
}

// readValue reads the attributes from the value of the annotation.
func (l *loader) readValue(d *document, n *kubeyaml.Node, a *attributes) {
	a.given = true
	if n.Kind == kubeyaml.Scalar {
		n = d.parseJSON(n)
	}
	fields, _ := d.Mapping(n, "the attributes", []string{"part-of", "component-name", "required"})
	a.partOf, _ = d.Text(fields.Field("part-of"), `the attribute "part-of"`)
	a.component, _ = d.Text(fields.Field("component-name"), `the attribute "component-name"`)
	if required := fields.Field("required"); required != nil {
		a.required = d.Flag(required, `the attribute "required"`)
	}
}

// inTree returns the value of the annotation in a CR that is valid YAML; nil for none.
func inTree(one cr) *kubeyaml.Node {
	nodes, err := kubeyaml.Limits{}.OrDefault().ParseAt(one.text, one.before)
	if err != nil || len(nodes) == 0 {
		return nil
	}
	value := nodes[0]
	for _, key := range []string{"metadata", "annotations", attributesAnnotation} {
		_, value = value.Field(key)
	}
	return value
}

// parseJSON returns the value of the JSON text in a scalar, with the locations of its keys in the
// file; nil if the text is not valid, which it reports.
func (d *document) parseJSON(n *kubeyaml.Node) *kubeyaml.Node {
	if strings.TrimSpace(n.Text) == "" {
		d.faultAt(n, code.RefAnnotation, "the attributes are empty; write at least an empty JSON object: {}")
		return nil
	}
	var valid json.RawMessage
	if err := json.Unmarshal([]byte(n.Text), &valid); err != nil {
		d.fault(code.RefAnnotation, d.inJSON(n, err), "the attributes are not valid JSON: %v", err)
		return nil
	}
	nodes, err := kubeyaml.Limits{}.OrDefault().ParseAt([]byte(n.Text), 0)
	if err != nil {
		d.faultAt(n, code.RefAnnotation, "the attributes cannot be read: %s", err.Message)
		return nil
	}
	value := nodes[0]
	for _, x := range slices.Concat([]*kubeyaml.Node{value}, value.Keys, value.Values, value.Duplicates()) {
		at := d.within(n, x.Offset)
		x.Line, x.Column = at.Line, at.Column
	}
	return value
}
