package manifest

import (
	"bytes"
	"slices"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// nested reads the objects in the fields and elements of a value that is no object, and reports
// whether there are any. It reads only a container, which holds nothing else: a map of CRs by file
// name, the events of a watch, an AdmissionReview. In other documents, such as the tasks of Ansible
// or an API with examples, they are no CRs of the cluster. item is the index of the value in its
// List, or -1.
func (r *reader) nested(h *head, item int) bool {
	excused := r.hints.Chart || r.name.excuse != ""
	if excused || r.inside != nil || h.source.form != kept && !namesVersion(h.source.text) {
		return false
	}
	n, whole, fault := r.decoded(h)
	if fault != nil {
		return r.brokenNested(whole, fault)
	}
	c := container{maps: r.name.manifest}
	c.add(n, whole, whole.end())
	switch {
	case !slices.ContainsFunc(c.parts, part.isObject):
		return false
	case c.mixed:
		if r.name.manifest { // not a log with records about objects
			r.enclose(c.parts)
		}
		return false
	}
	r.contain(c.parts, item)
	return true
}

// namesVersion reports whether YAML or JSON may have an apiVersion with a text, as each object has. A
// description of an API, which can be large, has only fields of that name.
func namesVersion(text []byte) bool {
	key := []byte("apiVersion")
	for {
		_, after, found := bytes.Cut(text, key)
		if !found {
			return false
		}
		text = after
		value := bytes.TrimLeft(after, "\"' \t\r\n")
		if !bytes.HasPrefix(value, []byte(":")) {
			continue
		}
		value = bytes.TrimLeft(value[1:], " \t\r")
		isMap := bytes.HasPrefix(value, []byte("{"))
		if below, ends := bytes.CutPrefix(value, []byte("\n")); ends {
			line, _, _ := bytes.Cut(bytes.TrimLeft(below, " \t\r\n"), []byte("\n"))
			field, _, found := bytes.Cut(line, []byte(":"))
			isMap = bytes.HasPrefix(line, []byte("{")) || found && !bytes.ContainsAny(field, ` ,#"'`)
		}
		if !isMap {
			return true
		}
	}
}

// decoded returns the whole value of a head, and the source that its offsets refer to.
func (r *reader) decoded(h *head) (*kubeyaml.Node, source, *kubeyaml.SyntaxError) {
	whole := h.source
	whole.origin, whole.limits = 0, r.limits
	if h.decoded != nil {
		return whole.fill(h.decoded), whole, nil
	}
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

// container collects the objects in a value that is no object.
type container struct {
	maps  bool // maps may be containers: the file is no log
	parts []part
	mixed bool // the value holds other things, too
}

// part is an object or List in a container, what is left of one, or what a server returned in its
// place.
type part struct {
	*head
	event    *kubeyaml.Node // the event of a watch that it is in, or nil
	field    string         // a field around it that a later one of the same name replaces, or ""
	replaced int            // line of that later field
}

// isObject reports whether a part is an object, complete or not, or an event about one.
func (p part) isObject() bool { return p.event != nil || p.isNested() || p.isMeant() }

// add collects the objects in a value whose text ends at end.
func (c *container) add(n *kubeyaml.Node, whole source, end int) {
	switch n.Kind {
	case kubeyaml.List:
		whole, ends := whole.elements(n, end)
		for i, v := range n.Values {
			c.add(v, whole, ends[i])
		}
	case kubeyaml.Map:
		c.addMap(n, whole, end)
	default:
		c.mixed = c.mixed || !n.IsNull()
	}
}

func (c *container) addMap(n *kubeyaml.Node, whole source, end int) {
	h := headOf(n, whole.part(n, end), nil)
	_, request := n.Field("request")
	switch {
	case isEvent(n):
		_, object := n.Field("object")
		of := headOf(object, whole.part(object, nextField(n, object, end)), nil)
		c.parts = append(c.parts, part{head: of, event: n})
	case h.isObject() && holdsRequest(h.apiVersion):
		if _, object := request.Field("object"); object != nil {
			c.add(object, whole, nextField(request, object, nextField(n, request, end)))
		}
	case h.isNested(), h.isMeant(), h.apiVersion != "" && h.isRest(),
		h.isObject() && notStored(h.apiVersion, h.kind) != "":
		c.parts = append(c.parts, part{head: h})
	case h.isObject(), !c.maps: // a reference to an object, or the record of a log
		c.mixed = true
	default:
		c.addFields(n, whole, end)
	}
}

func (c *container) addFields(n *kubeyaml.Node, whole source, end int) {
	beside := besideObjects(n)
	ends := fieldEnds(n, end)
	for i, v := range n.Values {
		if !slices.Contains(beside, kubeyaml.KeyString(n.Keys[i])) {
			c.add(v, whole, ends[i])
		}
	}
	for i, v := range n.Replaced() {
		before := len(c.parts)
		c.add(v, source{form: kept, node: v}, 0)
		name := kubeyaml.KeyString(n.Duplicates()[i])
		for at := range c.parts[before:] {
			c.parts[before+at].field, c.parts[before+at].replaced = name, repeated(n, name)
		}
	}
}

// besideObjects returns the fields that a container of a known shape has besides those with objects:
// a List without its kind, or a list that PowerShell printed.
func besideObjects(n *kubeyaml.Node) []string {
	for _, shape := range [][]string{{"items", "apiVersion", "metadata"}, {"value", "Count"}} {
		isOther := func(key *kubeyaml.Node) bool { return !slices.Contains(shape, kubeyaml.KeyString(key)) }
		_, list := n.Field(shape[0])
		if list != nil && list.Kind == kubeyaml.List && !slices.ContainsFunc(n.Keys, isOther) {
			return shape[1:]
		}
	}
	return nil
}

// isBareList reports whether a value is a List without its kind. Other documents have items, too.
func (r *reader) isBareList(h *head) bool {
	if !h.list || h.kind != "" || len(h.items) == 0 {
		return false
	}
	n, _, fault := r.decoded(h)
	return h.apiVersion != "" || fault != nil || besideObjects(n) != nil
}

// contain reads the parts of a container.
func (r *reader) contain(parts []part, item int) {
	last := 0 // line of the last field that replaces another
	for _, p := range parts {
		switch {
		case p.replaced > 0 && p.replaced == last:
		case p.replaced > 0:
			last = p.replaced
			r.replaced(p.field, p.replaced, item)
		case p.event != nil:
			r.event(p, item)
		default:
			r.item(p.head, item)
		}
	}
}

// isNested reports whether a value inside another that is no object is an object, rather than a
// reference to one.
func (h *head) isNested() bool {
	return h.isList() || h.isObject() && h.metadata && notStored(h.apiVersion, h.kind) == ""
}

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
func (r *reader) event(p part, item int) {
	h := p.head
	key, _ := p.event.Field("object")
	_, kind := p.event.Field("type")
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
