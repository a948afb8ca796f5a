package manifest

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
)

// name is what the name of a file shows about its content.
type name struct {
	manifest bool             // it is that of YAML or JSON, or asked
	asked    bool             // the user named the file, so that its name does not matter
	other    bool             // the extension is that of something else
	aside    bool             // it is that of YAML or JSON which is set aside, such as a backup
	comments bool             // it is that of JSON with comments
	lines    bool             // it is that of lines of JSON
	gathered bool             // manifest, in a folder of a support archive's layout
	holds    bool             // a collector wrote the file for objects, see id
	id       collector.PathID // the objects that the path shows
	excuse   Reason           // why a file of this name may contain no Kubernetes object, or ""
}

func newName(file, entry string, hints Hints) name {
	full := pathOf(file, entry)
	var n name
	if !hints.Plain {
		n.id, n.holds = collector.IDOf(cmp.Or(hints.Full, full))
	}
	full = "/" + strings.ToLower(full) // so that every folder is between slashes
	n.manifest = collector.IsObjectName(path.Base(pathOf(file, entry)))
	n.other = !n.manifest && collector.LeftOut(full) == collector.Other
	n.aside = collector.IsSetAside(full)
	ext := path.Ext(full)
	n.comments = ext == ".jsonc" || ext == ".json5"
	n.lines = ext == ".jsonl" || ext == ".ndjson"
	if !n.holds { // a CR may have any name
		n.excuse = Reason(collector.ExcuseOf(full))
	}
	n.gathered = n.holds
	if !hints.Plain && n.manifest && n.excuse == "" {
		if hints.Full != "" {
			full = strings.ToLower(hints.Full)
		}
		n.gathered = n.holds || collector.HoldsObjects(full)
	}
	return n
}

// says returns how a file says that it holds CRs, for messages: nothing for standard input and others
// that the user named.
func (n name) says() string {
	if n.asked {
		return ""
	}
	return " by its name"
}

// mayHoldObjects decides cheaply whether to read a file: by its name, or else by its text.
func (r *reader) mayHoldObjects(text []byte) bool {
	return r.name.manifest || r.hints.Kind != "" || bytes.Contains(text, []byte("apiVersion"))
}

// isShown reports whether the content of a file shows that a collector wrote it: an object or a List
// has what only an API server adds, or a List of one kind is where its path says so, with the version
// of the API. Git folders have neither, whatever their names.
func (r *reader) isShown() bool {
	ofPath := func(kind string) bool { return r.name.id.Version != "" && r.name.id.OfKind(kind) }
	for _, l := range r.out.Lists {
		if l.ResourceVersion != "" || ofPath(l.Kind) {
			return true
		}
	}
	isList := len(r.out.Lists) > 0
	return slices.ContainsFunc(r.out.Objects, func(o *Object) bool {
		return o.UID != "" || o.ResourceVersion != "" || isList && ofPath(o.ID.Kind)
	})
}
