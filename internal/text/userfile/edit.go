package userfile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// SetTexts returns a file with texts set in a mapping, each given as key and value; new keys are
// sorted. The path to the mapping is a list of keys, compared without letter case; missing mappings
// on the path are created. The rest of the file, including comments, stays. It is an error if the
// path leads through another kind of value.
func SetTexts(data []byte, way []string, texts [][2]string) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	comments := ""
	if doc.Kind == 0 { // no document
		comments = string(data)
		if comments != "" && !strings.HasSuffix(comments, "\n") {
			comments += "\n"
		}
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	at := doc.Content[0]
	for _, key := range way {
		if err := toMapping(at); err != nil {
			return nil, err
		}
		at = valueOf(target(at), spelling(target(at), key))
	}
	if err := toMapping(at); err != nil {
		return nil, err
	}
	sorted := slices.Clone(texts)
	slices.SortStableFunc(sorted, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	for _, t := range sorted {
		setText(target(at), t[0], t[1])
	}
	out := bytes.NewBufferString(comments)
	e := yaml.NewEncoder(out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(&doc), e.Close()); err != nil {
		return nil, err
	}
	return withEscapes(out.Bytes(), sorted), nil
}

// withEscapes returns a file with escapes in place of invisible characters in some of its texts, to
// show them to readers: the library leaves most of them as they are.
func withEscapes(data []byte, texts [][2]string) []byte {
	var pairs []string // old and new texts, all replaced in one pass
	for _, t := range texts {
		for _, s := range t {
			quoted, err := yaml.Marshal(textNode(s))
			if err != nil || strings.IndexFunc(s, isUnseen) < 0 {
				continue
			}
			var escaped strings.Builder
			text := string(bytes.TrimSuffix(quoted, []byte("\n")))
			for _, r := range text {
				if isUnseen(r) {
					fmt.Fprintf(&escaped, `\U%08x`, r)
					continue
				}
				escaped.WriteRune(r)
			}
			pairs = append(pairs, text, escaped.String())
		}
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(data)))
}

// isUnseen reports whether a character is invisible.
func isUnseen(r rune) bool {
	return r == '\u2800' || !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// toMapping turns a null into an empty mapping.
func toMapping(n *yaml.Node) error {
	switch target(n).Kind {
	case yaml.MappingNode:
		return nil
	case yaml.ScalarNode:
		if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
			*n = yaml.Node{
				Kind:        yaml.MappingNode,
				HeadComment: n.HeadComment,
				LineComment: n.LineComment,
				FootComment: n.FootComment,
			}
			return nil
		}
	}
	return errors.New("expected a mapping, found another type")
}

// spelling returns a mapping's spelling of a key: the exact one, or else one that differs only in
// letter case.
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

// valueOf returns the value of a mapping's key, the last of several, or a new null if there is
// none.
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
		n.Style = yaml.DoubleQuotedStyle // this style allows escapes
	}
	return &n
}

// target follows an alias.
func target(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}
