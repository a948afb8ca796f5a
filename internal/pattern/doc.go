// Package pattern applies the functions that a reference names for single fields (perField): what
// of the input's value the template's value accepts.
//
// In goes the template's value at a path, which holds an expression, and the input's value there;
// out comes the text that is compared in place of the template's value, with what the named groups
// matched and which of them did not. Equal to the input's value means accepted.
//
//   - regex: the whole value is one regular expression. The text that it matches stands in for it.
//   - capturegroups: only the named groups, (?<name>…) or (?P<name>…), are expressions. All else is
//     text that has to be equal, whatever it looks like: a backslash, a parenthesis without a name,
//     a quantifier behind a group. Each group is replaced by the text that it matches in its place.
//
// A group sees only the text in its place: ^ and $ at its ends are the ends of that text.
// Expressions are those of Go's regexp, which run in time linear in the input; "." does not match a
// line feed unless the group says (?s).
//
// Guarantee of capturegroups: where the text with every group replaced by something it matches is
// the input, the answer is the input. Where it is not, the answer is the template's value with as
// many groups replaced as have a place in the input; which place that is, is a matter of alignment
// (see align.go). Work is bounded by counting, never by a clock; past the bounds, which no value of
// a real reference comes near, groups are reported as without a place.
//
// Apply is a pure function. Groups remembers across the fields of one CR what each name matched,
// since one name must match one text. The package knows nothing about objects, paths or YAML; a
// path is a text for messages.
package pattern
