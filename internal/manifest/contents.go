package manifest

import (
	"context"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/crew"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Hints say what the caller knows about a file from its surroundings. The zero value is right for a
// file alone.
type Hints struct {
	// Asked: the user named this very file, or it is a stream. It is read whatever it is called.
	Asked bool
	// Chart: the file is in a Helm chart, below templates/ beside a Chart.yaml. It may be no YAML
	// yet.
	Chart bool
	// Gathered: the file is in a support archive where every .yaml, .yml and .json holds objects,
	// so that one which does not parse is a problem whatever it says. The usual layouts are
	// recognised by the path as well.
	Gathered bool
	// APIVersion and Kind are what the path says of objects that do not say it themselves (the
	// Insights archive).
	APIVersion, Kind string
	// NoScan decodes every document in full instead of scanning it. The outcome is the same but for
	// documents that only the decoder finds broken.
	NoScan bool
	// Placeholders: texts in which placeholders are no YAML are read as if these were texts.
	Placeholders bool
	// Wrapped: objects in the fields of others that carry them are objects too.
	Wrapped bool
	// Limits of what is read, and of what its objects are decoded from later.
	Limits kubeyaml.Limits
	// Context ends the reading; what is read of a file until then is returned. Nil for no end.
	Context context.Context
	// Room is memory for documents that are decoded to be read, which wait until there is some; nil
	// for any amount.
	Room *crew.Room
}

// Reason says why a file or document was passed over.
type Reason string

// The reasons.
const (
	PassedEmpty     Reason = "empty"
	PassedNUL       Reason = "only NUL bytes"
	PassedNotText   Reason = "no YAML or JSON"
	PassedBroken    Reason = "does not parse, and nothing says that it holds Kubernetes objects"
	PassedNoObject  Reason = "YAML or JSON that is no Kubernetes object"
	PassedTemplate  Reason = collector.Helm
	PassedKustomize Reason = collector.Kustomize
	PassedDiscovery Reason = "API discovery, a log or a client's configuration rather than a stored object"
)

// Passed is a file that was passed over on purpose, or documents or items that follow each other
// and were passed over for one reason.
type Passed struct {
	Place  refconfig.Place // of the first one
	Reason Reason
	Count  int
}

// Listed is a List that was read: it tells that objects of this kind were gathered, even if there
// are none.
type Listed struct {
	APIVersion, Kind string // of the items; "" for the generic List
	Items            int
	Place            refconfig.Place
}

// Contents is what one file holds, everything in the order of the file.
type Contents struct {
	Objects  []*Object
	Lists    []Listed
	Passed   []Passed
	Problems []refconfig.Problem // what could not be read and should have been
	Lost     []Lost
	Warnings []refconfig.Problem // what was read and looks damaged
	Blank    []refconfig.Problem // files of a collector for objects, or places in them, that hold none
	Failed   []Failed            // what could not be collected
}
