package browse

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// level is the depth of a node in the tree.
type level int

// The levels. A missing CR, a broken rule and a problem of the input stand at that of CRs.
const (
	ofCluster level = iota
	ofPart
	ofComponent
	ofCR
	ofField
)

// node is a line of the tree.
type node struct {
	level    level
	label    string // on one line, safe to print
	key      string // the same on every cluster for the same part, component, CR or finding
	run      *finding.Run
	parent   *node
	children []*node
	open     bool // the children are shown

	// the class of the finding; of a CR, that of its first finding; of a cluster, one with the style of
	// its verdict
	class finding.Class

	// of CRs and fields
	change   finding.Change
	counts   bool                // the finding is in the counts; false for extra content that makes nothing fail
	accepted bool                // by an override
	object   finding.Object      // the CR, or the missing one
	cr       *finding.Comparison // the CR that was compared; nil for another finding
	entry    *finding.Entry      // the finding that is about no compared CR; else nil
	path     string              // the field
	part     Part                // what can be accepted; zero for nothing

	hidden bool // by the filter
	count  int  // the findings that count and are not hidden, in it and below
	place  int  // the index in Tree.all
	row    int  // the index in Tree.rows; -1 if an ancestor is folded
}

// Tree is the findings of a report as a tree, with a cursor.
type Tree struct {
	clusters []*node
	all      []*node // all nodes that are not hidden, from top to bottom
	rows     []*node // those whose ancestors are open
	at       *node   // the cursor; nil if nothing is shown
	filter   Filter
}

// NewTree makes the tree of a report. A single cluster is open down to its CRs, of several only the
// names are shown.
func NewTree(r *finding.Report) *Tree {
	t := &Tree{}
	known := map[string]int{}
	for _, run := range r.Runs {
		c := clusterOf(run, r.FailOn, len(r.Runs) == 1)
		name := c.key
		c.key += strings.Repeat(" ", known[name]) // clusters may share a name
		known[name]++
		t.clusters = append(t.clusters, c)
	}
	t.show()
	return t
}

// clusterOf makes the node of a cluster with everything below it. Parts and components have the order
// of their most important findings.
func clusterOf(run *finding.Run, failOn finding.FailOn, open bool) *node {
	c := &node{level: ofCluster, label: escape.Text(run.Name()), key: run.Name(), run: run, open: open}
	switch run.Summary.Verdict {
	case finding.Differs:
		c.class = finding.ClassDrift
	case finding.Incomplete:
		c.class = finding.ClassError
	}
	groups := map[[2]string]*node{}
	group := func(l level, under *node, name, key string) *node {
		id := [2]string{under.key, name}
		if groups[id] == nil {
			groups[id] = under.add(&node{level: l, label: escape.Text(name), key: key, open: open})
		}
		return groups[id]
	}
	under := func(part, component string) *node {
		at := group(ofPart, c, cmp.Or(part, "beside the reference"), "part "+part)
		if component != "" {
			at = group(ofComponent, at, component, "component "+part+"/"+component)
		}
		return at
	}
	listed := map[*finding.Comparison]bool{}
	for _, e := range run.Entries(finding.Grouping{Single: true}, failOn) {
		at := under(e.Template.Part, e.Template.Component)
		if len(e.Group) > 0 {
			listed[e.Group.First()] = true
			at.addCR(e.Group.First(), e.Finding, failOn)
			continue
		}
		findings := e.Missing
		if len(findings) == 0 {
			findings = []finding.Finding{e.Finding}
		}
		for _, f := range findings {
			label := escape.Text(f.Subject())
			if len(e.Missing) == 0 {
				label = escape.Text(strings.TrimSpace(f.Subject() + "  " + f.Coded()))
			}
			one := at.addFinding(ofCR, label, f)
			one.object, one.entry = f.Object, &e
			if one.part.Rule = f.Broken; f.Missed != nil {
				one.part.Missing = f.Template.Path
			}
		}
	}
	for _, one := range run.Comparisons {
		if t := one.Template; !listed[one] && len(one.Accepted()) > 0 {
			under(t.Part, t.Component).addCR(one, one.Accepted()[0], failOn).accepted = true
		}
	}
	for _, a := range run.AcceptedCRs {
		under(a.Part, a.Component).add(&node{
			level: ofCR, label: escape.Text(a.Object.Short() + ": " + a.Reason + finding.Prefixed(", until ", a.Expires)),
			key:    a.Fingerprint(),
			object: a.Object, accepted: true,
		})
	}
	return c
}

// add adds a child.
func (n *node) add(child *node) *node {
	child.parent, child.run = n, n.run
	n.children = append(n.children, child)
	return child
}

// addFinding adds a finding.
func (n *node) addFinding(l level, label string, f finding.Finding) *node {
	return n.add(&node{
		level: l, label: label, key: f.Fingerprint, path: f.Path,
		class: f.Class, change: f.Change, counts: f.Level() > 0,
	})
}

// addCR adds a CR that was compared, with its fields. first is its most important finding.
func (n *node) addCR(c *finding.Comparison, first finding.Finding, failOn finding.FailOn) *node {
	one := n.addFinding(ofCR, escape.Text(c.Object.Short()), first)
	one.key, one.object, one.cr, one.path = c.Object.String()+" "+c.Template.Path, c.Object, c, ""
	if c.Error != nil {
		return one
	}
	one.part.CR = c
	findings := c.Findings(failOn)
	for i, f := range slices.Concat(findings, c.Accepted()) {
		field := one.addFinding(ofField, escape.Short(f.Words), f)
		field.object, field.cr, field.accepted = c.Object, c, i >= len(findings)
		field.counts = field.counts && !field.accepted
		field.part = Part{CR: c, Path: f.Path, Lacks: f.Reference != nil && f.Input == nil}
	}
	return one
}

// isFinding reports whether a node is a finding, not a group of them.
func (n *node) isFinding() bool { return n.level >= ofCR && len(n.children) == 0 }

// show computes what is shown after the filter or the tree has changed. The cursor stays where it is,
// or goes to the nearest node above that is shown.
func (t *Tree) show() {
	t.all = t.all[:0]
	for _, c := range t.clusters {
		t.sift(c)
	}
	for t.at != nil && t.at.hidden {
		t.at = t.at.parent
	}
	if t.at == nil && len(t.all) > 0 {
		t.at = t.all[0]
	}
	t.lay()
}

// sift hides a node that the filter hides, or that has nothing left below it, and counts. A cluster is
// always shown.
func (t *Tree) sift(n *node) {
	n.place, n.count = len(t.all), 0
	t.all = append(t.all, n)
	if n.isFinding() {
		if n.hidden = !t.filter.shows(n); !n.hidden && n.counts {
			n.count = 1
		}
	} else {
		n.hidden = n.level != ofCluster
		for _, child := range n.children {
			t.sift(child)
			n.count += child.count
			n.hidden = n.hidden && child.hidden
		}
	}
	if n.hidden {
		t.all = t.all[:n.place]
	}
}

// lay computes the rows after something was folded or unfolded.
func (t *Tree) lay() {
	t.rows = t.rows[:0]
	for _, n := range t.all {
		n.row = -1
		if n.parent == nil || n.parent.open && n.parent.row >= 0 {
			n.row = len(t.rows)
			t.rows = append(t.rows, n)
		}
	}
	for t.at != nil && t.at.row < 0 {
		t.at = t.at.parent
	}
}

// goTo puts the cursor on a node, and unfolds what it is in. It does nothing for nil.
func (t *Tree) goTo(n *node) (found bool) {
	if n == nil {
		return false
	}
	for up := n.parent; up != nil; up = up.parent {
		up.open = true
	}
	t.at = n
	t.lay()
	return true
}

// Move moves the cursor by a number of rows, as far as there are rows.
func (t *Tree) Move(by int) {
	if t.at != nil {
		t.at = t.rows[max(0, min(len(t.rows)-1, t.at.row+by))]
	}
}

// Fold folds the node at the cursor, or goes to the one that it is in.
func (t *Tree) Fold() {
	switch n := t.at; {
	case n == nil:
	case n.open && len(n.children) > 0:
		n.open = false
		t.lay()
	case n.parent != nil:
		t.at = n.parent
	}
}

// Unfold unfolds the node at the cursor, or goes to the first one in it. It reports whether there is
// one.
func (t *Tree) Unfold() bool {
	n := t.at
	if n == nil || len(n.children) == 0 {
		return false
	}
	if n.open {
		t.Move(1)
		return true
	}
	n.open = true
	t.lay()
	return true
}

// next returns the next node after the cursor that is wanted, or the previous one if step is -1; nil
// for none.
func (t *Tree) next(step int, wanted func(*node) bool) *node {
	if t.at == nil {
		return nil
	}
	for i := t.at.place + step; i >= 0 && i < len(t.all); i += step {
		if wanted(t.all[i]) {
			return t.all[i]
		}
	}
	return nil
}

// NextFinding goes to the next finding that counts, or to the previous one if step is -1. If the
// filter asks for extra content, this counts too. It reports whether there is one.
func (t *Tree) NextFinding(step int) bool {
	extra := slices.Contains(t.filter.categories, finding.Extra)
	return t.goTo(t.next(step, func(n *node) bool { return n.isFinding() && (n.counts || extra && !n.accepted) }))
}

// Search goes to the next node that has a text, without regard to case, or to the previous one if step
// is -1. It begins at the cursor if here is set, and goes on at the other end.
func (t *Tree) Search(text string, step int, here bool) bool {
	text = strings.ToLower(text)
	has := func(n *node) bool { return strings.Contains(strings.ToLower(n.label), text) }
	if t.at == nil || here && has(t.at) {
		return t.at != nil
	}
	found := t.next(step, has)
	if found == nil {
		order := slices.Clone(t.all)
		if step < 0 {
			slices.Reverse(order)
		}
		if i := slices.IndexFunc(order, has); i >= 0 {
			found = order[i]
		}
	}
	return t.goTo(found)
}

// cluster returns the cluster of a node.
func (n *node) cluster() *node {
	for n.parent != nil {
		n = n.parent
	}
	return n
}

// find returns the node of a cluster that is the same as another one, or nil.
func (t *Tree) find(cluster, same *node) *node {
	for _, n := range t.all[cluster.place:] {
		if n.level == ofCluster && n != cluster {
			return nil
		}
		if n.level == same.level && n.key == same.key {
			return n
		}
	}
	return nil
}

// OtherCluster goes to the same CR or finding in the next cluster that has it, or to the next cluster
// that has it not; step is -1 for the previous one. It reports whether there is one.
func (t *Tree) OtherCluster(step int, has bool) bool {
	if t.at == nil {
		return false
	}
	same := t.at
	for i := slices.Index(t.clusters, same.cluster()) + step; i >= 0 && i < len(t.clusters); i += step {
		c := t.clusters[i]
		found := c
		if same.level != ofCluster {
			found = t.find(c, same)
		}
		switch {
		case found != nil && has:
			return t.goTo(found)
		case found == nil && !has:
			return t.goTo(c)
		}
	}
	return false
}

// SetFilter sets the filter.
func (t *Tree) SetFilter(f Filter) {
	t.filter = f
	t.show()
}

// Place is where a cursor is and how the nodes stand, for another tree of the same inputs.
type Place struct {
	at     string // the way to the node
	filter Filter
	nodes  map[string]standing // by their ways; nil for those of a new tree
}

// standing is how a node stands in a tree.
type standing struct {
	at   int // among all nodes
	open bool
}

// walk calls a function with all nodes, hidden or not, and the ways to them: their keys after those of
// what they are in.
func walk(all []*node, above string, do func(n *node, way string)) {
	for _, n := range all {
		way := above + n.key + "\x00"
		do(n, way)
		walk(n.children, way, do)
	}
}

// Place returns where the cursor is.
func (t *Tree) Place() Place {
	p := Place{filter: t.filter, nodes: map[string]standing{}}
	walk(t.clusters, "", func(n *node, way string) {
		p.nodes[way] = standing{len(p.nodes), n.open}
		if n == t.at {
			p.at = way
		}
	})
	return p
}

// Return goes to a place of an earlier tree, or to what is left of the way there. What was accepted
// since then stays where it was.
func (t *Tree) Return(p Place) {
	t.SetFilter(p.filter)
	if p.nodes == nil {
		return
	}
	var cursor *node
	at := map[*node]int{}
	walk(t.clusters, "", func(n *node, way string) {
		was, known := p.nodes[way]
		if n.open, at[n] = was.open, was.at; !known {
			at[n] = len(p.nodes)
		}
		if !n.hidden && strings.HasPrefix(p.at, way) {
			cursor = n
		}
	})
	for n := range at {
		slices.SortStableFunc(n.children, func(a, b *node) int { return at[a] - at[b] })
	}
	t.show()
	t.goTo(cursor)
}
