package generate

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// mayBeRange reports whether a cluster may have assigned an annotation of a Namespace: a block of 10,000 user
// ids, or a label of SELinux with two categories.
func mayBeRange(_ map[string]any, _ string, v any) bool {
	text, _ := v.(string)
	return regexp.MustCompile(`^(1\d{5}0000/10000|s0:c\d+,c\d+)$`).MatchString(text)
}

// mayBePort reports whether a cluster may have assigned an address or a node port of a Service. Only a person
// makes a Service headless.
func mayBePort(_ map[string]any, _ string, v any) bool {
	all, _ := v.([]any)
	return v != "None" && !slices.Contains(all, any("None"))
}

// mayBeToken reports whether a cluster may have added an item to the Secrets of a ServiceAccount: its name begins
// with that of the ServiceAccount, of which the cluster shortens long ones.
func mayBeToken(account map[string]any, _ string, item any) bool {
	return regexp.MustCompile(tokenOf(account)).MatchString(tree.StringAt(item, "name"))
}

// tokenOf returns the expression of the names of Secrets that a cluster makes for a ServiceAccount.
func tokenOf(account map[string]any) string {
	const longest, shortened = 47, 29
	of := tree.StringAt(account, "metadata", "name")
	begins := regexp.QuoteMeta(of)
	if len(of) > longest {
		begins = regexp.QuoteMeta(of[:shortened]) + ".*"
	}
	return "^" + begins + "-(token|dockercfg)-[a-z0-9]{5}$"
}

// mayBeFinalizer reports whether a controller of Kubernetes or of the release adds a finalizer as a matter of course,
// or while the object is used or deleted. Those of other programs and of users are settings.
func mayBeFinalizer(_ map[string]any, _ string, item any) bool {
	text, _ := item.(string)
	domain, _, _ := strings.Cut(text, "/")
	return slices.Contains([]string{"foregroundDeletion", "orphan", "external-attacher"}, domain) ||
		isWithin(domain, append(platformDomains(), "x-k8s.io", "metal3.io"))
}

// mayBeTaint reports whether a controller of Kubernetes taints a node, because of its state.
func mayBeTaint(_ map[string]any, _ string, item any) bool {
	domain, _, _ := strings.Cut(tree.StringAt(item, "key"), "/")
	return domain == "node.kubernetes.io" || domain == "node.cloudprovider.kubernetes.io"
}

// mayBeBinding reports whether a cluster bound a volume to a claim. Where a person did, it still notes the UID.
func mayBeBinding(object map[string]any, key string, _ any) bool {
	_, bound := tree.At(object, refconfig.PathOf("metadata", "annotations", "pv.kubernetes.io/bound-by-controller"))
	return bound || key == "uid" || key == "resourceVersion"
}

// adopt returns a value of the base in which what the clusters assigned, at the path of an entry, is as in the
// other cluster; nil for one that has nothing else. at is the path of the other value.
func (m merging) adopt(base, other any, e refconfig.OmitEntry, at refconfig.FieldPath) any {
	if items, isList := base.([]any); isList {
		others, _ := other.([]any)
		all := slices.Clone(items)
		for i, j := range m.items(items, others, at) {
			if j >= 0 {
				all[i] = m.adopt(items[i], others[j], e, at.Below(refconfig.Step{Index: j}))
			}
		}
		return all
	}
	b, isMap := base.(map[string]any)
	o, bothMaps := other.(map[string]any)
	if base != nil && !isMap || other != nil && !bothMaps {
		return base
	}
	all := map[string]any{}
	maps.Copy(all, b)
	last := len(at)+1 == len(e.Path)
	step := refconfig.OmitEntry{Path: e.Path[len(at) : len(at)+1], Prefix: e.Prefix && last}
	for _, k := range tree.Keys(tree.Beside(maps.Clone(all), o)) {
		if !step.Match(refconfig.PathOf(k)) {
			continue
		}
		path, v := at.Below(refconfig.Key(k)), b[k]
		if last {
			v = m.assigned(b, o, k, path)
		} else {
			v = m.adopt(v, o[k], e, path)
		}
		if all[k] = v; v == nil {
			delete(all, k)
		}
	}
	if len(all) == 0 && (base == nil || len(b) > 0) {
		return nil
	}
	return all
}

// assigned returns what the template states for a key of two maps: the value of the base, or that of the other
// cluster where both are assigned; nil for none.
func (m merging) assigned(base, other map[string]any, key string, at refconfig.FieldPath) any {
	b, o := base[key], other[key]
	if m.row.items != "" {
		return m.tokens(b, o, at)
	}
	for i, in := range []map[string]any{base, other} {
		v, has := in[key]
		if has && (!m.row.assigned(m.objects[i], key, v) || isWritten(m.objects[i], at, in, v)) {
			return b
		}
	}
	uid := tree.StringAt(m.objects[0], "metadata", "uid")
	if tree.Equal(b, o) || uid != "" && uid == tree.StringAt(m.objects[1], "metadata", "uid") {
		return b // only a person changes what an object was assigned
	}
	m.note(map[string]bool{ownAssigned: true}, inJSON(b), inJSON(o), at)
	return o
}

// tokens returns a list of the base with the items that the other cluster added in place of those that the base
// added; nil for no items.
func (m merging) tokens(base, other any, at refconfig.FieldPath) any {
	items, _ := base.([]any)
	others, _ := other.([]any)
	settings := func(i int) func(item any) bool {
		return func(item any) bool { return !m.row.assigned(m.objects[i], "", item) }
	}
	isSetting := settings(0)
	added := slices.DeleteFunc(slices.Clone(others), settings(1))
	was := slices.DeleteFunc(slices.Clone(items), isSetting)
	if tree.Equal(was, added) {
		return base
	}
	m.note(map[string]bool{ownAssigned: true}, inJSON(was), inJSON(added), at)
	var all []any
	for _, item := range items {
		switch {
		case isSetting(item):
			all = append(all, item)
		case len(added) > 0:
			all, added = append(all, added[0]), added[1:]
		}
	}
	if all = append(all, added...); all == nil {
		return nil
	}
	return all
}

// publicKeys returns an object of the base with as many public keys in its data as the other cluster has, if both
// have one.
func (m merging) publicKeys(base, other any) any {
	at := refconfig.PathOf("data")
	all, _ := tree.Copy(base).(map[string]any)
	data, _ := all["data"].(map[string]any)
	of, _ := tree.At(other, at)
	others, _ := of.(map[string]any)
	isKey := func(v any) bool { return m.base.plainValue(v, m.in) == "{PUBLIC KEY}" }
	either := func(in map[string]any) bool { return slices.ContainsFunc(slices.Collect(maps.Values(in)), isKey) }
	if !either(data) || !either(others) {
		return base
	}
	for _, k := range tree.Keys(tree.Beside(maps.Clone(data), others)) {
		v, o := data[k], others[k]
		switch path := at.Below(refconfig.Key(k)); {
		case v == nil && isKey(o):
			m.note(map[string]bool{ownKeys: true}, "", inJSON(o), path)
			data[k] = o
		case o == nil && isKey(v):
			m.note(map[string]bool{ownKeys: true}, inJSON(v), "", path)
			delete(data, k)
		}
	}
	return all
}

// inJSON returns a value for a list of values; "" for none.
func inJSON(v any) string {
	if text, isText := v.(string); isText || v == nil {
		return text
	}
	text, _ := tree.JSON(v)
	return text
}

// isWritten reports whether an object says that somebody wrote the value at a path, in a map of it: in a file
// that was applied, or by the manager of the field. What a cluster assigns to a new Service has no manager.
func isWritten(object map[string]any, at refconfig.FieldPath, in map[string]any, v any) bool {
	anywhere := slices.Clone(at)
	for i, step := range at {
		if step.Index >= 0 {
			anywhere[i] = refconfig.Step{Any: true}
		}
	}
	file := tree.StringAt(object, "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")
	if applied, err := tree.FromJSON([]byte(file)); err == nil {
		for _, one := range tree.Expand(applied, anywhere) {
			if of, _ := tree.At(applied, one); tree.Equal(of, v) {
				return true
			}
		}
	}
	return isManaged(object, at, in, "cluster-policy-controller", "openshift-controller-manager",
		"namespace-security-allocation-controller", "kube-controller-manager")
}

// isManaged reports whether an object says that the field at a path, in a map of it, has another manager than
// some.
func isManaged(object map[string]any, at refconfig.FieldPath, in map[string]any, but ...string) bool {
	metadata, _ := object["metadata"].(map[string]any)
	managers, _ := metadata["managedFields"].([]any)
	return slices.ContainsFunc(managers, func(manager any) bool {
		fields, _ := manager.(map[string]any)
		return !slices.Contains(but, tree.StringAt(manager, "manager")) && manages(fields["fieldsV1"], at, in)
	})
}

// manages reports whether the fields of a manager have the one at a path, whose last item of a list is in.
func manages(fields any, at refconfig.FieldPath, in map[string]any) bool {
	all, _ := fields.(map[string]any)
	if len(at) == 0 || all == nil {
		return len(at) == 0 && all != nil
	}
	if at[0].Index < 0 {
		return manages(all["f:"+at[0].Key], at[1:], in)
	}
	for name, below := range all {
		key, isKey := strings.CutPrefix(name, "k:")
		var item map[string]any
		if isKey && json.Unmarshal([]byte(key), &item) == nil && tree.Equal(tree.Merge(in, tree.Plain(item)), in) &&
			manages(below, at[1:], in) {
			return true
		}
	}
	return false
}
