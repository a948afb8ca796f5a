package manifest

import (
	"slices"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/placeholder"
)

// open reads a document that is no YAML because of its placeholders. It declines where it is, or
// where it is none without them either.
func (r *reader) open(d kubeyaml.Document) bool {
	nodes := r.readings(d)
	for i, n := range nodes {
		if i > 0 {
			r.document++
		}
		r.isYAML = true
		r.value(headOf(n, source{form: kept, node: n}))
	}
	return len(nodes) > 0
}

// objectsIn reports whether one of some values says of itself that it is an object.
func (r *reader) objectsIn(nodes []*kubeyaml.Node) bool {
	return slices.ContainsFunc(
		nodes, func(n *kubeyaml.Node) bool { return headOf(n, source{form: kept, node: n}).isObject() },
	)
}

// readings returns the values of a document by the first reading of its placeholders that is YAML;
// none where it needs none.
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

// restore gives the placeholders at and below a node their characters back. What aliases repeat is
// done once.
func restore(n *kubeyaml.Node, done map[*kubeyaml.Node]bool) {
	if done[n] {
		return
	}
	done[n] = true
	n.Text = placeholder.Restore(n.Text)
	for _, below := range [][]*kubeyaml.Node{n.Keys, n.Values, n.Duplicates} {
		for _, one := range below {
			restore(one, done)
		}
	}
}

// Open reports whether an identity has placeholders, so that it is not known of which object it is.
func (id ID) Open() bool {
	return slices.ContainsFunc([]string{id.APIVersion, id.Namespace, id.Name}, placeholder.In)
}
