package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Carrying says whether an object contains or produces other objects, and whether these were read.
type Carrying uint8

// The values of Carrying.
const (
	CarriesNone      Carrying = iota
	CarriesUnread             // contains objects that were not read; Hints.Wrapped reads them
	CarriesRead               // contains objects that were read
	CarriesElsewhere          // produces objects that are not in its fields
)

// carried returns where objects of a kind contain other objects: keys separated by dots, * for each
// item of a list, "" for none in the fields. carries reports whether the kind contains or produces
// objects.
func carried(apiVersion, kind string) (at string, carries bool) {
	group := groupOf(apiVersion)
	switch kind {
	case "Policy":
		return "spec.policy-templates.*.objectDefinition", group == policies
	case "ConfigurationPolicy":
		return "spec.object-templates.*.objectDefinition", group == policies
	case "PolicyGenerator":
		return "", group == policies
	case "PolicyGenTemplate":
		return "", group == "ran.openshift.io"
	case "ManifestWork":
		return "spec.workload.manifests.*", group == "work.open-cluster-management.io"
	case "ManifestWorkReplicaSet":
		return "spec.manifestWorkTemplate.workload.manifests.*", group == "work.open-cluster-management.io"
	case "SyncSet", "SelectorSyncSet":
		return "spec.resources.*", group == "hive.openshift.io"
	case "Template":
		return "objects.*", group == "template.openshift.io" || apiVersion == "v1"
	case "Application", "ApplicationSet":
		return "", group == "argoproj.io"
	case "HelmRelease":
		return "", strings.HasSuffix(group, ".fluxcd.io")
	case "Object":
		return "spec.forProvider.manifest", strings.HasPrefix(group, "kubernetes.crossplane.io") ||
			strings.HasPrefix(group, "kubernetes.m.crossplane.io")
	}
	return "", false
}

// policies is the API group of Advanced Cluster Management policies.
const policies = "policy.open-cluster-management.io"

// Values of Compliance for an object that must not exist, that a policy does not create, that
// kustomize changes or deletes ($patch), or whose file kustomize uses in another way.
const (
	mustNotHave = "mustnothave"
	disabled    = "disabled"
	patched     = "a patch of kustomize"
	used        = "in a file that kustomize uses, such as a patch"
)

// LeaveUsed refuses the objects of a file that a kustomization uses and does not apply. What a patch
// leaves out is not lost.
func (c *Contents) LeaveUsed() {
	for _, o := range c.Objects {
		o.Compliance = used
	}
	isPart := func(l Lost) bool { return l.Code == code.ObjectLost }
	if rest := slice.Without(c.Lost, isPart); len(rest) < len(c.Lost) {
		c.Lost = rest
		c.Passed = append(c.Passed, Passed{Reason: PassedKustomize, Count: 1})
	}
}

// Refused reports whether a policy or kustomize says that the object does not exist as it is here,
// so that it does not count as part of the input.
func (o *Object) Refused() bool { return refused(o.Compliance) }

func refused(compliance string) bool {
	return slices.Contains([]string{mustNotHave, disabled, patched, used}, compliance)
}

// mostWrapped is the maximum depth of nested wrappers.
const mostWrapped = 8

// wrapper is the object whose fields are being searched for objects.
type wrapper struct {
	names       string // its name and those of the objects around it, from the inside out
	compliance  string // compliance of the current object
	depth, item int
	unknown     []int // lines of values that are not objects
}

// carry determines what an object carries.
func (r *reader) carry(o *Object) {
	at, carries := carried(o.ID.APIVersion, o.ID.Kind)
	switch {
	case !carries:
	case at == "":
		o.Carries = CarriesElsewhere
	case !r.hints.Wrapped:
		o.Carries = CarriesUnread
	default:
		o.Carries = CarriesRead
		r.unwrap(o, at)
	}
}

// unwrap reads the objects that an object carries.
func (r *reader) unwrap(o *Object, at string) {
	inner := &wrapper{names: o.name(), item: o.Place.Item - 1}
	if outer := r.inside; outer != nil {
		inner.names += " in " + outer.names
		inner.depth = outer.depth + 1
	}
	if inner.depth >= mostWrapped {
		r.wrapperProblem(code.WrappedTooDeep, o.Place.Line, fmt.Sprintf(
			"CRs are nested in %d levels here, the limit, so the CRs inside %s were not read; give them as a file of their own",
			mostWrapped,
			o.name(),
		))
		return
	}
	n, fault := r.carrier(o)
	if fault != nil {
		r.wrapperProblem(fault.Code, fault.Line, o.name()+" contains CRs, but cannot be read: "+fault.Message)
		return
	}
	if o.Refused() {
		inner.compliance = o.Compliance
	} else if _, spec := n.Field("spec"); o.ID.Kind == "Policy" && isTrue(spec, disabled) {
		inner.compliance = disabled
	}
	before := r.inside
	r.inside = inner
	r.within(n, o.source.end(), *o.source, strings.Split(at, "."))
	if o.ID.Kind == "ConfigurationPolicy" {
		r.rawTemplates(n)
	}
	r.inside = before
	if count := len(inner.unknown); count > 0 {
		times := ""
		if count > 1 {
			times = fmt.Sprintf(" (and %d more)", count-1)
		}
		r.wrapperProblem(code.WrappedUnknown, slices.Min(inner.unknown), fmt.Sprintf(
			"%s contains a value that is not a CR here%s, because apiVersion or kind is missing; add them", inner.names, times))
	}
}

// name returns the object's name in Wrapper.
func (o *Object) name() string {
	if o.ID.Namespace != "" {
		return o.ID.Kind + " " + o.ID.Namespace + "/" + o.ID.Name
	}
	return o.ID.Kind + " " + o.ID.Name
}

func isTrue(n *kubeyaml.Node, key string) bool {
	_, v := n.Field(key)
	is, _ := v.Value().(bool)
	return is
}

func (r *reader) wrapperProblem(c code.Code, line int, message string) {
	if c == "" {
		c = code.DocumentBroken
	}
	r.out.Problems = append(r.out.Problems, refconfig.Problem{Code: c, Place: r.at(line), Message: message})
}

// carrier decodes an object when memory is available.
func (r *reader) carrier(o *Object) (*kubeyaml.Node, *kubeyaml.SyntaxError) {
	defer r.room(o.source.text)()
	whole := *o.source
	whole.limits = r.limits // it may hold many objects, each with limits of its own
	return whole.parse(&kubeyaml.Room{})
}

// within reads the objects at a path below a value whose text ends at end.
func (r *reader) within(n *kubeyaml.Node, end int, whole source, path []string) {
	switch {
	case len(path) == 0:
		r.item(headOf(n, whole.part(n, end), nil), r.inside.item)
	case n.IsNull():
	case n.Kind == kubeyaml.List && path[0] == "*":
		whole, ends := whole.elements(n, end)
		for i, v := range n.Values {
			r.within(v, ends[i], whole, path[1:])
		}
	case n.Kind == kubeyaml.Map && path[0] != "*":
		_, v := n.Field(path[0])
		if v == nil {
			return
		}
		r.replaced(path[0], repeated(n, path[0]), r.inside.item)
		before := r.inside.compliance
		if _, c := n.Field("complianceType"); len(path) == 1 && !refused(before) {
			r.inside.compliance = strings.ToLower(textOf(c))
		}
		r.within(v, nextField(n, v, end), whole, path[1:])
		r.inside.compliance = before
	default:
		r.inside.unknown = append(r.inside.unknown, n.Line)
	}
}

// rawTemplates reads the part of a ConfigurationPolicy that is a text because it contains template
// actions. The actions can be placeholders.
func (r *reader) rawTemplates(n *kubeyaml.Node) {
	_, spec := n.Field("spec")
	_, raw := spec.Field("object-templates-raw")
	text := textOf(raw)
	if strings.TrimSpace(text) == "" {
		return
	}
	d := kubeyaml.Document{Text: []byte(text), Base: raw.Line - 1}
	if raw.Style == kubeyaml.Literal || raw.Style == kubeyaml.Folded {
		d.Base++
	}
	nodes := r.parseYAML(d).Nodes
	if open := r.hints.Placeholders; len(nodes) == 0 && open {
		nodes = r.readings(d)
	}
	if len(nodes) == 0 {
		message := r.inside.names + " has CRs in object-templates-raw, which is not valid YAML until its actions are executed"
		if !r.hints.Placeholders {
			message += "; try --placeholders"
		}
		r.wrapperProblem(code.WrappedUnknown, raw.Line, message)
	}
	for _, list := range nodes {
		r.within(list, 0, source{form: kept}, []string{"*", "objectDefinition"})
	}
}
