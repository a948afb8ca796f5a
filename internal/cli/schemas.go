package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
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
	var definitions []*manifest.Object
	var documents []source.File
	var doubts []refconfig.Problem
	found := false
	text := p.limits.Text()
	read := source.Options{
		Stdin: p.io.In, Limits: p.limits.Source(), FollowLinks: p.followLinks,
		Want: source.Candidate, Progress: p.countRead,
	}
	summary, err := source.Walk(ctx, paths, read, func(f source.File) error {
		if crdschema.IsOpenAPI(f.Data) {
			found = true
			p.inUse.Add("--crds", f.Path)
			documents = append(documents, f)
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
				definitions = append(definitions, object)
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
	set, more := schemasOf(definitions, documents, text)
	doubts = append(doubts, more...)
	if err == nil && !found {
		err = fmt.Errorf("%s: --crds: there is no CustomResourceDefinition and no OpenAPI document in %s",
			code.NoSchema, strings.Join(paths, ", "))
	}
	return set, doubts, err
}

// schemasOf returns the schemas of definitions and, for kinds without one, of OpenAPI documents. No
// name or order of files decides: of several copies of a definition, the newest counts, and if that
// is not known, the content decides, which a warning says.
func schemasOf(
	definitions []*manifest.Object, documents []source.File, limits kubeyaml.Limits,
) (set *crdschema.Set, doubts []refconfig.Problem) {
	set = &crdschema.Set{}
	take := func(problem *refconfig.Problem) {
		if problem != nil {
			doubts = append(doubts, *problem)
		}
	}
	for same := range manifest.Copies(definitions, false) {
		counts, text := same[0], ""
		for _, other := range same[1:] {
			if same[0].Outdates(other) {
				continue
			}
			if text == "" {
				text = lastingText(counts)
			}
			has := lastingText(other)
			if has == text {
				continue
			}
			loses := other
			if has > text {
				counts, loses, text = other, counts, has
			}
			doubts = append(doubts, counts.Place.Problem(code.CopiesDiffer,
				"%s occurs several times in --crds with different content: %s counts, %s does not",
				counts.ID, counts.Place, loses.Place))
		}
		take(set.AddDefinition(counts))
	}
	slices.SortStableFunc(documents, func(a, b source.File) int { return bytes.Compare(a.Data, b.Data) })
	for _, f := range documents {
		take(set.AddOpenAPI(refconfig.Place{File: f.Path, Entry: f.Entry}, f.Data, limits))
	}
	return set, doubts
}

// lastingText returns an object as text without the fields that the cluster changes. It is empty if
// the object cannot be decoded.
func lastingText(o *manifest.Object) string {
	v, err := o.Decode()
	if err != nil {
		return ""
	}
	return tree.YAML(tree.Omit(v, tree.RuntimeFields()))
}
