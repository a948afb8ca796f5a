package manifest

import (
	"bytes"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// nested reads the objects in the fields and elements of a value that is no object, and reports
// whether there are any: a map of CRs by file name, the events of a watch, an AdmissionReview. item
// is the index of the value in its List, or -1.
func (r *reader) nested(h *head, item int) bool {
	excused := r.hints.Chart || r.name.excuse != ""
	if excused || r.inside != nil || h.source.form != kept && !bytes.Contains(h.source.text, []byte("apiVersion")) {
		return false
	}
	n, whole, fault := r.decoded(h)
	if fault != nil {
		return r.brokenNested(whole, fault)
	}
	return r.nestedBelow(n, whole, whole.end(), item)
}

// decoded returns the whole value of a head, and the source that its offsets refer to.
func (r *reader) decoded(h *head) (*kubeyaml.Node, source, *kubeyaml.SyntaxError) {
	whole := h.source
	whole.origin, whole.limits = 0, r.limits
	defer r.room(whole.text)()
	n, fault := whole.parse(&kubeyaml.Room{})
	return n, whole, fault
}

// brokenNested records that a value whose head was read does not parse.
func (r *reader) brokenNested(whole source, fault *kubeyaml.SyntaxError) bool {
	language := "JSON"
	if r.isYAML {
		language = "YAML"
	}
	r.broken(kubeyaml.Document{Text: whole.text, Base: whole.base}, language, fault)
	return true
}

// nestedBelow reads the objects below a value whose text ends at end, and reports whether there are
// any.
func (r *reader) nestedBelow(n *kubeyaml.Node, whole source, end, item int) (found bool) {
	switch {
	case n.Kind == kubeyaml.List:
		whole, ends := whole.elements(n, end)
		for i, v := range n.Values {
			found = r.nestedValue(v, whole, ends[i], item) || found
		}
	case n.Kind == kubeyaml.Map && isEvent(n):
		return r.event(n, whole, end, item)
	case n.Kind == kubeyaml.Map && r.name.manifest:
		ends := fieldEnds(n, end)
		for i, v := range n.Values {
			if kubeyaml.KeyString(n.Keys[i]) != beforeRequest {
				found = r.nestedValue(v, whole, ends[i], item) || found
			}
		}
		for i, v := range n.Replaced() {
			if key := kubeyaml.KeyString(n.Duplicates()[i]); holdsObject(v) {
				found = r.replaced(key, repeated(n, key), item)
			}
		}
	}
	return found
}

// nestedValue reads a value if it is an object or List, else the objects below it.
func (r *reader) nestedValue(n *kubeyaml.Node, whole source, end, item int) bool {
	if n.Kind != kubeyaml.Map {
		return r.nestedBelow(n, whole, end, item)
	}
	h := headOf(n, whole.part(n, end), nil)
	switch {
	case h.isNested(), h.isMeant():
		r.item(h, item)
		return true
	case h.isObject() && !holdsRequest(h.apiVersion):
		return false // a reference to an object
	}
	return r.nestedBelow(n, whole, end, item)
}

// isNested reports whether a value inside another that is no object is an object, rather than a
// reference to one.
func (h *head) isNested() bool {
	return h.isList() || h.isObject() && h.metadata && notStored(h.apiVersion, h.kind) == ""
}

// holdsObject reports whether a value, or one below it, is an object.
func holdsObject(n *kubeyaml.Node) bool {
	if n.Kind == kubeyaml.Scalar {
		return false
	}
	return headOf(n, source{form: kept, node: n}, nil).isNested() ||
		slices.ContainsFunc(n.Values, holdsObject)
}

// beforeRequest is the field of an AdmissionReview with the object as it was before the request.
const beforeRequest = "oldObject"

// holdsRequest reports whether values of an apiVersion are requests to store an object.
func holdsRequest(apiVersion string) bool { return groupOf(apiVersion) == "admission.k8s.io" }

// fieldEnds returns, for each value of a map, the offset of the next field in its text, or end.
func fieldEnds(n *kubeyaml.Node, end int) []int {
	var starts []int
	for _, key := range slices.Concat(n.Keys, n.Duplicates()) {
		starts = append(starts, key.Offset)
	}
	slices.Sort(starts)
	ends := make([]int, len(n.Values))
	for i, v := range n.Values {
		ends[i] = end
		if next, _ := slices.BinarySearch(starts, v.Offset+1); next < len(starts) {
			ends[i] = min(end, starts[next])
		}
	}
	return ends
}

// The types of events of a watch that say more than that an object exists.
const (
	eventDeleted  = "DELETED"
	eventBookmark = "BOOKMARK"
	eventError    = "ERROR"
)

// isEvent reports whether a map is an event of a watch, as kubectl get --output-watch-events prints
// it.
func isEvent(n *kubeyaml.Node) bool {
	_, object := n.Field("object")
	_, kind := n.Field("type")
	return len(n.Keys) == 2 && object != nil && object.Kind == kubeyaml.Map &&
		slices.Contains([]string{"ADDED", "MODIFIED", eventDeleted, eventBookmark, eventError}, textOf(kind))
}

// watched is the last event of an object.
type watched struct {
	head           *head // nil if the object was deleted
	item, document int
}

// event records an event of a watch. A later event of the same object replaces it.
func (r *reader) event(n *kubeyaml.Node, whole source, end, item int) bool {
	_, kind := n.Field("type")
	key, object := n.Field("object")
	h := headOf(object, whole.part(object, nextField(n, object, end)), nil)
	switch eventType := textOf(kind); {
	case eventType == eventBookmark:
	case eventType == eventError:
		r.out.Warnings = append(r.out.Warnings, refconfig.Problem{
			Code: code.DocumentBroken, Place: r.place(key.Line, item),
			Message: "a watch ended with an error here, so later changes of CRs are missing; get the CRs again",
		})
		r.item(h, item)
	case !h.isNested() || h.again > 0:
		r.item(h, item)
	default:
		id := h.id()
		at, known := r.events[id]
		if !known {
			if r.events == nil {
				r.events = map[ID]int{}
			}
			at = len(r.watched)
			r.events[id] = at
			r.watched = append(r.watched, watched{})
		}
		r.watched[at] = watched{head: h, item: item, document: r.document}
		if eventType == eventDeleted {
			r.watched[at].head = nil
		}
	}
	return true
}

// endWatch reads the objects that exist after the last event.
func (r *reader) endWatch() {
	for _, w := range r.watched {
		if w.head != nil {
			r.document = w.document
			r.item(w.head, w.item)
		}
	}
}
