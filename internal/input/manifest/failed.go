package manifest

import (
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Failed describes objects that could not be collected, according to a Status or a message of kubectl
// in the place of CRs. Plural may contain a kind. The objects may be in any namespace.
type Failed struct {
	collector.PathID
	Place refconfig.Place
}

// String returns the kind and group for users: "Widget.example.com".
func (f Failed) String() string {
	s := f.Plural
	if f.Group != "" && f.Group != "*" {
		s += "." + f.Group
	}
	if f.Name != "" {
		s += "/" + f.Name
	}
	return s
}

// Problem returns the failure as a problem of the input.
func (f Failed) Problem() refconfig.Problem {
	return f.Place.Problem(code.NotCollected, "%s could not be collected, according to the Status here, so the "+
		"cluster may have them; collect them again with the necessary permission", f)
}

// failed records objects that could not be collected according to a Status. It is a problem if
// neither the Status nor the path of the file names them. A Status about something that the
// cluster does not have is not recorded, because such objects are absent.
func (r *reader) failed(h *head, place refconfig.Place) {
	n, _, _ := r.decoded(h)
	v, _ := n.Value().(map[string]any)
	details, _ := v["details"].(map[string]any)
	kind, _ := details["kind"].(string)
	if v["status"] != "Failure" || v["reason"] == "NotFound" {
		return
	}
	f := Failed{Place: place}
	if kind == "" {
		r.failedByPath(f)
		return
	}
	f.Group, _ = details["group"].(string)
	f.Name, _ = details["name"].(string)
	f.Plural, kind, _ = strings.Cut(kind, ".") // Widget.v1.example.com, the form of kubectl arguments
	if version, group, versioned := strings.Cut(kind, "."); versioned && collector.IsVersion(version) {
		kind = group
	}
	if kind != "" {
		f.Group = kind
	}
	r.out.Failed = append(r.out.Failed, f)
}

// failedByPath records a failure that names no kind.
func (r *reader) failedByPath(f Failed) {
	if !r.name.holds {
		r.out.Problems = append(r.out.Problems, f.Place.Problem(code.NotCollected,
			"CRs could not be collected, and the Status here does not say which; collect them again"))
		return
	}
	f.PathID = r.name.id
	r.out.Failed = append(r.out.Failed, f)
}
