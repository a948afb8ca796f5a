package yamlfile

import "math"

// deepest is how many values may lie in each other.
const deepest = 1000

// Value reads a node as a value of JSON, with texts, numbers and booleans as Kubernetes reads them. What names it in messages.
func (r *Reader) Value(n *Node, what string) (v any, ok bool) {
	return r.valueIn(n, what, 0)
}

func (r *Reader) valueIn(n *Node, what string, depth int) (any, bool) {
	if depth > deepest {
		r.fault(r.Codes.WrongType, n, "%s is nested deeper than %d values", what, deepest)
		return nil, false
	}
	n = Target(n)
	switch Kind(n) {
	case "a mapping":
		m, whole := map[string]any{}, true
		for _, f := range r.entries(n, what, 0) {
			v, ok := r.valueIn(f.Node, what, depth+1)
			m[f.Key], whole = v, whole && ok
		}
		return m, whole
	case "a list":
		l, whole := []any{}, true
		for _, below := range r.List(n, what) {
			v, ok := r.valueIn(below, what, depth+1)
			l, whole = append(l, v), whole && ok
		}
		return l, whole
	}
	return r.scalar(n, what)
}

// scalar reads a node without others below it.
func (r *Reader) scalar(n *Node, what string) (v any, ok bool) {
	if b, isBool := Boolean(n); isBool {
		return b, true
	}
	switch Kind(n) {
	case "nothing":
		return nil, true
	case "a number":
		err := n.Decode(&v)
		if f, isFloat := v.(float64); err != nil || isFloat && (math.IsNaN(f) || math.IsInf(f, 0)) {
			r.fault(r.Codes.WrongType, n, "%s holds %q, which is no number that JSON has", what, n.Value)
			return nil, false
		}
		return v, true
	}
	return n.Value, true
}
