package provenance

import (
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Draft is a changed copy of a node that is being made. It copies a map or list only once, however
// many changes there are in it, and shares what does not change.
type Draft struct {
	node   *Node             // what was there before the changes
	value  any               // the value now
	fields map[string]*Draft // the children of a map in which something changes; nil if nothing does
	items  []*Draft          // those of a list; nil if nothing changes
}

// Edit returns a draft that is equal to the node.
func (n *Node) Edit() *Draft { return &Draft{node: n, value: n.Value()} }

// Value returns the present value. The next change may change it.
func (d *Draft) Value() any { return d.value }

// At returns the node at a path without wildcards, or nil. It is valid until the next change.
func (d *Draft) At(path refconfig.FieldPath) *Node {
	for i, step := range path {
		switch {
		case d.fields != nil:
			below, there := d.fields[step.Key]
			if !there {
				return nil
			}
			d = below
		case d.items != nil:
			if step.Index < 0 || step.Index >= len(d.items) {
				return nil
			}
			d = d.items[step.Index]
		default:
			return d.node.At(path[i:])
		}
	}
	return d.Done()
}

// Set replaces the node at a path, adds one to a map, or removes it from a map if n is nil. It
// returns false if the path does not lead to a key of a map or to an item of a list. A map or list
// that has one note as a whole keeps it, and one without notes gets none.
func (d *Draft) Set(path refconfig.FieldPath, n *Node) bool {
	if len(path) == 0 {
		if n != nil {
			*d = *n.Edit()
		}
		return n != nil
	}
	step, last := path[0], len(path) == 1
	d.enter()
	if n != nil && len(d.node.children) == 0 {
		n = Plain(n.value)
	}
	switch v := d.value.(type) {
	case map[string]any:
		below, there := d.fields[step.Key]
		switch {
		case last && n == nil:
			delete(d.fields, step.Key)
			delete(v, step.Key)
			return true
		case !there && !last:
			return false
		case last:
			below = &Draft{}
			d.fields[step.Key] = below
		}
		done := below.Set(path[1:], n)
		v[step.Key] = below.value
		return done
	case []any:
		if step.Index < 0 || step.Index >= len(v) {
			return false
		}
		below := d.items[step.Index]
		done := below.Set(path[1:], n)
		v[step.Index] = below.value
		return done
	}
	return false
}

// enter copies a map or list, unless it is copied already.
func (d *Draft) enter() {
	switch v := d.value.(type) {
	case map[string]any:
		if d.fields != nil {
			return
		}
		d.value, d.fields = maps.Clone(v), make(map[string]*Draft, len(v))
		children := make([]Draft, 0, len(v)) // one allocation for all
		for k := range v {
			children = append(children, *d.node.Child(k).Edit())
			d.fields[k] = &children[len(children)-1]
		}
	case []any:
		if d.items != nil {
			return
		}
		d.value, d.items = slices.Clone(v), make([]*Draft, len(v))
		for i := range v {
			d.items[i] = d.node.Item(i).Edit()
		}
	}
}

// Done returns the node with all changes. The draft must not be changed any more.
func (d *Draft) Done() *Node {
	if d.fields == nil && d.items == nil {
		return d.node
	}
	n := *d.node
	n.value = d.value
	if len(n.children) == 0 {
		return &n
	}
	children := make([]Node, 0, len(d.fields)+len(d.items))
	for _, k := range tree.Keys(d.fields) {
		children = append(children, d.fields[k].Done().Under(k))
	}
	for _, item := range d.items {
		children = append(children, *item.Done())
	}
	made := container(d.value, children)
	return &made
}
