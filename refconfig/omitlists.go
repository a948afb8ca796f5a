package refconfig

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// omitLists are the lists of fields to omit of a metadata file, and the built-in one.
type omitLists struct {
	lists    map[string][]omitItem
	names    []string    // in the order of the file, the built-in one last
	near     *code.Names // suggests one of the names
	standard []OmitEntry // the default
	resolved map[string][]OmitEntry
}

// omitItem is an entry of a list as written: a field, or another list to include.
type omitItem struct {
	entry   OmitEntry
	include string         // the name of a list; entry is then unset
	at      *kubeyaml.Node // location of include
}

// readOmitLists reads fieldsToOmit: items and defaultOmitRef.
func (m *metadata) readOmitLists(n *kubeyaml.Node) {
	o := &omitLists{lists: map[string][]omitItem{}, standard: BuiltInOmit(), resolved: map[string][]OmitEntry{}}
	m.omit = o
	fields, _ := m.Mapping(n, "fieldsToOmit", []string{"defaultOmitRef", "items"})
	items, _ := m.OpenMapping(fields.Field("items"), "items")
	for _, f := range items.Fields {
		if f.Key == BuiltInOmitList {
			m.warnAt(f.Name, code.RefOmitReserved,
				"the list %q is built in and cannot be replaced, so this one is ignored; choose another name", f.Key)
			continue
		}
		o.lists[f.Key] = nil
		for _, n := range m.List(f.Node, "the list "+f.Key) {
			o.lists[f.Key] = append(o.lists[f.Key], m.omitEntry(n)...)
		}
		o.names = append(o.names, f.Key)
	}
	for _, e := range o.standard {
		o.lists[BuiltInOmitList] = append(o.lists[BuiltInOmitList], omitItem{entry: e})
	}
	o.names = append(o.names, BuiltInOmitList)
	o.near = code.NewNames(o.names)
	m.checkIncludes()
	if n := fields.Field("defaultOmitRef"); n != nil {
		name, ok := m.Text(n, "defaultOmitRef")
		if ok && name != "" {
			m.checkList(name, n, "defaultOmitRef")
			o.standard = o.resolve([]string{name}) // none if the list does not exist
		}
	}
}

// omitEntry reads an entry: pathToKey, with isPrefix if needed, or include in v2. An entry with
// both counts as two.
func (m *metadata) omitEntry(n *kubeyaml.Node) (items []omitItem) {
	fields, ok := m.Mapping(n, "an entry of a list of fields to omit", []string{"pathToKey", "isPrefix"}, "include")
	if !ok {
		return nil
	}
	m.otherVersion(fields.Lookup("include"))
	path, list := fields.Field("pathToKey"), fields.Field("include")
	include, ok := m.Text(list, "include")
	switch {
	case fields.Lookup("pathToKey") == nil && list == nil:
		m.faultAt(n, code.RefOmitEntry, "an entry has neither pathToKey nor include")
		return nil
	case !ok:
		return nil
	case path == nil && list != nil && include == "":
		m.faultAt(list, code.RefOmitEntry, "include is empty; it must be the name of a list")
		return nil
	}
	if include != "" {
		items = append(items, omitItem{include: include, at: list})
		if f := fields.Lookup("isPrefix"); f != nil && path == nil {
			m.warnAt(f.Name, code.RefNoEffect, "isPrefix has no effect with include; it needs a pathToKey")
		}
		if path == nil {
			return items
		}
		m.warnAt(n, code.RefOmitEntry, "an entry has both pathToKey and include; it is read as two entries")
	}
	entry := OmitEntry{Prefix: m.Flag(fields.Field("isPrefix"), "isPrefix"), Place: m.line(n)}
	if entry.Path, ok = m.pathToKey(path, n); ok {
		items = append(items, omitItem{entry: entry})
	}
	return items
}

// checkList reports a list that does not exist. In v2 it then omits nothing; in v1 that is an
// error.
func (m *metadata) checkList(name string, at *kubeyaml.Node, what string) {
	if _, ok := m.omit.lists[name]; ok {
		return
	}
	h := m.omit.near.DidYouMean(name)
	if h.Instead == "" && len(m.omit.names) <= 8 {
		h = h.After("; there are %s", code.Enumerate(m.omit.names, "and"))
	}
	if m.ref.Format == V2 {
		m.warnAt(at, code.RefOmitUnknown, "%s refers to the list %q, which does not exist and omits no field%s", what, name, h)
		return
	}
	m.faultAt(at, code.RefOmitUnknown, "%s refers to the list %q, which does not exist%s", what, name, h)
}

// checkIncludes reports includes of lists that do not exist, and cycles. Of each cycle it reports
// the include that closes it, starting from the first list in the file.
func (m *metadata) checkIncludes() {
	done := map[string]bool{}
	var way []string // the lists from the first to the current one
	var visit func(name string)
	visit = func(name string) {
		way = append(way, name)
		for _, item := range m.omit.lists[name] {
			if item.include == "" {
				continue
			}
			m.checkList(item.include, item.at, "include")
			if i := slices.Index(way, item.include); i >= 0 {
				circle := append(slices.Clone(way[i:]), item.include)
				m.faultAt(item.at, code.RefOmitCircle, "lists include each other in a cycle: %s", strings.Join(circle, " → "))
			} else if !done[item.include] {
				visit(item.include)
			}
		}
		done[name] = true
		way = way[:len(way)-1]
	}
	for _, name := range m.omit.names {
		if !done[name] {
			visit(name)
		}
	}
}

// resolve returns the entries of the lists and of the lists that they include, each entry once.
func (o *omitLists) resolve(names []string) []OmitEntry {
	together := strings.Join(names, "\x00")
	if entries, ok := o.resolved[together]; ok {
		return entries
	}
	var entries []OmitEntry
	listed, visited := map[string]bool{}, map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if visited[name] { // a cycle, reported already
			return
		}
		visited[name] = true
		for _, item := range o.lists[name] {
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
