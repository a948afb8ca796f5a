package compare

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/tree"
)

// copies are the objects of one identity.
type copies struct {
	at   int // index of kept in the store
	kept *stored
	all  []*stored
}

// worst compares the copies of an object too, and returns the worst verdict. v is the verdict on
// the object itself.
func (c *comparer) worst(s subject, v verdict) verdict {
	e := s.stored
	if len(e.others) == 0 || v.comparison == nil && v.refused == nil {
		return v
	}
	all := []outcome{outcomeOf(e, v)}
	for _, other := range e.contents() {
		if c.ctx.Err() != nil {
			break
		}
		all = append(all, outcomeOf(other, c.alone(c.subject(other, s.nearest))))
	}
	worst := slices.MaxFunc(all, func(a, b outcome) int { return slices.Compare(a.rank[:], b.rank[:]) })
	out := worst.verdict
	out.of = worst.of
	at := slices.IndexFunc(all, func(o outcome) bool { return o.result != worst.result })
	if at < 0 {
		return out
	}
	first, second := worst, all[at]
	if at == 0 {
		first, second = second, first
	}
	more := ""
	if n := len(all) - 2; n > 0 {
		more = "; " + finding.Plural(n, "more copy differs from these", "more copies differ from these")
	}
	out.disagree = fmt.Sprintf(
		"%s occurs several times in the input, and the newest copy is unknown: %s %s, %s %s%s; the worst counts",
		e.object.ID, first.of.object.Place, first.words, second.of.object.Place, second.words, more,
	)
	return out
}

// outcome is the result of comparing one copy.
type outcome struct {
	verdict verdict
	of      *stored
	rank    [2]int // the higher the worse
	result  string // a text; equal for equal results
	words   string
}

// outcomeOf describes a verdict.
func outcomeOf(e *stored, v verdict) outcome {
	o := outcome{verdict: v, of: e, words: "is refused by its templates"}
	if v.comparison == nil {
		o.result = o.words
		return o
	}
	const agrees, hasMore, invalid, differs, failed = 1, 2, 3, 4, 5
	found := v.comparison.found
	fails := finding.Counts{Drift: found.Counts.Drift, Missing: found.Counts.Missing, Invalid: found.Counts.Invalid}
	switch found.Result {
	case finding.Clean:
		o.rank[0], o.words = agrees, "agrees with the reference"
	case finding.OnlyExtra:
		o.rank[0], o.words = hasMore, "agrees with the reference"
	case finding.OnlyInvalid:
		o.rank, o.words = [2]int{invalid, fails.Invalid}, "is invalid ("+fails.String()+")"
	case finding.Drifted:
		o.rank, o.words = [2]int{differs, fails.Drift + fails.Missing + fails.Invalid}, "differs ("+fails.String()+")"
	case finding.Failed:
		o.rank[0], o.words = failed, "could not be compared"
	}
	o.result = strings.Join(append([]string{o.words}, v.comparison.failing...), "\n")
	return o
}

// contents returns the copies that differ from the object and from each other in fields that the
// cluster does not change. Copies that cannot be decoded are among them.
func (s *stored) contents() (all []*stored) {
	known := map[[sha256.Size]byte]bool{}
	for _, e := range slices.Concat([]*stored{s}, s.others) {
		if v, err := e.object.Decode(); err == nil {
			sum := sha256.Sum256([]byte(tree.YAML(lasting(v))))
			if known[sum] {
				continue
			}
			known[sum] = true
		}
		if e != s {
			all = append(all, e)
		}
	}
	return all
}

// tellCopies warns about copies with other content. If they have other results, the warning is an
// alarm; after a few alarms, one more gives the number of the others.
func (r *run) tellCopies(verdicts []verdict) {
	const mostAlarms = 5
	alarms := 0
	for _, e := range r.store.copies {
		w, ok := r.copiesDiffer(e, verdicts[e.at])
		if r.cut = r.comparer.ctx.Err() != nil; r.cut {
			break
		}
		if !ok {
			continue
		}
		if w.Code == code.CopiesDisagree {
			if alarms++; alarms > mostAlarms {
				w.Code = code.CopiesDiffer
			}
		}
		r.result.Warnings = append(r.result.Warnings, w)
	}
	if more := alarms - mostAlarms; more > 0 {
		r.warn(code.CopiesDisagree, "", finding.Plural(more, "more CR occurs", "more CRs occur")+
			" several times in the input with different content; see the warnings "+code.CopiesDiffer)
	}
}

// copiesDiffer returns a warning about copies of an object that differ in fields that the cluster
// does not change. v is the verdict on the object.
func (r *run) copiesDiffer(c copies, v verdict) (finding.Warning, bool) {
	if v.disagree != "" {
		return finding.Warning{Code: code.CopiesDisagree, Place: v.of.object.Place.String(), Message: v.disagree}, true
	}
	id := c.kept.object.ID
	if t, _ := r.templates.first(id, r.assigned[c.kept]); t == nil && !r.templates.keeps(id) {
		return finding.Warning{}, false
	}
	kept, err := c.kept.object.Decode()
	if err != nil {
		return finding.Warning{}, false
	}
	lasts := lasting(kept)
	for _, other := range c.all {
		if r.comparer.ctx.Err() != nil {
			break
		}
		if other == c.kept {
			continue
		}
		v, err := other.object.Decode()
		if err != nil {
			r.unreadable(other.object, err, "a copy of a CR that is compared")
			continue
		}
		if tree.Equal(lasts, lasting(v)) {
			continue
		}
		w := finding.Warning{Code: code.CopiesDiffer, Place: c.kept.object.Place.String()}
		how := "occurs several times in the input with different content: %s is compared, %s is not"
		switch {
		case other.copyOf != nil:
			how = "occurs several times in the input with different content and the same result: %s, %s"
		case c.kept.object.Wrapper != "":
			w.Code = code.CopiesDisagree
			how = "is inside several CRs, with different content, and it is unknown which counts: " +
				"%s is compared, %s is not"
		}
		w.Message = fmt.Sprintf("%s "+how, c.kept.object.ID, c.kept.object.Place, other.object.Place)
		return w, true
	}
	return finding.Warning{}, false
}
