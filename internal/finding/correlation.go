package finding

import (
	"fmt"
	"strings"
)

// Words describes how the template was found; "" if object and template are a fixed pair.
func (c Correlation) Words() string {
	said := ""
	switch c.By {
	case "manual":
		said = "paired in the diff config"
	case "nearest":
		said = "the nearest template; " + c.agreeing()
	case "interactive":
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
	if c.By == "interactive" {
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
