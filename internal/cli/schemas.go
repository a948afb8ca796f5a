package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/crdschema"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// validation sets the options that hold CRs against schemas, if the user or the reference asks for
// that. What is invalid fails a run then, where the user does not say what does.
func (p *program) validation(
	ctx context.Context, o *options, ref *refconfig.Reference, engine *render.Engine, opt *compare.Options,
) error {
	if opt.Validate = o.validate || ref.Validate; !opt.Validate {
		if len(o.crds) > 0 {
			return p.usageError("--crds needs --validate, which checks CRs against schemas")
		}
		return nil
	}
	if o.failOnList == nil || slices.Equal(o.failOnList, []string{"new"}) {
		o.failOn = o.failOn.WithInvalid()
	}
	opt.Wanted = compare.Wants(ref, engine, *opt)
	var doubts []refconfig.Problem
	var err error
	opt.Schemas, doubts, err = p.readSchemas(ctx, o, o.crds, opt.Wanted.Defines)
	opt.Warnings = append(opt.Warnings, doubts...)
	return err
}

// readSchemas reads the definitions of kinds in inputs, nil for no inputs, and returns warnings
// about unreadable ones. It decodes only definitions that are wanted; nil wants all. Inputs without
// a definition are an error.
func (p *program) readSchemas(
	ctx context.Context, o *options, paths []string, wanted func(*manifest.Object) bool,
) (*crdschema.Set, []refconfig.Problem, error) {
	if len(paths) == 0 {
		return nil, nil, nil
	}
	set, found := &crdschema.Set{}, false
	var doubts []refconfig.Problem
	take := func(problem *refconfig.Problem) {
		if problem != nil {
			doubts = append(doubts, *problem)
		}
	}
	text := o.limits.Text()
	read := source.Options{Stdin: p.io.In, Limits: o.limits.Source(), Want: source.Candidate, Progress: p.given()}
	summary, err := source.Walk(ctx, paths, read, func(f source.File) error {
		if crdschema.IsOpenAPI(f.Data) {
			found = true
			take(set.AddOpenAPI(refconfig.Place{File: f.Path, Entry: f.Entry}, f.Data, text))
			return nil
		}
		if !bytes.Contains(f.Data, []byte("CustomResourceDefinition")) {
			return nil
		}
		read := manifest.Read(f.Path, f.Entry, f.Data, manifest.Hints{Limits: text, Context: ctx})
		doubts = append(doubts, read.Problems...)
		for _, object := range read.Objects {
			if !crdschema.IsDefinition(object) {
				continue
			}
			if found = true; wanted == nil || wanted(object) {
				take(set.AddDefinition(object))
			}
		}
		return nil
	})
	for _, problem := range summary.Problems {
		doubts = append(doubts, problem.Problem)
	}
	if err == nil && !found {
		err = fmt.Errorf("%s: --crds: there is no CustomResourceDefinition and no OpenAPI document in %s",
			code.NoSchema, strings.Join(paths, ", "))
	}
	return set, doubts, err
}
