package manifest

import (
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/refconfig"
)

// Failed is what could not be collected, as a Status in the place of CRs says. Its plural may be a
// kind. It may be in any namespace.
type Failed struct {
	collector.PathID
	Place refconfig.Place
}

// String says what it is, for people: "Widget.example.com".
func (f Failed) String() string {
	s := f.Plural
	if f.Group != "" {
		s += "." + f.Group
	}
	if f.Name != "" {
		s += "/" + f.Name
	}
	return s
}

// failed records what a Status says could not be collected. What the cluster does not have is
// absent.
func (r *reader) failed(h *head, place refconfig.Place) {
	from := h.source
	from.origin, from.limits = 0, r.shared
	n, fault := from.parse()
	if fault != nil {
		return
	}
	v, _ := n.Value().(map[string]any)
	details, _ := v["details"].(map[string]any)
	kind, _ := details["kind"].(string)
	if v["status"] != "Failure" || v["reason"] == "NotFound" || kind == "" {
		return
	}
	f := Failed{Place: place}
	f.Group, _ = details["group"].(string)
	f.Name, _ = details["name"].(string)
	f.Plural, kind, _ = strings.Cut(kind, ".") // Widget.v1.example.com, as kubectl is asked for it
	if version, group, versioned := strings.Cut(kind, "."); versioned && collector.IsVersion(version) {
		kind = group
	}
	if kind != "" {
		f.Group = kind
	}
	r.out.Failed = append(r.out.Failed, f)
}
