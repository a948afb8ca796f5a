package manifest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Lost is text that is expected to hold CRs, by what it says or by the name of its file, and of
// which no CR could be read, so not all CRs of the cluster are known.
type Lost struct {
	refconfig.Problem
	Kinds []string // kinds of the CRs, as far as they are named
	Any   bool     // no kind is named, so the CRs may be of any kind
	// ByName is set if only the name of the file says that it holds CRs, not its text. A collector
	// writes other files under such names, too: in its archive the text is passed over for this
	// reason.
	ByName Reason
}

// lose records a lost value. kind is the kind of its CRs, "" if unknown.
func (r *reader) lose(h *head, item int, kind, message string) {
	l := Lost{
		Problem: refconfig.Problem{Code: code.ObjectLost, Place: r.place(h.line, item), Message: message},
		Any:     kind == "",
	}
	if kind != "" {
		l.Kinds = []string{kind}
	}
	r.out.Lost = append(r.out.Lost, l)
}

// loseByName records text that its name alone declares to be CRs. In a file of another name, it is
// passed over. In a file to which a collector writes CRs, the path says which CRs may be lost.
func (r *reader) loseByName(place refconfig.Place, reason Reason, c code.Code, message string) {
	if !r.name.manifest || r.name.holds {
		r.pass(place, reason)
		return
	}
	if last := len(r.out.Lost) - 1; last >= 0 && r.out.Lost[last].Message == message {
		return // the same holds for each document of the file
	}
	r.out.Lost = append(r.out.Lost, Lost{
		Problem: refconfig.Problem{Code: c, Place: place, Message: message}, Any: true, ByName: reason,
	})
}

// loseBeside records a document that does not parse in a file whose name says nothing: it is lost if
// the file has CRs.
func (r *reader) loseBeside(place refconfig.Place, what string) {
	if !r.name.manifest && !r.name.holds {
		r.beside = append(r.beside, Lost{Any: true, Problem: place.Problem(code.DocumentBroken, "is in a file with CRs, but %s", what)})
	}
}

// loseText records a document that is no YAML or JSON of any sort, although its file is named so.
// what says what it is.
func (r *reader) loseText(place refconfig.Place, reason Reason, what string) {
	r.loseByName(place, reason, code.DocumentBroken, "should hold CRs"+r.name.says()+", but "+what)
}

// loseTemplate records text that begins like a CR and does not parse, in a file whose name says that
// it is something else: most likely a template or documentation.
func (r *reader) loseTemplate(place refconfig.Place, language string, fault *kubeyaml.SyntaxError) {
	r.out.Lost = append(r.out.Lost, Lost{ByName: PassedBroken, Problem: place.Problem(code.DocumentBroken,
		"begins like a CR, but is not valid %s: %s; render it if it is a template, or repair it", language, fault.Message)})
}

// leaveAside replaces the objects of a file that was set aside by a remark about them. What is wrong
// with them does not count.
func (r *reader) leaveAside() {
	if len(r.out.Objects)+len(r.out.Lost)+len(r.out.Problems) == 0 {
		return
	}
	r.out = Contents{Lost: []Lost{{ByName: PassedAside, Problem: refconfig.Place{File: r.file, Entry: r.entry}.Problem(
		code.ObjectLost, "the CRs in this file were not compared, because its name is that of a backup, a template or "+
			"another file that kubectl does not read; rename the file if they count")}}}
}

// leaveText passes over a file that the user named and that holds nothing but text of another sort.
// That the input has no CR says more about it.
func (r *reader) leaveText() {
	isText := func(l Lost) bool { return l.ByName != "" && l.Code == code.DocumentBroken }
	rest := r.out
	rest.Lost = slice.Without(rest.Lost, isText)
	if !rest.IsEmpty() {
		return
	}
	for _, l := range r.out.Lost {
		r.pass(l.Place, l.ByName)
	}
	r.out.Lost = nil
}

// loseUnnamed records an object without apiVersion or kind.
func (r *reader) loseUnnamed(h *head, item int) {
	r.lose(h, item, h.kind, h.lacking())
}

// lacking returns the message about a value without apiVersion or kind.
func (h *head) lacking() string {
	what, lacks := "this", "apiVersion and kind"
	switch {
	case !h.fields && h.kind != "":
		return "this " + h.kind + " of a List is no mapping, so it was not compared; get the List again"
	case !h.fields:
		return "this item of a List is no mapping, so it was not compared; get the List again"
	case h.kind != "":
		what, lacks = "this "+h.kind, "apiVersion"
	case h.apiVersion != "":
		lacks = "kind"
	}
	return fmt.Sprintf("%s has no valid %s, so it was not compared; add what is missing", what, lacks)
}

// loseOdd records an object or List of which so much is wrong that it cannot be compared, and
// reports whether it is one.
func (r *reader) loseOdd(h *head, item int) bool {
	kind, isList := strings.CutSuffix(h.kind, "List")
	isOpen := strings.ContainsAny(h.kind, "${}<>%@") // a placeholder
	switch {
	case h.sops && strings.HasPrefix(h.kind, "ENC["):
		r.lose(h, item, "", "this is encrypted with SOPS, even its kind, so it was not compared; decrypt it first")
	case h.sops:
		r.lose(h, item, h.kind, "this "+h.kind+" is encrypted with SOPS, so it was not compared; decrypt it first")
	case isOpen:
		r.lose(h, item, "", fmt.Sprintf("no CR is of the kind %q, so this was not compared; render it if it is a template", h.kind))
	case strings.ContainsFunc(h.apiVersion+h.kind, unicode.IsSpace):
		kind := strings.TrimSpace(h.kind)
		r.lose(h, item, kind, "this "+kind+" was not compared, because its kind or apiVersion has blanks; remove them")
	case h.list && strings.EqualFold(h.kind, "list"):
		r.lose(h, item, "", fmt.Sprintf("no List is of the kind %q, so its CRs were not compared; correct it to List", h.kind))
	case groupOf(h.apiVersion) == "meta.k8s.io":
		r.loseMade(h, item)
	case isList && (h.oddItems || h.name == "" && !h.list):
		r.lose(h, item, kind, "this "+h.kind+" has no list of items, so its CRs were not compared; get the List again")
	case h.oddMetadata:
		r.lose(h, item, h.kind, "the metadata of this "+h.kind+" are no mapping, so it is not known which one it is; get it again")
	default:
		return false
	}
	return true
}

// loseRestOf records that the rest of an object seems to be lost. Even its kind may be incomplete.
func (r *reader) loseRestOf(o *Object, h *head) {
	isConfiguration := strings.HasSuffix(groupOf(h.apiVersion), ".config.k8s.io") // of a program: all fields are optional
	if o.Unnamed && !isConfiguration && o.Place.Item == 0 && r.inside == nil && !r.name.gathered && r.isStump(h) {
		r.loseByName(o.Place, PassedNoObject, code.ObjectLost,
			"this "+h.kind+" has neither a name nor content, so the file may be truncated; get it again")
	}
}

// loseMade records a value that a server made from CRs, such as a Table. Its rows may say of which
// kind the CRs are.
func (r *reader) loseMade(h *head, item int) {
	kinds := r.kindsOfRows(h)
	r.out.Lost = append(r.out.Lost, Lost{
		Problem: refconfig.Problem{Code: code.ObjectLost, Place: r.place(h.line, item),
			Message: "this is a " + h.kind + ", which a server made from CRs; get the CRs with -o yaml"},
		Kinds: kinds, Any: len(kinds) == 0,
	})
}

// kindsOfRows returns the kinds of the CRs in the rows of a Table; none if a row does not say it.
func (r *reader) kindsOfRows(h *head) (kinds []string) {
	n, _, _ := r.decoded(h)
	_, rows := n.Field("rows")
	if rows == nil {
		return nil
	}
	for _, row := range rows.Values {
		_, object := row.Field("object")
		_, kind := object.Field("kind")
		name := textOf(kind)
		if name == "" || name == "PartialObjectMetadata" {
			return nil
		}
		if !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	return kinds
}

// loseRest records a List whose server still has more items.
func (r *reader) loseRest(h *head, outer int) bool {
	const emptied = "null" // written by support-bundle-kit
	nothing := []string{"", "0", emptied}
	if slices.Contains(nothing, h.rest) && slices.Contains(nothing, h.remaining) {
		return false
	}
	kind := strings.TrimSuffix(h.kind, "List")
	what := "CRs"
	if kind != "" {
		what = "items of kind " + kind
	}
	message := fmt.Sprintf("this List is incomplete: more %s are on the server "+
		"(its metadata has continue or remainingItemCount); get the whole List, as oc get does", what)
	if kind == "" { // the kind is unknown
		p := refconfig.Problem{Code: code.ObjectLost, Place: r.place(h.line, outer), Message: message}
		r.out.Problems = append(r.out.Problems, p)
		return true
	}
	r.lose(h, outer, kind, message)
	return true
}
