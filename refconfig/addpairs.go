package refconfig

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
)

// AddPairs returns a diff config with more pairs in it; one that it has for the same object is replaced. What else is in
// it, comments too, stays. Nothing, or nothing but comments, makes a new one. Data must be a diff config that
// ParseDiffConfig has no fault to find with.
func AddPairs(data []byte, pairs []ManualPair) ([]byte, error) {
	config, _ := ParseDiffConfig("", data)
	if slices.ContainsFunc(config.Warnings, func(p Problem) bool { return p.Code == code.RefSecondDocument }) {
		return nil, errors.New("the file holds a second YAML document, which would be lost")
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	comments := ""
	if doc.Kind == 0 { // no document at all
		comments = string(data)
		if comments != "" && !strings.HasSuffix(comments, "\n") {
			comments += "\n"
		}
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	at := doc.Content[0]
	for _, key := range wayToPairs() {
		if err := toMapping(at); err != nil {
			return nil, err
		}
		at = valueOf(target(at), spelling(target(at), key))
	}
	if err := toMapping(at); err != nil {
		return nil, err
	}
	sorted := slices.Clone(pairs)
	slices.SortStableFunc(sorted, func(a, b ManualPair) int { return strings.Compare(a.Object, b.Object) })
	for _, p := range sorted {
		setText(target(at), p.Object, p.Template)
	}
	var out bytes.Buffer
	out.WriteString(comments)
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(&doc); err != nil {
		return nil, err
	}
	if err := e.Close(); err != nil {
		return nil, err
	}
	text := withEscapes(out.Bytes(), sorted)
	return text, checkAdded(text, sorted)
}

// withEscapes returns a diff config with escapes in the place of what cannot be seen in some pairs of it, so that a reader sees what is
// paired: the library lets most of it stand.
func withEscapes(data []byte, pairs []ManualPair) []byte {
	for _, p := range pairs {
		for _, s := range []string{p.Object, p.Template} {
			quoted, err := yaml.Marshal(textNode(s))
			if err != nil || strings.IndexFunc(s, isUnseen) < 0 {
				continue
			}
			var escaped bytes.Buffer
			quoted = bytes.TrimSuffix(quoted, []byte("\n"))
			for _, r := range string(quoted) {
				if isUnseen(r) {
					fmt.Fprintf(&escaped, `\U%08x`, r)
					continue
				}
				escaped.WriteRune(r)
			}
			data = bytes.ReplaceAll(data, quoted, escaped.Bytes())
		}
	}
	return data
}

// isUnseen reports whether a character cannot be seen.
func isUnseen(r rune) bool {
	return r == '\u2800' || !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// checkAdded reads the result again: what YAML can express is more than what was foreseen here.
func checkAdded(data []byte, pairs []ManualPair) error {
	config, problems := ParseDiffConfig("", data)
	templates := map[string]string{}
	for _, p := range config.Pairs {
		templates[p.Object] = p.Template
	}
	for _, p := range pairs {
		if templates[p.Object] != p.Template {
			problems = append(problems, Problem{})
		}
	}
	if len(problems) > 0 {
		return errors.New("the pairs cannot be added to this file")
	}
	return nil
}

// toMapping makes an empty mapping of a null.
func toMapping(n *yaml.Node) error {
	switch target(n).Kind {
	case yaml.MappingNode:
		return nil
	case yaml.ScalarNode:
		if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
			*n = yaml.Node{Kind: yaml.MappingNode, HeadComment: n.HeadComment, LineComment: n.LineComment, FootComment: n.FootComment}
			return nil
		}
	}
	return errors.New("the file is no diff config")
}

// spelling returns how a mapping spells a key: exactly, else in another letter case.
func spelling(m *yaml.Node, key string) string {
	found := key
	for i := 0; i+1 < len(m.Content); i += 2 {
		switch name := m.Content[i].Value; {
		case name == key:
			return key
		case strings.EqualFold(name, key):
			found = name
		}
	}
	return found
}

// valueOf returns the value of a mapping's key, the last one where there are several, a new null where there is none.
func valueOf(m *yaml.Node, key string) *yaml.Node {
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	value := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	m.Content = append(m.Content, textNode(key), value)
	return value
}

// setText sets a mapping's key to a text.
func setText(m *yaml.Node, key, text string) {
	v := valueOf(m, key)
	fresh := textNode(text)
	fresh.HeadComment, fresh.LineComment, fresh.FootComment = v.HeadComment, v.LineComment, v.FootComment
	*v = *fresh
}

func textNode(s string) *yaml.Node {
	var n yaml.Node
	n.SetString(s)
	if strings.IndexFunc(s, isUnseen) >= 0 {
		n.Style = yaml.DoubleQuotedStyle // which can have escapes
	}
	return &n
}
