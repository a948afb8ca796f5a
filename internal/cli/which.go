package cli

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// severalError is the error that a folder holds several references. Its text is that of the fault.
type severalError struct {
	error
	folder     string
	references []string // their folders, or their metadata if it has another name
}

// Unwrap returns the fault.
func (e severalError) Unwrap() error { return e.error }

// candidate is one of several references.
type candidate struct {
	path      string
	version   string // the version of the cluster that it is for; "" if it states none
	same      bool   // the cluster has this version
	other     bool   // the cluster has another version
	found, of int    // required CRs of the cluster, and of the reference
	fault     bool   // it cannot be used
	again     string // the command that compares with it
}

// which lists the references of a folder, and says which of them fits the inputs best. The result of the
// run is unreliable, because nothing was compared. A pipe is not read, because it can only be read once.
func (p *program) which(ctx context.Context, o *compareOptions, of severalError) error {
	p.progress.End() // it would count the inputs once for each reference
	var all []candidate
	version := "" // of the cluster
	for _, folder := range of.references {
		one, is, err := p.candidate(ctx, o, folder)
		if ctx.Err() != nil {
			return err
		}
		all, version = append(all, one), cmp.Or(version, is)
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(a.rank()-b.rank(), b.found*max(1, a.of)-a.found*max(1, b.of), cmp.Compare(a.path, b.path))
	})
	p.status = exitUnreliable
	if !o.writes("text") { // no document is made of it
		fmt.Fprint(p.io.Err, p.table(of.folder, version, all))
		return nil
	}
	return p.say(p.table(of.folder, version, all))
}

// rank orders candidates: those for the version of the cluster of which it has something, those of which
// nothing is known, those for another version, and those that cannot be used.
func (c candidate) rank() int {
	switch {
	case c.fault:
		return 3
	case c.other:
		return 2
	case c.same && c.found > 0:
		return 0
	}
	return 1
}

// candidate loads one of several references, and compares the inputs with it. It also returns the version
// of the cluster.
func (p *program) candidate(ctx context.Context, o *compareOptions, folder string) (candidate, string, error) {
	c := candidate{path: folder}
	one := o.comparing
	one.reference, one.plain = folder, true
	one.selection, one.diffConfig, one.overrides = selection{}, "", nil
	l, err := p.plan(ctx, &one)
	if err != nil {
		c.fault = true
		return c, "", err
	}
	c.version = versionOf(l.engine)
	for _, component := range l.ref.Components() {
		for _, rule := range component.Rules {
			if rule.Kind == refconfig.AllOf {
				c.of += len(rule.Templates)
			}
		}
	}
	if slices.Contains(one.read.Inputs, stdin) {
		return c, "", nil
	}
	runs, err := p.runs(ctx, p.read(ctx, one.read), l.comparer())
	if err != nil || len(runs) == 0 {
		return c, "", err
	}
	// of several clusters, the first one decides: the table is about one
	run := runs[0]
	c.found = c.of
	for _, rule := range run.Rules {
		if rule.Rule == string(refconfig.AllOf) {
			c.found -= len(rule.Missing)
		}
	}
	c.other = slices.ContainsFunc(run.Alarms, func(w finding.Warning) bool { return w.Code == code.WrongReference })
	c.same = c.version != "" && run.Cluster.Version != "" && !c.other
	c.again = escape.Again(&finding.Report{Runs: runs[:1]}, run, folder)
	return c, run.Cluster.Version, nil
}

// versionOf returns the version of OpenShift that a reference states for the cluster; "" for none.
func versionOf(engine *render.Engine) string {
	for _, t := range engine.Templates() {
		if kind, _ := t.Identity.Kind.Exact(); kind != "ClusterVersion" {
			continue
		}
		if r, ok := t.Blank(); ok {
			stated := tree.StringAt(r.Value, "status", "desired", "version")
			return regexp.MustCompile(`^[0-9]+(\.[0-9]+)*`).FindString(stated)
		}
	}
	return ""
}

// table prints candidates, the best first, and what to do.
func (p *program) table(folder, version string, all []candidate) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s holds %s; name one of them. Nothing was compared (%s)\n\n",
		escape.Short(folder), finding.Plural(len(all), "reference", "references"), code.RefNotFound)
	widest := len("reference")
	for _, c := range all {
		widest = max(widest, len(escape.Short(c.path)))
	}
	found := "required CRs found"
	if !slices.ContainsFunc(all, func(c candidate) bool { return c.again != "" }) {
		found = "required CRs"
	}
	fmt.Fprintf(&b, "%-*s  %-7s  %s\n", widest, "reference", "version", found)
	for _, c := range all {
		says := fmt.Sprint(c.of)
		switch {
		case c.fault:
			says = "cannot be used; see lint"
		case c.again != "":
			says = fmt.Sprintf("%d of %d", c.found, c.of)
		}
		if c.other {
			says += "; the cluster is " + version
		}
		fmt.Fprintf(&b, "%-*s  %-7s  %s\n", widest, escape.Short(c.path), cmp.Or(c.version, "-"), says)
	}
	switch best := all[0]; {
	case best.again == "":
	case best.other:
		release := regexp.MustCompile(`^[0-9]+\.[0-9]+`).FindString(version)
		b.WriteString("\nNext, get the reference for " + release + cmp.Or(
			finding.Prefixed(": ", checkOut(folder, release)), ", such as the branch release-"+release+" of its repository",
		) + "\n")
	default:
		b.WriteString("\nNext, with the best of them: " + p.name + " " + escape.Line(best.again) + "\n")
	}
	return b.String()
}

// several returns the error for a folder that has several references, whose metadata has these paths.
func several(err error, folder string, metadata []string) severalError {
	e := severalError{error: err, folder: folder}
	for _, name := range metadata {
		if refconfig.IsMetadataName(name) {
			name = path.Dir(name)
		}
		e.references = append(e.references, name)
	}
	return e
}

// referencesBelow returns the references in a folder or an archive that has several; else nil.
func (p *program) referencesBelow(name string) []string {
	fsys, within, err := p.openReference(context.Background(), filepath.ToSlash(name))
	if err != nil {
		return nil
	}
	ref, _ := refconfig.Load(fsys, within, refconfig.LoadOptions{Name: filepath.ToSlash(name)})
	return several(nil, name, ref.Below).references
}
