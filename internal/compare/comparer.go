package compare

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// comparer has what the comparisons of all objects need. It does not change while several
// goroutines compare objects. Each step of a comparison is one of its methods and makes a new
// value:
//
//	find     finds the templates for an object                  candidates
//	open     decodes the object                                 subject
//	expect   gets the expected value of a template              expected
//	diff     compares the object with that value                attempt
//	under    compares it under overrides of the value, if any   attempt
//	weigh    does all of this with each candidate               choice
//	resolve  prepares one of them for the report                verdict
type comparer struct {
	ctx       context.Context
	opt       Options
	templates *templates
	layout    func(refconfig.Place) string // returns the layout of the archive at a place; nil if unknown
	store     *store
	evidence  *cluster.Evidence // which objects were gathered
	before    *store            // objects as they were
	earlier   *cluster.Evidence // which of them were gathered
	files     []string          // names of the input's files
	globs     sync.Map          // the names of files that match a glob, by the globs of templates
	printings sync.Map          // the fields that templates print, by templates, see prints
	overrides *patch.Set
	rooms     sync.Pool // *kubeyaml.Room, each for one object at a time
	schemas   *schemas  // the schemas to validate objects with; nil if the run does not validate
	ignored   *verdict  // the verdict on all objects that do not matter
}

// subject is an object that is being compared, with its content once it is open.
type subject struct {
	stored   *stored
	nearest  *render.Template // the template to compare with if none matches; nil for none
	searched *secret.Searched // remembers which of its texts hold a Secret
	trace    bool             // keep the data that explains the comparisons
	room     *kubeyaml.Room   // memory for its nodes during the comparison
	looked   *lookedUp        // the objects with copies that templates looked up for it

	// the content, see open
	value     map[string]any
	locator   manifest.Locator
	twice     []*kubeyaml.Node            // duplicate keys
	refused   func() []provenance.Finding // returns what an API server would reject; nil without validation
	secretive func() bool                 // reports whether the object contains secret data
}

// secrets returns which parts of an object of this kind are secret.
func (s subject) secrets() secret.Scope {
	return secret.OfKind(s.stored.object.ID.Kind).With(s.searched)
}

// subject prepares the comparison of an object.
func (c *comparer) subject(e *stored, nearest *render.Template) subject {
	return subject{
		stored:   e,
		nearest:  nearest,
		searched: &secret.Searched{Context: c.ctx},
		room:     &kubeyaml.Room{},
		looked:   &lookedUp{},
	}
}

// layoutOf returns the layout of the archive that contains an object, or "". A Secret that is masked
// as a whole was copied out of an archive.
func (c *comparer) layoutOf(o *manifest.Object) string {
	layout := ""
	if c.layout != nil {
		layout = c.layout(o.Place)
	}
	if layout != "" || o.ID.Kind != "Secret" {
		return layout
	}
	if secret, err := o.Decode(); err == nil && collector.IsMaskedSecret(secret) {
		return collector.Inspect
	}
	return ""
}

// rendering returns the options for executing templates for an object.
func (c *comparer) rendering(s subject) render.Options {
	return render.Options{
		Context:     c.ctx,
		Lookup:      c.lookup(s.looked),
		Asked:       c.asked(s.stored.object),
		Old:         func() map[string]any { return c.oldOf(s.stored.object) },
		Files:       c.matching,
		Limits:      c.opt.Limits,
		Source:      c.opt.Placeholders,
		ShowSecrets: c.opt.Show.Secrets,
		Searched:    s.searched,
		Room:        s.room,
		Trace:       s.trace,
	}
}

// lookup returns the function that finds objects for a template's lookupCRs, among given copies.
func (c *comparer) lookup(among *lookedUp) render.Lookup {
	return func(apiVersion, kind, namespace, name string) []map[string]any {
		return c.store.find(c.ctx, among, apiVersion, kind, namespace, name)
	}
}

// asked returns the function that records the lookups in the templates of an object in the evidence.
func (c *comparer) asked(by *manifest.Object) func(query, shown [4]string, found int) {
	lookup := func(q [4]string) cluster.Lookup {
		return cluster.Lookup{APIVersion: q[0], Kind: q[1], Namespace: q[2], Name: q[3]}
	}
	return func(query, shown [4]string, found int) {
		l := lookup(query)
		c.evidence.Ask(l, lookup(shown), by, l.Exact() && found > 0)
	}
}

// oldOf returns an object as it was, nil if it was not there, and records the lookup in the evidence.
func (c *comparer) oldOf(o *manifest.Object) map[string]any {
	was := c.before.same(o.ID)
	l := cluster.Lookup(o.ID)
	c.earlier.Ask(l, l, o, was != nil)
	return was
}

// matching returns the names of files whose last elements match a glob, sorted.
func (c *comparer) matching(glob string) []string {
	known, _ := c.globs.LoadOrStore(glob, sync.OnceValue(func() (found []string) {
		for _, name := range c.files {
			all := strings.Split(name, "/")
			last := all[max(0, len(all)-strings.Count(glob, "/")-1):]
			if ok, _ := path.Match(glob, strings.Join(last, "/")); ok {
				found = append(found, name)
			}
		}
		slices.Sort(found)
		return slices.Compact(found)
	}))
	return known.(func() []string)()
}

// prints reports whether a template prints a field for any object.
func (c *comparer) prints(t *render.Template, path refconfig.FieldPath) bool {
	known, _ := c.printings.LoadOrStore(
		t, sync.OnceValue(func() *probe.Printing { return probe.Print(c.ctx, t.Template) }),
	)
	return known.(func() *probe.Printing)().Has(path) != probe.Never
}

// mostDecoded returns how many bytes of the documents in an object's texts may be decoded.
func (s subject) mostDecoded() int64 { return embed.Most(s.stored.object.Text()) }
