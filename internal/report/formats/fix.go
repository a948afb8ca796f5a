package formats

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/filename"
)

// FixOptions are the options of Fix.
type FixOptions struct {
	Command string // the name by which the script calls the tool; "" for ToolName
}

// LeftToUser is a task that only the user can do.
type LeftToUser struct {
	Code    code.Code
	Message string
}

// Fix writes files that correct a cluster: each CR as the reference requires it, a merge patch for
// each CR that is present, and a script with the commands to apply them. If there are several
// clusters, each has a folder. The comparisons of the report must have a finding.Fix. Fix executes
// nothing, and no file has secret or masked values: the script names the CRs that are not written
// for this reason.
//
// Fix returns the tasks that are left to the user. After the first error of write it stops, and
// returns the error. File names have slashes.
func Fix(write func(name string, text []byte) error, r *finding.Report, opt FixOptions) (left []LeftToUser, err error) {
	put := func(name, text string) {
		if err == nil {
			err = write(name, []byte(text))
		}
	}
	folders := filename.Taken{}
	for _, run := range r.Runs {
		b := &fixBook{put: put, taken: filename.Taken{}, namespaced: map[string]bool{}}
		for _, c := range run.Comparisons {
			b.namespaced[ocResource(c.Object)] = b.namespaced[ocResource(c.Object)] || c.Object.Namespace != ""
		}
		if len(r.Runs) > 1 {
			b.folder = folders.Free(fileName(run.Name()), "") + "/"
		}
		b.head(r, run, opt)
		b.comparisons(run)
		b.rules(run)
		b.script.WriteString("\n[ \"$failed\" -eq 0 ] || { echo \"$failed of the commands failed, see above\" >&2; exit 1; }\n")
		b.file(finding.FixScript, b.script.String())
		left = append(left, b.left...)
	}
	return left, err
}

// fixBook collects the files of one cluster.
type fixBook struct {
	put    func(name, text string)
	folder string // the prefix of all file names
	taken  filename.Taken
	script bytes.Buffer
	left   []LeftToUser
	// the resources of oc whose CRs have a namespace, as far as the input shows it
	namespaced map[string]bool
	wrong      bool // an alarm says that the reference may be the wrong one, so every command is a comment
}

// file writes a file of the cluster.
func (b *fixBook) file(name, text string) { b.put(b.folder+name, text) }

// say writes a comment into the script, always on one line.
func (b *fixBook) say(format string, args ...any) {
	b.script.WriteString("#")
	if line := strings.TrimRight(escape.Line(fmt.Sprintf(format, args...)), " "); line != "" {
		b.script.WriteString(" ")
		b.script.WriteString(line)
	}
	b.script.WriteString("\n")
}

// head writes the start of the script.
func (b *fixBook) head(r *finding.Report, run *finding.Run, opt FixOptions) {
	fmt.Fprintf(&b.script, "%s %s, which runs none of them.\n", finding.FixHead, escape.Line(cmp.Or(opt.Command, finding.ToolName)))
	b.say(
		"Read each of them, and take out what you do not want. Then check that oc uses the right cluster: oc whoami --show-server",
	)
	b.say("")
	b.say("cluster    %s", run.Name())
	b.say("verdict    %s", run.Sentence(r.FailOn))
	for _, a := range run.Alarms {
		b.say("!!         %s", a)
		b.wrong = b.wrong || a.DoubtsReference()
	}
	b.say("reference  %s (format %s, %s)", r.Reference.Path, r.Reference.Format, r.Reference.Hash)
	b.say("")
	b.say(
		"crs/         CRs as the reference wants them     patches/  the same as merge patches, as far as they are known",
	)
	b.say(
		"missing/     CRs that are missing                incomplete/  CRs with values that only you know: fill them in first",
	)
	if b.wrong {
		b.say("")
		b.say("This may be the wrong reference, and its values may damage the cluster. So each command is a comment, behind \"##\".")
		b.say("Use the reference for this cluster and its version, and make the commands again. If this reference is the right one")
		b.say("all the same, delete the \"##\" in front of each command that you want to run.")
	}
	b.script.WriteString("set -u\ncd -- \"$(dirname -- \"$0\")\" || exit\n")
	b.say("A command that fails keeps no other from running; the end of the script counts them.")
	b.script.WriteString("failed=0; oc() { command oc \"$@\" || failed=$((failed + 1)); }\n")
}

// comparisons writes the corrections of CRs.
func (b *fixBook) comparisons(run *finding.Run) {
	for _, g := range run.Groups(finding.Grouping{Single: true}) {
		c := g.First()
		if c.Error != nil {
			b.section("FAILED", c.Object, c.Template.Path, c.Source.String())
			b.say("  it could not be evaluated: %s", c.Error.Message)
		}
		if c.Fix == nil {
			continue
		}
		b.section("DRIFT", c.Object, c.Template.Path, c.Source.String())
		for _, d := range c.Differences {
			if d.Category == finding.Drift || d.Category == finding.Missing {
				b.say("  %s", d.Words())
			}
		}
		b.why(c.Template.Description)
		b.warnOfRestart(c.Object)
		b.still(c.Object, c.Fix)
		file := ""
		if c.Fix.Held == "" {
			file = b.cr("crs", c.Object, c.Fix)
		}
		if c.Fix.Patch != "" {
			patch := b.taken.Free("patches/"+fileName(fileNameOf(c.Object)), ".json")
			b.file(patch, c.Fix.Patch)
			b.patch(c, patch)
		}
		switch {
		case file == "":
		case len(c.Fix.Immutable) > 0 && isComplete(c.Fix):
			b.say("  as a whole, when you have deleted it: oc create -f %s", escape.ShellQuoted(file))
		case len(c.Fix.Immutable) > 0:
			b.say("  as a whole, when these values are in it and you have deleted it: oc create -f %s", escape.ShellQuoted(file))
		case isComplete(c.Fix):
			b.say("  as a whole: oc apply -f %s", escape.ShellQuoted(file))
		default:
			b.say("  as a whole, when these values are in it: oc apply -f %s", escape.ShellQuoted(file))
		}
	}
}

// patch writes the command that patches an object. The command is a comment if the template may be
// about another object.
func (b *fixBook) patch(c *finding.Comparison, file string) {
	args := strings.TrimLeft(
		ocFlags(
			c.Object,
		)+" --type=merge --patch-file="+escape.ShellQuoted(file)+" -- "+escape.ShellQuoted(ocResource(c.Object))+" "+escape.ShellQuoted(c.Object.Name),
		" ",
	)
	if c.Correlation.By == finding.ByNearest {
		b.say("  the template may be for another CR; if this one is right: oc patch %s", args)
		return
	}
	if fields := c.Fix.Immutable; len(fields) > 0 {
		b.say("  the API server refuses to change %s: decide whether you can delete the CR and create it again", strings.Join(fields, ", "))
		if c.Fix.PatchesMore {
			b.say("  for the rest, without these fields in the patch: oc patch %s", args)
		}
		return
	}
	if b.lacksNamespace(c.Object) {
		b.say("  CRs of this kind have a namespace, and the input does not say which; with --namespace=NAMESPACE: oc patch %s", args)
		return
	}
	b.command("oc patch " + args)
}

// lacksNamespace reports whether an object has no namespace although its kind has one, so that a
// command would change whatever namespace oc uses. The kind is built in, or other CRs show it.
func (b *fixBook) lacksNamespace(o finding.Object) bool {
	isNamespaced, _ := lint.Scope(o.APIVersion, o.Kind)
	return o.Namespace == "" && (isNamespaced || b.namespaced[ocResource(o)])
}

// rules writes what to do about broken rules.
func (b *fixBook) rules(run *finding.Run) {
	done := map[string]bool{} // templates already written, because several rules may report the same one as missing
	for _, r := range run.Rules {
		if len(r.Missing) == 0 || len(r.Present) > 0 && !r.IsMissing() {
			b.script.WriteByte('\n')
			b.say("RULE  %s: %s", r.ComponentName(), r.Message)
			b.why(r.Description)
			for _, p := range r.Present {
				b.say("  there is %s: decide which of them stay, and delete the others yourself", p.Object)
			}
			continue
		}
		about := r.About()
		for _, m := range r.Missing {
			if m.Fix != nil && !done[m.Template] {
				done[m.Template] = true
				b.missing(r, m, cmp.Or(about[m.Template], r.Description))
			}
		}
	}
}

// missing writes a missing CR, and its description from the reference.
func (b *fixBook) missing(r finding.Rule, m finding.Missed, about string) {
	b.section("MISSING", m.Object, m.Template, "")
	b.say("  %s: %s", r.ComponentName(), r.Message)
	b.why(about)
	b.warnOfRestart(m.Object)
	if n := m.Nearest; n != nil {
		b.say("  %s is similar: check first whether it is the CR that the reference requires", n.Object)
	}
	b.still(m.Object, m.Fix)
	if m.Fix.Held != "" {
		return
	}
	file := b.cr("missing", m.Object, m.Fix)
	switch {
	case m.Fix.First != "":
		b.say("  %s; then: oc apply -f %s", m.Fix.First, escape.ShellQuoted(file))
	case !isComplete(m.Fix):
		b.say("  when these values are in it: oc apply -f %s", escape.ShellQuoted(file))
	case b.lacksNamespace(m.Object):
		b.say("  CRs of this kind have a namespace, and the reference does not say which: oc apply --namespace=NAMESPACE -f %s",
			escape.ShellQuoted(file))
	case m.NotCollected:
		b.say("  the cluster may have it, because the input may not show it; if the cluster lacks it: oc apply -f %s", escape.ShellQuoted(file))
	case !r.IsMissing():
		b.say("  one of the CRs of this rule is enough; if it is this one: oc apply -f %s", escape.ShellQuoted(file))
	case m.Nearest != nil:
		b.say("  if it is not: oc apply -f %s", escape.ShellQuoted(file))
	default:
		b.command("oc apply -f " + escape.ShellQuoted(file))
	}
}

// cr writes a CR into a folder, or into incomplete/ if values are left to the user. It returns the
// name of the file.
func (b *fixBook) cr(folder string, o finding.Object, f *finding.Fix) string {
	text := f.CR
	if !isComplete(f) {
		folder = "incomplete"
		var open strings.Builder
		open.WriteString("# Not complete. These values are still to be given:\n")
		for _, field := range f.Open {
			open.WriteString("# - " + escape.Line(field.Words()) + "\n")
		}
		text = open.String() + text
	}
	name := b.taken.Free(folder+"/"+fileName(fileNameOf(o)), ".yaml")
	b.file(name, text)
	return name
}

// section starts the part of the script that is about a CR.
func (b *fixBook) section(what string, o finding.Object, template, place string) {
	b.script.WriteByte('\n')
	b.say("%s  %s", what, o)
	b.say("  template %s%s", template, strings.TrimSuffix(", found at "+place, ", found at "))
}

// why writes the description of a template.
func (b *fixBook) why(description string) {
	if description != "" {
		b.say("  reason: %s", description)
	}
}

// still writes what the user still has to do for a CR.
func (b *fixBook) still(o finding.Object, f *finding.Fix) {
	if f.Held != "" {
		b.say("  held back: %s", f.Held)
		b.left = append(b.left, LeftToUser{code.FixHeld, o.String() + ": the CR is not written: " + f.Held})
	}
	for _, field := range f.Open {
		b.say("  still to be given: %s", field.Words())
	}
	if len(f.Open) > 0 {
		more := ""
		if n := len(f.Open) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		first := f.Open[0].Path
		if first == "." { // the whole CR says nothing
			first = f.Open[0].Message
		}
		b.left = append(b.left, LeftToUser{code.FixOpen, o.String() + ": left to you: " + first + more})
	}
}

// warnOfRestart says that a change of an object restarts nodes, if it does.
func (b *fixBook) warnOfRestart(o finding.Object) {
	if o.RestartsNodes() {
		b.say("  RESTARTS NODES: a change of this kind of CR may drain and restart nodes, one after the other")
	}
}

// command writes a command on a line of its own. Its arguments must be quoted. A command with
// characters that a terminal would act on becomes a comment, because no cluster has such names.
func (b *fixBook) command(text string) {
	if b.wrong {
		b.script.WriteString("##")
		text = escape.Line(text)
	}
	if escape.Line(text) != text {
		b.say("  only a comment, because no cluster has such a name: %s", text)
		return
	}
	b.script.WriteString(text + "\n")
}

// ocFlags returns the options of oc for the namespace of an object.
func ocFlags(o finding.Object) string {
	if o.Namespace == "" {
		return ""
	}
	return " --namespace=" + escape.ShellQuoted(o.Namespace)
}

// ocResource returns the resource of oc for a kind: Kind.version.group.
func ocResource(o finding.Object) string {
	group, version, grouped := strings.Cut(o.APIVersion, "/")
	if !grouped {
		return o.Kind
	}
	return o.Kind + "." + version + "." + group
}

// isComplete reports whether no value of a CR is left to the user.
func isComplete(f *finding.Fix) bool { return f.Held == "" && len(f.Open) == 0 }
