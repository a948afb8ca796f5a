package cluster

import (
	"cmp"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// job is a file to search for objects.
type job struct {
	file  source.File
	hints manifest.Hints
}

// read finds the objects of a file and returns its memory to the buffers.
func (r *Reading) read(j job) {
	data, claim := j.file.Data, j.file.Claim
	j.file.Data, j.file.Claim = nil, nil
	defer claim.Release()
	r.count(0, len(data))
	b := &Batch{File: j.file, moment: readMoment(j.file, data), links: submodulesIn(j.file, data)}
	if b.moment != nil {
		r.add(b)
		return
	}
	room, _ := r.rooms.Get().(*kubeyaml.Room)
	j.hints.Room = cmp.Or(room, &kubeyaml.Room{})
	b.Contents = readSafely(j, data)
	if b.Contents.Gathered && !b.Contents.OnlyObjects() {
		j.hints.Plain = true
		plain := readSafely(j, data)
		b.plain = &plain
	}
	r.rooms.Put(j.hints.Room)
	r.count(len(b.Contents.Objects), 0)
	<-r.known
	r.keep(b, data, r.trim)
}

// keep adds the wanted objects of a file. If they need at most largeFile bytes, or half of the
// file's size, they are detached and the memory of the file is released.
func (r *Reading) keep(b *Batch, data []byte, trim Trimmer) {
	held := 0
	objects := b.Contents.Objects
	if b.plain != nil {
		objects = slices.Concat(objects, b.plain.Objects)
	}
	for _, o := range objects {
		trim(o)
		held += o.Text()
	}
	if held <= largeFile || held <= len(data)/2 { // the copy costs less than it releases
		for _, o := range objects {
			o.Detach()
		}
		r.buffers.Give(data)
	}
	r.add(b)
}

// readSafely finds the objects in the content of a file. A panic is a problem of this file only.
func readSafely(j job, data []byte) (c manifest.Contents) {
	defer func() {
		if r := recover(); r != nil {
			c = manifest.Contents{
				Problems: []refconfig.Problem{
					{Code: code.Internal, Message: "the file could not be read: " + code.Fault(r),
						Place: refconfig.Place{File: j.file.Path, Entry: j.file.Entry}},
				},
			}
		}
	}()
	return manifest.Read(j.file.Path, j.file.Entry, data, j.hints)
}

// add adds a file. Above the limit of objects it keeps none.
func (r *Reading) add(b *Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.objects += len(b.Contents.Objects); r.objects > r.opt.Objects {
		r.kept = nil
		return
	}
	r.kept = append(r.kept, b)
}

// largeFile is the size in bytes above which a file stays in memory as it is if most of it is
// wanted.
const largeFile = 1 << 20

// hints returns what the surroundings of a file show about it. For each archive it must be called in
// the order of the entries.
func (r *Reading) hints(f source.File) manifest.Hints {
	hints := manifest.Hints{
		Asked:        r.asked(f),
		Chart:        r.inChart(f),
		Placeholders: r.opt.Placeholders,
		Wrapped:      r.opt.Wrapped,
		Limits:       r.opt.Text,
		Full:         f.Full,
		Context:      r.parsing,
		Semaphore:    r.documents,
	}
	hints.APIVersion, hints.Kind = collector.KindOf(f.Name, f.Path+"/"+f.Entry)
	return hints
}

// inChart reports whether a file is in the folder templates of a Helm chart. In an archive the chart
// must come before.
func (r *Reading) inChart(f source.File) bool {
	const mark = "Chart.yaml"
	chart, inside := chartOf(f)
	folder, base := path.Split(f.Name)
	if f.Entry == "" {
		isThere := func(name string) bool { _, err := os.Stat(name); return err == nil }
		return inside && isThere(strings.TrimSuffix(f.Path, f.Name)+chart+mark)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if base == mark {
		r.charts[path.Join(f.Path, folder)] = true
	}
	return inside && r.charts[path.Join(f.Path, chart)]
}

// asked reports whether the user named this file as an argument.
func (r *Reading) asked(f source.File) bool {
	return f.Entry == "" && (f.Path == "-" || slices.Contains(r.opt.Inputs, f.Path))
}

// count reports the objects and bytes that were read.
func (r *Reading) count(objects, bytes int) {
	r.volume.Add(objects, bytes)
	if r.opt.Found != nil {
		r.opt.Found(objects, bytes)
	}
}
