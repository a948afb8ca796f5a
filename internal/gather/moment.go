package gather

import (
	"cmp"
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/source"
)

// moment is when an archive was gathered, and the file that says so.
type moment struct {
	input      int    // the index of its input
	file, when string // file is its path inside the input
}

// before reports whether a file is to be believed rather than another: the one nearer to the root, so that several images of one
// archive come to the same.
func (m moment) before(other moment) bool {
	depth, otherDepth := strings.Count(m.file, "/"), strings.Count(other.file, "/")
	return cmp.Or(depth-otherDepth, strings.Compare(m.file, other.file), strings.Compare(m.when, other.when)) < 0
}

// readMoment reads the file that says when an archive was gathered; false where it is something else of that name.
func readMoment(f source.File, data []byte) (moment, bool) {
	when, ok := collector.Moment(f.Name, data)
	return moment{input: f.Input, file: f.Name, when: when}, ok
}
