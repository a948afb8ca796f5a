package render

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// pathAt returns the path of the innermost field that includes an offset, found by the indentation
// of the offset's line; nil for the object as a whole. The path stops above a printed key and at a
// map or list in braces.
func (l *builder) pathAt(n *kubeyaml.Node, offset int) refconfig.FieldPath {
	line := l.lineAt(offset).start
	indent := len(l.a.text[line:offset]) - len(strings.TrimLeft(l.a.text[line:offset], " "))
	var path refconfig.FieldPath
	for n.Kind != kubeyaml.Scalar && !n.Flow {
		starts := n.Keys
		if n.Kind == kubeyaml.List {
			starts = n.Values
		}
		i := l.lastBefore(n, starts, offset)
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

// lastBefore returns the index of the last of a node's keys or items that starts before an offset,
// or -1. The order of the text may differ from the order of the items because of aliases.
func (l *builder) lastBefore(n *kubeyaml.Node, starts []*kubeyaml.Node, offset int) int {
	order, known := l.sorted[n]
	if !known {
		for i := range starts {
			order = append(order, i)
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Or(starts[i].Offset-starts[j].Offset, j-i) })
		l.sorted[n] = order
	}
	last := sort.Search(len(order), func(i int) bool { return starts[order[i]].Offset >= offset }) - 1
	if last < 0 {
		return -1
	}
	return order[last]
}

// line holds the offsets of a line's start, end and comment; comment is math.MaxInt for none.
type line struct{ start, end, comment int }

// lineAt returns the line that includes an offset. It caches one line, because a long line may have
// many findings.
func (l *builder) lineAt(offset int) line {
	if offset < l.line.start || offset > l.line.end {
		start := strings.LastIndexByte(l.a.text[:offset], '\n') + 1
		text, _, _ := strings.Cut(l.a.text[start:], "\n")
		l.line = line{start, start + len(text), math.MaxInt}
		if at := kubeyaml.Comment(text); at >= 0 {
			l.line.comment = start + at
		}
	}
	return l.line
}
