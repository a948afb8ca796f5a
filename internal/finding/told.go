package finding

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Told is what an entry says: the CR that it is about, and what there is to say about it, what it
// means to the user, and that it is new, included. Templates are called what file says.
func (e Entry) Told(file func(template string) string) (subject, said string) {
	subject, said = e.told(file)
	return subject, said + e.rated() + e.changed()
}

func (e Entry) told(file func(template string) string) (subject, said string) {
	switch e.Word {
	case WordRule:
		return e.Rule.Message, " (" + e.Rule.Rule + ", " + string(e.Rule.Code) + ")" + Prefixed(": ", breakers(e.Rule))
	case WordMissing, WordWanted:
		m := e.Missing[0]
		return m.Name(), " (" + file(m.Template) + ")" + because(e) + nearest(m)
	case WordUnseen:
		if len(e.Missing) == 1 {
			m := e.Missing[0]
			return m.Name(), " (" + file(m.Template) + ")" + because(e)
		}
		var kinds []string
		met := map[string]bool{}
		for _, m := range e.Missing {
			if kind := m.Object.Kind; !met[kind] {
				met[kind] = true
				kinds = append(kinds, kind)
			}
		}
		return strconv.Itoa(len(e.Missing)) + " CRs", ": " + strings.Join(kinds, ", ") + because(e)
	}
	said = "  " + e.Finding
	if e.More > 0 {
		said += "  +" + strconv.Itoa(e.More)
	}
	return groupName(e.Group), said
}

// rated says what an entry means to the user, where rules of the user say so. The blocks of CRs
// have it in full.
func (e Entry) rated() string {
	switch {
	case e.Impact() == "":
		return ""
	case len(e.Group) > 0:
		return "  " + strings.ToUpper(string(e.Impact()))
	case e.Word == WordRule:
		return "; " + e.Rule.Rating.Words()
	case len(e.Missing) == 1:
		return "; " + e.Missing[0].Words()
	}
	return "; " + strings.ToUpper(string(e.Impact()))
}

// groupName names the CRs of a group: "SriovNetwork sriov/net-001 and 119 more".
func groupName(g Group) string {
	name := g.First().Object.Short()
	if n := len(g) - 1; n > 0 {
		name += " and " + strconv.Itoa(n) + " more"
	}
	return name
}

// name is what to call an object, and that it is not in the input where that is so.
func (p Present) name() string {
	if p.Referenced {
		return p.Object.Short() + ", which others refer to"
	}
	return p.Object.Short()
}

// Name is the identity of a missing CR, as far as its template states it.
func (m Missed) Name() string {
	return cmp.Or(m.Object.Short(), "a CR")
}

// breakers names the CRs that break a rule, or else the templates of which none is there.
func breakers(b *Rule) string {
	var names []string
	for _, one := range b.Present {
		names = append(names, one.Object.Short())
	}
	if len(names) == 0 {
		names = b.Templates
	}
	return Some(names, thereShown)
}

// thereShown is how many CRs are named that break a rule, or make it ask for others.
const thereShown = 5

// because tells the CRs that are the reason why a rule asks for others.
func because(e Entry) string {
	verb := ", required by "
	if e.Word == WordWanted {
		verb = ", because of "
	}
	return Prefixed(verb, Some(e.Because, thereShown))
}

// nearest tells which CR comes near a missing one.
func nearest(m *Missed) string {
	if m.Nearest == nil {
		return ""
	}
	return "; nearest: " + m.Nearest.Object.Short()
}

// Prefixed puts a text behind a prefix; "" stays "".
func Prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// Some names as many things as given, or one more, and counts the rest.
func Some(names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", … and " + strconv.Itoa(len(names)-most) + " more"
}

// Plural writes a number with the words that go with it.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
