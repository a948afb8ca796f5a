package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/refconfig"
)

// comparison reads the files of the options and returns the options of the comparison.
func (p *program) comparison(o *options, ref *refconfig.Reference) (compare.Options, error) {
	opt := compare.Options{
		AllResources:  o.allResources,
		Limits:        o.limits.Render(),
		Placeholders:  o.read.Placeholders,
		Chosen:        o.components,
		Show:          o.shown(),
		ListUnmatched: o.writes("text") || o.extent().Unmatched,
		Nearest:       o.correlation == "nearest" || (o.correlation == "" && ref.Format == refconfig.Annotations),
		Today:         today(),
	}
	var err error
	if opt.Keep, opt.LeftOut, err = o.selected(ref); err != nil {
		return opt, err
	}
	if name := filepath.ToSlash(o.diffConfig); name != "" {
		if opt.Manual, opt.Warnings, err = readDiffConfig(name, o.limits, ref); err != nil {
			return opt, err
		}
	}
	overrides, warnings, err := readOverrides(o.overrides, o.limits)
	if err != nil {
		return opt, err
	}
	opt.Overrides = overrides
	opt.Warnings = append(opt.Warnings, warnings...)
	if o.impact != nil {
		opt.Warnings = append(opt.Warnings, o.impact.warnings...)
	}
	return opt, nil
}

// readOverrides reads files of overrides, and warnings about them.
func readOverrides(files []string, l limits) (all []refconfig.Override, warnings []refconfig.Problem, err error) {
	for _, name := range files {
		name = filepath.ToSlash(name)
		text, err := readWritten(name, l)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: the overrides cannot be read: %w", code.OverridesBroken, err)
		}
		overrides, odd, problems := refconfig.ParseOverrides(name, text)
		if len(problems) > 0 {
			return nil, nil, refconfig.Faults{What: "the overrides cannot be used", Problems: problems}
		}
		all, warnings = append(all, overrides...), append(warnings, odd...)
	}
	return all, warnings, nil
}

// readDiffConfig reads the manual pairs of a diff config, and warnings about it.
func readDiffConfig(
	name string, l limits, ref *refconfig.Reference,
) (map[string]*refconfig.Template, []refconfig.Problem, error) {
	text, err := readWritten(name, l)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: the diff config cannot be read: %w", code.DiffConfigBroken, err)
	}
	config, problems := refconfig.ParseDiffConfig(name, text)
	pairs, more := config.Resolve(ref)
	if problems = append(problems, more...); len(problems) > 0 {
		return nil, nil, refconfig.Faults{What: "the diff config cannot be used", Problems: problems}
	}
	return pairs, config.Warnings, nil
}

// selected returns the components that the options select, see Reference.Select.
func (o *options) selected(ref *refconfig.Reference) (func(*refconfig.Component) bool, []string, error) {
	keep, leftOut, err := ref.Select(o.components, o.skipComponents)
	if err == nil {
		return keep, leftOut, nil
	}
	c := code.ComponentUnknown
	var problem refconfig.Problem
	if errors.As(err, &problem) {
		c = problem.Code
	}
	return nil, nil, fmt.Errorf("%s: %w", c, err)
}
