package compare

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// subject is an object that is being compared, with its content once it is open.
type subject struct {
	stored   *stored
	nearest  *render.Template // the template to compare with if none matches; nil for none
	found    candidates       // its templates
	searched *secret.Searched // remembers which of its texts hold a Secret
	trace    bool             // keep the data that explains the comparisons
	room     *room            // memory for what is made during the comparison
	looked   *lookedUp        // the objects with copies that templates looked up for it

	// the content, see open
	value     map[string]any
	locator   manifest.Locator
	twice     []*kubeyaml.Node            // duplicate keys
	refused   func() []provenance.Finding // returns what an API server would reject; nil without validation
	secretive func() bool                 // reports whether the object contains secret data
}

// room is memory that the comparison of one object after another uses.
type room struct {
	render render.Room
	diff   diff.Room
}

// reuse lets the room use its memory again. Nothing that was made in it is used any more.
func (r *room) reuse() {
	r.render.Reuse()
	r.diff.Reuse()
}

// secrets returns which parts of an object of this kind are secret.
func (s subject) secrets() secret.Scope {
	return secret.OfKind(s.stored.object.ID.Kind).With(s.searched)
}

// subject prepares the comparison of an object.
func (c *comparer) subject(e *stored, nearest *render.Template) subject {
	return c.subjectOf(e, nearest, c.templates.find(e.object.ID, nearest))
}

// subjectOf prepares the comparison of an object for which templates were found.
func (c *comparer) subjectOf(e *stored, nearest *render.Template, found candidates) subject {
	return subject{
		stored:   e,
		nearest:  nearest,
		found:    found,
		searched: &secret.Searched{Context: c.ctx},
		room:     &room{},
		looked:   &lookedUp{},
	}
}

// open decodes an object and returns it with its content. It keeps the value only if it may be needed
// again. It returns an error for an object that is far larger when printed than in its file.
func (c *comparer) open(s subject) (subject, error) {
	o := s.stored.object
	node, err := o.NodeIn(&s.room.render.Nodes)
	if err != nil {
		return s, err
	}
	s.locator, s.twice = manifest.NewLocator(node), kubeyaml.DuplicateKeys(node)
	if c.templates.keeps(o.ID) || s.stored.value != nil {
		s.value, err = s.stored.decode()
	} else {
		s.value, _ = node.Value().(map[string]any)
	}
	if !c.opt.Show.Secrets {
		s.twice = secret.Keys(s.twice, s.value)
	}
	value, scope := s.value, s.secrets()
	if c.schemas != nil {
		content := func() map[string]any { return value }
		s.refused = sync.OnceValue(func() []provenance.Finding { return c.refused(o, s.looked, scope, node, content) })
	}
	searched := s.searched
	s.secretive = sync.OnceValue(func() bool { return secret.Of(value).With(searched).Holds(value) })
	return s, cmp.Or(err, c.fits(o, value))
}

// fits returns an error for an object that is far larger when printed than in its file, for example
// because it is deeply nested. An object that is large in its file may be large.
func (c *comparer) fits(o *manifest.Object, value map[string]any) error {
	const times = 4
	def := render.DefaultLimits()
	most := max(cmp.Or(c.opt.Limits.Output, def.Output), times*o.Text())
	size, ok := tree.Measure(
		value, tree.Size{Nodes: most, Bytes: most, Height: max(c.opt.Limits.Text.Nesting, def.Text.Nesting) + 1},
	)
	if ok && size.Printed() <= most {
		return nil
	}
	return &kubeyaml.SyntaxError{Code: code.LimitOutput, Message: fmt.Sprintf(
		"it takes more than %d bytes to print, the limit; leave it out of the input, or raise the limit with --limit output=N",
		most,
	)}
}

// mostDecoded returns how many bytes of the documents in an object's texts may be decoded.
func (s subject) mostDecoded() int64 { return embed.Most(s.stored.object.Text()) }
