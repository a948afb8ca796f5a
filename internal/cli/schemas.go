package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// readMore reads the schemas for checking CRs, if the user or the reference asks for this check. It
// also reads the inputs of --old.
func (p *program) readMore(ctx context.Context, o *comparing, l *plan) error {
	l.opt.Validate = o.validate || l.ref.Validate
	if l.opt.Wanted == nil {
		l.opt.Wanted = compare.Wants(l.ref, l.engine, l.opt)
	}
	if err := p.readOld(ctx, o, l); err != nil {
		return err
	}
	if !l.opt.Validate {
		if len(o.crds) > 0 {
			return p.usageError("--crds needs --validate, which checks CRs against schemas")
		}
		return nil
	}
	schemas, doubts, err := p.readSchemas(ctx, o.crds, nil)
	l.opt.Schemas = schemas
	l.opt.Wanted.Validate(schemas)
	l.opt.Warnings = append(l.opt.Warnings, doubts...)
	return err
}

// readSchemas reads the definitions of kinds in inputs, and returns warnings about unreadable
// definitions. It decodes only definitions that are wanted, or all if wanted is nil. It returns nil
// if there are no inputs, and an error if the inputs have no definition.
func (p *program) readSchemas(
	ctx context.Context, paths []string, wanted func(*manifest.Object) bool,
) (*crdschema.Set, []refconfig.Problem, error) {
	if len(paths) == 0 {
		return nil, nil, nil
	}
	if err := allOpen(paths); err != nil {
		return nil, nil, err
	}
	set, found := &crdschema.Set{}, false
	var doubts []refconfig.Problem
	take := func(problem *refconfig.Problem) {
		if problem != nil {
			doubts = append(doubts, *problem)
		}
	}
	text := p.limits.Text()
	read := source.Options{
		Stdin: p.io.In, Limits: p.limits.Source(), FollowLinks: p.followLinks,
		Want: source.Candidate, Progress: p.countRead,
	}
	summary, err := source.Walk(ctx, paths, read, func(f source.File) error {
		if crdschema.IsOpenAPI(f.Data) {
			found = true
			p.inUse.Add("--crds", f.Path)
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
			p.inUse.Add("--crds", f.Path)
			if found = true; wanted == nil || wanted(object) {
				take(set.AddDefinition(object))
			}
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil, nil, watch.Cause(ctx).And(" while the input of --crds was read, and nothing was compared")
	}
	for _, problem := range summary.Problems {
		doubts = append(doubts, problem.Problem)
	}
	if err == nil && !found {
		err = fmt.Errorf("%s: --crds: there is no CustomResourceDefinition and no OpenAPI document in %s",
			code.NoSchema, strings.Join(paths, ", "))
	}
	return set, doubts, err
}
