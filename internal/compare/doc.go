// Package compare is the core: a reference, its compiled templates and the objects of an input go
// in, and a finding.Run comes out, of which as much is kept as the report shows.
//
// An object goes through six steps, each of which makes a value of its own, and none of which
// changes that of another: candidates → content → expected → differing → choice → comparison, see
// comparer. Every difference is one of four categories: drift, missing, extra, expected. Then the
// component rules are evaluated over the templates that met an object.
//
// Run is a function of its arguments: it reads no file, clock or environment, changes nothing it is
// given, and returns the same result whatever the number of workers and the order of the objects.
package compare
