package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/author/values"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// renderOptions are the options of render.
type renderOptions struct {
	base
	values, folder, check string
	replace               bool
	found                 []string // inputs for the lookups of templates
}

// renderCommand returns the command render.
func (p *program) renderCommand() *cli.Command {
	o := &renderOptions{}
	return command(p, o, p.render, &cli.Command{
		ArgsUsage: "REFERENCE", Usage: "make CRs from a reference and values",
		Description: `It makes a file for each CR from the templates and a values file, or reports
all values that are missing or invalid. Every CR is compared with its template
before anything is written: all CRs are written, or none.

Without --values it makes the required CRs that need no value. To start a
values file, use inspect --values-stub.

` + referenceTerm + `

Examples:
  validationTool render --values values.yaml -o crs reference
  validationTool render --values values.yaml --check crs reference
  validationTool render --values values.yaml -o - reference

Exit status:
  0  the CRs were written, or --check found the same CRs
  1  --check found other CRs
  2  bad usage, an invalid reference, missing or invalid values, or a folder
     that cannot be written`,
		Flags: []cli.Flag{
			p.linksFlag(), p.limitFlag(),
			option("values", often, one(&o.values),
				"read the values of the CRs from `FILE`; FILE lists them by the paths of the templates"),
			option("output o", often, one(&o.folder),
				"write the CRs to `FOLDER`, which is new or empty; - is standard output"),
			toggle("force", often, &o.replace,
				"replace CRs that were rendered into the folder before; CRs that are no longer rendered are deleted, other files are kept"),
			option("check", often, one(&o.check),
				"compare the CRs with those in `FOLDER` and write nothing"),
			option("input", often, list(&o.found),
				"let templates also look up CRs of `INPUT` (repeatable)"),
		},
	})
}

// Validate implements options.
func (o *renderOptions) Validate(args []string) error {
	switch {
	case (o.folder == "") == (o.check == ""):
		return errors.New("--output FOLDER or --check FOLDER is needed")
	case o.replace && (o.check != "" || o.folder == stdin):
		return errors.New("--force needs --output with a folder")
	}
	return o.base.Validate(args)
}

// render renders the CRs of a reference and a values file.
func (p *program) render(ctx context.Context, o *renderOptions) error {
	p.useReference(o.args[0])
	p.useFiles("--values", o.values)
	p.useFiles("--input", o.found...)
	ref, engine, err := p.loadReference(ctx, o.args[0])
	if err != nil {
		return err
	}
	searched := &secret.Searched{Context: ctx}
	made, err := p.rendered(ctx, o, ref, engine, searched)
	switch {
	case err != nil:
		return err
	case o.check != "":
		return p.checkFolder(ctx, o, made.CRs, searched)
	case o.folder == "-":
		return p.deliver("the CRs", func(w io.Writer) error { return printCRs(w, made.CRs) })
	}
	if err := p.writeFolder(o.folder, made.CRs, o.replace); err != nil {
		return fmt.Errorf("%s: %w", outputCode(err, code.RenderFolder), err)
	}
	for _, r := range made.Rules {
		p.notice(r.Code, fmt.Sprintf(
			"warning: these CRs break a rule of %s: %s: %s",
			r.ComponentName(),
			r.Message,
			strings.Join(r.Templates, ", "),
		))
	}
	text := fmt.Sprintf("%s written to %s\n", finding.Plural(len(made.CRs), "CR", "CRs"), o.folder)
	if n := len(made.LeftOut); n > 0 {
		text += fmt.Sprintf(
			"No CR was made for %s that neither the values nor a rule requires\n",
			finding.Plural(n, "template", "templates"),
		)
	}
	return p.say(text)
}

// rendered renders the CRs. The error names all missing and wrong values.
func (p *program) rendered(
	ctx context.Context, o *renderOptions, ref *refconfig.Reference, engine *render.Engine, searched *secret.Searched,
) (values.Result, error) {
	file, err := p.readValues(ctx, o.values, engine)
	if err != nil {
		return values.Result{}, err
	}
	opt := values.Options{Values: file, Limits: p.limits.Render(), Searched: searched,
		Compare: compare.Options{Limits: p.limits.Render()}}
	if len(o.found) > 0 {
		if opt.Input, err = p.objects(ctx, o.found, compare.Wants(ref, engine, compare.Options{}).Trim); err != nil {
			return values.Result{}, err
		}
	}
	made, err := values.Render(ctx, ref, engine, opt)
	switch {
	case err != nil:
		return made, watch.Cause(ctx).And(", and nothing was written")
	case len(made.Faults) > 0:
		what := "nothing is rendered"
		if o.values == "" &&
			slices.ContainsFunc(made.Faults, func(p refconfig.Problem) bool { return p.Code == code.ValueMissing }) {
			what += " without --values FILE (inspect --values-stub prints one to fill in)"
		}
		return made, refconfig.Faults{What: what, Problems: made.Faults}
	}
	return made, nil
}

// readValues reads a values file. It returns no values if name is "".
func (p *program) readValues(ctx context.Context, name string, engine *render.Engine) (file values.File, err error) {
	if name == "" {
		return file, nil
	}
	parse := func(name string, text []byte) (problems []refconfig.Problem) {
		file, problems = values.Parse(name, text, p.limits.Text(), engine)
		return problems
	}
	err = p.limits.written(ctx, "the values", code.ValuesBroken, []string{name}, parse)
	return file, err
}

// objects reads the CRs of inputs as one cluster. trim drops content of CRs that no template needs.
func (p *program) objects(
	ctx context.Context, names []string, trim cluster.Trimmer,
) ([]*manifest.Object, error) {
	all, err := p.collect(p.read(ctx, cluster.Options{Inputs: names, Join: true}), trim)
	if err != nil {
		return nil, err
	}
	var objects []*manifest.Object
	var unreadable []refconfig.Problem
	for _, in := range all {
		if in.Stopped != nil {
			return nil, in.Stopped
		}
		objects, unreadable = append(objects, in.Objects...), append(unreadable, in.Unreadable...)
	}
	if len(unreadable) > 0 {
		return nil, refconfig.Faults{What: "not all of the CRs can be read", Problems: unreadable}
	}
	return objects, nil
}

// checkFolder compares the rendered CRs with the CRs of a folder.
func (p *program) checkFolder(ctx context.Context, o *renderOptions, crs []values.CR, searched *secret.Searched) error {
	objects, err := p.objects(ctx, []string{o.check}, func(*manifest.Object) {})
	if err != nil {
		return err
	}
	checked := values.Check(crs, objects, searched)
	if ctx.Err() != nil {
		return watch.Cause(ctx).And(", and the folder was not checked")
	}
	if len(checked.Wrong) > 0 {
		return refconfig.Faults{What: "not all of the CRs can be read", Problems: checked.Wrong}
	}
	if len(checked.Other) > 0 {
		p.status = exitDiffers
	}
	return p.deliver("the answer", func(w io.Writer) error { return checked.Text(w, o.check) })
}

// printCRs prints CRs as YAML documents.
func printCRs(w io.Writer, crs []values.CR) error {
	for _, cr := range crs {
		if _, err := io.WriteString(w, "---\n"+cr.Text()); err != nil {
			return err
		}
	}
	return nil
}

// writeFolder writes all CRs to a folder, or none. With replace it replaces CRs that an earlier run
// rendered.
func (p *program) writeFolder(folder string, crs []values.CR, replace bool) error {
	var out *destination.Folder
	var err error
	if replace {
		out, err = destination.Refill(folder, hasMark, &p.inUse)
	} else {
		out, err = destination.MakeFolder(folder)
	}
	switch {
	case errors.As(err, &destination.NotEmptyError{}):
		return fmt.Errorf(
			"%s is not empty; name another folder, or use --force to replace the rendered CRs in this one", folder,
		)
	case err != nil:
		return err
	}
	defer out.Drop()
	p.removeOnExit(out.Drop)
	for _, cr := range crs {
		write := out.Write
		if cr.Secret {
			write = out.WritePrivate
		}
		if err := write(cr.File, []byte(cr.Text())); err != nil {
			return err
		}
	}
	return out.Commit()
}

// hasMark reports whether a file begins with the comment that marks rendered CRs.
func hasMark(name string) bool {
	f, err := disk.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(values.Mark))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == values.Mark
}
