package compare

import (
	"path"

	"github.com/validationtool/validationtool/internal/correlate"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// byRef returns the template that stands for an entry of the metadata, nil if it is not analysed. Entries of one path, in
// however many components, are one template: that of the first entry that is analysed.
func (r *run) byRef(t *refconfig.Template) *render.Template { return r.byPath[path.Clean(t.Path)] }

// byNearest is how an object and a template found each other that do not fit.
const byNearest = "nearest"

// templatesFor returns the templates that an object is compared with: its candidates, else the one that it is assigned to.
func (r *run) templatesFor(e *stored) ([]*render.Template, Correlation) {
	candidates, correlation := r.candidates(e.object.ID)
	if t := r.assigned[e]; t != nil && len(candidates) == 0 {
		return []*render.Template{t}, Correlation{By: byNearest, Fields: correlate.Agree(t.Identity, e.object.ID).Names()}
	}
	return candidates, correlation
}

// candidates returns the templates that fit an object: the manually chosen one, or those that correlate.
func (r *run) candidates(id manifest.ID) ([]*render.Template, Correlation) {
	if manual := r.manual(id); manual != nil {
		if t := r.byRef(manual); t != nil {
			return []*render.Template{t}, Correlation{By: "manual", Fields: correlate.Agree(t.Identity, id).Names()}
		}
	}
	if found := r.index.Find(id); len(found.Templates) > 0 {
		return found.Templates, Correlation{By: "fixed", Fields: found.Fields.Names()}
	}
	return nil, Correlation{}
}

// manual returns the template that the user paired an object with, or nil.
func (r *run) manual(id manifest.ID) *refconfig.Template {
	if len(r.opt.Manual) == 0 {
		return nil
	}
	return r.opt.Manual[id.Key()]
}
