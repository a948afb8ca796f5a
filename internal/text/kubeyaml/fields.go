package kubeyaml

import "slices"

// fields collects the keys and values of a map in source order. Two keys are equal if they are the
// same JSON key.
type fields struct {
	all   []field
	index map[string]int // index of each name, if there are many
	lost  []field        // fields that a later one of the same name replaced
}

type field struct {
	name       string
	key, value *Node
	merged     bool // it came from a merge key, and a key of the map may replace it without a warning
}

func newFields(size int) *fields { return &fields{all: make([]field, 0, size)} }

// find returns the index of the field with a name, or -1.
func (f *fields) find(name string) int {
	const few = 12
	if len(f.all) <= few {
		return slices.IndexFunc(f.all, func(one field) bool { return one.name == name })
	}
	if f.index == nil {
		f.index = make(map[string]int, 2*len(f.all))
		for i, one := range f.all {
			f.index[one.name] = i
		}
	}
	if i, found := f.index[name]; found {
		return i
	}
	return -1
}

// add adds a field of the map itself.
func (f *fields) add(key, value *Node) *SyntaxError {
	name, fault := keyString(key)
	if fault != "" {
		return &SyntaxError{Line: key.Line, Column: key.Column, Message: fault}
	}
	f.put(field{name: name, key: key, value: value})
	return nil
}

// put adds a field. Of several fields with one name, the last wins, even if it came from a merge
// key. The YAML reader of Kubernetes does the same; in YAML itself, a merge key only adds missing
// fields.
func (f *fields) put(one field) {
	i := f.find(one.name)
	if i < 0 {
		f.append(one)
		return
	}
	if !f.all[i].merged {
		f.lost = append(f.lost, f.all[i])
	}
	f.all[i] = one
}

func (f *fields) append(one field) {
	if f.index != nil {
		f.index[one.name] = len(f.all)
	}
	f.all = append(f.all, one)
}

// set puts the fields into a map node.
func (f *fields) set(n *Node) {
	both := make([]*Node, 2*len(f.all))
	n.Keys, n.Values = both[:len(f.all):len(f.all)], both[len(f.all):]
	if len(f.lost) > 0 {
		n.Rare = &Rare{Tag: n.Tag()}
		for _, one := range f.lost {
			n.Rare.Duplicates = append(n.Rare.Duplicates, one.key)
			n.Rare.Replaced = append(n.Rare.Replaced, one.value)
		}
	}
	for i, one := range f.all {
		n.Keys[i], n.Values[i] = one.key, one.value
	}
}
