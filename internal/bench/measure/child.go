package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// bench measures; it holds no input in memory, because Linux counts the peak of the parent to that
// of a child.
type bench struct {
	settings
	progress io.Writer
}

// sample is what one run cost.
type sample struct {
	wall, processor time.Duration
	peak            int64 // bytes of memory; 0 where the system does not tell
}

// child is a command to run.
type child struct {
	args  []string
	fine  int           // the largest exit status that is no failure
	makes func() string // what a run makes, as a last argument, each in another place; nil for nothing
}

// compare is the tool with these arguments. Differences are no failure.
func (b *bench) compare(args ...string) child {
	return child{args: append([]string{b.tool}, args...), fine: 1}
}

// shell is a yardstick. $0 stands for the file or folder.
func shell(script, path string) child {
	return child{args: []string{"sh", "-c", script, path}}
}

// once runs a command, without its output.
func (c child) once() (sample, error) {
	if c.makes != nil {
		c.args = append(slices.Clip(c.args), c.makes())
	}
	cmd := exec.Command(c.args[0], c.args[1:]...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	start := time.Now()
	err := cmd.Run()
	s := sample{wall: time.Since(start)}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 0 && exit.ExitCode() <= c.fine {
		err = nil
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w: %s", strings.Join(c.args, " "), err, strings.TrimSpace(errs.String()))
	}
	s.processor = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	s.peak = peak(cmd.ProcessState)
	return s, nil
}

// output runs a command and returns what it prints.
func (c child) output() (string, error) {
	text, err := exec.Command(c.args[0], c.args[1:]...).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(c.args, " "), err)
	}
	return string(text), nil
}

// pairs runs two commands in turn, and drops what the first pair cost, which warms the caches.
func (b *bench) pairs(one, other child) (ones, others []sample, err error) {
	for range b.runs + 1 {
		o, err := one.once()
		if err != nil {
			return nil, nil, err
		}
		p, err := other.once()
		if err != nil {
			return nil, nil, err
		}
		ones, others = append(ones, o), append(others, p)
	}
	return ones[1:], others[1:], nil
}

// single runs one command.
func (b *bench) single(c child) ([]sample, error) {
	var all []sample
	for range b.runs + 1 {
		s, err := c.once()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all[1:], nil
}

// median is the middle of values; of an even number, the larger of the two in the middle.
func median[T cmp.Ordered](values []T) T {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// medians are those of what runs cost, each by itself.
func medians(all []sample) sample {
	var wall, processor []time.Duration
	var peaks []int64
	for _, s := range all {
		wall, processor, peaks = append(wall, s.wall), append(processor, s.processor), append(peaks, s.peak)
	}
	return sample{wall: median(wall), processor: median(processor), peak: median(peaks)}
}

// ratio is the median of what the pairs give, as told by of.
func ratio(ones, others []sample, of func(sample) time.Duration) float64 {
	var all []float64
	for i := range ones {
		all = append(all, float64(of(ones[i]))/float64(of(others[i])))
	}
	return median(all)
}

func wall(s sample) time.Duration      { return s.wall }
func processor(s sample) time.Duration { return s.processor }

// size is that of a file.
func size(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
