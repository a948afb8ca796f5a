package cluster

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// moment is the time when an archive was gathered, and the file that states it.
type moment struct {
	input       int       // index of the input
	file        string    // path of the file inside the input
	first, last time.Time // the first and the last time in the file
	place       refconfig.Place
}

// before reports whether a file takes precedence over another: the one closer to the root does, so
// that an archive of several images has one result.
func (m moment) before(other moment) bool {
	depth, otherDepth := strings.Count(m.file, "/"), strings.Count(other.file, "/")
	return cmp.Or(depth-otherDepth, strings.Compare(m.file, other.file), m.first.Compare(other.first)) < 0
}

// readMoment parses the file that says when an archive was gathered. It returns nil for another file,
// also of the same name.
func readMoment(f source.File, data []byte) *moment {
	first, last, ok := collector.Moment(f.Name, data)
	if !ok {
		return nil
	}
	place := refconfig.Place{File: f.Path, Entry: f.Entry}
	return &moment{input: f.Input, file: f.Name, first: first, last: last, place: place}
}

// folder returns the nested archive of the file, if any, and the file's folder in it.
func (m moment) folder() (archive, folder string) {
	folder, _ = path.Split(m.file)
	inside := strings.LastIndex(folder, "!/") + 1
	return folder[:inside], folder[inside:]
}

// inside reports whether the file is in the folder of another file, or below.
func (m moment) inside(other moment) bool {
	archive, folder := m.folder()
	around, above := other.folder()
	return m.input == other.input && archive == around && strings.HasPrefix(folder, above)
}

// farApart is the time between two gatherings of one cluster above which they count as different
// states of it. Several images are often gathered one after the other on one day.
const farApart = 24 * time.Hour

// apart returns a problem if a cluster was gathered at times that are far apart. If one file is in
// a folder below another's, only the outermost counts: the file of a must-gather may be written on
// another machine, with another clock, than the files of its images.
func apart(moments []*moment) (refconfig.Problem, bool) {
	slices.SortFunc(moments, func(a, b *moment) int {
		archive, folder := a.folder()
		otherArchive, other := b.folder()
		return cmp.Or(a.input-b.input, cmp.Compare(archive, otherArchive), cmp.Compare(folder, other))
	})
	var first, last, outer *moment
	for _, m := range moments {
		if outer != nil && m.inside(*outer) {
			continue
		}
		outer = m
		if first == nil || m.first.Before(first.first) {
			first = m
		}
		if last == nil || m.last.After(last.last) {
			last = m
		}
	}
	if first == nil || last.last.Sub(first.first) < farApart {
		return refconfig.Problem{}, false
	}
	return last.place.Problem(
		code.GatheredApart,
		"collected %s, %s after other CRs of this cluster (%s, %s): a CR that was deleted in between counts as "+
			"present, so the result describes neither moment; compare each archive separately, and the reports with diff",
		last.last.Format(time.RFC3339),
		finding.Plural(int(last.last.Sub(first.first)/farApart), "day", "days"),
		first.first.Format(time.RFC3339),
		first.place,
	), true
}
