package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/filename"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Options select the CRs of a reference. The zero value selects all CRs without a Reason.
type Options struct {
	Kinds      []finding.Selector    // the only kinds to select; none for all
	Namespaces []string              // globs of the only namespaces to select; none for all
	Names      []string              // globs of the only names to select; none for all
	Required   []finding.Selector    // kinds whose templates are required, whether all clusters have the CRs or not
	Optional   []finding.Selector    // kinds whose templates are optional, likewise
	Omit       []refconfig.OmitEntry // fields that the reference does not compare
	Extra      bool                  // of UpdateOf, templates get what CRs have more
	Add        bool                  // of UpdateOf, CRs without a template get one
	Paired     bool                  // of Against, which needs more of the CRs
	Include    []string              // names of Reasons for which no CR is omitted
	Largest    int                   // maximum bytes of a template; 0 for refconfig.DefaultFileLimit
	Schemas    *crdschema.Set        // schemas that decide how lists are compared; nil for none
}

// AddKind adds a kind to a list, written as the KIND of a finding.Selector.
func AddKind(to *[]finding.Selector) func(string) error {
	return func(text string) error {
		kind, err := finding.ParseSelector(text)
		if err != nil || strings.Contains(text, "/") {
			return fmt.Errorf("%q is not a kind; write KIND or KIND.GROUP, where each can be a glob", text)
		}
		*to = append(*to, kind)
		return nil
	}
}

// AddGlob adds a glob of names to a list.
func AddGlob(to *[]string) func(string) error {
	return func(glob string) error {
		if _, err := path.Match(glob, ""); err != nil {
			return fmt.Errorf("%q is not a glob: close its [, or write a backslash before it", glob)
		}
		*to = append(*to, glob)
		return nil
	}
}

// AddOmit adds the path of a field that the reference does not compare, in any CR. A * at its end stands
// for the rest of a key.
func (o *Options) AddOmit(text string) error {
	entry, err := parseOmit(text)
	if err == nil {
		o.Omit = append(o.Omit, entry)
	}
	return err
}

// parseOmit parses the path of a field that is not compared. A * at its end stands for the rest of a key.
func parseOmit(text string) (refconfig.OmitEntry, error) {
	name, prefix := strings.CutSuffix(text, "*")
	if strings.HasSuffix(name, ".") { // the * is a step
		name, prefix = text, false
	}
	at, err := refconfig.ParseFieldPath(name)
	return refconfig.OmitEntry{Path: at, Prefix: prefix}, err
}

// AddInclude adds the name of a Reason for which no CR is omitted.
func (o *Options) AddInclude(name string) error {
	if !slices.Contains(Includes(), name) {
		return fmt.Errorf("%q is not one of %s", name, code.Enumerate(Includes(), "or"))
	}
	o.Include = append(o.Include, name)
	return nil
}

// Reference is a generated reference, with numbers and problems to report.
type Reference struct {
	Files    []File
	Clusters int
	Required int // number of templates of CRs that all clusters have
	Optional int // number of templates of CRs that only some clusters have
	Fields   Fields
	LeftOut  map[string]int // number of omitted CRs, by the name of the Reason, or by NotSelected
	Versions [2]string      // releases of the two clusters, see Against
	Kinds    int            // number of kinds of the templates
	Problems []refconfig.Problem

	agreed []finding.BaseField // see finding.Base
}

// File is a file of a reference.
type File struct {
	Name string // path with slashes
	Text []byte
}

// Trim releases the text of a CR that the reference omits.
func (o Options) Trim(object *manifest.Object) {
	if (selection{o}).reason(object) != "" && naming(object.ID) == nil && !(o.Paired && mayBeSetting(object.ID)) {
		object.Drop()
	}
}

// template is the template that is made from the CRs of one identity in several clusters.
type template struct {
	id       manifest.ID
	objects  []*manifest.Object // the CR of each cluster that has it
	optional bool               // some clusters lack the CR
	only     *self              // the only cluster, whose own values are left to the user; nil for none
	pairing  *pairing           // the second object is that of another cluster, see Against; nil for none
	keeps    bool               // the CRs are still needed afterwards
	searched secret.Searched    // cache of searching the texts of the CRs for Secrets

	folder   string
	File     string
	List     string                    // the list of fields to omit only for its kind; "" for none
	PerField []refconfig.FieldFunction // lists that the schema of the kind identifies by keys, or as sets
	text     string
	fields   Fields
	leftOut  string // name of the Reason for omitting the template; "" for none
	problems []refconfig.Problem
}

// From makes a reference from the CRs of clusters. If all CRs are omitted, the reference has no
// files. From returns an error if the context ends.
func From(ctx context.Context, clusters []cluster.Collected, opt Options) (*Reference, error) {
	r := &Reference{LeftOut: map[string]int{}}
	all := r.sort(clusters, selection{opt}, nil)
	if r.Clusters == 1 && !slices.Contains(opt.Include, OwnValues) {
		for _, c := range clusters {
			if only := selfOf(c.Objects); len(c.Objects) > 0 {
				for _, t := range all {
					t.only = only
				}
			}
		}
	}
	if err := r.make(ctx, all, opt); err != nil {
		return nil, err
	}
	return r, nil
}

// make makes the files of a reference with these templates.
func (r *Reference) make(ctx context.Context, all []*template, opt Options) error {
	opt.Largest = cmp.Or(opt.Largest, refconfig.DefaultFileLimit)
	var next atomic.Int64
	strip := newStripper(opt.Omit, len(all) > 0 && all[0].pairing != nil)
	group := workers.Start(workers.Size(0, len(all)), func() bool {
		i := int(next.Add(1)) - 1
		if i < len(all) && ctx.Err() == nil {
			all[i].searched.Context = ctx
			all[i].make(selection{opt}, strip)
		}
		return i < len(all)
	})
	if done := group.Wait(ctx, time.Second); !done || ctx.Err() != nil {
		return watch.Cause(ctx).And(", and nothing was written")
	}
	if err := r.finish(all, opt.Omit); err != nil {
		return err
	}
	slices.SortStableFunc(r.Problems, func(a, b refconfig.Problem) int { return a.Place.Compare(b.Place) })
	r.Problems = slices.CompactFunc(
		r.Problems, func(a, b refconfig.Problem) bool { return a.Place == b.Place && a.Message == b.Message },
	)
	return nil
}

// sort returns a template for each identity of a selected CR, sorted by API group. Those in more are selected
// whatever the reason for omitting them.
func (r *Reference) sort(clusters []cluster.Collected, s selection, more map[manifest.ID]bool) []*template {
	byID := map[manifest.ID]*template{}
	var all []*template
	for _, c := range clusters {
		r.Problems = append(r.Problems, c.Unreadable...)
		if len(c.Objects) > 0 {
			r.Clusters++
		}
		for same := range manifest.Copies(c.Objects, false) {
			o := same[0]
			if why := s.reason(o); why != "" && (!more[o.ID] || o.Text() == 0) {
				r.LeftOut[why]++
				continue
			}
			t := byID[o.ID]
			if t == nil {
				t = &template{id: o.ID}
				byID[o.ID] = t
				all = append(all, t)
			}
			t.objects = append(t.objects, o)
		}
	}
	for _, t := range all {
		t.optional = s.isOptional(t.id, len(t.objects) < r.Clusters)
	}
	slices.SortFunc(all, func(a, b *template) int {
		return cmp.Or(cmp.Compare(a.id.Group(), b.id.Group()), manifest.Compare(a.id, b.id))
	})
	return all
}

// make makes the text of the template.
func (t *template) make(s selection, strip *stripper) {
	defer func() {
		if f := recover(); f != nil {
			t.fail(t.objects[0].Place, code.Internal, "%s", code.Fault(f))
		}
	}()
	var values []any
	var objects []map[string]any // as they were decoded
	for _, o := range t.objects {
		object, err := o.Decode()
		if err != nil {
			cd, place := code.EvalDecode, o.Place
			var fault *kubeyaml.SyntaxError
			if errors.As(err, &fault) {
				cd, place.Line = cmp.Or(fault.Code, cd), cmp.Or(fault.Line, place.Line)
			}
			t.fail(place, cd, "it cannot be decoded: %s", err)
			continue
		}
		if t.pairing == nil && !t.keeps {
			o.Drop()
		}
		if path := notText(object); path != "" && t.pairing == nil {
			t.fail(o.Place, code.NotGenerated, "its %s is no text in YAML, as it is in every cluster; write it in quotes", path)
			continue
		}
		if t.pairing == nil || len(values) == 0 {
			t.leftOut = s.reasonIn(object)
			if t.pairing != nil {
				t.leftOut = cmp.Or(s.reason(o), t.leftOut)
			}
			if t.leftOut != "" && !t.isKept(s, object) {
				return
			}
		}
		v, list := strip.strip(t.id, object)
		if t.List = cmp.Or(list, t.List); tooLarge(v, s.opt.Largest) {
			t.fail(
				o.Place,
				code.LimitSize,
				"its template would have more than %d bytes, the limit of a file of a reference; "+
					"raise it with --limit reference=N",
				s.opt.Largest,
			)
			continue
		}
		v, ok := hide(v, &t.searched, t.pairing != nil)
		if !ok {
			t.fail(
				o.Place,
				code.NotGenerated,
				"the data of a Secret in it is not text, so that it can neither be written nor left to the user",
			)
			continue
		}
		values, objects = append(values, v), append(objects, object)
	}
	if len(values) == 0 {
		return
	}
	if k, _ := s.opt.Schemas.Kind(t.id.APIVersion, t.id.Kind); k != nil {
		t.PerField = k.Lists(values...)
	}
	if t.pairing != nil && len(values) > 1 {
		values[0] = withEmpty(t.id, values[0], values[1])
	}
	t.PerField = append(t.PerField, exactFields(t.id, values)...)
	t.fields.left = s.opt.Largest
	if merged := t.merge(values, objects); t.fields.left >= 0 {
		t.text = tree.Template(merged)
		t.PerField = append(t.PerField, documents(t.id, merged, t.texts(values))...)
		t.settle(merged, values[len(values)-1])
	}
	if t.fields.left < 0 || len(t.text) > s.opt.Largest {
		t.text = ""
		t.fail(
			t.objects[0].Place,
			code.LimitSize,
			"the actions of its template for the fields that differ would have more than %d bytes, the limit of a file of a reference; "+
				"raise it with --limit reference=N",
			s.opt.Largest,
		)
	}
}

// notText returns the path of the name or the namespace of a CR that YAML reads as a number, a boolean or the
// like, as it does with n and 0x1f; "" if it does so with neither. A template that states it would be one of
// another CR.
func notText(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	for _, key := range []string{"namespace", "name"} {
		switch metadata[key].(type) {
		case nil, string:
		default:
			return "metadata." + key
		}
	}
	return ""
}

// merge returns what the template states of objects, which are given without the fields that it does not state
// and as a whole.
func (t *template) merge(values []any, objects []map[string]any) any {
	if t.pairing == nil {
		put := t.takeAssigned(values, objects)
		merged := t.fields.merge(values, nil)
		if t.only != nil {
			merged = t.only.open(merged, scopeOf(t.id), &t.fields, nil)
		}
		put(merged)
		return merged
	}
	m := merging{pairing: t.pairing, in: scopeOf(t.id), fields: &t.fields, objects: objects}
	if len(values) == 1 {
		return m.alone(values[0])
	}
	m.in.bundle = asksForBundle(objects[0]) && asksForBundle(objects[1])
	base := values[0]
	for _, m.row = range allRuntimeFields() {
		if m.row.assigned != nil && m.row.covers(t.id) {
			for _, entry := range m.row.Entries() {
				base = m.adopt(base, values[1], entry, nil)
				t.PerField = append(t.PerField, m.row.listed(entry.Path, base, values[1])...)
			}
		}
	}
	if m.in.signing {
		base = m.publicKeys(base, values[1])
	}
	return m.object(base, values[1])
}

// tooLarge reports whether a printed value would have more than most bytes.
func tooLarge(v any, most int) bool {
	size, ok := tree.Measure(v, tree.Size{Nodes: most, Bytes: most, Height: kubeyaml.MaxNesting + 1})
	return !ok || size.Printed() > most
}

// fail records why a CR is not included.
func (t *template) fail(at refconfig.Place, cd code.Code, why string, args ...any) {
	t.problems = append(t.problems, at.Problem(cd, "%s is not included: "+why, append([]any{t.id}, args...)...))
}

// finish makes the files of the reference, and counts templates and fields.
func (r *Reference) finish(all []*template, omit []refconfig.OmitEntry) error {
	taken, folders := filename.Taken{metadataFile: 1}, map[string]string{}
	var made []*template
	for _, t := range all {
		r.Problems = append(r.Problems, t.problems...)
		if t.leftOut != "" {
			n := len(t.objects)
			if t.pairing != nil { // the base has one of them
				n = 1
			}
			r.LeftOut[t.leftOut] += n
		}
		if t.text == "" {
			continue
		}
		group := t.id.Group()
		if folders[group] == "" {
			folders[group] = folderOf(group, taken)
		}
		t.folder = folders[group]
		t.File = fileOf(t.folder, t.id, taken)
		r.count(t)
		made = append(made, t)
		r.Files = append(r.Files, File{t.File, []byte(t.text)})
	}
	kinds := map[[2]string]bool{}
	for _, t := range made {
		kinds[[2]string{t.id.Group(), t.id.Kind}] = true
	}
	r.Kinds = len(kinds)
	if len(made) > 0 {
		text, err := metadata(made, omit, made[0].pairing != nil)
		r.Files = append(r.Files, File{metadataFile, []byte(text)})
		return err
	}
	return nil
}

// count counts a template and its fields.
func (r *Reference) count(t *template) {
	if t.optional {
		r.Optional++
	} else {
		r.Required++
	}
	r.Fields.Differing += t.fields.Differing
	r.Fields.Optional += t.fields.Optional
	r.Fields.Hidden += t.fields.Hidden
	for _, field := range t.fields.agreed {
		field.Object = finding.Object(t.objects[len(t.objects)-1].ID)
		r.agreed = append(r.agreed, field)
	}
	for name, n := range t.fields.Own {
		if r.Fields.Own == nil {
			r.Fields.Own = map[string]int{}
		}
		r.Fields.Own[name] += n
	}
}
