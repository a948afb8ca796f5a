package inspect

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/function"
)

// lookup is lookupCR or lookupCRs.
func lookup(w *walker, f *function.Function, args []value, n *parse.CommandNode) value {
	l := &Lookup{At: w.file.Place(n.Position()).String()}
	for i, field := range []*string{&l.APIVersion, &l.Kind, &l.Namespace, &l.Name} {
		if i >= len(args) {
			break
		}
		w.tested(args[i])
		c, ok := args[i].constant()
		text, isText := c.(string)
		if !ok || !isText && c != nil {
			l.Computed = append(l.Computed, []string{"apiVersion", "kind", "namespace", "name"}[i])
			continue
		}
		if *field = text; text == "*" {
			*field = ""
		}
	}
	if i := slices.IndexFunc(w.lookups, l.same); i >= 0 {
		l = w.lookups[i]
	} else {
		w.lookups = append(w.lookups, l)
	}
	v := value{is: []origin{{lookup: l, use: w.use(n)}}}
	if f.Name == "lookupCR" {
		v.present = v.is
	}
	return v
}

func (l *Lookup) same(m *Lookup) bool {
	return l.APIVersion == m.APIVersion && l.Kind == m.Kind && l.Namespace == m.Namespace && l.Name == m.Name && l.At == m.At &&
		slices.Equal(l.Computed, m.Computed)
}

// what names the CRs that are looked up.
func (l *Lookup) what() string {
	part := func(field, value string) string {
		switch {
		case slices.Contains(l.Computed, field):
			return "(computed)"
		case value == "":
			return "*"
		}
		return value
	}
	if slices.Contains(l.Computed, "kind") || slices.Contains(l.Computed, "apiVersion") {
		return "CRs of which these are computed: " + strings.Join(l.Computed, ", ")
	}
	words := []string{part("kind", l.Kind)}
	if l.Namespace != "" || slices.Contains(l.Computed, "namespace") {
		words = append(words, part("namespace", l.Namespace))
	}
	return strings.Join(append(words, part("name", l.Name)), "/") + " (" + part("apiVersion", l.APIVersion) + ")"
}
