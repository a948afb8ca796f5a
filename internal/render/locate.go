package render

import (
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// pathAt returns the path of the innermost field that an offset of the text lies in, by the indentation of its line; nil for the
// object as a whole. It ends above a key that an action printed, and at a map or list in braces.
func (l *layer) pathAt(n *kubeyaml.Node, offset int) refconfig.FieldPath {
	line := strings.LastIndexByte(l.a.text[:offset], '\n') + 1
	indent := len(l.a.text[line:offset]) - len(strings.TrimLeft(l.a.text[line:offset], " "))
	var path refconfig.FieldPath
	for n.Kind != kubeyaml.Scalar && !n.Flow {
		starts := n.Keys
		if n.Kind == kubeyaml.List {
			starts = n.Values
		}
		i := lastBefore(starts, offset)
		if i < 0 {
			break
		}
		step := refconfig.Step{Key: strconv.Itoa(i), Index: i}
		within := indent >= starts[i].Column-1
		if n.Kind == kubeyaml.Map {
			key, printed, _ := l.key(starts[i])
			if printed {
				break
			}
			step = refconfig.Key(key)
			within = indent >= starts[i].Column
		}
		if !within && starts[i].Offset < line {
			break
		}
		path, n = append(path, step), n.Values[i]
	}
	return path
}

// lastBefore returns the index of the node that begins last before an offset, or -1.
func lastBefore(nodes []*kubeyaml.Node, offset int) int {
	last := -1
	for i, n := range nodes {
		if n.Offset < offset && (last < 0 || n.Offset > nodes[last].Offset) {
			last = i
		}
	}
	return last
}
