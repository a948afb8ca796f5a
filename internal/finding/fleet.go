package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/run/slice"
)

// Fleet holds the findings of several clusters against each other, to show which clusters are odd.
// It has what counts as a failure and what makes a result unreliable. Extra content and CRs without a
// template are part of it only if they make the report fail. It depends on the names of clusters and
// inputs, not on their order. A filter does not change the rows and their numbers.
type Fleet struct {
	Clusters int   // the number of runs that are clusters
	Rows     []Row // unreliable results first, then the usual row, then those with the most further findings
	usual    int   // the index of the row with the most clusters; -1 if no input has a CR

	report *Report
	filter Filter
	order  []int                 // the indexes of all runs, by name
	first  []int32               // for each place in order, that of the first run of the same cluster
	known  map[ContentHash]int32 // the number of each finding
	places [][]int32             // the places in order of the runs with a finding, by its number
	from   []int32               // the place of a run that has the finding, by its number
	shown  map[int32][]int32     // the places of the runs of which the filter shows a finding, by its number
	rules  map[string][]int32    // the numbers of each broken rule, which other CRs break on other clusters
}

// Row has the clusters with the same findings: their fingerprints and values are equal.
type Row struct {
	Verdict  Verdict
	Runs     []int // the indexes of the clusters in Report.Runs, by name
	Findings int
	Usual    bool // the row has the most clusters, and the others are compared with it
	Known    bool // the runs are clusters; false for inputs without CRs
	Blank    bool // the inputs have no CR
	// the numbers of findings that the clusters of the usual row do not have, and that only they have
	More, Less int

	ids []int32 // the numbers of the findings, ascending
}

// ContentHash identifies a finding and its values: findings of several reports with the same one are the
// same.
type ContentHash [sha256.Size / 2]byte

// ContentHash returns a hash of a finding's fingerprint and values, or words if it has no values. The
// number that distinguishes several findings on one field is no part of it.
func (f Finding) ContentHash() (short ContentHash) {
	text := make([]byte, 0, 256)
	print, _, _ := strings.Cut(f.Fingerprint, "-")
	add := func(part string) {
		text = binary.AppendUvarint(text, uint64(len(part)))
		text = append(text, part...)
	}
	add(print)
	add(string(f.Class))
	add(string(f.Reference))
	add(string(f.Input))
	if f.Reference == nil && f.Input == nil {
		add(f.Wording())
	}
	hash := sha256.Sum256(text)
	copy(short[:], hash[:])
	return short
}

// Wording returns the words of a finding without the path of its field.
func (f Finding) Wording() string { return strings.TrimPrefix(f.Words, f.Path+": ") }

// Fleet compares all findings on the clusters. It notes which of them a filter shows.
func (r *Report) Fleet(filter Filter) *Fleet {
	f := &Fleet{
		report: r,
		filter: filter,
		known:  map[ContentHash]int32{},
		rules:  map[string][]int32{},
		shown:  map[int32][]int32{},
	}
	f.order = r.byName()
	rows := map[string]int{}
	f.Clusters = r.CountClusters()
	placeOf := make([]int, len(f.order))
	for place, i := range f.order {
		placeOf[i] = place
	}
	f.first = make([]int32, len(f.order))
	for i, first := range r.firsts() {
		f.first[placeOf[i]] = int32(placeOf[first])
	}
	for place, i := range f.order {
		run := r.Runs[i]
		row := Row{Verdict: run.Summary.Verdict, Known: run.IsCluster(), Blank: run.IsBlank(), ids: f.number(place)}
		row.Findings = len(row.ids)
		key := row.key()
		at, known := rows[key]
		if !known {
			at = len(f.Rows)
			rows[key] = at
			f.Rows = append(f.Rows, row)
		}
		again := func(other int) bool { return f.first[placeOf[other]] == f.first[place] }
		if runs := f.Rows[at].Runs; f.first[place] == int32(place) || !slices.ContainsFunc(runs, again) {
			f.Rows[at].Runs = append(runs, i)
		}
	}
	for id, places := range f.places {
		slices.Sort(places)
		f.places[id] = slices.Compact(places)
	}
	f.sortRows()
	return f
}

// byName returns the indexes of the runs, sorted by the names of clusters and inputs.
func (r *Report) byName() []int {
	type named struct {
		name, inputs string
		index        int
	}
	all := make([]named, len(r.Runs))
	for i, run := range r.Runs {
		all[i] = named{run.Name(), run.Places(len(run.Inputs)), i}
	}
	slices.SortFunc(all, func(a, b named) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.inputs, b.inputs), a.index-b.index)
	})
	order := make([]int, len(all))
	for i, one := range all {
		order[i] = one.index
	}
	return order
}

// findings yields those findings on a run that are compared.
func (f *Fleet) findings(run int) iter.Seq[Finding] {
	failOn := f.report.FailOn
	extra := failOn.Has(FailOnExtra) || failOn.Has(FailOnImpacting)
	wants := func(c Class) bool { return !c.IsNote() && (c != ClassExtra || extra) }
	return func(yield func(Finding) bool) {
		for one := range f.report.Runs[run].Findings(failOn, wants) {
			if wanted := one.Class != ClassExtra || one.Counts(failOn); wanted && !yield(one) {
				return
			}
		}
	}
}

// number returns the numbers of the findings on the run at a place, ascending and without duplicates,
// and records the place for each of them.
func (f *Fleet) number(place int) (ids []int32) {
	for one := range f.findings(f.order[place]) {
		hash := one.ContentHash()
		id, known := f.known[hash]
		if !known {
			id = int32(len(f.places))
			f.known[hash] = id
			f.places, f.from = append(f.places, nil), append(f.from, int32(place))
			if one.Class.IsRule() {
				f.rules[one.ruleKey()] = append(f.rules[one.ruleKey()], id)
			}
		}
		if last := len(f.places[id]) - 1; last < 0 || f.places[id][last] != f.first[place] {
			f.places[id] = append(f.places[id], f.first[place])
		}
		if f.filter.mayHide() && f.filter.shows(one) {
			f.shown[id] = append(f.shown[id], int32(place))
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ruleKey returns a text that is the same for a broken rule, whatever CRs break it.
func (f Finding) ruleKey() string { return f.Fingerprint + f.Broken.Message }

// key returns a text that is the same for clusters of the same row.
func (r Row) key() string {
	text := []byte(r.Verdict)
	for _, is := range []bool{r.Known, r.Blank} {
		text = strconv.AppendBool(text, is)
	}
	for _, id := range r.ids {
		text = binary.BigEndian.AppendUint32(text, uint32(id))
	}
	return string(text)
}

// sortRows finds the usual row, compares the others with it, and sorts the rows, which are in the order
// of the names.
func (f *Fleet) sortRows() {
	usual := Row{}
	for i, r := range f.Rows {
		if !r.Blank && (usual.Runs == nil || cmp.Or(len(r.Runs)-len(usual.Runs),
			usual.Verdict.Severity()-r.Verdict.Severity(), usual.Findings-r.Findings) > 0) {
			usual, f.usual = r, i
		}
	}
	for i := range f.Rows {
		r := &f.Rows[i]
		r.Usual = usual.Runs != nil && i == f.usual
		if r.More = len(without(r.ids, usual.ids)); !r.Blank {
			r.Less = len(without(usual.ids, r.ids))
		}
	}
	slices.SortStableFunc(f.Rows, func(a, b Row) int {
		return cmp.Or(
			first(b.Verdict == Incomplete)-first(a.Verdict == Incomplete),
			first(b.Usual)-first(a.Usual),
			b.More-a.More,
			len(b.Runs)-len(a.Runs),
		)
	})
	f.usual = slices.IndexFunc(f.Rows, func(r Row) bool { return r.Usual })
}

// first is 1 for what comes first in a list, else 0.
func first(is bool) int {
	if is {
		return 1
	}
	return 0
}

// without returns the elements of a that are not in b. Both are ascending.
func without(a, b []int32) (rest []int32) {
	for _, id := range a {
		for len(b) > 0 && b[0] < id {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != id {
			rest = append(rest, id)
		}
	}
	return rest
}

// Counted counts the clusters of a row in words.
func (r Row) Counted() string {
	if !r.Known {
		return Plural(len(r.Runs), "input", "inputs")
	}
	return Plural(len(r.Runs), "cluster", "clusters")
}

// Run returns the first cluster of a row.
func (f *Fleet) Run(r Row) *Run { return f.report.Runs[r.Runs[0]] }

// shows reports whether the filter shows a finding with a number on one of some runs; nil for all runs.
func (f *Fleet) shows(id int32, runs []int) bool {
	places := f.shown[id]
	return !f.filter.mayHide() || runs == nil && len(places) > 0 ||
		slices.ContainsFunc(places, func(place int32) bool { return slices.Contains(runs, f.order[place]) })
}

// Against returns what the clusters of a row have more and less than those of the usual row, as far as the
// filter shows it, and the numbers of findings that it hides. Nothing is said of a row without findings,
// which lacks them all.
func (f *Fleet) Against(r Row) (more, less []Common, hidden [2]int) {
	if r.Usual || r.Findings == 0 {
		return nil, nil, hidden
	}
	var folded [2][]Common
	usual := r.Runs
	if f.usual >= 0 {
		usual = f.Rows[f.usual].Runs
	}
	has, lacks := f.Odd(r)
	for side, of := range []struct {
		all  []Finding
		runs []int
	}{{has, r.Runs}, {lacks, usual}} {
		shown := slice.Filter(of.all, func(one Finding) bool { return f.shows(f.known[one.ContentHash()], of.runs) })
		hidden[side] = len(of.all) - len(shown)
		folded[side] = Folded(shown)
	}
	return folded[0], folded[1], hidden
}

// Odd returns the findings that the clusters of a row have and those of the usual row do not, and the
// other way round: first what makes the result unreliable, then what the fewest clusters have, or lack. An
// input without CRs lacks nothing.
func (f *Fleet) Odd(r Row) (more, less []Finding) {
	if f.usual < 0 {
		return f.some(r.Runs[0], r.ids), nil
	}
	clusters := func(one Finding) int { return len(f.places[f.known[one.ContentHash()]]) }
	usual := f.Rows[f.usual]
	more = f.some(r.Runs[0], without(r.ids, usual.ids))
	slices.SortStableFunc(more, func(a, b Finding) int {
		return cmp.Or(first(a.Class.isShared())-first(b.Class.isShared()), clusters(a)-clusters(b))
	})
	if !r.Blank {
		less = f.some(usual.Runs[0], without(usual.ids, r.ids))
		slices.SortStableFunc(less, func(a, b Finding) int {
			return cmp.Or(first(a.Class.isShared())-first(b.Class.isShared()), clusters(b)-clusters(a))
		})
	}
	return more, less
}

// some returns the findings on a run that have these numbers. Findings are not kept, because those on
// all clusters can take much memory.
func (f *Fleet) some(run int, ids []int32) (all []Finding) {
	if len(ids) == 0 {
		return nil
	}
	left := map[int32]bool{}
	for _, id := range ids {
		left[id] = true
	}
	for one := range f.findings(run) {
		if id := f.known[one.ContentHash()]; left[id] {
			delete(left, id)
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			slices.Index(classesOfFleet(), a.Class)-slices.Index(classesOfFleet(), b.Class),
			cmp.Compare(a.Object.String(), b.Object.String()),
			cmp.Compare(a.Words, b.Words),
			cmp.Compare(a.Fingerprint, b.Fingerprint),
		)
	})
	return all
}

// classesOfFleet returns the classes of findings that are compared between clusters, the most serious
// first.
func classesOfFleet() []Class {
	return []Class{
		ClassUnreadable, ClassIncomplete, ClassUnknown, ClassError, ClassDrift, ClassMissing, ClassInvalid,
		ClassInvalidCR, ClassRule,
		ClassAbsent, ClassWanted, ClassPerhapsBroken, ClassNotCollected, ClassReferenced, ClassUnmatched, ClassExtra,
	}
}

// Shared returns the findings that count as failures of at least two clusters: those of all clusters,
// and the others, the rarest first.
func (f *Fleet) Shared() (all, several []Common) {
	with := map[int32][]int32{}   // the places of each finding
	firsts := map[int32][]int32{} // the findings to look up in the run at a place
	add := func(id int32, places []int32) {
		if len(places) > 1 {
			with[id], firsts[f.from[id]] = places, append(firsts[f.from[id]], id)
		}
	}
	for _, ids := range f.rules {
		var places []int32
		for _, id := range ids {
			places, with[id] = append(places, f.places[id]...), []int32{}
		}
		slices.Sort(places)
		for _, id := range ids {
			if f.places[id][0] == places[0] {
				add(id, slices.Compact(places))
				break
			}
		}
	}
	for id, places := range f.places {
		if with[int32(id)] == nil {
			add(int32(id), places)
		}
	}
	var found []*Common
	for place, ids := range firsts {
		for _, one := range f.some(f.order[place], ids) {
			if one.Class.isShared() {
				c := commonOf(one)
				if one.Class.IsRule() { // on each cluster, other CRs may break the rule
					c.Text = one.Broken.Message
				}
				id := f.known[one.ContentHash()]
				c.places = with[id]
				alike := []int32{id}
				if one.Class.IsRule() {
					alike = f.rules[one.ruleKey()]
				}
				c.Hidden = !slices.ContainsFunc(alike, func(id int32) bool { return f.shows(id, nil) })
				found = append(found, &c)
			}
		}
	}
	slices.SortFunc(found, compareCommon)
	for _, one := range folded(found) {
		if one.N() == f.Clusters {
			all = append(all, one)
		} else {
			several = append(several, one)
		}
	}
	return all, several
}

// Groups returns the rows as a document has them.
func (f *Fleet) Groups() []ClusterGroup {
	var all []ClusterGroup
	for _, r := range f.Rows {
		one := ClusterGroup{Verdict: r.Verdict, Runs: r.Runs, Findings: r.Findings, Usual: r.Usual}
		for _, i := range r.Runs {
			one.Clusters = append(one.Clusters, f.report.Runs[i].Name())
		}
		more, less := f.Odd(r)
		one.More, one.Less = oddOf(more), oddOf(less)
		all = append(all, one)
	}
	return all
}

// oddOf counts findings and lists the first of them. The places of one cluster mean nothing for others.
func oddOf(all []Finding) *Odd {
	if len(all) == 0 {
		return nil
	}
	odd := &Odd{Count: len(all), Findings: all[:min(OddShown, len(all))]}
	for i := range odd.Findings {
		odd.Findings[i].Source = Source{}
	}
	return odd
}

// Folded describes findings of the same clusters. Missing CRs of a component share one description.
func Folded(all []Finding) []Common {
	var found []*Common
	for _, one := range all {
		c := commonOf(one)
		found = append(found, &c)
	}
	return folded(found)
}

// Names names the clusters that have the finding, or those that lack it if they are fewer: at
// most five or six. It returns "" if all clusters have the finding.
func (f *Fleet) Names(c Common) string {
	const most = 5
	var with, without []string
	for place, i := range f.order {
		switch _, has := slices.BinarySearch(c.places, int32(place)); {
		case has:
			with = append(with, f.report.Runs[i].Name())
		case f.report.Runs[i].IsCluster() && f.first[place] == int32(place):
			without = append(without, f.report.Runs[i].Name())
		}
	}
	switch {
	case len(without) == 0:
		return ""
	case len(with) > most+1 && len(without) < len(with):
		return "all but " + Some(without, most)
	}
	return Some(with, most)
}
