package provenance

import (
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Node is an expected value, or a part of one, with the notes on where its leaves come from. It is
// never changed, so nodes share their parts; a Draft makes a changed copy. A nil node is an absent
// part.
//
// A value may also have one note as a whole, even a map or list with content, or no note at all
// because it is content of the CR and not of the template.
type Node struct {
	value    any
	note     *Note  // of the value as a whole; nil for an empty note or none
	children []Node // sorted by key for a map; none for a value with one note or without notes
	key      string // in the map of which it is a child
	whole    bool   // the value has one note as a whole
	marks    marks  // of all notes here and below
	print    int32  // the Print of all notes; 0 if they differ
	root     int32  // the largest Root of all notes
}

// marks are true if they are true for at least one note.
type marks uint8

const (
	isNoted marks = 1 << iota // there is a note
	isVariable
	isFound  // it has a finding
	isFailed // its finding is a failed check
	isSecret
	isKnown // it does not depend on a placeholder
	isFixed // it depends on neither a placeholder nor the object
	isSure  // no placeholder decides whether the leaf exists
)

// marksOf returns the marks of one note.
func marksOf(n *Note) marks {
	all := isNoted
	for _, one := range [...]struct {
		mark marks
		is   bool
	}{
		{isVariable, n.Variable},
		{isFound, n.Finding != nil},
		{isFailed, n.Finding != nil && n.Finding.Code == code.EvalFail},
		{isSecret, n.Secret},
		{isKnown, !n.Open},
		{isFixed, !n.Open && !n.Input},
		{isSure, !n.Unsure},
	} {
		if one.is {
			all |= one.mark
		}
	}
	return all
}

// Leaf returns a value with one note as a whole.
func Leaf(v any, note Note) Node {
	if note == (Note{}) { // the usual case needs no memory for the note
		return leaf(v, nil)
	}
	own := note
	return leaf(v, &own)
}

// leaf does the same as Leaf for a note that is not changed later.
func leaf(v any, note *Note) Node {
	if note == nil {
		return Node{value: v, whole: true, marks: isNoted | isKnown | isFixed | isSure}
	}
	return Node{
		value: v,
		note:  note,
		whole: true,
		marks: marksOf(note),
		print: int32(note.Print),
		root:  int32(note.Root),
	}
}

// Fill returns a value with the same note for each of its leaves.
func Fill(v any, note Note) Node {
	if note == (Note{}) {
		return fill(v, nil)
	}
	own := note
	return fill(v, &own)
}

func fill(v any, note *Note) Node {
	m, _ := v.(map[string]any)
	l, _ := v.([]any)
	if len(m)+len(l) == 0 {
		return leaf(v, note)
	}
	children := make([]Node, 0, len(m)+len(l))
	for _, k := range tree.Keys(m) {
		children = append(children, fill(m[k], note).Under(k))
	}
	for _, x := range l {
		children = append(children, fill(x, note))
	}
	return container(v, children)
}

// Plain returns a value without notes.
func Plain(v any) *Node { return &Node{value: v} }

// Under returns the node as the child of a map under a key.
func (n Node) Under(key string) Node {
	n.key = key
	return n
}

// Map returns a map of children, each with its key, see Under. Of children with the same key, the
// last counts. It keeps the slice.
func Map(children []Node) Node {
	byKey := func(a, b Node) int { return strings.Compare(a.key, b.key) }
	if !isSorted(children) {
		slices.SortStableFunc(children, byKey)
		children = lastOfEach(children)
	}
	m := make(map[string]any, len(children))
	for i := range children {
		m[children[i].key] = children[i].value
	}
	return container(m, children)
}

// isSorted reports whether each key is larger than the one before.
func isSorted(children []Node) bool {
	for i := 1; i < len(children); i++ {
		if children[i-1].key >= children[i].key {
			return false
		}
	}
	return true
}

// lastOfEach removes the children that are followed by one with the same key.
func lastOfEach(children []Node) []Node {
	kept := children[:0]
	for i := range children {
		if i+1 == len(children) || children[i].key != children[i+1].key {
			kept = append(kept, children[i])
		}
	}
	return kept
}

// List returns a list of items. It keeps the slice.
func List(items []Node) Node {
	l := make([]any, len(items))
	for i := range items {
		l[i] = items[i].value
	}
	return container(l, items)
}

// container returns a map or list with its children and the sums of their notes.
func container(v any, children []Node) Node {
	n := Node{value: v, children: children}
	for i := range children {
		child := &children[i]
		switch {
		case child.marks == 0: // it has no notes
			continue
		case n.marks == 0:
			n.print = child.print
		case n.print != child.print:
			n.print = 0
		}
		n.root, n.marks = max(n.root, child.root), n.marks|child.marks
	}
	return n
}

// Value returns the value, which must not be changed; nil for an absent one.
func (n *Node) Value() any {
	if n == nil {
		return nil
	}
	return n.value
}

// Note returns the note of the value as a whole, and whether it has one.
func (n *Node) Note() (note Note, whole bool) {
	if n == nil {
		return Note{}, false
	}
	if n.note != nil {
		note = *n.note
	}
	return note, n.whole
}

// has reports whether a mark is true for a note.
func (n *Node) has(m marks) bool { return n != nil && n.marks&m != 0 }

// Varies reports whether a part of the value may differ between objects.
func (n *Node) Varies() bool { return n.has(isVariable | isFound) }

// IsVariable reports whether a template action printed a part of the value.
func (n *Node) IsVariable() bool { return n.has(isVariable) }

// HasFinding reports whether a part of the value has a finding.
func (n *Node) HasFinding() bool { return n.has(isFound) }

// HasFailed reports whether a check of a part of the value failed.
func (n *Node) HasFailed() bool { return n.has(isFailed) }

// IsSecret reports whether the template printed secret data into the value.
func (n *Node) IsSecret() bool { return n.has(isSecret) }

// Depends reports three conditions, each for all notes of a value, and false without notes: open:
// the value is a placeholder or depends on one; input: it depends on a placeholder or on the
// object; unsure: a placeholder decides whether it exists.
func (n *Node) Depends() (open, input, unsure bool) {
	if !n.has(isNoted) {
		return false, false, false
	}
	return !n.has(isKnown), !n.has(isFixed), !n.has(isSure)
}

// IsAtOnce reports whether one action printed the whole map or list, which has a depth in the
// object.
func (n *Node) IsAtOnce(depth int) bool {
	return n.has(isNoted) && !n.whole && !n.has(isFound) && n.print != 0 && int(n.root) <= depth
}

// Child returns the value at a key of a map, or nil.
func (n *Node) Child(key string) *Node {
	if n == nil {
		return nil
	}
	if len(n.children) == 0 {
		m, _ := n.value.(map[string]any)
		if v, there := m[key]; there {
			return Plain(v)
		}
		return nil
	}
	if _, isMap := n.value.(map[string]any); !isMap {
		return nil
	}
	i := sort.Search(len(n.children), func(i int) bool { return n.children[i].key >= key })
	if i == len(n.children) || n.children[i].key != key {
		return nil
	}
	return &n.children[i]
}

// Keys returns the keys of a map, sorted.
func (n *Node) Keys() []string {
	m, _ := n.Value().(map[string]any)
	if n == nil || len(n.children) != len(m) {
		return tree.Keys(m)
	}
	keys := make([]string, len(n.children)) // children are sorted, which a map is not
	for i := range n.children {
		keys[i] = n.children[i].key
	}
	return keys
}

// Item returns an item of a list, or nil.
func (n *Node) Item(i int) *Node {
	l, _ := n.Value().([]any)
	switch {
	case i < 0 || i >= len(l):
		return nil
	case len(n.children) == 0:
		return Plain(l[i])
	}
	return &n.children[i]
}

// At returns the value at a path without wildcards, or nil.
func (n *Node) At(path refconfig.FieldPath) *Node {
	for _, step := range path {
		if _, isList := n.Value().([]any); isList {
			n = n.Item(step.Index)
		} else {
			n = n.Child(step.Key)
		}
	}
	return n
}

// Leaves yields the parts that have one note as a whole, with their paths, in the order of keys and
// indexes. A path is valid until the next one.
func (n *Node) Leaves() iter.Seq2[refconfig.FieldPath, *Node] {
	return func(yield func(refconfig.FieldPath, *Node) bool) { n.leaves(nil, yield) }
}

// leaves does the work of Leaves at a path, and returns false if no more are wanted.
func (n *Node) leaves(path refconfig.FieldPath, yield func(refconfig.FieldPath, *Node) bool) bool {
	if n.whole {
		return yield(path, n)
	}
	for i := range n.children {
		if !n.children[i].leaves(append(path, n.step(i)), yield) {
			return false
		}
	}
	return true
}

// step returns the step to a child.
func (n *Node) step(i int) refconfig.Step {
	if _, isList := n.value.([]any); isList {
		return refconfig.Step{Index: i}
	}
	return refconfig.Key(n.children[i].key)
}

// Findings returns the findings of all parts, in the order of keys and indexes.
func (n *Node) Findings() (all []Finding) {
	if !n.HasFinding() {
		return nil
	}
	for _, leaf := range n.Leaves() {
		if leaf.HasFinding() {
			all = append(all, *leaf.note.Finding)
		}
	}
	return all
}

// Without returns the node without the fields that an omission omits, see tree.Omission.Rest.
func (n *Node) Without(o tree.Omission) *Node {
	switch {
	case n == nil || o.None():
		return n
	case len(n.children) == 0:
		own := *n
		own.value = o.Rest(n.value, nil, nil)
		return &own
	}
	var kept []Node // set once something is omitted
	_, isList := n.value.([]any)
	for i := range n.children {
		child := &n.children[i]
		gone, below := o.Below(n.step(i))
		rest := child.Without(below)
		stays := gone == nil && (isList || !rest.isEmptied(child))
		if kept == nil && (!stays || rest != child) {
			kept = append(make([]Node, 0, len(n.children)), n.children[:i]...)
		}
		if kept != nil && stays {
			kept = append(kept, *rest)
		}
	}
	if kept == nil {
		return n
	}
	rest := Node{}
	if isList {
		rest = List(kept)
	} else {
		rest = Map(kept)
	}
	rest.key = n.key
	return &rest
}

// isEmptied reports whether a map has lost all the keys that it had before.
func (n *Node) isEmptied(before *Node) bool {
	m, isMap := n.value.(map[string]any)
	was, _ := before.value.(map[string]any)
	return isMap && len(m) == 0 && len(was) > 0
}
