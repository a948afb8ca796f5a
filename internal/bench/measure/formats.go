package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// drifting compares a format with JSON, for ten thousand objects that all differ. Each run writes
// to a new file, because the file system pays for deleted files in the next run.
func (b *bench) drifting(format string, sizeGoal float64) (line, error) {
	path, err := b.make(driftingObjects())
	if err != nil {
		return line{}, err
	}
	folder, err := os.MkdirTemp(b.data, "written-")
	if err != nil {
		return line{}, err
	}
	defer os.RemoveAll(folder)
	write := func(format string) child {
		c, n := b.compare(path+"/reference", path+"/input"), 0
		c.makes = func() string {
			n++
			return fmt.Sprintf("--output=%s=%s-%d", format, filepath.Join(folder, format), n)
		}
		return c
	}
	ours, yard, err := b.pairs(write(format), write("json"))
	if err != nil {
		return line{}, err
	}
	_, written, err := treeSize(filepath.Join(folder, format+"-1"))
	if err != nil {
		return line{}, err
	}
	l := line{what: "10,000 CRs, all differ, as " + format, cost: medians(ours)}
	l.figures = []figure{
		{ratio(ours, yard, wall), 1.3, "× the time of JSON", 2},
		{ratio(ours, yard, processor), 0, "× its processor time", 2},
		peakFigure(l.cost, 200),
		{megabytes(written), sizeGoal, "MB written", 1},
	}
	return l, nil
}

// reports merges two thousand saved reports, and two hundred, to see whether the cost is linear. It
// reads the same file repeatedly, because the tool keeps nothing of a report that it has read.
func (b *bench) reports() (line, error) {
	path, err := b.make(manyObjects(20, 20))
	if err != nil {
		return line{}, err
	}
	saved := filepath.Join(b.data, "saved.json")
	if _, err := b.compare("-o", "json="+saved, path+"/reference", path+"/input").once(); err != nil {
		return line{}, err
	}
	const many, few = 2_000, 200
	var runs []child
	for _, n := range []int{many, few} {
		list := filepath.Join(b.data, fmt.Sprintf("list-%d.txt", n))
		if err := os.WriteFile(list, []byte(strings.Repeat(saved+"\n", n)), 0o644); err != nil {
			return line{}, err
		}
		runs = append(runs, b.compare("report", "--summary", "--files-from", list))
	}
	size, err := size(saved)
	if err != nil {
		return line{}, err
	}
	ours, less, err := b.pairs(runs[0], runs[1])
	if err != nil {
		return line{}, err
	}
	l := line{what: fmt.Sprintf("2,000 saved reports of %.0f kB, as one", float64(size)/1e3), cost: medians(ours)}
	perReport := float64(l.cost.peak-medians(less).peak) / (many - few)
	l.figures = []figure{
		{float64(l.cost.processor) / float64(time.Millisecond) / many, 0, "ms of a processor for each", 2},
		{
			ratio(ours, less, processor),
			11,
			"× the processor time of 200",
			1,
		},
		{perReport / float64(size), 3, "× its size at the peak for each", 1},
	}
	return l, nil
}
