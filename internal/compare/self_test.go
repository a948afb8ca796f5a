package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// fill makes an object that a template has nothing to ask of: it begins with the template's
// identity and every field that the template names, and sets what the rendering says is missing.
// Not every template can be pleased so.
func fill(t *render.Template, opt render.Options) (map[string]any, bool) {
	o := map[string]any{"metadata": map[string]any{}}
	for _, f := range []struct {
		path  string
		field template.Matcher
	}{{"apiVersion", t.Identity.APIVersion}, {"kind", t.Identity.Kind}, {"metadata.name", t.Identity.Name}, {"metadata.namespace", t.Identity.Namespace}} {
		value, exact := f.field.Exact()
		if !exact {
			value = "filled"
		}
		if exact || !strings.HasSuffix(f.path, "namespace") {
			set(o, f.path, value)
		}
	}
	named := regexp.MustCompile(`\{\{-? *(if|with|range)[^}]*? \.(spec(?:\.\w+)+|data(?:\.\w+)+)`)
	for _, m := range named.FindAllStringSubmatch(string(t.Ref.Source), -1) {
		value := any("filled")
		if m[1] == "range" {
			value = []any{map[string]any{}}
		}
		set(o, m[2], value)
	}
	for range 60 {
		r, err := t.Execute(o, opt)
		if err != nil {
			return nil, false
		}
		asked := ""
		for _, f := range findings(r) {
			if f.Path == nil || !set(o, f.Path.String(), "filled") {
				return nil, false
			}
			asked = f.Path.String()
		}
		if asked == "" {
			return o, true
		}
	}
	return nil, false
}

// findings returns what a rendering found out.
func findings(r render.Rendering) []provenance.Finding {
	return append(diff.Findings(r.Notes), r.Unplaced...)
}

// set sets a field, and makes the maps and lists on the way to it.
func set(o map[string]any, path string, v any) bool {
	p, err := refconfig.ParseFieldPath(path)
	if err != nil {
		return false
	}
	for i := range p {
		at, there := tree.At(o, p[:i+1])
		if _, isMap := at.(map[string]any); i < len(p)-1 && (!there || !isMap && p[i+1].Index < 0) {
			if next, ok := tree.Set(o, p[:i+1], map[string]any{}); ok {
				for k, x := range next.(map[string]any) {
					o[k] = x
				}
			}
		}
	}
	next, ok := tree.Set(o, p, v)
	if ok {
		for k, x := range next.(map[string]any) {
			o[k] = x
		}
	}
	return ok
}

// settled renders a template for an object, then for what came out, until the same comes out again.
func settled(t *render.Template, o map[string]any, opt render.Options) (map[string]any, bool) {
	for range 5 {
		r, err := t.Execute(o, opt)
		if err != nil || len(findings(r)) > 0 {
			return nil, false
		}
		if alike(r.Value, o) {
			return o, true
		}
		o = r.Value
	}
	return nil, false
}

// TestWhatATemplateRendersAgreesWithIt: an object that a template renders to itself has no
// difference to it, and is audited as every compliant object is. The objects are those of the
// inputs, and made-up ones for the templates that have none.
func TestWhatATemplateRendersAgreesWithIt(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, c := range []struct {
		reference string
		inputs    []string
		least     int // objects
		every     int
	}{
		{"../../examples/quickstart/reference", []string{"../../examples/quickstart/cluster"}, 6, 2},
		{"../../examples/annotations/reference", []string{"../../examples/annotations/cluster"}, 6, 2},
		{"../../examples/ran-du/reference", []string{"../../examples/ran-du/cluster"}, 25, 3},
		{shared + "references/core", []string{shared + "inputs/core"}, 60, 11},
		{shared + "references/hub", []string{shared + "inputs/hub"}, 30, 11},
	} {
		if _, err := os.Stat(c.reference); err != nil {
			continue
		}
		t.Run(filepath.Base(strings.TrimSuffix(c.reference, "/reference")), func(t *testing.T) {
			t.Parallel()
			r := loadRun(t, c.reference, c.inputs...)
			a := newAudit(t, r, c.every)
			opt := render.Options{Lookup: r.comparer.lookup}
			objects, made, inputs := 0, 0, settledObjects(r, opt)
			for _, template := range r.comparer.templates.index.Templates() {
				for _, o := range inputs[template] {
					if a.rendered(template, o) {
						objects++
					}
				}
				if o, ok := fill(template, opt); ok {
					if o, ok = settled(template, o, opt); ok && a.rendered(template, o) {
						made++
					}
				}
			}
			t.Logf(
				"%d objects of the input and %d made-up ones, of %d templates", objects, made, len(r.comparer.templates.index.Templates()),
			)
			if objects+made < c.least {
				t.Errorf("fewer than %d objects", c.least)
			}
			a.print(20 * c.least)
		})
	}
}

// settledObjects returns what templates render for the objects that meet them.
func settledObjects(r *run, opt render.Options) map[*render.Template][]map[string]any {
	all := map[*render.Template][]map[string]any{}
	for _, e := range r.comparer.store.distinct {
		c := r.compare(e).comparison
		if c == nil || c.Result == finding.Failed {
			continue
		}
		t := r.comparer.templates.byRef(c.template)
		v, _ := e.decode()
		if o, ok := settled(t, v, opt); ok {
			all[t] = append(all[t], o)
		}
	}
	return all
}

// rendered compares an object with the template that renders it to itself. It reports whether that
// template is compared with it at all.
func (a *audit) rendered(t *render.Template, o map[string]any) bool {
	objects := manifest.Read("rendered.yaml", "", []byte(tree.YAML(o)), manifest.Hints{}).Objects
	if len(objects) != 1 {
		return false
	}
	e := &stored{object: objects[0]}
	c := a.run.compare(e).comparison
	if c == nil || c.template != t.Ref {
		return false
	}
	if c.Result != finding.Clean {
		a.t.Errorf(
			"%s: %s compared with itself: %v\n%s", t.Ref.Path, objects[0].ID, fmt.Sprint(c.Error), lines(c.differences),
		)
	}
	a.object(e)
	return true
}
