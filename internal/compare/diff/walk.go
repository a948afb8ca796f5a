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
}

// Compared is the result of a comparison. It is final.
type Compared struct {
	Notes       any                   // the notes of the complete left value
	Omit        []refconfig.OmitEntry // as in Policy
	Tree        *Pair
	Differences []Difference          // the differences of the tree, then one for each of Told
	Told        []provenance.Finding  // the findings that belong to no field of the left side
	Masked      []refconfig.FieldPath // the fields that the collector masked; their values are unknown
	AsIs        []Closed              // the fields that are compared as they are, in the order of the tree
	Conflicting []refconfig.FieldPath // as in Policy
}

// Of compares two values without a policy. The note has the shape of the left value (see
// render.Rendering), or is nil. The scope says which parts of the values are secret.
func Of(left, right, note any, scope secret.Scope) *Pair {
	w := walker{scope: scope}
	return w.lay(left, right, note).Tree
}

// Compare walks over two values once and compares each field as the policy says.
func Compare(left, right, note any, scope secret.Scope, policy Policy) Compared {
	w := walker{Policy: policy, scope: scope}
	c := w.lay(left, right, note)
	c.Differences = Flatten(c.Tree)
	var apart []provenance.Finding
	if policy.Apart != nil {
		apart = policy.Apart(c.Tree.Left.Data, c.Tree.Right.Data)
	}
	c.tell(slices.Concat(apart, lostChecks(note, policy.Omit), policy.Conflicts), right, policy.Omit)
	return c
}

// lay starts the walk over two values.
func (w *walker) lay(left, right, note any) Compared {
	omit := tree.Omitting(w.Omit)
	c := cursor{
		path:   roomOfPath(),
		note:   note,
		scope:  w.scope.Or(secret.Of(left)).Or(secret.Of(right)),
		fields: w.Fields,
		void:   w.Unspecified,
		left:   omit,
		right:  omit,
	}
	p := &Pair{}
	w.pair(p, c, refconfig.Step{Index: -1}, Present(left), Present(right))
	return Compared{
		Notes:       note,
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
func lostChecks(notes any, omit []refconfig.OmitEntry) []provenance.Finding {
	isCheck := func(f *provenance.Finding) bool { return f != nil && f.Code == code.EvalFail }
	if !provenance.Any(notes, func(n provenance.Note) bool { return isCheck(n.Finding) }) {
		return nil
	}
	told := map[string]bool{}
	for _, f := range Findings(tree.Omit(notes, omit)) {
		told[f.Message] = isCheck(&f)
	}
	return slices.DeleteFunc(Findings(notes), func(f provenance.Finding) bool {
		return !isCheck(&f) || told[f.Message]
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
	note        any                 // the note of the complete left value
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

// pair compares two complete values.
func (w *walker) pair(p *Pair, c cursor, step refconfig.Step, left, right Value) {
	c.exact = c.exact || c.fields.exact()
	*p = Pair{Step: step, From: -1, Left: left, Right: right, Secret: c.scope, fields: c.fields}
	unnamed := c.omits() && c.unnamed()
	note := w.decide(p, c)
	switch {
	case p.Children != nil:
	case PrintedSecret(note):
		p.Secret = c.scope.Values()
	case unnamed && (c.scope.Holds(left.Data) || c.scope.Holds(right.Data)):
		p.Secret = c.scope.Values() // it is no longer known which of the values are secret
	}
	w.unmask(p, c.path)
	if w.Placeholders {
		p.expect(note)
	}
	if w.Moved && p.List {
		p.tellMoved()
	}
}

// rest returns the compared part of a value, and lists the omitted fields.
func (w *walker) rest(o tree.Omission, v any, path refconfig.FieldPath) any {
	if w.Listing == nil {
		return o.Rest(v, nil, nil)
	}
	return o.Rest(v, path, w.Listing.omit)
}

// decide sets the category of a pair, or makes its children, and returns the note of the compared part.
// In two maps and in two lists, the walk skips omitted fields. From values that are compared as a
// whole, it removes them.
func (w *walker) decide(p *Pair, c cursor) (note any) {
	left, right := p.Left, p.Right
	lm, lok := left.Data.(map[string]any)
	rm, rok := right.Data.(map[string]any)
	maps := lok && rok
	opened := maps && (w.scope.IsObject() && secret.Opened(c.path) || c.omits() && c.unnamed())
	if opened || c.omits() && maps && !c.isWhole(p) { // the children of a Secret show which of them are secret
		return w.maps(p, c, lm, rm, opened)
	}
	note = c.note
	if c.omits() {
		p.Left.Data, p.Right.Data = w.rest(c.left, left.Data, c.path), w.rest(c.right, right.Data, c.path)
		note = c.left.Rest(note, nil, nil)
	}
	ll, llok := left.Data.([]any)
	rl, rlok := right.Data.([]any)
	equal := func() bool { return tree.Equal(p.Left.Data, p.Right.Data) }
	switch {
	case !right.Present:
		p.Category = finding.Missing
		p.findings(note)
	case !left.Present && c.exact:
		p.Category, p.Code, p.Message = finding.Drift, code.EvalExact, exactly
	case !left.Present:
		p.Category = finding.Extra
	case !provenance.Any(note, provenance.Note.Varies) && equal():
	case notedWhole(p.Left, p.Right, note):
		w.leaf(p, c, note)
	case p.Secret.IsWhole():
		w.whole(p, c, note)
	case printedAtOnce(c.path, note) && equal():
		p.Category, p.Variable = finding.Expected, true
	case maps:
		return w.maps(p, c, lm, rm, false)
	case llok && rlok:
		w.lists(p, c, note, itemsOf(ll, c.left), itemsOf(rl, c.right))
	default:
		w.leaf(p, c, note)
	}
	return note
}

// isWhole reports whether two maps may be compared as a whole.
func (c *cursor) isWhole(p *Pair) bool {
	_, leaf := c.note.(provenance.Note)
	return leaf || p.Secret.IsWhole() || printedAtOnce(c.path, c.note) && !(c.void && hasNull(p.Left.Data))
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

// notedWhole reports whether two values are compared as a whole because of their note: it is a single
// note for the whole value, and it has a finding or the values are equal.
func notedWhole(left, right Value, note any) bool {
	n, ok := note.(provenance.Note)
	return ok && (n.Finding != nil || tree.Equal(left.Data, right.Data))
}

// leaf sets the category of two values that are compared as a whole.
func (w *walker) leaf(p *Pair, c cursor, note any) {
	n, _ := note.(provenance.Note)
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
		if n.Finding.Code == code.EvalMissingKey && p.Right.Data == nil {
			p.Category = finding.Missing
		}
		p.findings(note)
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
func (w *walker) whole(p *Pair, c cursor, note any) {
	w.leaf(p, c, note)
	if _, isNote := note.(provenance.Note); isNote {
		return
	}
	p.findings(note)
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

// findings sets the message of a pair to the findings in its note, at most three, in the order in
// which the template printed them.
func (p *Pair) findings(note any) {
	p.Variable = p.Variable || provenance.Any(note, func(n provenance.Note) bool { return n.Variable })
	var messages []string
	for _, f := range Findings(note) {
		if len(messages) < 3 {
			messages = append(messages, f.Message)
			p.Code = cmp.Or(p.Code, f.Code)
		}
	}
	p.Message = strings.Join(messages, "; ")
}

// printedAtOnce reports whether one action printed a whole map or list.
func printedAtOnce(path refconfig.FieldPath, note any) bool {
	if _, leaf := note.(provenance.Note); leaf {
		return false
	}
	first := 0
	return all(note, func(n provenance.Note) bool {
		first = cmp.Or(first, n.Print)
		return n.Print != 0 && n.Print == first && n.Root <= len(path) && n.Finding == nil
	})
}

// keysOf returns the keys of two maps, sorted.
func keysOf(left, right map[string]any) []string {
	keys := make([]string, 0, max(len(left), len(right)))
	for k := range left {
		keys = append(keys, k)
	}
	for k := range right {
		if _, both := left[k]; !both {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// maps compares two maps key by key, and returns the note of the compared part. With omitted
// fields, a pair keeps its children only if one of them differs or opened is set.
func (w *walker) maps(p *Pair, c cursor, left, right map[string]any, opened bool) any {
	notes, _ := c.note.(map[string]any)
	keys := keysOf(left, right)
	p.Children = make([]*Pair, 0, len(keys))
	pairs := make([]Pair, len(keys)) // one allocation for all
	for i, k := range keys {
		step := refconfig.Key(k)
		child := cursor{
			path:   append(c.path, step),
			note:   notes[k],
			fields: c.fields.Below(step),
			exact:  c.exact,
			void:   c.void,
		}
		l, r := valueAt(left, k), valueAt(right, k)
		if c.omits() {
			l, r = w.keep(&child, c, step, l, r)
			if !l.Present && !r.Present || l.Present && l.Data == nil && !r.Present && child.isVoid() {
				continue
			}
		}
		child.scope = p.Secret.Below(k, l.Data).Or(p.Secret.Below(k, r.Data))
		p.Children = append(p.Children, &pairs[i])
		w.pair(&pairs[i], child, step, l, r)
	}
	if c.omits() && p.join() && !opened {
		p.Children = nil
		return c.left.Rest(c.note, nil, nil)
	}
	return c.note
}

// isVoid reports whether a null on the left side agrees with an absent key.
func (c *cursor) isVoid() bool {
	note, _ := c.note.(provenance.Note)
	return c.void && note.Finding == nil
}

// keep returns the compared values at a key of two maps, and sets the omissions below the key. A
// map that omission empties is omitted too, but agrees with a map that was empty before. An empty
// map that only the input has is no content where omission could have emptied it, unless the field
// is exact.
func (w *walker) keep(child *cursor, above cursor, step refconfig.Step, left, right Value) (l, r Value) {
	l, child.left = w.kept(above.left, above.path, step, left)
	r, child.right = w.kept(above.right, above.path, step, right)
	note, _ := child.note.(provenance.Note)
	switch {
	case note.Empty && right.Present && !r.Present:
		return Value{}, Value{}
	case !l.Present && hollow(child.right.Rest(r.Data, nil, nil), left.Data):
		return r, r
	case !r.Present && hollow(child.left.Rest(l.Data, nil, nil), right.Data):
		return l, l
	case !l.Present && !child.right.None() && !child.exact && hollow(r.Data, r.Data):
		return l, Value{}
	}
	return l, r
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
func (w *walker) lists(p *Pair, c cursor, note any, left, right []item) {
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
	if !pairing.Moved || provenance.Any(note, func(n provenance.Note) bool { return n.Finding != nil }) {
		p.List, p.Loose, p.Children = true, pairing.Loose, children
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
	var l, r Value
	child := cursor{fields: c.fields.Below(refconfig.Step{Index: at.A}), exact: c.exact}
	if at.A >= 0 {
		one := left[at.A]
		step.Index, l, child.left = one.index, Present(one.data), one.omit
		if notes, _ := c.note.([]any); one.index < len(notes) {
			child.note = notes[one.index]
		}
	}
	if at.B >= 0 {
		one := right[at.B]
		step.Index, r, child.right = one.index, Present(one.data), one.omit
	}
	child.path, child.scope = append(c.path, step), scope.Below("", l.Data).Or(scope.Below("", r.Data))
	p := &Pair{}
	w.pair(p, child, step, l, r)
	if at.A >= 0 {
		p.From = left[at.A].index
	}
	return p
}

// Findings returns all findings in a note, in the order of keys.
func Findings(note any) (all []provenance.Finding) {
	if !provenance.Any(
		note, func(n provenance.Note) bool { return n.Finding != nil },
	) { // the usual case, found without sorting keys
		return nil
	}
	switch n := note.(type) {
	case provenance.Note:
		return []provenance.Finding{*n.Finding}
	case map[string]any:
		for _, k := range tree.Keys(n) {
			all = append(all, Findings(n[k])...)
		}
	case []any:
		for _, x := range n {
			all = append(all, Findings(x)...)
		}
	}
	return all
}

// PrintedSecret reports whether the template printed secret data into a value.
func PrintedSecret(note any) bool {
	return provenance.Any(note, func(n provenance.Note) bool { return n.Secret })
}
