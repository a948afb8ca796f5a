package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// baseCluster is a cluster in place of a reference. Each cluster of the inputs is compared with a reference
// that is made for it, see generate.Against.
type baseCluster struct {
	program *program
	name    string // the path, as the user wrote it
	cluster cluster.Collected
	opt     generate.Options
}

// readBase reads a cluster that is given as the reference. It returns nil if it is a reference: a
// cluster is a file, or a folder without metadata.yaml, whose CRs a collector wrote or which name
// their cluster.
func (p *program) readBase(ctx context.Context, o *comparing) (*baseCluster, error) {
	b := &baseCluster{program: p, name: filepath.ToSlash(o.reference)}
	b.opt = generate.Options{Largest: p.limits.Count("reference"), Paired: true}
	if o.plain || !mayBeCluster(b.name) {
		return nil, nil
	}
	all, err := cluster.Read(ctx, cluster.Options{
		Inputs: []string{b.name}, Jobs: 1, FollowLinks: p.followLinks,
		Files: p.limits.Source(), Text: p.limits.Text(), Objects: p.limits.Objects(), Most: p.limits.Clusters(),
		Read: p.countRead, Found: func(_, bytes int) { p.watch.AddInput(int64(bytes)) },
	}).Collect(b.opt.Trim)
	if err != nil { // loading it as a reference reports the reason
		return nil, nil
	}
	all = slices.DeleteFunc(all, func(c cluster.Collected) bool { return !isCluster(c) })
	switch {
	case len(all) == 0:
		return nil, nil
	case len(all) > 1:
		var names []string
		for _, c := range all {
			names = append(names, c.Cluster)
		}
		return nil, fmt.Errorf("%s: %s has %d clusters, and a cluster is compared with one: %s; name the folder or archive of one",
			code.Usage, b.name, len(all), quoted(names))
	case all[0].Stopped != nil:
		return nil, all[0].Stopped.And(" while " + b.name + " was read, and nothing was compared")
	}
	b.cluster = all[0]
	b.cluster.SortLost(func(string) bool { return false })
	return b, nil
}

// mayBeCluster reports whether a path is a file, or a folder without the metadata of a reference.
func mayBeCluster(name string) bool {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return false
	case !info.IsDir():
		return info.Mode().IsRegular()
	}
	for _, metadata := range []string{"metadata.yaml", "metadata.yml"} {
		if _, err := os.Stat(joinPath(name, metadata)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// isCluster reports whether the CRs of an input are those of a cluster, and none of a reference: a
// collector wrote them, or they have its id or the UID of its system.
func isCluster(c cluster.Collected) bool {
	isReference := func(p refconfig.Problem) bool { return p.Code == code.ReferenceInInput }
	if len(c.Objects) == 0 || slices.ContainsFunc(c.Warnings, isReference) {
		return false
	}
	return c.Gathered || slices.ContainsFunc(c.Objects, func(o *manifest.Object) bool {
		switch {
		case o.ID.Kind == "Namespace" && o.ID.Group() == "" && o.ID.Name == "kube-system":
			return o.UID != ""
		case o.ID.Kind == "ClusterVersion" && o.ID.Group() == "config.openshift.io":
			v, err := o.Decode()
			return err == nil && tree.StringAt(v, "spec", "clusterID") != ""
		}
		return false
	})
}

// alone returns the reference that is made of the base alone: it says which kinds the comparison is
// about, and identifies the base.
func (b *baseCluster) alone(ctx context.Context) (*refconfig.Reference, *render.Engine, error) {
	made, _, err := generate.Against(ctx, b.cluster, cluster.Collected{}, b.opt)
	if err != nil {
		return nil, nil, err
	}
	if len(made.Files) == 0 {
		return nil, nil, fmt.Errorf("%s: %s: no CR is left to compare with: %s", code.NothingToGenerate, b.name, made.Summary())
	}
	return b.load(ctx, made)
}

// load compiles a reference that was made of the base.
func (b *baseCluster) load(
	ctx context.Context, made *generate.Reference,
) (*refconfig.Reference, *render.Engine, error) {
	files := fstest.MapFS{}
	for _, f := range made.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Text}
	}
	opt := b.program.loadOptions(ctx, b.name)
	ref, problems := refconfig.Load(files, ".", opt)
	engine, more := render.Compile(ctx, ref)
	if problems = append(problems, more...); len(problems) > 0 {
		return nil, nil, refconfig.Faults{What: "internal error: the cluster cannot be used as a reference", Problems: problems}
	}
	ref.Metadata = ""
	return ref, engine, nil
}

// of returns the plan for a cluster: with the reference that is made for it, and with the CRs that are
// compared with it. The problems of the base are those of the comparison too.
func (b *baseCluster) of(
	ctx context.Context, l plan, in cluster.Collected,
) (plan, cluster.Collected, *finding.Base, error) {
	made, kept, err := generate.Against(ctx, b.cluster, in, b.opt)
	if err != nil {
		return l, in, nil, err
	}
	if l.ref, l.engine, err = b.load(ctx, made); err == nil {
		l.opt.Keep, l.opt.LeftOut, err = l.ref.Select(l.chosen.components, l.chosen.skipComponents)
	}
	in.Objects = kept
	in.Unreadable = slices.Concat(in.Unreadable, b.cluster.Unreadable, made.Problems)
	in.Warnings = slices.Concat(in.Warnings, b.cluster.Warnings, b.cluster.Hollow, b.cluster.NotRead)
	l.opt.Wanted, l.opt.EveryKind = nil, true
	return l, in, made.Base(l.fields), err
}

// leftOut says why CRs that a subject names are left out of the comparison of two clusters; "" if none is.
func (b *baseCluster) leftOut(subject string, in cluster.Collected) string {
	s, err := finding.ParseSelector(subject)
	if b == nil || err != nil {
		return ""
	}
	others := func(o *manifest.Object) bool { return !s.Matches(finding.Object(o.ID)) }
	named := slices.DeleteFunc(slices.Clone(in.Objects), others)
	if len(named) == 0 { // the first cluster may have one
		named = slices.DeleteFunc(slices.Clone(b.cluster.Objects), others)
	}
	var why []string
	for _, reason := range b.opt.Omitted(named) {
		why = append(why, fmt.Sprintf("%d %s (%s)", reason.Count, reason.What, reason.Name))
	}
	if why == nil {
		return ""
	}
	return fmt.Sprintf("%s: %s left out of the comparison of two clusters: %s", subject,
		finding.Plural(len(named), "CR is", "CRs are"), strings.Join(why, ", "))
}
