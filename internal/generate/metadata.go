package generate

import (
	"strings"

	"github.com/validationtool/validationtool/internal/schema"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// metadata returns the metadata file for templates that are sorted by API group.
func metadata(all []*template) string {
	var b strings.Builder
	line := func(indent int, words ...string) {
		b.WriteString(strings.Repeat("  ", indent) + strings.Join(words, "") + "\n")
	}
	b.WriteString(schema.Comment("metadata"))
	line(0, "apiVersion: v2")
	line(0, "fieldsToOmit:")
	line(1, "defaultOmitRef: ", runtimeList)
	line(1, "items:")
	lists := map[string]bool{runtimeList: true}
	for _, t := range all {
		lists[t.list] = true
	}
	for _, r := range allRuntimeFields() {
		if !lists[r.list] {
			continue
		}
		line(2, r.list, ":")
		include := runtimeList
		if r.list == runtimeList {
			include = refconfig.BuiltInOmitList
		}
		line(3, "- include: ", include)
		for _, e := range r.entries() {
			line(3, "- pathToKey: ", e.Path.String())
			if e.Prefix {
				line(4, "isPrefix: true")
			}
		}
	}
	line(0, "parts:")
	for i := 0; i < len(all); {
		folder := all[i].folder
		line(1, "- name: ", tree.Scalar(folder))
		line(2, "components:")
		end := i
		var required, optional []*template
		for ; end < len(all) && all[end].folder == folder; end++ {
			if all[end].optional {
				optional = append(optional, all[end])
			} else {
				required = append(required, all[end])
			}
		}
		component(line, folder, "allOf", required)
		component(line, folder+"-optional", "anyOf", optional)
		i = end
	}
	return b.String()
}

// component writes a component, if it has templates.
func component(line func(indent int, words ...string), name, rule string, templates []*template) {
	if len(templates) == 0 {
		return
	}
	line(3, "- name: ", tree.Scalar(name))
	line(4, rule, ":")
	for _, t := range templates {
		line(5, "- path: ", tree.Scalar(t.file))
		if t.list != "" || len(t.perField) > 0 {
			line(6, "config:")
		}
		if t.list != "" {
			line(7, "fieldsToOmitRefs:")
			line(8, "- ", t.list)
		}
		for i, f := range t.perField {
			if i == 0 {
				line(7, "perField:")
			}
			line(8, "- pathToKey: ", tree.Scalar(f.Path.String()))
			line(9, "list: ", f.Function)
		}
	}
}
