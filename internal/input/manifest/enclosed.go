package manifest

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Enclosed describes the objects of a file that are inside documents of another sort, which hold
// other things, too: the tasks of another program, test data, examples. They were not read.
type Enclosed struct {
	Count int
	First ID // of the first one
	Place refconfig.Place
}

// Problem returns the warning about the objects.
func (e Enclosed) Problem() refconfig.Problem {
	more := ""
	if e.Count > 1 {
		more = fmt.Sprintf(", like %d more,", e.Count-1)
	}
	return e.Place.Problem(code.Enclosed, "%s%s is inside a document with other content, such as tasks or tests, so it "+
		"was not compared; copy it to a file of its own if it belongs to the cluster", e.First, more)
}

// enclose counts the objects of a document that holds other things, too.
func (r *reader) enclose(parts []part) {
	for _, p := range parts {
		r.encloseOne(p.head)
	}
}

func (r *reader) encloseOne(h *head) {
	if h.isList() {
		for _, item := range h.items {
			item.fill(h.apiVersion, strings.TrimSuffix(h.kind, "List"))
			r.encloseOne(item)
		}
		return
	}
	if !h.isNested() || h.name == "" && !h.generated {
		return
	}
	if r.out.Enclosed == nil {
		r.out.Enclosed = &Enclosed{First: h.id(), Place: r.at(h.line)}
	}
	r.out.Enclosed.Count++
}
