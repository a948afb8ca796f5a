package lint

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/refconfig"
)

// siblings reports names that differ by one letter from a name that other templates of the reference
// have in the same role.
func (l *linter) siblings() {
	for _, role := range []string{"namespace", "group", "ServiceAccount"} {
		named := map[string][]refconfig.Place{}
		if role == "group" {
			for _, b := range builtIns() {
				named[b.group] = make([]refconfig.Place, 2) // used by Kubernetes itself
			}
		}
		for _, s := range l.subjects {
			for _, n := range s.named(role) {
				named[n.text] = append(named[n.text], n.at)
			}
		}
		for name, at := range named {
			if l.hasError(func(p refconfig.Place) bool { return p == at[0] }) {
				continue
			}
			if usual := usualFor(name, named); usual != "" {
				l.warn(code.RefSibling, at[0], "the %s %s is used only here; did you mean %s?%s",
					role, name, usual, code.Meant{Word: name, Instead: usual})
			}
		}
	}
}

// named is a name in a template.
type named struct {
	text string
	at   refconfig.Place
}

// named returns the names of a role in a template.
func (s *subject) named(role string) (all []named) {
	add := func(text string, at refconfig.Place) {
		if text != "" && !strings.Contains(text, "{{") {
			all = append(all, named{text, at})
		}
	}
	id := s.Identity
	apiVersion, _ := id.APIVersion.Exact()
	kind, _ := id.Kind.Exact()
	switch role {
	case "namespace":
		namespace, _ := id.Namespace.Exact()
		add(namespace, s.at("metadata", "namespace"))
		if name, _ := id.Name.Exact(); kind == "Namespace" {
			add(name, s.at("metadata", "name"))
		}
	case "group":
		group, _ := groupOf(apiVersion)
		add(group, s.at("apiVersion"))
	case "ServiceAccount":
		if name, _ := id.Name.Exact(); kind == role {
			add(name, s.at("metadata", "name"))
		}
	}
	s.root.Each(nil, func(path refconfig.FieldPath, p *probe.Part) {
		text, _ := p.Value.(string)
		above := ""
		if len(path) > 1 {
			above = path[len(path)-2].Key
		}
		switch {
		case role == "group" && p.Key == "apiGroup", role == "ServiceAccount" && p.Key == "serviceAccountName",
			role == "ServiceAccount" && p.Key == "name" && above == "serviceAccount":
			add(text, p.ValueAt)
		case role == "namespace" && p.Item && above == "targetNamespaces":
			add(text, p.ValueAt)
		case role == "ServiceAccount" && p.Item && above == "subjects":
			if name := p.Find(refconfig.PathOf("name")); name != nil && isServiceAccount(p) {
				text, _ := name.Value.(string)
				add(text, name.ValueAt)
			}
		case role == "namespace" && p.Item && above == "subjects":
			if name := p.Find(refconfig.PathOf("namespace")); name != nil {
				text, _ := name.Value.(string)
				add(text, name.ValueAt)
			}
		}
	})
	return all
}

// isServiceAccount reports whether a subject of a binding is a ServiceAccount.
func isServiceAccount(p *probe.Part) bool {
	kind := p.Find(refconfig.PathOf("kind"))
	return kind != nil && kind.Value == "ServiceAccount"
}

// usualFor returns the name that is used more often than a name which is used once, and differs from
// it by a letter; "" for none. Numbers that differ are intended.
func usualFor(name string, named map[string][]refconfig.Place) string {
	const shortest = 6
	if len(named[name]) != 1 || len(name) < shortest {
		return ""
	}
	var others []string
	for other, at := range named {
		if len(at) > 1 && withoutDigits(other) != withoutDigits(name) && differsByOne(name, other) {
			others = append(others, other)
		}
	}
	slices.Sort(others)
	if len(others) == 0 {
		return ""
	}
	return others[0]
}

// withoutDigits returns a text with one sign in place of each digit.
func withoutDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '#'
		}
		return r
	}, text)
}

// differsByOne reports whether one letter that is changed, added or lost makes a text another one.
func differsByOne(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return len(a)+1 == len(b) && a[i:] == b[i+1:]
}
