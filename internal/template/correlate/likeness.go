package correlate

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template"
)

// Likeness returns how similar a name is to the name of a template, as the number of characters in
// their common prefix and suffix. It is highest for a name that matches, and the same for all names
// if the template states no name.
func Likeness(stated template.Matcher, name string) int {
	if stated.Matches(name) {
		return math.MaxInt
	}
	a, b := stated.String(), name
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	end := 0
	for end < min(len(a), len(b)) && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return n + end
}

// Similar reports whether a name is similar to the name of a template: they differ in one place by
// at most three characters and share as many, or they share more than two thirds of the words of
// the longer one. In the template's namespace, half of the words are enough. Words of one or two
// characters do not count.
func Similar(stated template.Matcher, name string, sameNamespace bool) bool {
	if stated.Matches(name) {
		return true
	}
	text := stated.String()
	a, b := words(text), words(name)
	shared := 0
	for _, word := range a {
		if slices.Contains(b, word) {
			shared++
		}
	}
	same := Likeness(stated, name)
	other := max(len(text), len(name)) - same
	return other <= min(same, 3) || 3*shared > 2*max(len(a), len(b)) ||
		sameNamespace && shared > 0 && 2*shared >= min(len(a), len(b))
}

// Related reports whether a template and an object of its kind have to do with each other: the
// object has the namespace that the template states, both have none, or their names are similar.
// Namespaces of the platform belong to a template only if it states them.
func Related(id template.Identity, o manifest.ID) bool {
	stated := id.Namespace.Fixed() && id.Namespace.Matches(o.Namespace)
	if isPlatform(o.Namespace) && !stated {
		return false
	}
	if stated || o.Namespace == "" && !id.Namespace.Fixed() {
		return true
	}
	return id.Name.Fixed() && Similar(id.Name, o.Name, false)
}

// Everywhere reports whether an object is one that every cluster, or each of its namespaces, has.
func Everywhere(o manifest.ID) bool {
	names := map[string][]string{
		"ConfigMap":      {"kube-root-ca.crt", "openshift-service-ca.crt"},
		"ServiceAccount": {"default", "builder", "deployer", "pipeline"},
		"Service":        {"kubernetes"},
	}
	return slices.Contains(names[o.Kind], o.Name) || o.Kind == "Namespace" && isPlatform(o.Name) ||
		strings.HasPrefix(o.Name, "system:")
}

// isPlatform reports whether a namespace belongs to the platform.
func isPlatform(namespace string) bool {
	return namespace == "default" || strings.HasPrefix(namespace, "kube-") || strings.HasPrefix(namespace, "openshift")
}

// words splits a name at characters other than letters and digits. It omits short words and
// duplicates.
func words(name string) []string {
	const shortest = 3
	all := strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(word string) bool { return len(word) < shortest })
}
