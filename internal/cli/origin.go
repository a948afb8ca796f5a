package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// originOptions returns the options that were given and that a saved report depends on, as
// NAME=VALUE in the order of the flags. The value of an option that names a file has the state of
// the file.
func originOptions(flags []cli.Flag) (all []string) {
	others := []string{"reference", "filename", "jobs", "shard", "report-dir", "timings", "reproducible", "color", "width", "quiet"}
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

// countsEveryKind is the option in Run.Options of a comparison that counts CRs without a template of every kind.
const countsEveryKind = "unmatched-all"

// decisive returns the options that were given and that change what is read, compared or counted, for
// Run.Options. The value of an option that names a file is a hash of its content.
func (o *compareOptions) decisive(opt compare.Options) (all []string) {
	for name, given := range map[string]bool{
		"crds": len(o.crds) > 0, "interactive": o.interactive, "join": o.read.Join,
		"nested": o.read.Nested, "old": len(o.old) > 0, "placeholders": o.read.Placeholders,
		"skip-unreadable": o.read.SkipUnreadable, "wrapped": o.read.Wrapped,
		countsEveryKind: o.failOn.Has(finding.FailOnUnmatchedAll),
	} {
		if given {
			all = append(all, name)
		}
	}
	if o.correlation != "" {
		all = append(all, "correlation="+o.correlation)
	}
	if len(opt.Overrides) > 0 {
		overrides := slices.Clone(opt.Overrides)
		for i := range overrides {
			overrides[i].Place = refconfig.Place{}
		}
		all = append(all, "overrides="+sumOf(overrides))
	}
	if o.diffConfig != "" {
		pairs := map[string]string{}
		for object, template := range opt.Manual {
			pairs[object] = template.Path
		}
		all = append(all, "diff-config="+sumOf(pairs))
	}
	slices.Sort(all)
	return all
}

// sumOf returns a hash of a value without pointers.
func sumOf(value any) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256(fmt.Appendf(nil, "%#v", value)))
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
