package refconfig

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
)

// omitLists are the lists of fields to omit of one metadata file, the built-in one included.
type omitLists struct {
	lists    map[string]*omitList
	names    []string    // in the order of the file, the built-in one at the end
	standard []OmitEntry // the default
	resolved map[string][]OmitEntry
}

// omitList is a list as it is written: its own entries, and other lists that it includes, in their order.
type omitList struct {
	name  string
	items []omitItem
}

type omitItem struct {
	entry   OmitEntry
	include string // the name of a list; then there is no entry
	at      place
}

// readOmitLists reads fieldsToOmit: items and defaultOmitRef.
func (m *metadata) readOmitLists(n *yaml.Node) *omitLists {
	o := builtInLists()
	m.omit = o
	if n == nil {
		return o
	}
	fields, ok := m.mapping(n, "fieldsToOmit", []string{"defaultOmitRef", "items"})
	if !ok {
		return o
	}
	if items := fields.field("items"); items != nil {
		m.omitItems(items)
	}
	m.checkIncludes()
	if n := fields.field("defaultOmitRef"); n != nil {
		name, ok := m.text(n, "defaultOmitRef")
		if ok && name != "" && m.knownList(name, n, "defaultOmitRef") {
			o.standard = o.resolve([]string{name})
		}
	}
	return o
}

func builtInLists() *omitLists {
	list := &omitList{name: BuiltInOmitList}
	for _, e := range builtInOmit() {
		list.items = append(list.items, omitItem{entry: e})
	}
	return &omitLists{lists: map[string]*omitList{BuiltInOmitList: list}, names: []string{BuiltInOmitList}, standard: builtInOmit(), resolved: map[string][]OmitEntry{}}
}

func (m *metadata) omitItems(n *yaml.Node) {
	items, _ := m.openMapping(n, "items")
	var names []string
	for _, f := range items.fields {
		if f.key == BuiltInOmitList {
			m.fault(code.RefOmitReserved, m.at(f.name), "the list %q is built in and cannot be replaced; give this one another name", f.key)
			continue
		}
		list := &omitList{name: f.key}
		for _, n := range m.list(f.node, "the list "+f.key) {
			if item, ok := m.omitItem(n); ok {
				list.items = append(list.items, item)
			}
		}
		m.omit.lists[f.key] = list
		names = append(names, f.key)
	}
	m.omit.names = append(names, m.omit.names...)
}

// omitItem reads an entry: pathToKey with isPrefix if it is wanted, or, in v2, include.
func (m *metadata) omitItem(n *yaml.Node) (item omitItem, ok bool) {
	fields, ok := m.mapping(n, "an entry of a list of fields to omit", []string{"pathToKey", "isPrefix"}, "include")
	if !ok {
		return item, false
	}
	path, include := fields.field("pathToKey"), fields.field("include")
	m.otherVersion(fields.lookup("include"), V2)
	switch {
	case path != nil && include != nil:
		m.fault(code.RefOmitEntry, m.at(n), "an entry has pathToKey and include; make two of it")
		return item, false
	case include != nil:
		if f := fields.lookup("isPrefix"); f != nil {
			m.fault(code.RefOmitEntry, m.at(f.name), "isPrefix belongs to a pathToKey; with include it means nothing")
		}
		item.at = m.at(include)
		item.include, ok = m.text(include, "include")
		if ok && item.include == "" {
			m.fault(code.RefOmitEntry, item.at, "include is empty; it must be the name of a list")
			return item, false
		}
		return item, ok
	case path == nil && fields.lookup("pathToKey") == nil:
		m.fault(code.RefOmitEntry, m.at(n), "an entry has neither pathToKey nor include")
		return item, false
	}
	item.entry.Prefix = m.flag(fields.field("isPrefix"), "isPrefix")
	item.entry.Path, ok = m.pathToKey(path, n)
	return item, ok
}

// knownList reports whether there is a list of this name, and says so if there is none.
func (m *metadata) knownList(name string, n *yaml.Node, what string) bool {
	if m.omit.lists[name] != nil {
		return true
	}
	m.noList(name, m.at(n), what)
	return false
}

func (m *metadata) noList(name string, at place, what string) {
	if h := hint(name, m.omit.names); h != "" {
		m.fault(code.RefOmitUnknown, at, "%s names the list %q, which does not exist%s", what, name, h)
		return
	}
	m.fault(code.RefOmitUnknown, at, "%s names the list %q, which does not exist; there are %s", what, name, enumerate(m.omit.names, "and"))
}

// checkIncludes looks for includes of lists that do not exist, and for circles. Of each circle the include that closes it
// is reported, coming from the list that stands first in the file.
func (m *metadata) checkIncludes() {
	done := map[string]bool{}
	var way []string // the lists from the one that was begun with to the present one
	index := map[string]int{}
	var visit func(list *omitList)
	visit = func(list *omitList) {
		index[list.name] = len(way)
		way = append(way, list.name)
		for _, item := range list.items {
			if item.include == "" {
				continue
			}
			next := m.omit.lists[item.include]
			if next == nil {
				m.noList(item.include, item.at, "include")
			} else if i, onWay := index[next.name]; onWay {
				circle := append(slices.Clone(way[i:]), next.name)
				m.fault(code.RefOmitCircle, item.at, "lists include each other in a circle: %s", strings.Join(circle, " → "))
			} else if !done[next.name] {
				visit(next)
			}
		}
		done[list.name] = true
		delete(index, list.name)
		way = way[:len(way)-1]
	}
	for _, name := range m.omit.names {
		if !done[name] {
			visit(m.omit.lists[name])
		}
	}
}

// resolve returns the entries of the lists with those of the lists that they include, each entry once.
func (o *omitLists) resolve(names []string) []OmitEntry {
	together := strings.Join(names, "\x00")
	if entries, ok := o.resolved[together]; ok {
		return entries
	}
	var entries []OmitEntry
	listed, visited := map[string]bool{}, map[string]bool{}
	var add func(name string)
	add = func(name string) {
		list := o.lists[name]
		if list == nil || visited[name] { // a circle is an error that was noted
			return
		}
		visited[name] = true
		for _, item := range list.items {
			if item.include != "" {
				add(item.include)
			} else if key := item.entry.String(); !listed[key] {
				listed[key] = true
				entries = append(entries, item.entry)
			}
		}
	}
	for _, name := range names {
		add(name)
	}
	o.resolved[together] = entries
	return entries
}
