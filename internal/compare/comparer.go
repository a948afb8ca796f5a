package compare

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/cluster"
	"github.com/validationtool/validationtool/internal/embed"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/patch"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// comparer is what the comparisons of all objects need. Nothing of it changes while objects are
// compared, by several goroutines at once; each step of a comparison is one of its methods, which
// makes a value of its own:
//
//	find    the templates that may be meant        candidates
//	open    the object, decoded                    content
//	expect  what a template expects of it          expected
//	diff    how the two differ                     differing
//	weigh   all of that, with each candidate       choice
//	settle  one of these, for the report           comparison
type comparer struct {
	ctx       context.Context
	opt       Options
	templates *templates
	layout    func(refconfig.Place) string // of the archive that an object was gathered in; nil where none is known
	store     *store
	old       *store   // objects as they were
	files     []string // names of the input's files
	globs     sync.Map // of files, by what templates asked for
	evidence  *cluster.Evidence
	overrides *patch.Set
	rooms     sync.Pool // of *kubeyaml.Room, for one object at a time
	schemas   *schemas  // that objects are held against; nil where they are not
}

// subject is an object with the state of its comparison.
type subject struct {
	stored   *stored
	nearest  *render.Template            // what it is compared with where no template fits it; nil for none
	searched *secret.Searched            // its texts
	trace    bool                        // keep what explains the comparisons
	room     *kubeyaml.Room              // memory for nodes while it is compared
	refused  func() []provenance.Finding // what an API server would refuse of it; nil where nobody asks
}

// subject prepares the comparison of an object.
func (c *comparer) subject(e *stored, nearest *render.Template) subject {
	return subject{stored: e, nearest: nearest, searched: &secret.Searched{Context: c.ctx}, room: &kubeyaml.Room{}}
}

// layoutOf returns the layout of the archive that contains an object, or "".
func (c *comparer) layoutOf(o *manifest.Object) string {
	if c.layout == nil {
		return ""
	}
	return c.layout(o.Place)
}

// rendering returns the options for executing templates for an object.
func (c *comparer) rendering(s subject) render.Options {
	return render.Options{
		Context:     c.ctx,
		Lookup:      c.lookup,
		Old:         func() map[string]any { return c.old.same(s.stored.object.ID) },
		Files:       c.matching,
		Limits:      c.opt.Limits,
		Source:      c.opt.Placeholders,
		ShowSecrets: c.opt.Show.Secrets,
		Searched:    s.searched,
		Room:        s.room,
		Trace:       s.trace,
	}
}

// lookup returns the objects for a template's lookupCRs, and records the lookup in the evidence.
func (c *comparer) lookup(apiVersion, kind, namespace, name string) []map[string]any {
	c.evidence.LookedUp(
		finding.Kind{APIVersion: apiVersion, Kind: kind},
		func(other string) bool { return open(name) || other == name },
	)
	return c.store.find(c.ctx, apiVersion, kind, namespace, name)
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

// mostDecoded returns how many bytes of the documents in an object's texts may be decoded.
func (s subject) mostDecoded() int64 { return embed.Most(s.stored.object.Text()) }
