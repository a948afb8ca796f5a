package refconfig

import (
	"maps"
	"reflect"
	"strconv"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// plainCR is a template that is a plain CR, and the CR without the fields that every reference omits.
type plainCR struct {
	template *Template
	value    any
	uid      string
	version  int64 // the resource version; 0 for none
}

// plainCRs are the plain CRs of a reference by their identity. A dump of a cluster has some of them several
// times, and a CR of the input is compared with one template only.
type plainCRs map[[4]string][]plainCR

// add adds a template. It returns the known one of the same CR, of which one is a copy or an older state; nil if
// there is none. The known one gets the newer state, and t the older.
func (p plainCRs) add(t *Template) *Template {
	nodes, err := kubeyaml.Limits{}.OrDefault().ParseAt(t.Source, 0)
	if err != nil || len(nodes) != 1 {
		return nil
	}
	object, _ := nodes[0].Value().(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	text := func(of map[string]any, key string) string { s, _ := of[key].(string); return s }
	id := [4]string{text(object, "apiVersion"), text(object, "kind"), text(metadata, "namespace"), text(metadata, "name")}
	if id[1] == "" || id[3] == "" { // it can be any CR
		return nil
	}
	one := plainCR{template: t, value: object, uid: text(metadata, "uid")}
	one.version, _ = strconv.ParseInt(text(metadata, "resourceVersion"), 10, 64)
	for _, entry := range BuiltInOmit() {
		one.value = without(one.value, entry.Path)
	}
	for i, known := range p[id] {
		isSame := one.uid != "" && one.uid == known.uid
		isState := isSame && one.version > 0 && known.version > 0 && one.version != known.version
		if !isState && !reflect.DeepEqual(one.value, known.value) {
			continue
		}
		if isState && one.version > known.version {
			*known.template, *t = *t, *known.template
			one.template = known.template
			p[id][i] = one
		}
		return known.template
	}
	p[id] = append(p[id], one)
	return nil
}

// without returns a value without the field at a path of keys.
func without(v any, path FieldPath) any {
	m, _ := v.(map[string]any)
	of, there := m[path[0].Key]
	if !there {
		return v
	}
	m = maps.Clone(m)
	if len(path) == 1 {
		delete(m, path[0].Key)
	} else {
		m[path[0].Key] = without(of, path[1:])
	}
	return m
}
