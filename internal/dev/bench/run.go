package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// cost is what a run costs.
type cost int

const (
	wall      cost = iota // in seconds
	processor             // in seconds
	peak                  // in MB; 0 if unknown
	printed               // the number that a yardstick prints
)

// sample has each cost of a run, or the medians of several.
type sample [printed + 1]float64

// measurement is what the description and the figures of a row are made of.
type measurement struct {
	ours, yardstick sample
	ratio           sample  // the medians of the ratios of the pairs
	files           int     // in what the row shows the size of
	size            float64 // of these files, in MB
}

// measure runs the command of a row and its yardstick alternately. It discards the first pair, which
// warms the caches.
func (b *bench) measure(r row) (line, error) {
	defer os.RemoveAll(b.written())
	b.files = 0
	if err := os.MkdirAll(b.written(), 0o755); err != nil {
		return line{}, err
	}
	if _, err := b.once(r.before); err != nil {
		return line{}, err
	}
	var ours, yardstick, ratios []sample
	for range b.runs + 1 {
		one, err := b.once(r.command)
		if err != nil {
			return line{}, err
		}
		other, err := b.once(r.yardstick)
		if err != nil {
			return line{}, err
		}
		ours, yardstick, ratios = append(ours, one), append(yardstick, other), append(ratios, one.over(other))
	}
	m := measurement{ours: medians(ours[1:]), yardstick: medians(yardstick[1:]), ratio: medians(ratios[1:])}
	sized, err := b.expand([]string{cmp.Or(r.sized, r.command[len(r.command)-1])})
	if err == nil {
		m.files, m.size, err = treeSize(sized[0])
	}
	what, figures := r.show(m)
	return line{what: what, sample: m.ours, figures: figures, aside: r.aside}, err
}

// over returns the ratio of each cost.
func (s sample) over(other sample) (ratio sample) {
	for c := range s {
		ratio[c] = s[c] / other[c]
	}
	return ratio
}

// medians returns the median of each cost; of an even number, the larger of the two middle values.
func medians(all []sample) (middle sample) {
	for c := range middle {
		slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a[c], b[c]) })
		middle[c] = all[len(all)/2][c]
	}
	return middle
}

// once runs a command, if there is one. Differences that the tool finds are not a failure.
func (b *bench) once(command []string) (sample, error) {
	args, err := b.expand(command)
	if err != nil || len(args) == 0 {
		return sample{}, err
	}
	cmd := exec.Command(args[0], args[1:]...)
	var out, errs bytes.Buffer
	cmd.Stderr = &errs
	isTool := args[0] == b.tool
	if !isTool {
		cmd.Stdout = &out
	}
	start := time.Now()
	err = cmd.Run()
	s := sample{wall: time.Since(start).Seconds()}
	if err != nil && !(isTool && cmd.ProcessState.ExitCode() == 1) {
		return s, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	s[processor] = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	s[peak] = megabytes(peakOf(cmd.ProcessState))
	if !isTool {
		if _, err := fmt.Sscan(out.String(), &s[printed]); err != nil {
			return s, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
	}
	return s, nil
}

// expand replaces the names in a command: ${tool}, ${bench} (this program), ${reference}, ${data},
// ${new} (a file that does not exist yet, because the file system pays for deleted files in the next
// run), those of inputs, and $$ (a dollar sign).
func (b *bench) expand(command []string) (args []string, failed error) {
	for _, arg := range command {
		args = append(args, os.Expand(arg, func(name string) string {
			switch name {
			case "$":
				return name
			case "tool":
				return b.tool
			case "bench":
				return b.self
			case "reference":
				return b.reference
			case "data":
				return b.data
			case "new":
				b.files++
				return filepath.Join(b.written(), fmt.Sprint(b.files))
			}
			path, err := b.input(name)
			failed = errors.Join(failed, err)
			return path
		}))
	}
	return args, failed
}

// written returns the folder of the files ${new}: 1, 2 and so on.
func (b *bench) written() string { return filepath.Join(b.data, "new") }

// input returns the path of an input. It makes the input unless the same program has done so.
func (b *bench) input(name string) (string, error) {
	path := filepath.Join(b.data, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	fmt.Fprintf(b.progress, "making %s\n", path)
	out, err := exec.Command(b.self, makeInput, path).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", path, err, out)
	}
	return path, err
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// treeSize returns the number and the megabytes of the files in a folder, or of a file.
func treeSize(path string) (files int, size float64, err error) {
	err = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files++
			size += megabytes(info.Size())
		}
		return err
	})
	return files, size, err
}
