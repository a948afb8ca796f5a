package source

import (
	"bytes"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/manifest"
)

// Candidate is the default for Options.Want. It skips files that collector.LeftOut excludes, and
// sniffs files whose name says nothing. It skips empty files, except where a collector writes
// objects. The size matters only if the name does not exclude the file.
func Candidate(name string, size int64) Decision {
	if size != 0 && size < mostMoment && collector.IsMoment(name) {
		return Decision{Action: Read}
	}
	if reason := collector.LeftOut(name); reason != "" {
		return Decision{Skip, reason}
	}
	if size == 0 {
		if _, ok := collector.IDOf(name); !ok {
			return Decision{Skip, ReasonEmpty}
		}
	}
	if collector.IsObjectExtension(collector.Extension(name)) {
		return Decision{Action: Read}
	}
	return Decision{Action: Sniff}
}

// mostMoment is the maximum size, in bytes, of a file with the times of a collector's run.
const mostMoment = 4096

// holdsObjects reports whether a file that was read counts as objects of the archive or folder that
// contains it.
func holdsObjects(name string, data []byte) bool {
	if !collector.IsObjectExtension(collector.Extension(name)) &&
		!manifest.LooksLikeObjects(data[:min(len(data), archive.HeadSize)]) {
		return false
	}
	return bytes.Contains(data, []byte("apiVersion")) && bytes.Contains(data, []byte("kind"))
}
