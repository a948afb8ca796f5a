package manifest

import (
	"slices"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/placeholder"
)

// open reads a document that is not valid YAML because of its placeholders. It declines a valid
// document, and one that is invalid even without them.
func (r *reader) open(d kubeyaml.Document) bool {
	nodes := r.readings(d)
	for i, n := range nodes {
		if i > 0 {
			r.document++
		}
		r.isYAML = true
		r.value(headOf(n, source{form: kept, node: n}, nil))
	}
	return len(nodes) > 0
}

// objectsIn reports whether one of the values has the fields of an object.
func (r *reader) objectsIn(nodes []*kubeyaml.Node) bool {
	return slices.ContainsFunc(
		nodes, func(n *kubeyaml.Node) bool { return headOf(n, source{form: kept, node: n}, nil).isObject() },
	)
}

// readings returns the values of a document by the first interpretation of its placeholders that is
// valid YAML; none for a document that is valid as it is.
func (r *reader) readings(d kubeyaml.Document) []*kubeyaml.Node {
	texts := placeholder.Readings(d.Text)
	if len(texts) == 0 || r.parseYAML(d).Fault == nil {
		return nil
	}
	for _, text := range texts {
		as := d
		as.Text = text
		p := r.parseYAML(as)
		if p.Fault != nil {
			continue
		}
		for _, n := range p.Nodes {
			restore(n, map[*kubeyaml.Node]bool{})
		}
		return p.Nodes
	}
	return nil
}

// restore puts the original placeholders back into a node and all nodes below it. done is the set
// of nodes that were restored, because aliases repeat nodes.
func restore(n *kubeyaml.Node, done map[*kubeyaml.Node]bool) {
	if done[n] {
		return
	}
	done[n] = true
	n.Text = placeholder.Restore(n.Text)
	for _, below := range [][]*kubeyaml.Node{n.Keys, n.Values, n.Duplicates(), n.Replaced()} {
		for _, one := range below {
			restore(one, done)
		}
	}
}

// Open reports whether an identity contains placeholders, so that the object is not known.
func (id ID) Open() bool {
	return slices.ContainsFunc([]string{id.APIVersion, id.Namespace, id.Name}, placeholder.In)
}
