package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/crdschema"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// readSchemas reads the definitions of kinds in inputs, nil for no inputs, and returns warnings
// about unreadable ones. Inputs without a definition are an error.
func (p *program) readSchemas(
	ctx context.Context, o *options, paths []string,
) (*crdschema.Set, []refconfig.Problem, error) {
	if len(paths) == 0 {
		return nil, nil, nil
	}
	set := &crdschema.Set{}
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
			take(set.AddOpenAPI(refconfig.Place{File: f.Path, Entry: f.Entry}, f.Data, text))
			return nil
		}
		if !bytes.Contains(f.Data, []byte("CustomResourceDefinition")) {
			return nil
		}
		found := manifest.Read(f.Path, f.Entry, f.Data, manifest.Hints{Limits: text, Context: ctx})
		doubts = append(doubts, found.Problems...)
		for _, object := range found.Objects {
			if crdschema.IsDefinition(object) {
				take(set.AddDefinition(object))
			}
		}
		return nil
	})
	for _, problem := range summary.Problems {
		doubts = append(doubts, problem.Problem)
	}
	if err == nil && set.Len() == 0 {
		err = fmt.Errorf("%s: --crds: there is no CustomResourceDefinition and no OpenAPI document in %s",
			code.NoSchema, strings.Join(paths, ", "))
	}
	return set, doubts, err
}
