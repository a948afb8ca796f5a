package finding

import (
	"fmt"
	"strings"
)

// FoundBy says how an object and its template were matched.
type FoundBy string

// The ways to match them. "" is for an object without a template.
const (
	ByFixed       FoundBy = "fixed"       // the fields that the template states agree
	ByManual      FoundBy = "manual"      // the user paired them
	ByInteractive FoundBy = "interactive" // the fields agree, and the user chose among several templates
	ByNearest     FoundBy = "nearest"     // the fields do not agree, and the template comes nearest
)

// Words describes how the template was found; "" if object and template are a fixed pair.
func (c Correlation) Words() string {
	said := ""
	switch c.By {
	case ByManual:
		said = "paired in the diff config"
	case ByNearest:
		said = "the nearest template; " + c.agreeing()
	case ByInteractive:
		said = "chosen by the user"
	}
	if len(c.Candidates) < 2 {
		return said
	}
	var all []string
	for _, one := range c.Candidates {
		all = append(all, one.Path+" ("+Plural(one.Score, "changed character", "changed characters")+")")
	}
	among := fmt.Sprint(len(all), " templates: ", strings.Join(all, ", "))
	if c.By == ByInteractive {
		return said + " among " + among
	}
	return strings.TrimPrefix(said+"; the closest of "+among, "; ")
}

// agreeing names the fields of the identity that agree.
func (c Correlation) agreeing() string {
	switch len(c.Fields) {
	case 0:
		return "no field agrees"
	case 1:
		return c.Fields[0] + " agrees"
	}
	return strings.Join(c.Fields, ", ") + " agree"
}
