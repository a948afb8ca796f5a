package patch

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// overrides writes the changes as a JSON patch. Before each change, the patch tests the value of
// the reference, so that it applies to no other value; it does not test secret values and the
// places of inserted items. A test for null also passes for an absent field.
func (g *acceptor) overrides() []refconfig.Override {
	var operations []any
	write := func(op string, path refconfig.FieldPath, value any) {
		o := map[string]any{"op": op, "path": pointerOf(path)}
		if op != "remove" {
			o["value"] = value
		}
		operations = append(operations, o)
	}
	stated := map[string]bool{}
	for _, c := range g.changes {
		if c.kept {
			write("test", c.path, c.was.Data)
			continue
		}
		at := texts(c.path)
		own := at[len(c.path)]
		if !c.is.Present {
			at = at[len(c.path):] // a stated parent may still contain the field that must be absent
		}
		if slices.ContainsFunc(at, func(at string) bool { return stated[at] }) {
			continue
		}
		stated[own] = c.is.Present || !c.item
		if !(c.item && c.is.Present) && !c.secret {
			write("test", c.path, c.was.Data)
		}
		switch {
		case c.is.Present && c.was.Present:
			write("replace", c.path, c.is.Data)
		case c.is.Present:
			write("add", c.path, c.is.Data)
		case c.was.Present:
			write("remove", c.path, nil)
		default: // both sides lack it: state that it is absent
			write("add", c.path, nil)
			write("remove", c.path, nil)
		}
	}
	text, err := patchText(operations)
	if len(operations) == 0 || err != nil {
		return nil
	}
	return []refconfig.Override{{Type: refconfig.JSONPatch, Patch: text}}
}

// patchText writes operations of a JSON patch, each short one on a line of its own.
func patchText(operations []any) (string, error) {
	const short = 100
	lines := make([]string, len(operations))
	for i, o := range operations {
		text, err := tree.JSON(o)
		if err != nil {
			return "", err
		}
		var indented bytes.Buffer
		if len(text) > short && json.Indent(&indented, []byte(text), "  ", "  ") == nil {
			text = indented.String()
		}
		lines[i] = "  " + text
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]\n", nil
}

// Twins removes overrides for objects of one identity in several clusters, because an override
// cannot distinguish them. If all of them need the same overrides, those of the first one stay.
func Twins(runs []*finding.Run) {
	type twin struct {
		object   finding.Object
		template string
	}
	all := map[twin][]*finding.Comparison{}
	for _, r := range runs {
		for _, c := range r.Comparisons {
			t := twin{c.Object, c.Template.Path}
			all[t] = append(all[t], c)
		}
	}
	for _, twins := range all {
		alike(twins)
	}
}

func alike(twins []*finding.Comparison) {
	made := func(c *finding.Comparison) []refconfig.Override {
		if c.Acceptance == nil {
			return nil
		}
		return c.Acceptance.Overrides
	}
	same := true
	for _, c := range twins[1:] {
		same = same && slices.Equal(made(c), made(twins[0]))
	}
	for i, c := range twins {
		a := c.Acceptance
		switch {
		case a == nil:
		case same && i > 0:
			a.Overrides = nil // the first object has them
		case !same && len(a.Overrides) > 0:
			a.Overrides = nil
			a.Left = []finding.NotAccepted{
				{
					Message: "several clusters of the input have a CR of this name, and an override cannot tell them " +
						"apart; compare one of them alone, with --cluster",
				},
			}
		}
	}
}
