// Package generate makes a first reference from the CRs of clusters that are known to be good.
//
// In go the CRs that were read of each cluster; out comes the text of each file of the reference,
// and what was left out and why. What all clusters have in common is stated; what differs between
// them is the user's, so the template prints what the CR itself has; what only some have is
// optional. What is secret is never written: that is the user's too. The clusters themselves agree
// with the reference.
//
// Nothing is read or written here, and nothing is compared.
package generate
