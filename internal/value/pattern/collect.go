package pattern

import (
	"fmt"
	"slices"
	"strings"
)

// Groups collects the texts of named groups in all fields of one CR. The zero value is ready for
// use.
type Groups struct {
	names  []string // in order of appearance
	values map[string][]Captured
	at     map[Capture]int // index of a text in values
}

// Captured is a text that a group matched, and the fields with it.
type Captured struct {
	Value string
	Paths []string // in order of appearance, each once
}

// Conflict is a group that matched different texts in one CR.
type Conflict struct {
	Name   string
	Values []Captured // at least two, in order of appearance
}

// Add adds the captures of a field, once for each path.
func (g *Groups) Add(path string, captures []Capture) {
	if g.values == nil {
		g.values, g.at = map[string][]Captured{}, map[Capture]int{}
	}
	for _, c := range captures {
		known, named := g.values[c.Name]
		if !named {
			g.names = append(g.names, c.Name)
		}
		i, again := g.at[c]
		if !again {
			i = len(known)
			known, g.at[c] = append(known, Captured{Value: c.Value}), i
		}
		if one := &known[i]; len(one.Paths) == 0 || one.Paths[len(one.Paths)-1] != path {
			one.Paths = append(one.Paths, path)
		}
		g.values[c.Name] = known
	}
}

// Conflicts returns the groups that matched more than one text, in order of appearance.
func (g *Groups) Conflicts() []Conflict {
	var conflicts []Conflict
	for _, name := range g.names {
		if values := g.values[name]; len(values) > 1 {
			conflicts = append(conflicts, Conflict{Name: name, Values: values})
		}
	}
	return conflicts
}

// Message describes the conflict: the group, the texts and their paths.
func (c Conflict) Message() string {
	places := make([]string, len(c.Values))
	for i, v := range c.Values {
		places[i] = fmt.Sprintf("%s at %s", shown(v.Value), strings.Join(v.Paths, ", "))
	}
	return fmt.Sprintf("group %s matches different values: %s", c.Name, strings.Join(places, "; "))
}

// Redacted is Message without the texts, for secret values.
func (c Conflict) Redacted() string {
	var paths []string
	for _, v := range c.Values {
		for _, p := range v.Paths {
			if !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	return fmt.Sprintf("group %s matches %d different values at %s", c.Name, len(c.Values), strings.Join(paths, ", "))
}
