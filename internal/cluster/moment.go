package cluster

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// moment is when an archive was gathered, and the file that says so.
type moment struct {
	input      int    // the index of its input
	file, when string // file is its path inside the input
	last       string // the last time that it has, RFC 3339 as when is
	place      refconfig.Place
}

// before reports whether a file is to be believed rather than another: the one nearer to the root,
// so that several images of one archive come to the same.
func (m moment) before(other moment) bool {
	depth, otherDepth := strings.Count(m.file, "/"), strings.Count(other.file, "/")
	return cmp.Or(depth-otherDepth, strings.Compare(m.file, other.file), strings.Compare(m.when, other.when)) < 0
}

// readMoment reads the file that says when an archive was gathered; false where it is something
// else of that name.
func readMoment(f source.File, data []byte) (moment, bool) {
	when, last, ok := collector.Moment(f.Name, data)
	return moment{
		input: f.Input,
		file:  f.Name,
		when:  when,
		last:  last,
		place: refconfig.Place{File: f.Path, Entry: f.Entry},
	}, ok
}

// folder is the archive inside the input, if any, and the folder in it that the file is in.
func (m moment) folder() (archive, folder string) {
	folder, _ = path.Split(m.file)
	inside := strings.LastIndex(folder, "!/") + 1
	return folder[:inside], folder[inside:]
}

// farApart is from which time between them on two gatherings of one cluster are taken for two
// states of it. Several images may well be gathered one after the other, on one day.
const farApart = 24 * time.Hour

// apart reports that a cluster was gathered at times that lie far apart. Of files below each other
// only the outermost is asked: the one of a must-gather may be written by another machine, with
// another clock, than those of its images.
func apart(moments []*moment) (refconfig.Problem, bool) {
	slices.SortFunc(moments, func(a, b *moment) int {
		archive, folder := a.folder()
		otherArchive, other := b.folder()
		return cmp.Or(a.input-b.input, cmp.Compare(archive, otherArchive), cmp.Compare(folder, other))
	})
	var first, last, outer *moment
	var from, to time.Time
	for i, m := range moments {
		if i > 0 && m.input == outer.input {
			archive, folder := m.folder()
			if around, above := outer.folder(); archive == around && strings.HasPrefix(folder, above) {
				continue
			}
		}
		outer = m
		began, err := time.Parse(time.RFC3339, m.when)
		ended, odd := time.Parse(time.RFC3339, m.last)
		if err != nil || odd != nil {
			continue
		}
		if from.IsZero() || began.Before(from) {
			first, from = m, began
		}
		if to.IsZero() || ended.After(to) {
			last, to = m, ended
		}
	}
	far := to.Sub(from)
	if far < farApart {
		return refconfig.Problem{}, false
	}
	return last.place.Problem(
		code.GatheredApart,
		"collected %s, %s after other CRs of this cluster (%s, %s): a CR that was deleted in between counts as "+
			"present, so the result describes neither moment; compare each archive separately, and the reports with report diff",
		last.last,
		finding.Plural(int(far/farApart), "day", "days"),
		first.when,
		first.place,
	), true
}
