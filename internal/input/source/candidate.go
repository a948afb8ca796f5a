package source

import (
	"bytes"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
)

// Candidate is the default for Options.Want. It skips logs, packages and empty files, and sniffs
// others whose name is not that of YAML or JSON. The size matters only if the name does not exclude
// the file.
func Candidate(name string, size int64) Decision {
	if size != 0 && size < mostMoment && collector.IsMoment(name) {
		return Decision{Action: Read}
	}
	reason := collector.LeftOut(name)
	switch {
	case collector.InPrivate(name) && !strings.Contains(name, ".git/annex/"): // links lead to files of git-annex
		return Decision{Skip, ReasonPrivate}
	case collector.IsObjectName(name), path.Base(name) == Submodules:
		return Decision{Action: Read}
	case reason == ReasonLog, reason != "" && (size == 0 || isPacking(name)):
		return Decision{Skip, reason}
	case size == 0:
		return Decision{Skip, ReasonEmpty}
	}
	return Decision{Sniff, reason}
}

// Submodules is the name of the file in which Git keeps the folders of submodules.
const Submodules = ".gitmodules"

// isPacking reports whether the name of a file says that its content is packed: an archive, a
// compressed or encrypted file, or a package or document of another program.
func isPacking(name string) bool {
	_, _, packed := archive.SplitName(name)
	return packed || archive.ForeignName(name) != "" || collector.IsPackage(name)
}

// mostMoment is the maximum size, in bytes, of a file with the times of a collector's run.
const mostMoment = 4096

// holdsObjects reports whether a file that was read counts as objects of the archive or folder that
// contains it.
func holdsObjects(name string, data []byte) bool {
	if !collector.IsObjectName(name) &&
		!manifest.LooksLikeObjects(data[:min(len(data), archive.HeadSize)]) {
		return false
	}
	return bytes.Contains(data, []byte("apiVersion")) && bytes.Contains(data, []byte("kind"))
}
