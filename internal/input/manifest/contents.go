package manifest

import (
	"context"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Hints are what the caller knows about a file from its surroundings. Use the zero value for a file
// without surroundings.
type Hints struct {
	// Asked is set if the user named this file, or if it is a stream. It is read regardless of its
	// name.
	Asked bool
	// Chart is set if the file is in a Helm chart, below templates/ next to a Chart.yaml: it may
	// not be valid YAML before it is rendered.
	Chart bool
	// Full is the path of a file on disk with more of its folders than the user typed, or "".
	Full string
	// Plain is set if no collector wrote the file, whatever its path says.
	Plain bool
	// APIVersion and Kind are the defaults that the path gives to objects without them (in an
	// Insights archive).
	APIVersion, Kind string
	// Placeholders makes Read treat placeholders as text in documents that are not valid YAML
	// because of them.
	Placeholders bool
	// Wrapped makes Read return objects inside the fields of wrapper objects too.
	Wrapped bool
	// Limits apply to reading and to later decoding of the objects.
	Limits kubeyaml.Limits
	// Context stops the reading; Read then returns what it has read of the file. Nil never stops
	// it.
	Context context.Context
	// Semaphore limits the memory for documents that are decoded during reading; nil for no limit.
	Semaphore *workers.Semaphore
	// Room is memory for one Read at a time, which a later Read may use again. Nil allocates it.
	Room *kubeyaml.Room
}

// Reason is the reason why a file or document was passed over.
type Reason string

// The reasons.
const (
	PassedEmpty     Reason = "empty"
	PassedNUL       Reason = "only NUL bytes"
	PassedNotText   Reason = "no YAML or JSON"
	PassedBroken    Reason = "does not parse, and nothing says that it holds Kubernetes objects"
	PassedNoObject  Reason = "YAML or JSON that is no Kubernetes object"
	PassedTemplate  Reason = collector.Helm
	PassedRaw       Reason = "template of a Helm chart, not rendered"
	PassedKustomize Reason = collector.Kustomize
	PassedAside     Reason = "backup, template or the like of YAML or JSON"
	PassedDiscovery Reason = "API discovery, a log or a client's configuration rather than a stored object"
)

// Passed is a file that was passed over on purpose, or consecutive documents or items that were
// passed over for one reason.
type Passed struct {
	Reason Reason
	Count  int
}

// Listed is a List that was read. It shows that objects of this kind were gathered, even if the
// List is empty.
type Listed struct {
	APIVersion, Kind string // apiVersion and kind of the items; "" for the generic List
	ResourceVersion  string // only an API server sets it
	Place            refconfig.Place
}

// Contents is everything found in one file, in the order of the file.
type Contents struct {
	// Gathered is set if the file was read as one that a collector wrote for objects, because of its
	// path; Shown if its content shows this too.
	Gathered, Shown bool
	// Placed is set if objects without a namespace got that of the path, because a collector writes
	// only objects of one namespace there.
	Placed bool

	Objects  []*Object
	Lists    []Listed
	Passed   []Passed
	Problems []refconfig.Problem // relevant text that could not be read
	Lost     []Lost
	Warnings []refconfig.Problem // text that was read and looks damaged
	Blank    []refconfig.Problem // collectors' files for objects, or places in them, that contain none
	Failed   []Failed            // objects that could not be collected
	// Kustomization is set if the file is one of kustomize.
	Kustomization *Kustomization
	// Dependencies is the number of charts that the chart of this file depends on.
	Dependencies int
	// Templates are the paths of the templates that the file lists, relative to its folder, if it is
	// the metadata of a reference.
	Templates []string
	// Enclosed are the objects inside documents of another sort; nil for none.
	Enclosed *Enclosed
}

// IsEmpty reports whether a file contains nothing about a cluster. What it holds for other programs
// does not count.
func (c Contents) IsEmpty() bool {
	return len(c.Objects) == 0 && len(c.Lists) == 0 && len(c.Problems) == 0 && len(c.Lost) == 0 &&
		len(c.Warnings) == 0 && len(c.Blank) == 0 && len(c.Failed) == 0
}

// OnlyObjects reports whether everything in the file was read as objects and Lists, as it says.
func (c Contents) OnlyObjects() bool {
	return !c.Placed && len(c.Passed)+len(c.Problems)+len(c.Lost)+len(c.Warnings)+len(c.Blank)+len(c.Failed) == 0 &&
		c.Kustomization == nil
}
