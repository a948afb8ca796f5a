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
	hints    manifest.Hints
	contents manifest.Contents
}

// gather reads all inputs. Files are read one after the other, as archives demand, while their objects are found on the
// other processors; the order of what comes out is that of the files.
func gather(ctx context.Context, inputs []string, opt source.Options, seen func(objects int)) (source.Summary, []*reading, error) {
	workers := max(runtime.GOMAXPROCS(0)-1, 1)
	queue := make(chan *reading, 4*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for r := range queue {
				r.contents = manifest.Read(r.file.Path, r.file.Entry, r.file.Data, r.hints)
				r.file.Data = nil // the objects hold what they need of it
				seen(len(r.contents.Objects))
			}
		})
	}
	var all []*reading
	charts := map[string]bool{}
	summary, err := source.Walk(ctx, inputs, opt, func(f source.File) error {
		r := &reading{file: f, hints: hints(f, inputs, charts)}
		all = append(all, r)
		select {
		case queue <- r:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(queue)
	group.Wait()
	return summary, all, err
}

// hints says what a file's surroundings tell about it. Charts gathers the folders that were seen to hold a Chart.yaml.
func hints(f source.File, inputs []string, charts map[string]bool) manifest.Hints {
	folder, base := path.Split(f.Name)
	if base == "Chart.yaml" {
		charts[folder] = true
	}
	chart, _, templates := strings.Cut(f.Name, "templates/")
	return manifest.Hints{
		Asked: f.Entry == "" && (f.Path == "-" || slices.Contains(inputs, f.Path)),
		Chart: templates && charts[chart],
	}
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
func (p *program) collect(c *cli.Context, inputs []string) (compare.Collected, error) {
	var in compare.Collected
	progress := p.startProgress()
	defer progress.stop()
	summary, files, err := gather(c.Context, inputs, source.Options{
		Stdin: p.io.In, Nested: c.Bool("nested"), Want: source.Candidate,
	}, progress.add)
	if c.Context.Err() != nil {
		return in, errors.New("interrupted while the input was read; nothing was compared")
	}
	if err != nil {
		return in, fmt.Errorf("%s: %w", code.InputNotFound, err)
	}
	in = collected(summary, files)
	p.timings.input(summary, len(in.Objects))
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
