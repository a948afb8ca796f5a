package render

import (
	"sort"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Printed is what a template prints for one of the objects of a Printing.
type Printed struct {
	Root *kubeyaml.Node
	run  *printing
}

// Texts returns what the template prints, and whether that is all: for objects that meet every
// condition, and for those that meet all but one.
func (p *Printing) Texts() (texts []Printed, all bool) {
	for _, run := range p.runs {
		texts = append(texts, Printed{run.root, run})
	}
	return texts, !p.open
}

// Always reports whether a node is printed under no condition.
func (t Printed) Always(n *kubeyaml.Node) bool { return t.run.when(n) == Always }

// Computed reports whether an action prints a scalar, and whether it prints all of it: then it can
// be of any type.
func (t Printed) Computed(n *kubeyaml.Node) (some, all bool) {
	if n.Kind != kubeyaml.Scalar || !strings.Contains(n.Text, printedToken) {
		return false, false
	}
	return true, n.Style == kubeyaml.Plain
}

// Place returns where the template states a node, or the action that prints it.
func (t Printed) Place(n *kubeyaml.Node) (at refconfig.Place, known bool) {
	out := t.run.out
	i := sort.Search(len(out.prints), func(i int) bool { return out.prints[i].end > n.Offset })
	if i < len(out.prints) && out.prints[i].start <= n.Offset && out.prints[i].file != nil {
		return out.prints[i].file.At(out.prints[i].pos), true
	}
	i = sort.Search(len(out.texts), func(i int) bool { return out.texts[i].start > n.Offset }) - 1
	if i < 0 || out.texts[i].file == nil {
		return refconfig.Place{}, false
	}
	return out.texts[i].file.At(out.texts[i].pos + parse.Pos(n.Offset-out.texts[i].start)), true
}
