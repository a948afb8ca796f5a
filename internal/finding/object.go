package finding

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Object is the identity of a Kubernetes object.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// String formats the identity: "ConfigMap default/settings (v1)".
func (o Object) String() string {
	return o.Kind + " " + o.path("(no name)") + " (" + o.APIVersion + ")"
}

// path returns the namespace and the name, or a text instead of an empty name. Quotes show a blank
// at the beginning or end, which would not be seen.
func (o Object) path(nameless string) string {
	text := cmp.Or(o.Name, nameless)
	if o.Namespace != "" {
		text = o.Namespace + "/" + text
	}
	if strings.TrimSpace(o.Name) != o.Name || strings.TrimSpace(o.Namespace) != o.Namespace {
		return strconv.Quote(text)
	}
	return text
}

// Stated formats an identity whose fields may be unknown: "ConfigMap app/* (v1)"; "" if all of them
// are unknown.
func (o Object) Stated() string {
	if o == (Object{}) {
		return ""
	}
	o.Name = cmp.Or(o.Name, "*")
	return strings.TrimSuffix(o.String(), " ()")
}

// RestartsNodes reports whether a change of an object may drain and restart nodes: through the
// Machine Config Operator, which writes files and kernel arguments, through the operators of tuning
// and of network devices, or as an update of the cluster.
func (o Object) RestartsNodes() bool {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	kinds := map[string][]string{
		"machineconfiguration.openshift.io": {
			"MachineConfig", "MachineConfigPool", "KubeletConfig", "ContainerRuntimeConfig", "MachineOSConfig",
		},
		"performance.openshift.io":  {"PerformanceProfile"},
		"tuned.openshift.io":        {"Tuned"},
		"sriovnetwork.openshift.io": {"SriovNetworkNodePolicy", "SriovNetworkPoolConfig"},
		"sriovfec.intel.com":        {"SriovFecClusterConfig", "SriovFecNodeConfig"},
		"sriovvrb.intel.com":        {"SriovVrbClusterConfig", "SriovVrbNodeConfig"},
		"config.openshift.io": {
			"ClusterVersion", "FeatureGate", "Image", "ImageDigestMirrorSet", "ImageTagMirrorSet", "Node", "Proxy",
		},
		"operator.openshift.io":   {"ImageContentSourcePolicy"},
		"hypershift.openshift.io": {"NodePool"},
		"metal3.io":               {"HostFirmwareSettings", "HostFirmwareComponents"},
	}[group]
	return slices.Contains(kinds, o.Kind)
}

// Source is the location of an object in the input.
type Source struct {
	File     string `json:"file"`            // the file or archive on disk
	Entry    string `json:"entry,omitempty"` // the path inside the archive
	Document int    `json:"document"`        // the index of the document in the file
	Item     *int   `json:"item,omitempty"`  // the index in a List
	Line     int    `json:"line"`

	Wrapper        string `json:"wrapper,omitempty"`        // the objects that contain this one, the innermost first
	ComplianceType string `json:"complianceType,omitempty"` // the complianceType of the policy that contains the object
}

// String formats the location, "archive.tar.gz!path/in/it.yaml:12", and adds the objects that
// contain the object.
func (s Source) String() string {
	text := PlaceText(s.Place())
	if s.Wrapper != "" {
		text += " in " + s.Wrapper
	}
	if s.ComplianceType != "" {
		text += ", " + s.ComplianceType
	}
	return text
}

// Place returns the location as far as people see it.
func (s Source) Place() refconfig.Place {
	return refconfig.Place{File: s.File, Entry: s.Entry, Line: s.Line}
}

// SourceOf returns the location of an object. A Place counts documents and items from 1. wrapper
// and compliance are for the fields Wrapper and ComplianceType.
func SourceOf(p refconfig.Place, wrapper, compliance string) Source {
	s := Source{
		File:           p.File,
		Entry:          p.Entry,
		Document:       max(p.Document-1, 0),
		Line:           p.Line,
		Wrapper:        wrapper,
		ComplianceType: compliance,
	}
	if item := p.Item - 1; item >= 0 {
		s.Item = &item
	}
	return s
}

// SortedProblems returns problems in the order of their locations.
func SortedProblems(all []refconfig.Problem) []refconfig.Problem {
	return slices.SortedStableFunc(slices.Values(all), func(a, b refconfig.Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Message, b.Message))
	})
}

// Place formats the location of an input, or of the folder in it that belongs to the cluster.
func (in Input) Place() string {
	s := PlaceText(refconfig.Place{File: in.Path})
	switch {
	case in.Root == "":
		return s
	case in.Format == "directory":
		return s + "/" + in.Root
	}
	return s + "!" + in.Root
}

// PlaceText formats a location in the input; "-" is standard input.
func PlaceText(p refconfig.Place) string {
	if p.File == "-" {
		p.File = "standard input"
	}
	return p.String()
}

// Warning is a message that does not change the verdict.
type Warning struct {
	Code    code.Code `json:"code"`
	Message string    `json:"message"`
	Place   string    `json:"place,omitempty"` // "file:line", or ""
	// OfOption is set if the place is in a file that an option names, such as overrides.
	OfOption bool `json:"ofOption,omitempty"`
	// the release of the reference that is wanted; "" unless the reference is for another one
	Release string `json:"release,omitempty"`
	// the command that gets this reference; "" if it is not known
	Command string `json:"command,omitempty"`
}

// String formats the warning with its place and its code.
func (w Warning) String() string {
	text := w.Message
	if w.Place != "" {
		text = w.Place + ": " + text
	}
	return text + Note(w.Code)
}

// DoubtsReference reports whether an alarm says that the reference may be the wrong one.
func (w Warning) DoubtsReference() bool {
	return w.Code == code.WrongReference || w.Code == code.FewRequired
}

// ForAuthor reports whether a warning is about the reference, so that only the reference's author
// can correct the cause. Such a warning does not affect the findings on the cluster. Codes 2xxx are
// about references, and about files of options that have the same syntax.
func (w Warning) ForAuthor() bool { return strings.HasPrefix(string(w.Code), "VT2") && !w.OfOption }

// CompareWarnings orders warnings by code, then by file and line number.
func CompareWarnings(a, b Warning) int {
	file, lines := SplitPlace(a.Place)
	otherFile, otherLines := SplitPlace(b.Place)
	return cmp.Or(
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(file, otherFile),
		slices.Compare(lines, otherLines),
		cmp.Compare(a.Message, b.Message),
	)
}

// SplitPlace splits file:line or file:line:column into the file and the numbers.
func SplitPlace(place string) (file string, numbers []int) {
	for file = place; len(numbers) < 2; {
		i := strings.LastIndexByte(file, ':')
		n, err := strconv.Atoi(file[i+1:])
		if i < 0 || err != nil {
			break
		}
		file, numbers = file[:i], append([]int{n}, numbers...)
	}
	return file, numbers
}

// ComponentName returns "part/component", without a name that is empty.
func (t Template) ComponentName() string { return componentName(t.Part, t.Component) }

// ComponentName returns "part/component", without a name that is empty.
func (r Rule) ComponentName() string { return componentName(r.Part, r.Component) }

func componentName(part, component string) string {
	return strings.Join(slices.DeleteFunc([]string{part, component}, func(s string) bool { return s == "" }), "/")
}

// Note formats a code for the end of a message: " (VT1005)".
func Note(c code.Code) string {
	if c == "" {
		return ""
	}
	return " (" + string(c) + ")"
}

// WithoutAlarms separates alarms from other warnings. It looks up each code only once, because
// thousands of warnings may have the same code.
func WithoutAlarms(all []Warning) (warnings, alarms []Warning) {
	known := map[code.Code]bool{}
	warnings = slices.DeleteFunc(all, func(w Warning) bool {
		alarm, looked := known[w.Code]
		if !looked {
			alarm = code.Alarm(w.Code)
			known[w.Code] = alarm
		}
		if alarm {
			alarms = append(alarms, w)
		}
		return alarm
	})
	return warnings, alarms
}
