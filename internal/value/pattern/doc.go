// Package pattern applies the inline diff functions of a reference (perField): it decides which
// part of the input's value a pattern in the template accepts.
//
// In: the template's value of a field, which has an expression, and the input's value. Out: the
// text to compare in place of the template's value, the texts of named groups, and the groups that
// did not match. If that text equals the input's value, the input is accepted.
//
//   - regex: the whole value is one regular expression. Its match replaces it.
//   - capturegroups: only the named groups, (?<name>…) or (?P<name>…), are expressions. All other
//     characters are literal, even backslashes, other parentheses and quantifiers. Each group is
//     replaced by the text that it matches at its position.
//
// A group sees only the text at its position: ^ and $ are the ends of that text. Expressions are
// those of Go's regexp, which takes time linear in the input. "." does not match a line feed
// without (?s).
//
// Invariant of capturegroups: if the value with every group replaced by something it matches is the
// input, the result is the input. Otherwise it is the template's value, in which only the groups of
// lines that agree as a whole are replaced: what is cut out of other lines is a value that nobody
// wrote. For messages, a group has a position in the input, which is found by line, then by
// character (see groups.go). Work is limited by counting, never by time. Beyond these limits, which
// real references do not come near, groups have no position.
//
// Apply is a pure function. Groups collects the captures of all fields of a CR, because one name
// must match one text. The package knows no objects, paths or YAML; a path is text for messages.
package pattern
