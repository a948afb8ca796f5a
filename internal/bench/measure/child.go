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

// bench measures the tool. It holds no input in memory, because Linux counts the peak of the parent
// for a child.
type bench struct {
	settings
	progress io.Writer
}

// sample is the cost of one run.
type sample struct {
	wall, processor time.Duration
	peak            int64 // bytes of memory; 0 if unknown
}

// child is a command to run.
type child struct {
	args  []string
	fine  int           // the largest exit status that is not a failure
	makes func() string // returns a new path as the last argument; nil for none
}

// compare returns a run of the tool with arguments. Differences are not a failure.
func (b *bench) compare(args ...string) child {
	return child{args: append([]string{b.tool}, args...), fine: 1}
}

// shell returns a shell command to compare with. $0 is the file or folder.
func shell(script, path string) child {
	return child{args: []string{"sh", "-c", script, path}}
}

// once runs a command and discards its output.
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

// pairs runs two commands alternately. It discards the first pair, which warms the caches.
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

// single runs one command several times.
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

// median returns the middle value; of an even number, the larger of the two middle values.
func median[T cmp.Ordered](values []T) T {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// medians returns the median of each cost of several runs.
func medians(all []sample) sample {
	var wall, processor []time.Duration
	var peaks []int64
	for _, s := range all {
		wall, processor, peaks = append(wall, s.wall), append(processor, s.processor), append(peaks, s.peak)
	}
	return sample{wall: median(wall), processor: median(processor), peak: median(peaks)}
}

// ratio returns the median ratio of a cost over pairs of runs.
func ratio(ones, others []sample, of func(sample) time.Duration) float64 {
	var all []float64
	for i := range ones {
		all = append(all, float64(of(ones[i]))/float64(of(others[i])))
	}
	return median(all)
}

func wall(s sample) time.Duration      { return s.wall }
func processor(s sample) time.Duration { return s.processor }

// size returns the size of a file.
func size(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
