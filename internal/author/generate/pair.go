package generate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Against makes the reference by which a cluster is compared with a base, another cluster. It states
// what the base has. What both have of their own (Owns) is left to the other cluster: templates print
// its value. CRs whose names contain those of the cluster have the names of the other one.
//
// The result also has the CRs of the other cluster that a reference of it would have, or that have a
// template.
func Against(
	ctx context.Context, base, other cluster.Collected, opt Options,
) (*Reference, []*manifest.Object, error) {
	s := selection{opt}
	r := &Reference{LeftOut: map[string]int{}}
	counts := map[*manifest.Object]bool{} // the CRs of the other cluster that are not left out
	more := map[manifest.ID]bool{}
	for _, o := range other.Objects {
		counts[o] = opt.Omitted([]*manifest.Object{o}) == nil
		more[o.ID] = more[o.ID] || counts[o] || mayBeSetting(o.ID)
	}
	all := r.sort([]cluster.Collected{base}, s, more)
	pairing := &pairing{}
	pairing.base, pairing.other = selvesOf(base.Objects, other.Objects)
	there := pairing.partners(all, other.Objects)
	for object, t := range there {
		t.objects = append(t.objects, object)
	}
	for _, t := range all {
		t.pairing = pairing
	}
	if err := r.make(ctx, all, opt); err != nil {
		return nil, nil, err
	}
	var kept []*manifest.Object
	for _, o := range other.Objects {
		if t := there[o]; t != nil && t.text != "" || counts[o] {
			kept = append(kept, o)
		}
	}
	r.Versions = [2]string{pairing.base.version, pairing.other.version}
	return r, kept, nil
}

// pairing compares the values of two clusters.
type pairing struct{ base, other *self }

// partners returns the template for each object of the other cluster that has the identity of the
// template's object, or else its identity apart from the names of the clusters.
func (p *pairing) partners(all []*template, others []*manifest.Object) map[*manifest.Object]*template {
	exact, alike := map[manifest.ID]*template{}, map[manifest.ID][]*template{}
	for _, t := range all {
		id := t.id
		id.APIVersion = id.Group()
		exact[id] = t
		alike[p.base.id(t.id)] = append(alike[p.base.id(t.id)], t)
	}
	found := map[*manifest.Object]*template{}
	taken := map[*template]bool{}
	rest := map[manifest.ID][]*manifest.Object{}
	for same := range manifest.Copies(others, false) {
		o := same[0]
		id := o.ID
		id.APIVersion = id.Group()
		if t := exact[id]; t != nil && !taken[t] {
			found[o], taken[t] = t, true
		} else {
			rest[p.other.id(o.ID)] = append(rest[p.other.id(o.ID)], o)
		}
	}
	for id, objects := range rest {
		free := slices.DeleteFunc(slices.Clone(alike[id]), func(t *template) bool { return taken[t] })
		if len(objects) == 1 && len(free) == 1 {
			found[objects[0]] = free[0]
		}
	}
	return found
}

// merging merges an object of the base with that of the other cluster.
type merging struct {
	*pairing
	in      scope
	fields  *Fields
	objects []map[string]any // those of the base and of the other cluster, as they were decoded
	row     runtimeFields    // the fields to which the clusters assign values
}

// object returns what a template states: the object of the base, with the identity of the other.
func (m merging) object(base, other any) any {
	merged, _ := m.value(base, other, nil).(map[string]any)
	object, _ := other.(map[string]any)
	if merged == nil || object == nil {
		return base
	}
	merged["apiVersion"] = object["apiVersion"]
	metadata, _ := merged["metadata"].(map[string]any)
	for _, key := range []string{"name", "namespace"} {
		if name := tree.StringAt(other, "metadata", key); name != "" && metadata != nil {
			metadata[key] = name
		}
	}
	return merged
}

// value returns what the template states for a field: the value of the base, or the action that prints
// the value of the other cluster if both are only the clusters' own.
func (m merging) value(base, other any, at refconfig.FieldPath) any {
	if m.fields.left < 0 {
		return nil
	}
	switch b := base.(type) {
	case map[string]any:
		o, _ := other.(map[string]any)
		merged := make(map[string]any, len(b))
		for _, k := range tree.Keys(b) {
			v := b[k]
			of, ok := o[k]
			if !ok {
				k = m.key(k, b, o)
				of, ok = o[k]
			}
			if ok {
				v = m.value(v, of, at.Below(refconfig.Key(k)))
			} else {
				v = m.alone(v)
			}
			merged[k] = v
		}
		return merged
	case []any:
		o, _ := other.([]any)
		merged := make([]any, len(b))
		for i, j := range m.items(b, o, at) {
			if j >= 0 {
				merged[i] = m.value(b[i], o[j], at.Below(refconfig.Step{Index: j}))
			} else {
				merged[i] = m.alone(b[i])
			}
		}
		return merged
	case hidden:
		return m.secret(b, other, at)
	case string:
		o, ok := other.(string)
		if !ok || o == b {
			return base
		}
		switch found, alike := m.alike(b, o, at); {
		case alike:
			m.note(found, b, o, at)
			return m.fields.action(at, o)
		case strings.Contains(b, "\n") || strings.ContainsAny(b, "{,"):
			return m.text(b, o, at)
		}
	}
	return base
}

// secret returns what the template states for a field with secret data: the action that prints the value
// of the other cluster if both differ only in that data and in what clusters have of their own, or else a
// text that differs from every secret.
func (m merging) secret(base hidden, other any, at refconfig.FieldPath) any {
	o, ok := other.(hidden)
	if !ok || !tree.Equal(m.base.plainValue(base.rest, m.in.below(at)), m.other.plainValue(o.rest, m.in.below(at))) {
		if of := base.stated(); !ok && of != other {
			return of
		}
		text, _ := base.value.(string)
		return fmt.Sprintf("(another hidden text, %s)", finding.Plural(len(text), "byte", "bytes"))
	}
	if !tree.Equal(base.value, o.value) {
		m.fields.Hidden++
		m.fields.agreed = append(
			m.fields.agreed,
			finding.BaseField{Path: at.String(), Name: ownSecrets, Base: hiddenText, Other: hiddenText},
		)
	}
	return m.fields.action(at, o)
}

// hiddenText stands for a secret.
const hiddenText = "(hidden)"

// stated returns what a template states in place of the value.
func (h hidden) stated() any { return hiddenText }

// key returns the key of the other map that differs from a key only in names of the clusters, and that the
// map of the base lacks; without one, the key itself.
func (m merging) key(key string, base, other map[string]any) string {
	plain, _ := m.base.plain(key, m.in)
	if plain == key {
		return key
	}
	for _, k := range tree.Keys(other) {
		if of, _ := m.other.plain(k, m.in); of == plain {
			if _, both := base[k]; !both {
				return k
			}
		}
	}
	return key
}

// alone returns a value of the base that the other cluster lacks, without secrets.
func (m merging) alone(v any) any {
	switch v := v.(type) {
	case hidden:
		return v.stated()
	case map[string]any:
		all := make(map[string]any, len(v))
		for k, one := range v {
			all[k] = m.alone(one)
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, one := range v {
			all[i] = m.alone(one)
		}
		return all
	}
	return v
}

// alike reports whether two texts differ only in what clusters have of their own, and returns the rows of
// Owns that were found in that of the base.
func (m merging) alike(base, other string, at refconfig.FieldPath) (found map[string]bool, alike bool) {
	b, found := m.base.plain(base, m.in.below(at))
	o, _ := m.other.plain(other, m.in.below(at))
	return found, b == o
}

// note counts a field, or a line of one, that clusters have of their own, and keeps both values.
func (m merging) note(found map[string]bool, base, other string, at refconfig.FieldPath) {
	name := m.fields.countOwn(found)
	m.fields.agreed = append(
		m.fields.agreed,
		finding.BaseField{Path: at.String(), Name: name, Base: shortened(base), Other: shortened(other)},
	)
}

// shortened returns a value on one line and not too long, for a list of values.
func shortened(value string) string {
	const most = 120 // characters
	runes := []rune(strings.TrimSpace(strings.ReplaceAll(value, "\n", " ")))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// text returns a text of the base in which what the clusters have of their own is that of the other:
// a piece that differs only in that from a piece of the other text becomes that piece. Pieces are lines,
// or the values of JSON in one line.
func (m merging) text(base, other string, at refconfig.FieldPath) string {
	in := m.in.below(at)
	cut := func(c rune) bool { return c == '\n' }
	if strings.Count(base, "\n") < 2 {
		cut = func(c rune) bool { return c == ',' || c == '\n' }
	}
	pieces := map[string][]string{} // of the other text, by what they are apart from the cluster
	has := map[string]bool{}
	for _, piece := range split(other, cut) {
		has[piece] = true
		plain, _ := m.other.plain(piece, in)
		pieces[plain] = append(pieces[plain], piece)
	}
	var b strings.Builder
	for _, piece := range split(base, cut) {
		if !has[piece] {
			plain, found := m.base.plain(piece, in)
			if of := pieces[plain]; len(of) > 0 {
				m.note(found, piece, of[0], at)
				piece, pieces[plain] = of[0], of[1:]
			}
		}
		b.WriteString(piece)
	}
	return b.String()
}

// split divides a text behind each separator.
func split(text string, cut func(rune) bool) (pieces []string) {
	for text != "" {
		i := strings.IndexFunc(text, cut) + 1
		i = cmp.Or(i, len(text))
		pieces = append(pieces, text[:i])
		text = text[i:]
	}
	return pieces
}

// items returns for each item of a list the index of the item of the other list that it is compared
// with, -1 for none: the one with its name, or as a comparison pairs them without what clusters have of
// their own, or one that differs in nothing else and stands elsewhere.
func (m merging) items(base, other []any, at refconfig.FieldPath) []int {
	partners, taken := make([]int, len(base)), make([]bool, len(other))
	named := map[string]int{}
	for j, v := range other {
		if name := tree.StringAt(v, "name"); name != "" {
			named[name] = j
		}
	}
	for i, v := range base {
		partners[i] = -1
		if j, ok := named[tree.StringAt(v, "name")]; ok && !taken[j] {
			partners[i], taken[j] = j, true
		}
	}
	var as, bs []int
	var bases, others []any
	for i, v := range base {
		if partners[i] < 0 {
			as, bases = append(as, i), append(bases, m.base.plainValue(v, m.in.below(at)))
		}
	}
	for j, v := range other {
		if !taken[j] {
			bs, others = append(bs, j), append(others, m.other.plainValue(v, m.in.below(at)))
		}
	}
	elsewhere := map[string][]int{}
	var alone []int
	texts := align.Texts(others)
	for _, pair := range align.Items(bases, others) {
		switch {
		case pair.A >= 0 && pair.B >= 0:
			partners[as[pair.A]] = bs[pair.B]
		case pair.A >= 0:
			alone = append(alone, pair.A)
		default:
			elsewhere[texts[pair.B]] = append(elsewhere[texts[pair.B]], bs[pair.B])
		}
	}
	for _, i := range alone {
		text := align.Texts(bases[i : i+1])[0]
		if free := elsewhere[text]; len(free) > 0 {
			partners[as[i]], elsewhere[text] = free[0], free[1:]
		}
	}
	return partners
}
