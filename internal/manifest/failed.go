package manifest

import (
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/kubeyaml"
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

// failed records objects that could not be collected according to a Status. A Status about a
// resource that the cluster does not have is not recorded, because such objects are absent.
func (r *reader) failed(h *head, place refconfig.Place) {
	from := h.source
	from.origin, from.limits = 0, r.limits
	n, fault := from.parse(&kubeyaml.Room{})
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
	f.Plural, kind, _ = strings.Cut(kind, ".") // Widget.v1.example.com, the form of kubectl arguments
	if version, group, versioned := strings.Cut(kind, "."); versioned && collector.IsVersion(version) {
		kind = group
	}
	if kind != "" {
		f.Group = kind
	}
	r.out.Failed = append(r.out.Failed, f)
}
