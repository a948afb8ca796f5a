package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Policy says how two values are compared. The zero value compares them as they are.
type Policy struct {
	Fields       Fields                // the entries of perField
	Omit         []refconfig.OmitEntry // the fields that are omitted on both sides
	Unspecified  bool                  // fields that the template does not name were copied to the left side
	Listing      *Listing              // collects the omitted fields; nil for nowhere
	Layout, Kind string                // the archive's layout and the object's kind, for masked values; "" for none
	Placeholders bool                  // the right side may have placeholders for unknown values
	Moved        bool                  // add messages about moved items of lists
	// returns findings that belong to no field, given the compared parts of both sides; may be nil
	Apart       func(left, right any) []provenance.Finding
	Conflicts   []provenance.Finding  // findings about groups of patterns that matched different texts
	Conflicting []refconfig.FieldPath // the fields of these groups
	// the left value before patterns accepted parts of the right one; kept in the result
	Expected *provenance.Node
	Room     *Room // memory of the result, which is valid until it is reused; nil for none
}

// Compared is the result of a comparison. It is final.
type Compared struct {
	Expected    *provenance.Node      // as in Policy; nil if no template could be executed
	Left        *provenance.Node      // the complete left value
	Right       any                   // the complete right value
	Omit        []refconfig.OmitEntry // as in Policy
	Tree        *Pair
	Differences []Difference          // the differences of the tree, then one for each of Told
	Told        []provenance.Finding  // the findings that belong to no field of the left side
	Masked      []refconfig.FieldPath // the fields that the collector masked; their values are unknown
	AsIs        []Closed              // the fields that are compared as they are, in the order of the tree
	Conflicting []refconfig.FieldPath // as in Policy
}

// Of compares two values without a policy. The scope says which parts of the values are secret.
func Of(left *provenance.Node, right any, scope secret.Scope) *Pair {
	w := walker{scope: scope}
	return w.lay(left, right).Tree
}

// Compare walks over two values once and compares each field as the policy says.
func Compare(left *provenance.Node, right any, scope secret.Scope, policy Policy) Compared {
	w := walker{Policy: policy, scope: scope}
	c := w.lay(left, right)
	c.Differences = Flatten(c.Tree)
	var apart []provenance.Finding
	if policy.Apart != nil {
		apart = policy.Apart(c.Tree.Left.Data, c.Tree.Right.Data)
	}
	c.tell(slices.Concat(apart, lostChecks(left, policy.Omit), policy.Conflicts), right, policy.Omit)
	return c
}

// lay starts the walk over two values.
func (w *walker) lay(left *provenance.Node, right any) Compared {
	omit := tree.Omitting(w.Omit)
	c := cursor{
		path:     roomOfPath(),
		expected: left,
		scope:    w.scope.Or(secret.Of(left.Value())).Or(secret.Of(right)),
		fields:   w.Fields,
		void:     w.Unspecified,
		left:     omit,
		right:    omit,
	}
	p := &Pair{}
	w.pair(p, c, refconfig.Step{Index: -1}, Present(right))
	return Compared{
		Expected:    w.Expected,
		Left:        left,
		Right:       right,
		Omit:        w.Omit,
		Tree:        p,
		Masked:      w.masked,
		AsIs:        w.asIs,
		Conflicting: w.Conflicting,
	}
}

// tell adds findings that belong to no field of the left value, at their paths or at the root. It
// adds a missing key only if its path is compared and no difference reports it; it always adds
// failed checks and conflicts. The object is the complete right value.
func (c *Compared) tell(findings []provenance.Finding, object any, omit []refconfig.OmitEntry) {
	called, said, missing := Names{}, []string{}, map[string]bool{}
	if c.Tree.Message != "" {
		said = append(said, c.Tree.Message)
	}
	for _, d := range c.Differences {
		if d.Code == code.EvalMissingKey {
			missing[d.Path.String()] = true
		}
	}
	for _, f := range findings {
		d := Difference{Category: finding.Drift, Path: f.Path, Message: f.Message, Code: f.Code}
		if f.Code == code.EvalMissingKey {
			path := f.Path.String()
			if f.Path != nil && (missing[path] || tree.Omits(omit, f.Path)) {
				continue
			}
			d.Category, missing[path] = finding.Missing, true
		}
		if code.IsInvalid(f.Code) {
			d.Category = finding.Invalid
		}
		d.Named = called.Path(f.Path, c.Tree, object)
		c.Told, c.Differences, said = append(c.Told, f), append(c.Differences, d), append(said, f.Message)
		c.Tree.Code = cmp.Or(c.Tree.Code, f.Code)
	}
	c.Tree.Message = strings.Join(said, "\n")
}

// lostChecks returns the failed checks in omitted fields.
func lostChecks(left *provenance.Node, omit []refconfig.OmitEntry) []provenance.Finding {
	if !left.HasFailed() {
		return nil
	}
	told := map[string]bool{}
	for _, f := range left.Without(tree.Omitting(omit)).Findings() {
		told[f.Message] = f.Code == code.EvalFail
	}
	return slices.DeleteFunc(left.Findings(), func(f provenance.Finding) bool {
		return f.Code != code.EvalFail || told[f.Message]
	})
}

// walker compares two values and collects what it finds on the way.
type walker struct {
	Policy
	scope  secret.Scope // the scope of the two objects
	masked []refconfig.FieldPath
	asIs   []Closed
}

// cursor is a position of the walk, with the properties of the values there.
type cursor struct {
	path        refconfig.FieldPath // the path in the object; valid until the walk continues
	expected    *provenance.Node    // the complete left value; nil if it is absent
	scope       secret.Scope        // the scope of both values
	fields      Fields
	exact       bool // extra content is drift, because of an entry for this field or a parent
	void        bool // a null on the left side agrees with an absent key on the right side
	left, right tree.Omission
}

// omits reports whether a part of the values may be omitted.
func (c *cursor) omits() bool { return !c.left.None() || !c.right.None() }

// unnamed reports whether a field may be omitted that shows that other fields are secret.
func (c *cursor) unnamed() bool {
	for _, key := range [...]string{"kind", "patch", "target"} {
		if c.left.Names(key) || c.right.Names(key) {
			return true
		}
	}
	return false
}

// pair compares two complete values, that of the cursor with another one.
func (w *walker) pair(p *Pair, c cursor, step refconfig.Step, right Value) {
	c.exact = c.exact || c.fields.exact()
	left := valueOf(c.expected)
	*p = Pair{Step: step, From: -1, Left: left, Right: right, Secret: c.scope, fields: c.fields}
	unnamed := c.omits() && c.unnamed()
	p.Expected = w.decide(p, c)
	switch {
	case p.Children != nil:
	case p.Expected.IsSecret():
		p.Secret = c.scope.Values()
	case unnamed && (c.scope.Holds(left.Data) || c.scope.Holds(right.Data)):
		p.Secret = c.scope.Values() // it is no longer known which of the values are secret
	}
	w.unmask(p, c.path)
	if w.Placeholders {
		p.expect()
	}
	if w.Moved && p.List {
		p.tellMoved()
	}
}

// valueOf returns the value of a node, or an absent one.
func valueOf(n *provenance.Node) Value { return Value{Present: n != nil, Data: n.Value()} }

// rest returns the compared part of a value, and lists the omitted fields.
func (w *walker) rest(o tree.Omission, v any, path refconfig.FieldPath) any {
	if w.Listing == nil {
		return o.Rest(v, nil, nil)
	}
	return o.Rest(v, path, w.Listing.omit)
}

// decide sets the category of a pair, or makes its children, and returns the compared part of the left
// value. In two maps and in two lists, the walk skips omitted fields. From values that are compared as a
// whole, it removes them.
func (w *walker) decide(p *Pair, c cursor) *provenance.Node {
	left, right := p.Left, p.Right
	_, lok := left.Data.(map[string]any)
	rm, rok := right.Data.(map[string]any)
	maps := lok && rok
	opened := maps && (w.scope.IsObject() && secret.Opened(c.path) || c.omits() && c.unnamed())
	if opened || c.omits() && maps && !c.isWhole(p) { // the children of a Secret show which of them are secret
		return w.maps(p, c, rm, opened)
	}
	expected := c.expected
	if c.omits() {
		p.Left.Data, p.Right.Data = w.rest(c.left, left.Data, c.path), w.rest(c.right, right.Data, c.path)
		expected = expected.Without(c.left)
	}
	ll, llok := left.Data.([]any)
	rl, rlok := right.Data.([]any)
	equal := func() bool { return tree.Equal(p.Left.Data, p.Right.Data) }
	switch {
	case !right.Present:
		p.Category = finding.Missing
		p.findings(expected)
	case !left.Present && c.exact:
		p.Category, p.Code, p.Message = finding.Drift, code.EvalExact, exactly
	case !left.Present:
		p.Category = finding.Extra
	case !expected.Varies() && equal():
	case p.isNotedWhole(expected):
		w.leaf(p, c, expected)
	case p.Secret.IsWhole():
		w.whole(p, c, expected)
	case expected.IsAtOnce(len(c.path)) && equal():
		p.Category, p.Variable = finding.Expected, true
	case maps:
		return w.maps(p, c, rm, false)
	case llok && rlok:
		w.lists(p, c, expected, itemsOf(ll, c.left), itemsOf(rl, c.right))
	default:
		w.leaf(p, c, expected)
	}
	return expected
}

// isWhole reports whether two maps may be compared as a whole.
func (c *cursor) isWhole(p *Pair) bool {
	_, whole := c.expected.Note()
	return whole || p.Secret.IsWhole() || c.expected.IsAtOnce(len(c.path)) && !(c.void && hasNull(p.Left.Data))
}

// join sets the values of a pair of maps to those of its children, so that they lack omitted keys. It
// returns whether all children agree.
func (p *Pair) join() (same bool) {
	left, right := make(map[string]any, len(p.Children)), make(map[string]any, len(p.Children))
	same = true
	for _, child := range p.Children {
		if child.Left.Present {
			left[child.Step.Key] = child.Left.Data
		}
		if child.Right.Present {
			right[child.Step.Key] = child.Right.Data
		}
		same = same && child.Children == nil && child.Category == finding.Same
	}
	p.Left.Data, p.Right.Data = left, right
	return same
}

// exactly is the message about content that an exact field must not have.
const exactly = "the reference states all that may be here, and not this"

// isNotedWhole reports whether two values are compared as a whole because the left one has one note,
// and that has a finding or the values are equal.
func (p *Pair) isNotedWhole(expected *provenance.Node) bool {
	n, whole := expected.Note()
	return whole && (n.Finding != nil || tree.Equal(p.Left.Data, p.Right.Data))
}

// leaf sets the category of two values that are compared as a whole.
func (w *walker) leaf(p *Pair, c cursor, expected *provenance.Node) {
	n, _ := expected.Note()
	p.Variable = n.Variable
	equal, why := p.fields.Equal(p.Left.Data, p.Right.Data)
	if equal {
		p.Left = p.Right // the left value may be another spelling of the right one
	}
	equal = equal || n.Empty && isEmpty(p.Right.Data)
	w.comparedAsIs(c, why)
	switch {
	case n.Finding != nil:
		p.Category = finding.Drift
		if n.Finding.Code == code.EvalMissingKey && (equal || p.Right.Data == nil) {
			p.Category = finding.Missing
		}
		p.findings(expected)
	case !equal:
		p.Category = finding.Drift
	case p.Variable:
		p.Category = finding.Expected
	}
}

// isEmpty reports whether a value is an empty map or list.
func isEmpty(v any) bool {
	m, isMap := v.(map[string]any)
	l, isList := v.([]any)
	return isMap && len(m) == 0 || isList && len(l) == 0
}

// whole sets the category of two values whose keys are secret.
func (w *walker) whole(p *Pair, c cursor, expected *provenance.Node) {
	w.leaf(p, c, expected)
	if _, whole := expected.Note(); whole {
		return
	}
	p.findings(expected)
	switch {
	case p.Message != "":
		p.Category = finding.Drift
	case p.Variable && p.Category == finding.Same:
		p.Category = finding.Expected
	}
}

// comparedAsIs records that a field is compared as it is, unless why is "".
func (w *walker) comparedAsIs(c cursor, why string) {
	if e, _ := c.fields.Here(); why != "" {
		w.asIs = append(w.asIs, Closed{Entry: e, Path: slices.Clone(c.path), Why: why})
	}
}

// findings sets the message of a pair to the findings of its left value, at most three, in the order
// of keys and indexes.
func (p *Pair) findings(expected *provenance.Node) {
	p.Variable = p.Variable || expected.IsVariable()
	var messages []string
	for _, f := range expected.Findings() {
		if len(messages) < 3 {
			messages = append(messages, f.Message)
			p.Code = cmp.Or(p.Code, f.Code)
		}
	}
	p.Message = strings.Join(messages, "; ")
}

// keysOf returns the keys of two maps, sorted; left are those of the first one, sorted. Most second maps
// have no further key, which is seen without going through them.
func keysOf(left []string, right map[string]any) []string {
	both := 0
	for _, k := range left {
		if _, there := right[k]; there {
			both++
		}
	}
	if both == len(right) {
		return left
	}
	keys := left
	for k := range right {
		if _, there := slices.BinarySearch(left, k); !there {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// maps compares the map of the cursor with another one key by key, and returns the compared part of the
// left one. With omitted fields, a pair keeps its children only if one of them differs or opened is set.
func (w *walker) maps(p *Pair, c cursor, right map[string]any, opened bool) *provenance.Node {
	keys := keysOf(c.expected.Keys(), right)
	pairs, children := w.Room.childrenOf(len(keys))
	p.Children = children
	for i, k := range keys {
		step := refconfig.Key(k)
		child := cursor{
			path:     append(c.path, step),
			expected: c.expected.Child(k),
			fields:   c.fields.Below(step),
			exact:    c.exact,
			void:     c.void,
		}
		r := valueAt(right, k)
		if c.omits() {
			r = w.keep(&child, c, step, r)
			if !r.Present && (child.expected == nil || child.isVoid()) {
				continue
			}
		}
		child.scope = p.Secret.Below(k, child.expected.Value()).Or(p.Secret.Below(k, r.Data))
		p.Children = append(p.Children, &pairs[i])
		w.pair(&pairs[i], child, step, r)
	}
	if c.omits() && p.join() && !opened {
		p.Children = nil
		return c.expected.Without(c.left)
	}
	return c.expected
}

// isVoid reports whether the left value is a null that agrees with an absent key.
func (c *cursor) isVoid() bool {
	return c.void && c.expected.Value() == nil && !c.expected.HasFinding()
}

// keep returns the compared right value at a key of two maps, and sets the left one and the omissions
// below the key. A map that omission empties is omitted too, but agrees with a map that was empty
// before. An empty map that only the input has is no content where omission could have emptied it,
// unless the field is exact.
func (w *walker) keep(child *cursor, above cursor, step refconfig.Step, right Value) Value {
	left := valueOf(child.expected)
	var l, r Value
	l, child.left = w.kept(above.left, above.path, step, left)
	r, child.right = w.kept(above.right, above.path, step, right)
	note, _ := child.expected.Note()
	if !l.Present {
		child.expected = nil
	}
	switch {
	case note.Empty && right.Present && !r.Present:
		child.expected = nil
		return Value{}
	case !l.Present && hollow(child.right.Rest(r.Data, nil, nil), left.Data):
		child.expected = provenance.Plain(r.Data)
	case !r.Present && hollow(child.left.Rest(l.Data, nil, nil), right.Data):
		return l
	case !l.Present && !child.right.None() && !child.exact && hollow(r.Data, r.Data):
		return Value{}
	}
	return r
}

// hollow reports whether a value has only maps without other content, and another value has a map
// in the place of each.
func hollow(v, other any) bool {
	m, isMap := v.(map[string]any)
	n, isOther := other.(map[string]any)
	for k, x := range m {
		if !hollow(x, n[k]) {
			return false
		}
	}
	return isMap && isOther
}

// kept returns the value at a key of a map, or an absent value if it is omitted, and the omission
// below the key.
func (w *walker) kept(
	above tree.Omission, path refconfig.FieldPath, step refconfig.Step, v Value,
) (kept Value, below tree.Omission) {
	if !v.Present {
		_, below = above.Below(step)
		return v, below
	}
	keeps, below := above.Keeps(step, v.Data)
	if keeps {
		return v, below
	}
	if w.Listing != nil {
		w.rest(above, map[string]any{step.Key: v.Data}, path)
	}
	return Value{}, below
}

func valueAt(m map[string]any, key string) Value {
	v, ok := m[key]
	return Value{Present: ok, Data: v}
}

// item is an item of a list that is not omitted.
type item struct {
	index int
	data  any           // the complete item
	omit  tree.Omission // the omission in the item
}

// itemsOf returns the items of a list that are not omitted.
func itemsOf(list []any, omit tree.Omission) []item {
	items := make([]item, 0, len(list))
	for i, data := range list {
		if gone, below := omit.Below(refconfig.Step{Index: i}); gone == nil {
			items = append(items, item{index: i, data: data, omit: below})
		}
	}
	return items
}

// lists compares two lists. If the order counts and only the order differs, the result is one
// difference.
func (w *walker) lists(p *Pair, c cursor, expected *provenance.Node, left, right []item) {
	seenLeft, _ := p.Left.Data.([]any)
	seenRight, _ := p.Right.Data.([]any)
	pairing := p.fields.Pair(seenLeft, seenRight)
	w.comparedAsIs(c, pairing.Why)
	told := len(w.asIs)
	scope := p.Secret.Elements(seenLeft).Or(p.Secret.Elements(seenRight))
	var children []*Pair
	for _, a := range pairing.Pairs {
		children = append(children, w.item(c, scope, a, left, right))
	}
	if !pairing.Moved || expected.HasFinding() {
		p.List, p.Loose, p.Children = true, pairing.Loose, children
		if !pairing.Loose {
			w.together(p, c, scope, pairing.Pairs, left, right)
		}
		return
	}
	w.asIs = w.asIs[:told]
	for _, child := range children {
		if child.Category != finding.Same {
			child.Category = finding.Drift
		}
	}
	rows := *p
	rows.List, rows.Children = true, children
	p.Category, p.Code, p.Message = finding.Drift, code.EvalOrder, "same items, other order"
	rows.Category, rows.Code, rows.Message, p.rows = finding.Drift, p.Code, p.Message, &rows
}

// item compares two items of lists, or one that has no partner. The cursor is that of the lists.
func (w *walker) item(c cursor, scope secret.Scope, at align.Pair, left, right []item) *Pair {
	var step refconfig.Step
	var r Value
	child := cursor{fields: c.fields.Below(refconfig.Step{Index: at.A}), exact: c.exact}
	if at.A >= 0 {
		one := left[at.A]
		step.Index, child.expected, child.left = one.index, c.expected.Item(one.index), one.omit
	}
	if at.B >= 0 {
		one := right[at.B]
		step.Index, r, child.right = one.index, Present(one.data), one.omit
	}
	child.path = append(c.path, step)
	child.scope = scope.Below("", child.expected.Value()).Or(scope.Below("", r.Data))
	p := w.Room.pair()
	w.pair(p, child, step, r)
	if at.A >= 0 {
		p.From = left[at.A].index
	}
	return p
}
