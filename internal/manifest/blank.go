package manifest

import (
	"fmt"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// blankOf warns of a file that a collector wrote for objects but that contains something else, or
// nothing. Consecutive documents or items that are passed over for the same reason give one
// warning. The message quotes no text, which may be secret.
func (r *reader) blankOf(place refconfig.Place, reason Reason) {
	if last := len(r.out.Passed) - 1; last >= 0 && r.out.Passed[last].Reason == reason {
		return
	}
	r.out.Blank = append(r.out.Blank, refconfig.Problem{Code: code.FileBlank, Place: place, Message: fmt.Sprintf(
		"a collector writes CRs to a file of this path, but this file has none (%s); the %s may be missing from the result",
		reason,
		r.name.id,
	)})
}
