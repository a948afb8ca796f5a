//go:build !unix

package watch

import "os"

// moreSignals returns no signals.
func moreSignals() []os.Signal { return nil }
