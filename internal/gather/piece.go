package gather

import (
	"cmp"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/internal/watch"
)

// Piece is what was read of some of the inputs, so that not all have to be held at once. A piece of one input whose clusters all have an
// identity can be compared by itself (Alone) and let go of (Release). What remains is enough for Together to tell whether that was right:
// what tells the identities, and eight bytes for each other CR that has a UID.
type Piece struct {
	Inputs   []int          // their numbers among all, ascending
	Summary  source.Summary // of these inputs
	Objects  int            // CRs that were read
	Size     int64          // bytes that it holds, roughly
	Short    bool           // something was let go for want of memory
	Stopped  *watch.Ended   // why not all was read; nil where it was
	Released bool

	clusters int // after Release: how many
	batches  []*Batch
	moments  []*moment
	passed   map[string]int
	telling  []uint64 // after Release: the UIDs of what lies in parts that tell their cluster
	loose    []uint64 // and of what lies beside such parts
}

// Piece returns what was read, after End.
func (r *Reading) Piece() *Piece {
	p := &Piece{Inputs: r.opt.Numbers, Summary: r.Summary, Objects: r.count(), Stopped: r.stopped}
	p.batches, p.moments = r.batches()
	p.passed = r.passed
	p.Size = r.memory.held
	p.Short = r.memory.short.Load() || r.memory.files.Refused() || r.memory.documents.Refused() ||
		slices.ContainsFunc(r.Summary.Problems, func(p source.Problem) bool { return p.Code == code.LimitMemory })
	return p
}

// inputsIn are the inputs of pieces, each at its number, of so many.
func inputsIn(pieces []*Piece, n int) []source.Input {
	all := make([]source.Input, n)
	for _, p := range pieces {
		for i, in := range p.Summary.Inputs {
			all[p.Inputs[i]] = in
		}
	}
	return all
}

// Alone returns what was read of each cluster of a piece that is one input. It is false where this may hang on what the other inputs hold:
// where something in it does not tell its cluster and does not lie beside one that is known, or contradicts itself.
func (p *Piece) Alone(opt Options) ([]Collected, bool) {
	clusters, ok := p.split(opt)
	if !ok {
		return nil, false
	}
	one := p.first()
	return clusters.collect(one.Summary, one.moments), true
}

// first is a piece of one input as if that were the first: what is done for each input must not take as long as there are inputs before it.
func (p *Piece) first() *Piece {
	one := &Piece{Summary: p.Summary, batches: slices.Clone(p.batches), moments: slices.Clone(p.moments)}
	for i, b := range one.batches {
		b := *b
		b.File.Input, one.batches[i] = 0, &b
	}
	for i, m := range one.moments {
		m := *m
		m.input, one.moments[i] = 0, &m
	}
	for _, problems := range []*[]source.Problem{&one.Summary.Problems, &one.Summary.NotRead} {
		*problems = slices.Clone(*problems)
		for i := range *problems {
			(*problems)[i].Input = 0
		}
	}
	return one
}

// split tells the clusters of a piece of one input apart, as far as that does not hang on other inputs. It is the first of them, see first.
func (p *Piece) split(opt Options) (*Clusters, bool) {
	if len(p.Inputs) != 1 || p.Stopped != nil || opt.Join {
		return nil, false
	}
	opt.part = true
	c, err := Split(p.Summary.Inputs, p.first().batches, opt)
	if err != nil || len(c.all) == 0 || c.united { // whether UIDs keep them apart is told by all their objects
		return nil, false
	}
	for _, one := range c.all {
		if one.Identity.known() == 0 || len(one.Doubts) > 0 {
			return nil, false
		}
	}
	for _, a := range c.areas {
		if a.cluster < 0 || a.identity.known() == 0 && !c.liesIn(a) {
			return nil, false
		}
	}
	return c, true
}

// liesIn reports whether everything in an area lies in the folder of the cluster that it was found to be of.
func (c *Clusters) liesIn(a *area) bool {
	return !slices.ContainsFunc(a.batches, func(i int) bool { return c.at(a.input, c.batches[i].File.Name) != a.cluster })
}

// Release lets go of the CRs of a piece for which Alone was true with the same options.
func (p *Piece) Release(opt Options) {
	c, ok := p.split(opt)
	if !ok {
		return
	}
	p.clusters = len(c.List)
	p.telling, p.loose = c.uids(0)
	var kept []*Batch
	for _, b := range c.batches {
		var telling []*manifest.Object
		for _, o := range b.Contents.Objects {
			if identityOf(o).known() > 0 {
				o.Detach()
				telling = append(telling, o)
			}
		}
		if len(telling) > 0 {
			b.File.Input = p.Inputs[0]
			kept = append(kept, &Batch{File: b.File, Contents: manifest.Contents{Objects: telling}})
		}
	}
	p.batches, p.moments, p.Released = kept, nil, true
}

// Drop lets go of all but the figures: the inputs are read again.
func (p *Piece) Drop() { p.batches, p.moments, p.passed = nil, nil, nil }

// uids are the CRs of an input that have a UID, as hashes of both: those in areas that tell their cluster, and the others. Both are sorted.
func (c *Clusters) uids(input int) (telling, loose []uint64) {
	for _, a := range c.areas {
		if a.input != input {
			continue
		}
		into := &loose
		if a.identity.known() > 0 || a.clash != nil {
			into = &telling
		}
		for o := range c.objects(a) {
			*into = append(*into, hashed(o))
		}
	}
	for _, list := range []*[]uint64{&telling, &loose} {
		slices.Sort(*list)
		*list = slices.Clip(slices.Compact(*list))
	}
	return telling, loose
}

// hashed is a hash of the identity and the UID of an object. Where two share it by chance, inputs are read again for nothing.
func hashed(o *manifest.Object) uint64 {
	h := fnv.New64a()
	for _, s := range []string{o.ID.APIVersion, o.ID.Kind, o.ID.Namespace, o.ID.Name, o.UID} {
		_, _ = io.WriteString(h, s+"\x00") // never fails
	}
	return h.Sum64()
}

// Whole is a cluster of several pieces: what was read of it, or that it is one of a piece that was compared and let go.
type Whole struct {
	Collected
	Released bool
	Input    int // the number of its first input; of one that stands by itself, how many there are
	Index    int // of what was let go: which of the clusters of the input it is, as Alone returned them
}

// Together returns all clusters of pieces of the inputs with these paths, in the order of the inputs: the same as if all had been read at once. again are the
// numbers of inputs for which that cannot be told, because some were let go and belong together with others: they have to be read again as
// one piece. Where the run was interrupted there are none: what was let go stands by itself then. The error says that no cluster is called
// as Options.Only says.
func Together(pieces []*Piece, inputs []string, opt Options, ended *watch.Ended) (all []Whole, again []int, err error) {
	t := &together{paths: inputs, pieces: pieces, ended: ended}
	all, again, err = t.split(pieces, opt)
	if t.interrupted() {
		if len(again) > 0 {
			all, _, err = t.split(slices.DeleteFunc(slices.Clone(pieces), func(p *Piece) bool { return p.Released }), opt)
			all = append(all, t.letGo()...)
			slices.SortStableFunc(all, func(a, b Whole) int { return a.Input - b.Input })
		}
		return t.stopped(all), nil, err
	}
	return all, again, err
}

// together is one call of Together.
type together struct {
	paths  []string
	pieces []*Piece
	ended  *watch.Ended // why, where not all was read
}

// interrupted reports whether not all inputs were read to their ends.
func (t *together) interrupted() bool {
	read := 0
	for _, p := range t.pieces {
		if read += len(p.Inputs); p.Stopped != nil {
			return true
		}
	}
	return read < len(t.paths)
}

// split tells the clusters of some pieces apart.
func (t *together) split(pieces []*Piece, opt Options) (all []Whole, again []int, err error) {
	s := &sorting{present: pieces, summary: source.Summary{Inputs: inputsIn(pieces, len(t.paths))}, released: map[int]*Piece{}}
	var batches []*Batch
	var moments []*moment
	for _, p := range pieces {
		batches, moments = append(batches, p.batches...), append(moments, p.moments...)
		s.summary.Problems = append(s.summary.Problems, p.Summary.Problems...)
		s.summary.NotRead = append(s.summary.NotRead, p.Summary.NotRead...)
		if p.Released {
			s.released[p.Inputs[0]] = p
		}
	}
	for _, list := range [][]source.Problem{s.summary.Problems, s.summary.NotRead} {
		slices.SortStableFunc(list, func(a, b source.Problem) int { return cmp.Compare(a.Input, b.Input) })
	}
	if s.Clusters, err = Split(s.summary.Inputs, batches, opt); err != nil {
		return nil, nil, err
	}
	if again = s.again(); len(again) > 0 {
		return nil, again, nil
	}
	return s.wholes(moments), nil, nil
}

// sorting tells clusters of pieces apart.
type sorting struct {
	*Clusters
	summary  source.Summary
	present  []*Piece
	released map[int]*Piece // by their inputs
}

// again are the inputs that belong together, or cannot be told apart, if some of them were let go.
func (s *sorting) again() []int {
	wanted := map[int]bool{}
	for _, one := range s.all {
		if shared := len(one.Parts) > 1 || len(one.Doubts) > 0; shared {
			for _, p := range one.Parts {
				wanted[p.Input] = true
			}
		}
	}
	for _, a := range s.areas {
		if a.cluster < 0 {
			wanted[a.input] = true
		}
	}
	if len(s.List) == 1 { // what is of no cluster that is known is of the only one
		for _, p := range s.present {
			for _, input := range p.Inputs {
				if !s.Has(input) {
					wanted[s.List[0].Parts[0].Input] = true
				}
			}
		}
	}
	s.strays(wanted)
	var all []int
	released := false
	for _, p := range s.present {
		if slices.ContainsFunc(p.Inputs, func(input int) bool { return wanted[input] }) {
			all = append(all, p.Inputs...)
			released = released || p.Released
		}
	}
	if !released {
		return nil
	}
	slices.Sort(all)
	return all
}

// strays finds inputs in which something that does not tell its cluster is a CR of another input again, with the same UID.
func (s *sorting) strays(wanted map[int]bool) {
	telling, loose := map[int][]uint64{}, map[uint64][]int{}
	for _, p := range s.present {
		for _, input := range p.Inputs {
			of := p.loose
			telling[input] = p.telling
			if !p.Released {
				telling[input], of = s.uids(input)
			}
			for _, h := range of {
				loose[h] = append(loose[h], input)
			}
		}
	}
	if len(loose) == 0 {
		return
	}
	for input, list := range telling {
		for _, h := range list {
			for _, other := range loose[h] {
				if other != input {
					wanted[input], wanted[other] = true, true
				}
			}
		}
	}
}

// wholes are the clusters in their order.
func (s *sorting) wholes(moments []*moment) []Whole {
	collected := s.collect(s.summary, moments)
	all := make([]Whole, len(collected))
	count := map[int]int{} // clusters of each input that was let go
	for i := range collected {
		one := Whole{Collected: collected[i], Input: len(s.inputs)}
		if i < len(s.List) {
			one.Input = s.List[i].Parts[0].Input
		}
		if s.released[one.Input] != nil {
			one = Whole{Released: true, Input: one.Input, Index: count[one.Input]}
			count[one.Input]++
		}
		all[i] = one
	}
	return all
}

// letGo are the clusters of the pieces that were let go.
func (t *together) letGo() (all []Whole) {
	for _, p := range t.pieces {
		for i := range p.clusters {
			all = append(all, Whole{Released: true, Input: p.Inputs[0], Index: i})
		}
	}
	return all
}

// stopped says of clusters that not all was read, and names the inputs that were not begun.
func (t *together) stopped(all []Whole) []Whole {
	read, stopped := map[int]bool{}, false
	for _, p := range t.pieces {
		stopped = stopped || p.Stopped != nil
		for _, input := range p.Inputs {
			read[input] = true
		}
	}
	for i := range all {
		if stopped && !all[i].Released {
			all[i].stop(t.ended)
		}
	}
	var unread []source.Input
	for i, path := range t.paths {
		if !read[i] {
			unread = append(unread, source.Input{Path: path})
		}
	}
	if len(unread) > 0 {
		c := nothing(unread)
		c.Stopped = t.ended.And(" before these inputs were read")
		all = append(all, Whole{Collected: c, Input: len(t.paths)})
	}
	return all
}

// Separate reports whether several inputs can be read by themselves: each can be opened again, and none lies in another.
func Separate(paths []string) bool {
	known := map[string]bool{}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() && !info.IsDir() || known[filepath.Clean(path)] {
			return false
		}
		known[filepath.Clean(path)] = true
	}
	for path := range known {
		for at := path; at != filepath.Dir(at); {
			if at = filepath.Dir(at); known[at] {
				return false
			}
		}
	}
	return len(paths) > 1
}
