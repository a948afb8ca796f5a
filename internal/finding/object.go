package finding

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Object is the identity of a Kubernetes object.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// String is the identity for people: "ConfigMap default/settings (v1)".
func (o Object) String() string {
	name := cmp.Or(o.Name, "(no name)")
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	return o.Kind + " " + name + " (" + o.APIVersion + ")"
}

// Stated is the identity as far as a template or a finding states it: "ConfigMap app/* (v1)"; ""
// where it states nothing.
func (o Object) Stated() string {
	if o == (Object{}) {
		return ""
	}
	o.Name = cmp.Or(o.Name, "*")
	return strings.TrimSuffix(o.String(), " ()")
}

// Source is where in the input an object stands.
type Source struct {
	File     string `json:"file"`            // of the file or archive on disk
	Entry    string `json:"entry,omitempty"` // inside the archive
	Document int    `json:"document"`        // of the file, from 0
	Item     *int   `json:"item,omitempty"`  // of a List, from 0
	Line     int    `json:"line"`

	Wrapper        string `json:"wrapper,omitempty"`        // the objects that it lies in, from the inside out
	ComplianceType string `json:"complianceType,omitempty"` // what a policy wants of it
}

// String is the place for people: "archive.tar.gz!path/in/it.yaml:12", and what it lies in.
func (s Source) String() string {
	text := place(s.File, s.Entry, s.Line)
	if s.Wrapper != "" {
		text += " in " + s.Wrapper
	}
	if s.ComplianceType != "" {
		text += ", " + s.ComplianceType
	}
	return text
}

// SourceOf is where an object stands in the input: its place, which counts documents and items from
// 1, what it lies in and what a policy wants of it.
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

// Problem is something that could not be read, or not be used.
type Problem struct {
	File    string    `json:"file"`
	Entry   string    `json:"entry,omitempty"`
	Line    int       `json:"line,omitempty"`
	Code    code.Code `json:"code"`
	Message string    `json:"message"`
}

// ProblemsOf are problems for the report, sorted by place.
func ProblemsOf(all []refconfig.Problem) []Problem {
	byPlace := func(a, b refconfig.Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Message, b.Message))
	}
	var out []Problem
	for _, p := range slices.SortedStableFunc(slices.Values(all), byPlace) {
		out = append(
			out,
			Problem{File: p.Place.File, Entry: p.Place.Entry, Line: p.Place.Line, Code: p.Code, Message: p.Message},
		)
	}
	return out
}

// Place is where it lies, for people.
func (p Problem) Place() string { return place(p.File, p.Entry, p.Line) }

// Place is where an input, or what of it is of one cluster, lies.
func (in Input) Place() string {
	s := place(in.Path, "", 0)
	switch {
	case in.Root == "":
		return s
	case in.Format == "directory":
		return s + "/" + in.Root
	}
	return s + "!" + in.Root
}

func place(file, entry string, line int) string {
	if file == "-" {
		file = "standard input"
	}
	return refconfig.Place{File: file, Entry: entry, Line: line}.String()
}

// Warning is something the user should know that does not change the verdict.
type Warning struct {
	Code    code.Code `json:"code"`
	Message string    `json:"message"`
	Place   string    `json:"place,omitempty"` // "file:line", or ""
	// OfOption is set where the place is in a file that an option names, such as overrides.
	OfOption bool `json:"ofOption,omitempty"`
}

// String is the warning with its place and its code.
func (w Warning) String() string {
	text := w.Message
	if w.Place != "" {
		text = w.Place + ": " + text
	}
	return text + Note(w.Code)
}

// ForAuthor reports whether a warning is about what the reference says: 2xxx are the codes of
// references, which files of options share where they are written alike. Only the author of the
// reference can mend it, and what is wrong with this cluster is the same without it.
func (w Warning) ForAuthor() bool { return strings.HasPrefix(string(w.Code), "VT2") && !w.OfOption }

// CompareWarnings orders warnings by code, then by place, where lines of a file are in the order of
// their numbers.
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

// SplitPlace splits file:line or file:line:column into the file and the numbers behind it.
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

// ComponentName is "part/component", as far as they have names.
func (t Template) ComponentName() string { return componentName(t.Part, t.Component) }

// ComponentName is "part/component", as far as they have names.
func (r Rule) ComponentName() string { return componentName(r.Part, r.Component) }

func componentName(part, component string) string {
	return strings.Join(slices.DeleteFunc([]string{part, component}, func(s string) bool { return s == "" }), "/")
}

// Note is a code as it stands behind a message.
func Note(c code.Code) string {
	if c == "" {
		return ""
	}
	return " (" + string(c) + ")"
}

// WithoutAlarms takes alarms out of warnings. Thousands of these may have one code, which is looked
// up once.
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
