package budget

// Shares of the limit of memory: what is held at the same time takes about as much together, where every share is full (9/8 while the inputs
// are read, all of it while CRs are compared).
//
// While the inputs are read, a quarter each is for windows of decompressors with archives in memory, for the files that are being read,
// for the documents that are decoded, and for the CRs that templates want; an eighth is for the identities of all CRs. While the CRs are compared, these keep
// what they have; the CRs that are being compared share three eighths, what templates print is read in another, and what was found about the others gets
// the rest. The shares are fixed, so that what goes beyond one does not depend on when anything happens.
const (
	Quarter = 4
	Eighth  = 8
)
