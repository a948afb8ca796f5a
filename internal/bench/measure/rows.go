package main

import (
	"fmt"
	"time"
)

// The commands that the tool is compared with.
const (
	gunzip  = `gzip -dc "$0" | wc -c`
	catYAML = `find "$0" -name '*.yaml' | xargs cat | wc -c`
)

// row is one measurement.
type row struct {
	name    string // -only selects rows by it
	measure func(b *bench) (line, error)
}

// line is a row of the table.
type line struct {
	what    string // the input
	cost    sample
	figures []figure
}

// figure is a number with its goal, an upper limit.
type figure struct {
	value, goal float64 // goal is 0 for none
	unit        string
	digits      int
}

func rows() []row {
	return []row{
		{"archive G, a grown cluster", func(b *bench) (line, error) {
			return b.archive("archive of a grown cluster", b.settings.archive, grown("10"), 0.60, 64)
		}},
		{"archive R, a fresh cluster", func(b *bench) (line, error) {
			return b.archive("archive of a fresh cluster", b.archiveR, fresh("fresh-2.tar.gz", "2"), 0.45, 0)
		}},
		{"archive xz", (*bench).xz},
		{"archive ten times as large", (*bench).growth},
		{"20 clusters", func(b *bench) (line, error) { return b.clusters(20) }},
		{"200 clusters", func(b *bench) (line, error) { return b.clusters(200) }},
		{"tree of a must-gather", func(b *bench) (line, error) {
			path, err := b.make(fresh("fresh-2", "2"))
			if err != nil {
				return line{}, err
			}
			return b.tree("folder of a fresh cluster", path, b.reference, 0.75, 48)
		}},
		{"tree of 10,000 objects, 10 compared", func(b *bench) (line, error) {
			path, err := b.make(manyObjects(10_000, 10))
			if err != nil {
				return line{}, err
			}
			return b.tree("10,000 CRs, 10 compared", path+"/input", path+"/reference", 1.0, 40)
		}},
		{"objects 10,000 as json", func(b *bench) (line, error) { return b.objects("json", 250) }},
		{"objects 10,000 as text", func(b *bench) (line, error) { return b.objects("text", 400) }},
		{"drifting 10,000 as text", func(b *bench) (line, error) { return b.drifting("text", 0) }},
		{"drifting 10,000 as yaml", func(b *bench) (line, error) { return b.drifting("yaml", 0) }},
		{"drifting 10,000 as html", func(b *bench) (line, error) { return b.drifting("html", 20) }},
		{"drifting 10,000 as junit", func(b *bench) (line, error) { return b.drifting("junit", 0) }},
		{"drifting 10,000 as sarif", func(b *bench) (line, error) { return b.drifting("sarif", 0) }},
		{"drifting 10,000 as markdown", func(b *bench) (line, error) { return b.drifting("markdown", 0) }},
		{"drifting 10,000 as csv", func(b *bench) (line, error) { return b.drifting("csv", 0) }},
		{"drifting 10,000 as github", func(b *bench) (line, error) { return b.drifting("github", 0) }},
		{"drifting 10,000 as diff", func(b *bench) (line, error) { return b.drifting("diff", 0) }},
		{"drifting 10,000 as fix", func(b *bench) (line, error) { return b.drifting("fix", 0) }},
		{"report of 2,000 saved ones", (*bench).reports},
		{"text of 1 MB, all lines differ", func(b *bench) (line, error) { return b.text("100", "text") }},
		{"text of 1 MB, all lines differ, as json", func(b *bench) (line, error) { return b.text("100", "json") }},
		{"text of 1 MB, one line in a hundred differs", func(b *bench) (line, error) { return b.text("1", "text") }},
		{"small: one object, 98 templates", (*bench).small},
		{"large list.yaml", func(b *bench) (line, error) { return b.large("list.yaml", "YAML List of 100 MB", true) }},
		{"large list.json", func(b *bench) (line, error) { return b.large("list.json", "JSON List of 100 MB", true) }},
		{
			"large configmap.yaml, compared",
			func(b *bench) (line, error) { return b.large("configmap.yaml", "ConfigMap of 100 MB, compared", true) },
		},
		{"large configmap.yaml, not compared", func(b *bench) (line, error) {
			return b.large("configmap.yaml", "ConfigMap of 100 MB, not compared", false)
		}},
	}
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// peakUnit is the unit of a peak. A table without goals shows peaks in a column of their own.
const peakUnit = "MB at the peak"

// peakFigure returns the peak in MB; goal is 0 for none.
func peakFigure(s sample, goal float64) figure {
	return figure{value: megabytes(s.peak), goal: goal, unit: peakUnit}
}

// processorFigure returns the ratio of processor times. It has no goal, but hardly depends on the
// load of the machine.
func processorFigure(ours, yard []sample) figure {
	return figure{value: ratio(ours, yard, processor), unit: "× its processor time", digits: 2}
}

// archive measures a named .tar.gz, or the generated one.
func (b *bench) archive(what, named string, d dataset, goal, peakGoal float64) (line, error) {
	path, err := named, error(nil)
	if path == "" {
		if path, err = b.make(d); err != nil {
			return line{}, err
		}
	}
	packed, err := size(path)
	if err != nil {
		return line{}, err
	}
	unpacked, err := unpackedSize(path)
	if err != nil {
		return line{}, err
	}
	ours, yard, err := b.pairs(b.compare(b.reference, path), shell(gunzip, path))
	if err != nil {
		return line{}, err
	}
	l := line{
		what: fmt.Sprintf("%s, .tar.gz, %.0f MB in %.0f MB", what, megabytes(unpacked), megabytes(packed)),
		cost: medians(ours),
	}
	l.figures = append(l.figures, figure{ratio(ours, yard, wall), goal, "× `gzip -dc`", 2}, processorFigure(ours, yard))
	if peakGoal > 0 {
		l.figures = append(l.figures, peakFigure(l.cost, peakGoal))
	}
	return l, nil
}

// xz measures a .tar.xz against unpacking it.
func (b *bench) xz() (line, error) {
	path, err := b.make(fresh("fresh-1.tar.xz", "1"))
	if err != nil {
		return line{}, err
	}
	yardstick, err := inflateChild(path)
	if err != nil {
		return line{}, err
	}
	ours, yard, err := b.pairs(b.compare(b.reference, path), yardstick)
	if err != nil {
		return line{}, err
	}
	return line{what: "archive of a fresh cluster, .tar.xz, 47 MB", cost: medians(ours),
		figures: []figure{
			{ratio(ours, yard, wall), 1.15, "× unpacking it with the same library", 2},
			processorFigure(ours, yard),
		}}, nil
}

// growth measures an archive with ten times as much content that is not compared.
func (b *bench) growth() (line, error) {
	var paths []string
	var sizes []int64
	for _, scale := range []string{"10", "1"} {
		path, err := b.make(grown(scale))
		if err != nil {
			return line{}, err
		}
		n, err := unpackedSize(path)
		if err != nil {
			return line{}, err
		}
		paths, sizes = append(paths, path), append(sizes, n)
	}
	ten, one, err := b.pairs(b.compare(b.reference, paths[0]), b.compare(b.reference, paths[1]))
	if err != nil {
		return line{}, err
	}
	l := line{
		what: fmt.Sprintf("%.1f times as much that is not compared", float64(sizes[0])/float64(sizes[1])),
		cost: medians(ten),
	}
	less := medians(one)
	l.figures = []figure{{ratio(ten, one, wall), 10, "× the time", 1},
		{
			value: megabytes(l.cost.peak - less.peak),
			unit:  fmt.Sprintf("MB more than the %.0f MB of the small one", megabytes(less.peak)),
		}}
	return l, nil
}

// clusters measures the archives of n clusters in one run, and the first of them alone.
func (b *bench) clusters(n int) (line, error) {
	args := []string{b.reference}
	for i := range n {
		path, err := b.make(clusterOf(i))
		if err != nil {
			return line{}, err
		}
		args = append(args, path)
	}
	all, one, err := b.pairs(b.compare(args...), b.compare(args[:2]...))
	if err != nil {
		return line{}, err
	}
	l := line{what: fmt.Sprintf("archives of %d clusters, 8 MB each", n), cost: medians(all)}
	l.figures = []figure{
		{value: float64(l.cost.processor) / float64(time.Millisecond) / float64(n), unit: "ms of a processor for each"},
		{value: ratio(all, one, processor) / float64(n), goal: 1.1, unit: "× that of one by itself", digits: 2},
		peakFigure(l.cost, 0),
	}
	return l, nil
}

// tree measures a folder.
func (b *bench) tree(what, path, reference string, goal, peakGoal float64) (line, error) {
	files, total, err := treeSize(path)
	if err != nil {
		return line{}, err
	}
	ours, yard, err := b.pairs(b.compare(reference, path), shell(catYAML, path))
	if err != nil {
		return line{}, err
	}
	l := line{what: fmt.Sprintf("%s, %.0f MB in %d files", what, megabytes(total), files), cost: medians(ours)}
	l.figures = []figure{
		{ratio(ours, yard, wall), goal, "× `cat` of its YAML", 2},
		processorFigure(ours, yard),
		peakFigure(l.cost, peakGoal),
	}
	return l, nil
}

// objects measures ten thousand objects, half of which differ, and a thousand, to see whether the
// cost is linear.
func (b *bench) objects(format string, goal float64) (line, error) {
	var runs []child
	for _, n := range []int{10_000, 1_000} {
		path, err := b.make(manyObjects(n, n))
		if err != nil {
			return line{}, err
		}
		runs = append(runs, b.compare("-o", format, path+"/reference", path+"/input"))
	}
	ten, one, err := b.pairs(runs[0], runs[1])
	if err != nil {
		return line{}, err
	}
	l := line{what: "10,000 CRs, all compared, half differ, as " + format, cost: medians(ten)}
	l.figures = []figure{{float64(l.cost.processor/time.Microsecond) / 10_000, goal, "µs of a processor for each", 0},
		{ratio(ten, one, processor), 11, "× the processor time of 1,000", 1}, peakFigure(l.cost, 120)}
	return l, nil
}

// text measures one object with a megabyte of text.
func (b *bench) text(differing, format string) (line, error) {
	path, err := b.make(longText(differing))
	if err != nil {
		return line{}, err
	}
	ours, err := b.single(b.compare("-o", format, path+"/reference", path+"/settings.yaml"))
	if err != nil {
		return line{}, err
	}
	l := line{
		what: fmt.Sprintf("a text of 1 MB, %s %% of its lines differ, as %s", differing, format),
		cost: medians(ours),
	}
	l.figures = []figure{{l.cost.wall.Seconds(), 0.1, "s", 2}}
	return l, nil
}

// small measures one small object with a large reference: the least that a run costs.
func (b *bench) small() (line, error) {
	path, err := b.make(dataset{"small", []string{"objects", "-objects", "1", "-compared", "1", "-templates", "98"}})
	if err != nil {
		return line{}, err
	}
	ours, err := b.single(b.compare(path+"/reference", path+"/input"))
	if err != nil {
		return line{}, err
	}
	l := line{what: "one CR, a reference of 98 templates", cost: medians(ours)}
	l.figures = []figure{{float64(l.cost.processor) / float64(time.Millisecond), 20, "ms of a processor", 1}}
	return l, nil
}

// large measures one large file that is compared, or only read.
func (b *bench) large(form, what string, compared bool) (line, error) {
	path, err := b.make(largeFile(form))
	if err != nil {
		return line{}, err
	}
	file, reference := path+"/"+form, path+"/reference"
	if !compared {
		reference = b.reference
	}
	n, err := size(file)
	if err != nil {
		return line{}, err
	}
	ours, err := b.single(b.compare(reference, file))
	if err != nil {
		return line{}, err
	}
	l := line{what: what, cost: medians(ours)}
	l.figures = []figure{{float64(l.cost.peak) / float64(n), 3, "× the file at the peak", 1}}
	return l, nil
}
