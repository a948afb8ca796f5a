// Package values makes CRs of the templates of a reference and of what a user gives to them.
//
// In: a compiled reference, a values file (Parse), and CRs that lookups may find besides. Out: CRs
// (Render), each compared with its template before it counts, so that what is written meets the
// reference; or everything that is missing or wrong, by place and path, all at once. Mark tells of
// an interface which of its parameters a values file gives, and Check what another set of CRs has
// otherwise. Nothing is written here.
package values
