// Package generate makes a first reference from the CRs of clusters that are known to be good.
//
// Its input is the CRs of each cluster. Its output is the text of each file of the reference, and
// the CRs that it omits, with reasons. A template states the values that all clusters have in
// common. If values differ between clusters, the template prints the value of the CR itself, so
// that any value is accepted; it does the same for secret data, which is never written. Fields and
// CRs that only some clusters have are optional. Every one of the clusters matches the reference.
//
// UpdateOf changes an existing reference so that it matches CRs of clusters, and keeps what already
// does. It asks a comparison which changes help, and returns the new texts.
//
// The package writes no files.
package generate
