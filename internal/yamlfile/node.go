package yamlfile

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Node is a value of a file, with its place.
type Node = yaml.Node

// Target follows an alias.
func Target(n *Node) *Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// IsFlow reports whether a node is written in braces or brackets.
func IsFlow(n *Node) bool { return Target(n).Style&yaml.FlowStyle != 0 }

// Kind names what a node is, for messages. Values have the meaning that Kubernetes gives them: a date is text.
func Kind(n *Node) string {
	n = Target(n)
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "a number"
	}
	return "text"
}

// scalarText is the text of a number or boolean as sigs.k8s.io/yaml hands it to a field of Go's type string: 4.10 is "4.1".
func scalarText(n *Node) string {
	var v any
	if n.Decode(&v) != nil {
		return n.Value
	}
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// keyText is the text of a key, which for a number or boolean is that of a value, so that a name is the same in both places.
func keyText(n *Node) string {
	if kind := Kind(n); kind == "a number" || kind == "true or false" {
		return scalarText(n)
	}
	return n.Value
}

// Boolean returns the value of a scalar that is a boolean; as in Kubernetes, yes, no, on and off without quotes are, too.
func Boolean(n *Node) (value, ok bool) {
	n = Target(n)
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Kind != yaml.ScalarNode || n.Style&quoted != 0 {
		return false, false
	}
	switch strings.ToLower(n.Value) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}

// LineIn returns the line of the file at which the byte at an offset of a scalar's value stands, as far as it is known.
func LineIn(n *Node, offset int) int {
	n = Target(n)
	switch {
	case n.Style&yaml.LiteralStyle != 0:
		return n.Line + 1 + strings.Count(n.Value[:min(max(offset, 0), len(n.Value))], "\n")
	case n.Style&yaml.FoldedStyle != 0:
		return n.Line + 1
	}
	return n.Line
}
