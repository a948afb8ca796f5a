package cli

import (
	"bytes"
	"cmp"
	"path"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
)

// timestampFile is the name under which must-gather writes when it began and when it ended, a line each, as Go prints a time:
// "2024-09-17 11:02:08.415522318 +0000 UTC m=+0.21".
const timestampFile = "timestamp"

// candidate is source.Candidate, and wants that file too, and empty files where the collector writes CRs.
func candidate(name string, size int64) source.Decision {
	const most = 4096
	if path.Base(name) == timestampFile && size > 0 && size < most {
		return source.Decision{Action: source.Read}
	}
	if size == 0 {
		if _, ok := manifest.PathIDOf(manifest.Place{Entry: name}); ok {
			return source.Decision{Action: source.Read}
		}
	}
	return source.Candidate(name, size)
}

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

// readMoment reads the first line of the file; false where it is something else of that name.
func readMoment(f source.File, data []byte) (moment, bool) {
	if path.Base(f.Name) != timestampFile {
		return moment{}, false
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	text, _, _ := strings.Cut(string(line), " m=")
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return moment{}, false
	}
	when, err := time.Parse("2006-01-02 15:04:05 -0700", strings.Join(fields[:3], " "))
	if err != nil {
		return moment{}, false
	}
	return moment{input: f.Input, file: f.Name, when: when.Truncate(time.Second).Format(time.RFC3339)}, true
}
