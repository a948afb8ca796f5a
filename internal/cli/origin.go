package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
)

// originOptions returns the options that were given and that a saved report depends on, as
// NAME=VALUE in the order of the flags. The value of an option that names a file has the state of
// the file.
func originOptions(flags []cli.Flag) (all []string) {
	others := []string{"reference", "filename", "jobs", "shard", "report-dir", "timings", "color", "width", "quiet"}
	files := []string{"crds", "old", "impact", "diff-config", "overrides", "baseline"}
	for _, f := range flags {
		name := f.Names()[0]
		if slices.Contains(others, name) {
			continue
		}
		if b, ok := f.(*cli.BoolFlag); ok && *b.Destination {
			all = append(all, name)
		}
		for _, text := range valueOf(f).texts {
			if slices.Contains(files, name) {
				text += " " + stateOf(text)
			}
			all = append(all, name+"="+text)
		}
	}
	return all
}

// stateOf returns a hash that changes with a file, or with the files of a folder: of their names,
// sizes and times of modification. It does not read them, because inputs can be large.
func stateOf(name string) string {
	hash := sha256.New()
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(name, path); err == nil && !d.IsDir() {
			fmt.Fprintf(hash, "%q %v %d %d\n", rel, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(hash, err)
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}

// originOf returns the origin of the report of an input.
func (o *compareOptions) originOf(input string) *finding.Origin {
	return &finding.Origin{Options: o.given(), Input: stateOf(input)}
}
