package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
)

// reading is a file on its way from the source to its objects.
type reading struct {
	file     source.File
	contents manifest.Contents
}

// gatherer reads inputs. Files are read in order, as archives demand, while their objects are found on all processors; the
// order of what comes out is that of the files.
type gatherer struct {
	inputs  []string
	seen    func(objects int)
	trim    func(*manifest.Object) // lets go of what nobody wants of an object
	buffers *source.Buffers
	charts  map[string]bool // folders that were seen to hold a Chart.yaml
}

// gather reads all inputs.
func (g *gatherer) gather(ctx context.Context, opt source.Options) (source.Summary, []*reading, error) {
	g.buffers, g.charts = &source.Buffers{}, map[string]bool{}
	opt.Buffers, opt.Look = g.buffers, g.look
	workers := max(runtime.GOMAXPROCS(0)-1, 1)
	type job struct {
		*reading
		hints manifest.Hints
	}
	queue := make(chan job, 4*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for j := range queue {
				g.read(j.reading, j.hints)
			}
		})
	}
	var all []*reading
	summary, err := source.Walk(ctx, g.inputs, opt, func(f source.File) error {
		r, ok := f.Looked.(*reading)
		hints := g.hints(f)
		if !ok {
			r = &reading{file: f}
		}
		all = append(all, r)
		if r.file.Data == nil {
			return nil
		}
		select {
		case queue <- job{r, hints}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(queue)
	group.Wait()
	return summary, all, err
}

// look reads a file at once, unless what is known of it depends on files before it.
func (g *gatherer) look(f source.File) any {
	r := &reading{file: f}
	if _, chart := chartOf(f.Name); !chart {
		g.read(r, manifest.Hints{Asked: g.asked(f)})
	}
	return r
}

// read finds the objects of a file, and gives its memory back.
func (g *gatherer) read(r *reading, hints manifest.Hints) {
	data := r.file.Data
	r.file.Data = nil
	r.contents = manifest.Read(r.file.Path, r.file.Entry, data, hints)
	held := 0
	for _, o := range r.contents.Objects {
		g.trim(o)
		held += o.Text()
	}
	g.seen(len(r.contents.Objects))
	if held > largeFile && held > len(data)/2 {
		return // a copy would cost more than what it lets go
	}
	for _, o := range r.contents.Objects {
		o.Detach()
	}
	g.buffers.Give(data)
}

// largeFile is from which size on a file is kept as it is where most of it is wanted.
const largeFile = 1 << 20

// hints says what a file's surroundings tell about it. It is asked in the order of the files.
func (g *gatherer) hints(f source.File) manifest.Hints {
	folder, base := path.Split(f.Name)
	if base == "Chart.yaml" {
		g.charts[folder] = true
	}
	chart, inside := chartOf(f.Name)
	return manifest.Hints{Asked: g.asked(f), Chart: inside && g.charts[chart]}
}

// chartOf returns the folder that would be a Helm chart if the file were one of its templates.
func chartOf(name string) (string, bool) {
	chart, _, templates := strings.Cut(name, "templates/")
	return chart, templates
}

// asked reports whether the user named this very file.
func (g *gatherer) asked(f source.File) bool {
	return f.Entry == "" && (f.Path == "-" || slices.Contains(g.inputs, f.Path))
}

// collected turns what was read into what is compared. The roots tell the clusters of one archive apart.
func collected(summary source.Summary, files []*reading) compare.Collected {
	var in compare.Collected
	for _, i := range summary.Inputs {
		in.Inputs = append(in.Inputs, compare.Input{Path: i.Path, Format: i.Format, Layout: i.Layout})
		in.Gathered = in.Gathered || i.Layout != ""
	}
	for _, p := range summary.Problems {
		if harmless(p.Code) {
			in.Warnings = append(in.Warnings, compare.Warning{Code: p.Code, Message: p.Message, Place: compare.Where(problem(p).Place)})
			continue
		}
		in.Unreadable = append(in.Unreadable, problem(p))
	}
	for _, p := range summary.NotRead {
		in.NotRead = append(in.NotRead, problem(p))
	}
	if roots := rootOf(summary, files); roots != nil {
		in.Root = func(p manifest.Place) string { return roots[p.File+"!"+p.Entry] }
	}
	in.Passed = passed(summary, files)
	for _, r := range files {
		c := r.contents
		in.Objects = append(in.Objects, c.Objects...)
		in.Unreadable = append(in.Unreadable, c.Problems...)
		for _, l := range c.Lists {
			if l.Kind != "" {
				in.Listed = append(in.Listed, compare.GroupKind{Group: manifest.ID{APIVersion: l.APIVersion}.Group(), Kind: l.Kind})
			}
		}
		for _, w := range c.Warnings {
			in.Warnings = append(in.Warnings, compare.Warning{Code: w.Code, Message: w.Message, Place: compare.Where(w.Place)})
		}
	}
	return in
}

// harmless reports whether a problem of a source loses nothing of what the user handed in.
func harmless(c code.Code) bool { return c == code.LinkSkipped || c == code.UnsafeName }

// passed counts what was passed over, by reason.
func passed(summary source.Summary, files []*reading) []compare.Passed {
	counts := map[string]int{}
	for _, s := range summary.Skipped {
		counts[s.Reason] += s.Count
	}
	for _, r := range files {
		for _, p := range r.contents.Passed {
			counts[string(p.Reason)] += p.Count
		}
	}
	var all []compare.Passed
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, compare.Passed{Reason: reason, Count: counts[reason]})
	}
	return all
}

// rootOf maps every file that holds objects to the cluster root it lies in; nil where there is at most one root.
func rootOf(summary source.Summary, files []*reading) map[string]string {
	count := 0
	for _, i := range summary.Inputs {
		count += len(i.Roots)
	}
	if count < 2 {
		return nil
	}
	roots := map[string]string{}
	for _, r := range files {
		if len(r.contents.Objects) > 0 {
			in := summary.Inputs[r.file.Input]
			roots[r.file.Path+"!"+r.file.Entry] = in.Path + ":" + source.RootOf(r.file.Name, in.Roots)
		}
	}
	return roots
}

// problem turns a problem of a source into one of the result.
func problem(p source.Problem) manifest.Problem {
	return manifest.Problem{Code: p.Code, Place: manifest.Place{File: p.Path, Entry: p.Entry, Item: -1}, Message: p.Message}
}

// noObjects is the error for an input that holds nothing to compare.
func noObjects(inputs []string) error {
	return fmt.Errorf("%s: %s: no Kubernetes object was found; point at the folder or archive that holds the CRs as YAML or JSON",
		code.InputNoObjects, quoted(inputs))
}

// collect reads the inputs.
// trim lets go of what of an object no later step asks for.
func (p *program) collect(c *cli.Context, inputs []string, trim func(*manifest.Object)) (compare.Collected, error) {
	var in compare.Collected
	progress := p.startProgress()
	defer progress.stop()
	g := &gatherer{inputs: inputs, seen: progress.add, trim: trim}
	summary, files, err := g.gather(c.Context, source.Options{Stdin: p.io.In, Nested: c.Bool("nested"), Want: source.Candidate})
	if c.Context.Err() != nil {
		return in, errors.New("interrupted while the input was read; nothing was compared")
	}
	if err != nil {
		return in, fmt.Errorf("%s: %w", code.InputNotFound, err)
	}
	in = collected(summary, files)
	if len(in.Objects) == 0 && len(in.Unreadable) == 0 {
		return in, noObjects(inputs)
	}
	if c.Bool("skip-unreadable") {
		for _, u := range in.Unreadable {
			in.Warnings = append(in.Warnings, compare.Warning{Code: u.Code, Message: u.Message, Place: compare.Where(u.Place)})
		}
		in.Unreadable = nil
	}
	return in, nil
}
