package values

import (
	"slices"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// File has the contents of a values file. The zero value has no values.
type File struct {
	Name  string
	given map[string][]given // values by the path of the template
}

// given has the values for one CR of a template.
type given struct {
	tree    map[string]any
	place   refconfig.Place
	locator manifest.Locator
}

// at returns the location of a field, or of its nearest parent.
func (g given) at(path refconfig.FieldPath) refconfig.Place {
	place := g.place
	if line := g.locator.Line(path); line > 0 {
		place.Line = line
	}
	return place
}

// Parse parses a values file. It maps the path of a template to a list with the values for each CR
// of the template. name is the name of the file in messages. Parse returns all problems.
func Parse(name string, text []byte, limits kubeyaml.Limits, engine *render.Engine) (File, []refconfig.Problem) {
	f := reader{File: File{Name: name, given: map[string][]given{}}, paths: map[string]bool{}}
	var paths []string
	for _, t := range engine.Templates() {
		paths = append(paths, t.Ref.Path)
		f.paths[t.Ref.Path] = true
	}
	f.near = code.NewNames(paths)
	docs, fault := limits.ParseAt(text, 0)
	if fault != nil {
		f.fault(fault.Line, "the file is not valid YAML: %s", fault.Message)
	}
	docs = slices.DeleteFunc(docs, (*kubeyaml.Node).IsNull)
	for i, n := range docs {
		switch {
		case i > 0:
			f.fault(n.Line, "a second YAML document; a values file has only one")
		case n.Kind != kubeyaml.Map:
			f.fault(n.Line, "the file must be a mapping of the paths of templates to lists of values")
		default:
			f.templates(n)
		}
	}
	slices.SortStableFunc(f.faults, func(a, b refconfig.Problem) int { return a.Place.Compare(b.Place) })
	return f.File, f.faults
}

// reader reads one values file.
type reader struct {
	File
	paths  map[string]bool // paths of all templates
	near   *code.Names     // the same paths, for suggestions
	faults []refconfig.Problem
}

func (f *reader) fault(line int, format string, args ...any) {
	f.faults = append(f.faults, refconfig.Place{File: f.Name, Line: line}.Problem(code.ValuesBroken, format, args...))
}

// templates reads the entries of the file.
func (f *reader) templates(root *kubeyaml.Node) {
	for _, key := range kubeyaml.DuplicateKeys(root) {
		f.fault(key.Line, "duplicate key %q in a mapping", kubeyaml.KeyString(key))
	}
	for i, key := range root.Keys {
		path, list := kubeyaml.KeyString(key), root.Values[i]
		if !f.paths[path] {
			f.fault(key.Line, "the reference has no template %q%s", path, f.near.DidYouMean(path))
			continue
		}
		if list.Kind != kubeyaml.List {
			f.fault(
				list.Line,
				"the values for %q must be a list with an item for each CR, or [] for no CR; a missing \"- \" is the usual reason",
				path,
			)
			continue
		}
		f.given[path] = []given{}
		for _, item := range list.Values {
			tree, ok := item.Value().(map[string]any)
			if !ok && item.Value() != nil {
				f.fault(
					item.Line,
					"an item of %q must be a mapping with the fields that the template reads, or {} for none",
					path,
				)
				continue
			}
			f.given[path] = append(
				f.given[path], given{tree, refconfig.Place{File: f.Name, Line: item.Line}, manifest.NewLocator(item)},
			)
		}
	}
}
