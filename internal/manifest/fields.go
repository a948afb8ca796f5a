package manifest

// fields collects a map's keys and values in the order of the text. Keys are the same if JSON would have them so.
type fields struct {
	index  map[string]int
	keys   []*Node
	values []*Node
	merged []bool // came by a merge key, so that an explicit key replaces it
	lost   []*Node
}

func newFields(size int) *fields {
	return &fields{index: make(map[string]int, size), keys: make([]*Node, 0, size), values: make([]*Node, 0, size)}
}

// add takes a field that stands in the map itself: the last of several wins.
func (f *fields) add(key, value *Node) *SyntaxError {
	name, fault := keyString(key)
	if fault != "" {
		return &SyntaxError{Line: key.Line, Column: key.Column, Message: fault}
	}
	i, found := f.index[name]
	if !found {
		f.append(name, key, value, false)
		return nil
	}
	if !f.merged[i] {
		f.lost = append(f.lost, f.keys[i])
	}
	f.keys[i], f.values[i], f.merged[i] = key, value, false
	return nil
}

// merge takes a field of a map that a merge key names: it only fills a gap.
func (f *fields) merge(key, value *Node) {
	name := KeyString(key)
	if _, found := f.index[name]; !found {
		f.append(name, key, value, true)
	}
}

func (f *fields) append(name string, key, value *Node, merged bool) {
	f.index[name] = len(f.keys)
	f.keys = append(f.keys, key)
	f.values = append(f.values, value)
	f.merged = append(f.merged, merged)
}

// set fills the fields into a map node.
func (f *fields) set(n *Node) {
	n.Keys, n.Values, n.Duplicates = f.keys, f.values, f.lost
}
