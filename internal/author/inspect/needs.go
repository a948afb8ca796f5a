package inspect

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Needs lists what must be collected from a cluster to compare it with a reference. It is the JSON
// document that docs/needs.schema.json describes.
type Needs struct {
	SchemaVersion int              `json:"schemaVersion"`
	Tool          finding.Tool     `json:"tool"`
	Reference     string           `json:"reference"`
	Kinds         []Kind           `json:"kinds"`
	Computed      []probe.LookedUp `json:"computed"` // lookups whose kind a template computes
	Commands      []Command        `json:"commands"`

	// templates that are too large to be analysed completely; they may look up more
	Incomplete []string `json:"incomplete,omitempty"`

	steps []string // commands for a shell that print all kinds as YAML
}

// Kind is a kind of CR that is needed.
type Kind struct {
	finding.Kind
	CRs []CR `json:"crs"`
}

// CR is the identity of the CRs of a template or a lookup. A field that is "" may have any value,
// and * in a name matches any text.
type CR struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	For       string `json:"for"` // path of the template, or location of the lookup
	Lookup    bool   `json:"lookup,omitempty"`
}

// Command is a line for a shell.
type Command struct {
	Does string `json:"does"`
	Line string `json:"line"`
}

// NeedsOf returns the needs of a reference. If the context ends, the lookups of further templates
// are absent. tool is the command by which the user calls this program. A reference
// that validates CRs needs the definitions of their kinds.
func NeedsOf(ctx context.Context, ref *refconfig.Reference, tool string, engine *render.Engine) *Needs {
	n := &Needs{
		SchemaVersion: schemaVersion,
		Reference:     ref.Path,
		Kinds:         []Kind{},
		Computed:      []probe.LookedUp{},
		Commands:      []Command{},
	}
	for _, t := range engine.Templates() {
		id := t.Identity
		n.add(
			stateOf(id.APIVersion),
			id.Kind.String(),
			CR{Namespace: stateOf(id.Namespace), Name: stateOf(id.Name), For: t.Ref.Path},
		)
	}
	var prober probe.Prober
	for _, t := range engine.Templates() {
		if ctx.Err() != nil {
			break
		}
		asked := prober.Execute(ctx, t.Template)
		for _, l := range asked.Lookups {
			n.lookup(l)
		}
		if asked.Incomplete {
			n.Incomplete = append(n.Incomplete, t.Ref.Path)
		}
	}
	if ref.Validate {
		n.add("apiextensions.k8s.io/v1", "CustomResourceDefinition", CR{For: "validate: true"})
	}
	slices.SortStableFunc(n.Kinds, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.Kind.Kind, b.Kind.Kind), cmp.Compare(a.APIVersion, b.APIVersion))
	})
	n.commands(tool)
	return n
}

// lookup adds the CRs of a lookup.
func (n *Needs) lookup(l probe.LookedUp) {
	if slices.Contains(l.Computed, "kind") || slices.Contains(l.Computed, "apiVersion") {
		if !slices.ContainsFunc(n.Computed, func(o probe.LookedUp) bool { return o.At == l.At }) {
			n.Computed = append(n.Computed, l)
		}
		return
	}
	n.add(l.APIVersion, l.Kind, CR{Namespace: l.Namespace, Name: l.Name, For: l.At, Lookup: true})
}

func (n *Needs) add(apiVersion, kind string, cr CR) {
	k := finding.Kind{APIVersion: apiVersion, Kind: kind}
	i := slices.IndexFunc(n.Kinds, func(have Kind) bool { return have.Kind == k })
	if i < 0 {
		i = len(n.Kinds)
		n.Kinds = append(n.Kinds, Kind{Kind: k})
	}
	if !slices.Contains(n.Kinds[i].CRs, cr) {
		n.Kinds[i].CRs = append(n.Kinds[i].CRs, cr)
	}
}

// secrets returns the kind Secret. If all names are known, only these Secrets are collected.
func secrets() finding.Kind { return finding.Kind{APIVersion: "v1", Kind: "Secret"} }

// get is a shell function that prints CRs. If kubectl fails, it prints a Status with the failure,
// unless the cluster does not have the kind.
const get = `get() { echo ---; said=$(kubectl get "$@" -o yaml 2>&1 >&3) || case $said in *"have a resource type"*) ;; ` +
	`*) printf '%s\n' --- "{apiVersion: v1, kind: Status, status: Failure, details: {kind: $1}}";; esac; ` +
	`[ -z "$said" ] || printf '%s\n' "$said" >&2; } 3>&1`

// commands adds the commands that collect the needed CRs. Each kind has its own call of kubectl,
// because a call fails for all its kinds if the cluster does not have one of them.
func (n *Needs) commands(tool string) {
	var kinds []finding.Kind
	var arguments []string
	var single []string // commands for Secrets
	for _, k := range n.Kinds {
		if strings.Contains(k.Kind.Kind, "*") || n.inAnyVersion(k.Kind) {
			continue
		}
		kinds = append(kinds, k.Kind)
		named := !slices.ContainsFunc(
			k.CRs,
			func(c CR) bool { return c.Namespace == "" || c.Name == "" || strings.Contains(c.Namespace+c.Name, "*") },
		)
		if k.Kind != secrets() || !named {
			arguments = append(arguments, escape.ShellWord(collected(k.Kind)))
			continue
		}
		for _, c := range k.CRs {
			line := fmt.Sprintf("get Secret %s --namespace %s --ignore-not-found", escape.ShellWord(c.Name), escape.ShellWord(c.Namespace))
			if !slices.Contains(single, line) {
				single = append(single, line)
			}
		}
	}
	steps := []string{get}
	if len(arguments) > 0 {
		steps = append(steps, `for kind in `+strings.Join(arguments, " ")+`; do get "$kind" --all-namespaces; done`)
	}
	steps = append(steps, single...)
	if len(steps) == 1 {
		return
	}
	n.steps = steps
	n.Commands = append(n.Commands, Command{
		"compare a running cluster",
		"{ " + strings.Join(steps, "; ") + "; } | " + tool + " " + escape.ShellWord(n.Reference) + " -",
	})
	for _, line := range CollectCommands(kinds, nil) {
		n.Commands = append(n.Commands, Command{"collect CRs and compare them later", line})
	}
}

// Script writes a script for a shell that collects the needed CRs into a folder. It can be the file
// /usr/bin/gather of the image of a must-gather.
func (n *Needs) Script(out io.Writer) error {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n" +
		"# Collects the CRs that a reference needs from a cluster: sh SCRIPT DIR. As /usr/bin/gather of the image\n" +
		"# of a must-gather it writes into /must-gather. To compare them: " + finding.ToolName + " REFERENCE DIR\n" +
		"# The reference: " + escape.Line(n.Reference) + "\n")
	for _, l := range n.Computed {
		b.WriteString("# Not collected, because its kind depends on the CRs: " + escape.Line(l.What()+", at "+l.At) + "\n")
	}
	for _, path := range n.Incomplete {
		b.WriteString("# There may be more lookups: " + escape.Line(path) + " cannot be analysed completely\n")
	}
	b.WriteString(`set -eu
to=${1:-/must-gather}
client=oc
command -v oc >/dev/null || client=kubectl
command -v "$client" >/dev/null || { echo "there is neither oc nor kubectl" >&2; exit 1; }
kubectl() { command "$client" "$@"; }
mkdir -p "$to"
{
`)
	for _, step := range n.steps {
		b.WriteString("  " + step + "\n")
	}
	// a script that is ended early leaves nothing that looks complete
	b.WriteString("  :\n} >\"$to/collected.yaml.part\"\nmv \"$to/collected.yaml.part\" \"$to/collected.yaml\"\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// inAnyVersion reports whether a kind with a version is also needed in any version.
func (n *Needs) inAnyVersion(k finding.Kind) bool {
	group, _, _ := strings.Cut(k.APIVersion, "/")
	all := k.Kind + "." + group
	return collected(k) != all && slices.ContainsFunc(n.Kinds, func(o Kind) bool { return collected(o.Kind) == all })
}

// Text writes the needed kinds as a list, and then the commands.
func (n *Needs) Text(out io.Writer) error {
	var w writer
	w.Line(0, "%s needs CRs of %s:", n.Reference, finding.Plural(len(n.Kinds), "kind", "kinds"))
	for _, k := range n.Kinds {
		w.Line(0, "")
		w.Line(0, "%s (%s)", k.Kind.Kind, cmp.Or(k.APIVersion, "any apiVersion"))
		for _, c := range k.CRs {
			name := cmp.Or(c.Name, "*")
			if c.Namespace != "" {
				name = c.Namespace + "/" + name
			}
			what := "for " + c.For
			if c.Lookup {
				what = "looked up at " + c.For
			}
			w.Line(1, "%s  %s", name, what)
		}
	}
	if len(n.Computed) > 0 {
		w.Line(0, "")
		w.Line(0, "Other lookups, whose kinds depend on the CRs:")
	}
	for _, l := range n.Computed {
		w.Line(1, "%s, at %s", l.What(), l.At)
	}
	for i, path := range n.Incomplete {
		if i == 0 {
			w.Line(0, "")
		}
		w.Line(0, "There may be more lookups: %s cannot be analysed completely", path)
	}
	said := ""
	for _, c := range n.Commands {
		if c.Does != said {
			w.Line(0, "")
			w.Line(0, "To %s:", c.Does)
			said = c.Does
		}
		w.Line(1, "%s", c.Line)
	}
	_, err := io.WriteString(out, w.String())
	return err
}
