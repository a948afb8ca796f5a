package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/browse"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// acceptor accepts findings of a comparison that is over. It makes overrides as --output overrides
// does, and compares the CRs that they are for again.
type acceptor struct {
	program   *program
	options   *compareOptions
	conclude  func(runs []*finding.Run, more []refconfig.Override) *finding.Report
	kept      []*compare.Kept // in the order of the inputs
	ref       finding.Reference
	overrides []refconfig.Override            // those of the comparison
	written   map[string][]refconfig.Override // what the files have that were written
}

// accepting returns what the browser needs of the acceptor.
func (a *acceptor) accepting() *browse.Accepting {
	out := &browse.Accepting{
		Propose: a.propose, Apply: a.apply, Entries: formats.OverrideEntries, Day: checkDay, Write: a.write,
	}
	if files := a.options.overrides; len(files) > 0 {
		out.File = files[len(files)-1]
	}
	return out
}

// propose implements browse.Accepting. An override cannot tell clusters apart, so what is accepted of a
// CR must be the same in all clusters that have it.
func (a *acceptor) propose(
	of *finding.Run, parts []browse.Part, made []refconfig.Override,
) (browse.Acceptance, []string) {
	only, breaking, rules := map[patch.CR][]patch.Field{}, map[patch.CR]bool{}, map[string]bool{}
	var left []string
	for _, one := range parts {
		if one.CR == nil {
			rules[one.Rule.Identity()] = true
			for _, m := range one.Rule.Missing {
				if one.Missing == "" || one.Missing == m.Template {
					breaking[patch.CR{Template: m.Template, Object: m.Object}] = true
				}
			}
			for _, present := range one.Rule.Present {
				breaking[patch.CR{Template: present.Template, Object: present.Object}] = true
			}
			continue
		}
		cr := patch.CR{Template: one.CR.Template.Path, Object: one.CR.Object}
		if one.Path == "" {
			only[cr] = nil
			continue
		}
		path, err := refconfig.ParseFieldPath(one.Path)
		if one.Path == "." || err != nil {
			left = append(left, one.CR.Object.Short()+": the finding is about no single field; accept the CR")
			continue
		}
		only[cr] = append(only[cr], patch.FieldOf(path, one.Lacks))
	}
	q := &patch.Request{Extra: a.options.failOn.Has(finding.FailOnExtra), Only: only, Breaking: breaking}
	named := func(c *finding.Comparison) bool {
		_, is := only[patch.CR{Template: c.Template.Path, Object: c.Object}]
		return is
	}
	var runs []*finding.Run
	proposed := &finding.Run{}
	for _, kept := range a.kept {
		if !kept.Made(of) && !kept.Has(named) {
			continue
		}
		run := kept.Again(made, q)
		if run == nil {
			return nil, []string{interrupted}
		}
		runs = append(runs, run)
		if kept.Made(of) {
			proposed.Rules = slice.Filter(run.Rules, func(b finding.Rule) bool { return rules[b.Identity()] })
		}
	}
	patch.Twins(runs)
	for _, run := range runs {
		proposed.Comparisons = append(proposed.Comparisons, slice.Filter(run.Comparisons, named)...)
	}
	left = append(left, formats.NotAccepted(&finding.Report{Runs: []*finding.Run{proposed}})...)
	slices.Sort(left)
	return formats.AcceptedBy(proposed, made), slices.Compact(left) // clusters say the same
}

// interrupted is the message if nothing can be accepted because not everything was compared.
const interrupted = "the comparison was interrupted, so nothing can be accepted"

// apply implements browse.Accepting.
func (a *acceptor) apply(made []refconfig.Override) (*finding.Report, error) {
	var runs []*finding.Run
	for _, kept := range a.kept {
		run := kept.Again(made, nil)
		if run == nil {
			return nil, errors.New(interrupted)
		}
		runs = append(runs, run)
	}
	return a.conclude(runs, made), nil
}

// write implements browse.Accepting. A file of --overrides must have the overrides that the comparison
// read, so that the counts on the screen are those of the next run.
func (a *acceptor) write(name string, made []refconfig.Override) error {
	p, o := a.program, a.options
	given := slices.Contains(o.overrides, name)
	switch info, err := os.Stat(name); {
	case name == "" || name == stdin || err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%q is no file; name one", name)
	case given:
		p.inUse.Release(name)
	default:
		if err := errors.Join(p.keep(name), p.inUse.Check(name)); err != nil {
			return err
		}
	}
	before, err := disk.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	has := func(text []byte) []refconfig.Override {
		all, _, _ := refconfig.ParseOverrides(filepath.ToSlash(name), text)
		return all
	}
	if given && !slices.Equal(has(before), a.in(name)) {
		return fmt.Errorf("%s was changed after it was read; r reads it again", name)
	}
	text, err := formats.AddOverrides(before, made, a.ref, formats.OverrideOptions{Command: p.name})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := destination.WriteFile(name, text, nil); err != nil {
		return err
	}
	if !given {
		o.overrides = append(o.overrides, name)
	}
	a.written[name] = has(text)
	return nil
}

// in returns the overrides that a file has as far as the comparison knows.
func (a *acceptor) in(name string) []refconfig.Override {
	if all, written := a.written[name]; written {
		return all
	}
	return slice.Filter(a.overrides, func(o refconfig.Override) bool { return o.Place.File == filepath.ToSlash(name) })
}
