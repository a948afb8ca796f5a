package source

import (
	"bytes"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/manifest"
)

// Candidate is the usual Options.Want: it leaves out what collector.LeftOut says, and looks into
// files whose name says nothing. Empty files are passed over, but for those where a collector
// writes objects. The size only matters where the name does not rule a file out.
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

// mostMoment is how large a file can be in which a collector says when it ran.
const mostMoment = 4096

// holdsObjects says whether a file that was read counts as objects of the archive or folder it lies
// in.
func holdsObjects(name string, data []byte) bool {
	if !collector.IsObjectExtension(collector.Extension(name)) &&
		!manifest.LooksLikeObjects(data[:min(len(data), archive.HeadSize)]) {
		return false
	}
	return bytes.Contains(data, []byte("apiVersion")) && bytes.Contains(data, []byte("kind"))
}
