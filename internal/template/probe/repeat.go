package probe

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
)

// A run without a field does mostly what the run without any other field does. So there is a run that
// lacks no field: it records what each call of a named template reads and results in. A run repeats
// the recorded result of a call with the same arguments that does not read its field, and executes
// all others.

// repeatable are recorded calls of named templates, by their trail and arguments. A nil value is a
// call that must be executed again.
type repeatable map[string]*recorded

// recorded is a call of a named template that was executed.
type recorded struct {
	reads       map[string]bool // paths of the fields of the CR that it reads
	guards      int             // number of unknown conditions around it
	conditioned int             // bytes of their texts
	work        int             // its cost
	forks       int             // branches and loops that were executed both ways
	stretch     render.Stretch
	concludes   bool // it told something about an absent field, although none is absent
}

// leastRepeated is the number of steps of all runs from which on a recording is worth its time.
const leastRepeated = 20_000

// recordCalls executes the template without an absent field, and records its calls for the runs without
// one. It returns the record of the whole template. It records nothing, and returns nil, if a limit was
// reached.
func (first *probe) recordCalls(ctx context.Context, t *template.Template) *recorded {
	p := first.again(&askedField{}, render.Value{})
	p.records, p.recorded = repeatable{}, &recorded{reads: map[string]bool{}}
	x, err := p.explore(ctx, t, p.hooks(), &render.Output{})
	if err != nil || p.cut {
		return nil
	}
	first.repeats, first.lookups = p.records, p.lookups
	whole := p.recorded
	whole.work, whole.stretch = p.work, x.End(render.Stretch{})
	return whole
}

// callKey returns the key of the call of a named template whose trail is the current one; an empty one if
// there is none. It is valid until the next call of callKey.
func (p *probe) callKey(arg render.Value) []byte {
	digest, ok := arg.AppendDigest(append(append(p.key[:0], p.trail...), 0), appendStub)
	if p.key = digest; !ok {
		return nil
	}
	return digest
}

// appendStub appends a text that is the same for stubs that are alike.
func appendStub(to []byte, v any) []byte {
	s, isStub := v.(*stub)
	if !isStub || len(s.prints) > 0 {
		return to
	}
	to = append(to, 's')
	for _, fields := range [][]origin{s.is, s.of} {
		to = strconv.AppendInt(append(to, ' '), int64(len(fields)), 10)
		for _, o := range fields {
			to = strconv.AppendQuote(to, o.text)
			if o.lookup != nil {
				to = fmt.Appendf(to, "%p", o.lookup)
			}
		}
	}
	to = strconv.AppendQuote(to, strings.Join(s.through, "\x00"))
	for _, is := range []bool{s.mixed, s.open, s.joined} {
		to = strconv.AppendBool(to, is)
	}
	to = strconv.AppendQuote(to, s.prefix)
	values := render.Value{V: []any{s.known, s.given}}
	if digest, ok := values.AppendDigest(to, appendStub); ok {
		return digest
	}
	return to[:0]
}

// recording begins to record a call, and returns a function that ends that.
func (p *probe) recording(x *render.Execution, arg render.Value) (end func()) {
	key := string(p.callKey(arg))
	one := &recorded{
		reads: map[string]bool{}, guards: len(p.guards), conditioned: p.conditioned, work: p.work, forks: p.forks,
	}
	around, begin, out := p.recorded, x.Begin(), x.Out
	p.recorded = one
	return func() {
		p.recorded = around
		if around != nil {
			for path := range one.reads {
				around.reads[path] = true
			}
			around.concludes = around.concludes || one.concludes
		}
		one.work, one.forks = p.work-one.work, p.forks-one.forks
		known, again := p.records[key]
		if one.concludes || again && known == nil || x.Out != out || p.changed(key, arg) {
			p.records[key] = nil
			return
		}
		one.stretch = x.End(begin)
		p.records[key] = one
	}
}

// changed reports whether the arguments of a call have changed since its key was made.
func (p *probe) changed(key string, arg render.Value) bool {
	return key == "" || string(p.callKey(arg)) != key
}

// concluded records that the current calls told something about the absent field.
func (p *probe) concluded() {
	if p.recorded != nil {
		p.recorded.concludes = true
	}
}

// reads records that the current call reads a field.
func (p *probe) reads(path string) {
	if p.recorded != nil {
		p.recorded.reads[path] = true
	}
}

// repeat repeats the call whose trail is the current one, and reports whether it could.
func (p *probe) repeat(x *render.Execution, arg render.Value) bool {
	if p.repeats == nil {
		return false
	}
	for at := range p.gone.prints {
		if strings.HasPrefix(at.trail, p.trail) {
			return false
		}
	}
	one := p.repeats[string(p.callKey(arg))]
	if one == nil || one.reads[p.gone.Path] || one.guards != len(p.guards) || p.conditioned > one.conditioned ||
		p.work+one.work > mostWork || !x.Repeat(one.stretch) {
		return false
	}
	p.work += one.work
	p.forks += one.forks
	return true
}
