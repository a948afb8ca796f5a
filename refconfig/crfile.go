package refconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/yamlfile"
)

// crFile is a file of a folder without metadata that may hold CRs.
type crFile struct {
	name string // relative to the reference's folder
	data []byte
}

// cr is a CR of such a file: the file as a whole, a document of it, or an item of a List in one.
type cr struct {
	text       []byte
	before     int // lines of the file before the text
	document   int // its number in the file, from 1; 0 if the file has one only
	item       int // its number in the List, from 1; 0 if it is in none
	isJSON     bool
	attributes json.RawMessage // the annotation of a CR in JSON
}

// path names the CR: file.yaml, file.yaml#2 for the second document or item, file.yaml#2.3 for an item of the second document.
func (c cr) path(file string) string {
	var numbers []string
	for _, n := range []int{c.document, c.item} {
		if n > 0 {
			numbers = append(numbers, strconv.Itoa(n))
		}
	}
	if len(numbers) == 0 {
		return file
	}
	return file + "#" + strings.Join(numbers, ".")
}

// candidate reads a file that may hold CRs: one of YAML or JSON, or one without a suffix that looks like a CR. Any other that
// looks like one is passed over and warned of.
func (l *loader) candidate(name string) (crFile, bool) {
	data, err := l.readAnew(name)
	f := crFile{name, data}
	suffix := strings.ToLower(path.Ext(name))
	switch {
	case slices.Contains([]string{".yaml", ".yml", ".json"}, suffix):
		if err != nil {
			l.unreadable(Place{File: l.shown(name)}, err)
		}
		return f, err == nil
	case suffix != "":
		if err == nil && f.looksLikeCR() {
			l.passOver(name, 0, "it looks like a CR, but its name does not end in .yaml, .yml or .json")
		}
		return f, false
	case errors.Is(err, errLarge), errors.Is(err, errNoRegular): // a program, a pipe
		l.passOver(name, 0, "it is no text file of a CR's size")
		return f, false
	case err != nil:
		l.unreadable(Place{File: l.shown(name)}, err)
		return f, false
	}
	return f, f.looksLikeCR()
}

// passOver warns that a file, or what begins at a line of it, is not part of the reference.
func (l *loader) passOver(name string, line int, why string) {
	l.warn(code.RefPassedOver, Place{File: l.shown(name), Line: line}, "passed over: %s", why)
}

// has reports whether a map has all of some keys.
func has(m map[string]string, keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { _, ok := m[k]; return !ok })
}

// looksLikeCR reports whether the file is text with a kind and an apiVersion, and not a metadata file.
func (f crFile) looksLikeCR() bool {
	if bytes.IndexByte(f.data, 0) >= 0 {
		return false
	}
	if documents, ok := yamlfile.JSONDocuments(f.data); ok {
		return slices.ContainsFunc(documents, func(d yamlfile.Excerpt) bool { return jsonHead(d.Text).kind })
	}
	keys := yamlfile.Keys(f.data)
	return has(keys, "apiVersion", "kind") || has(keys, "kind", "metadata") || flowHead(f.data).kind
}

// isMetadata reports whether the file is no CR but the metadata of a reference: it has parts and no kind.
func (f crFile) isMetadata() bool {
	keys := yamlfile.Keys(bytes.ToLower(f.data)) // the case of its keys does not matter
	return has(keys, "parts") && !has(keys, "kind")
}

// crs returns the CRs of a file. What is none is passed over; what may be one and cannot be taken apart is a fault.
func (l *loader) crs(f crFile) []cr {
	documents, isJSON := yamlfile.JSONDocuments(f.data)
	if !isJSON {
		documents = yamlfile.Documents(f.data)
	}
	if len(documents) == 0 {
		l.passOver(f.name, 0, "it is empty")
	}
	several := len(documents) > 1
	var all []cr
	for i, d := range documents {
		one := cr{text: d.Text, before: d.LinesBefore, isJSON: isJSON}
		if several {
			one.document = i + 1
		}
		if isJSON {
			all = append(all, l.jsonCRs(f.name, one)...)
		} else {
			all = append(all, l.yamlCRs(f.name, one)...)
		}
	}
	if len(all) == 1 && !several {
		all[0].item = 0
	}
	return all
}

// head is what tells whether a mapping is a CR.
type head struct {
	apiVersion, kind, metadata bool
	group, kindText            string // as far as they are literal
	items                      bool   // there is a list of that name, or null
}

// isSurely reports whether it is a CR or a List beyond doubt.
func (h head) isSurely() bool { return h.kind && h.apiVersion && h.metadata || h.isList() }

// isList reports whether it is a List, whose items are the CRs.
func (h head) isList() bool { return h.items && strings.HasSuffix(h.kindText, "List") }

const noCR = "it has no apiVersion and kind, so it is no CR"

// notCR says why it is no CR; "" if it is one, or may be meant as one.
func (h head) notCR() string {
	switch {
	case h.group == "kustomize.config.k8s.io", h.kindText == "Kustomization" && h.group == "":
		return "a Kustomization is for kustomize and not for a cluster"
	case h.group == "v1" && h.kindText == "Config":
		return "a kubeconfig is no CR"
	case !h.kind && (!h.apiVersion || !h.metadata): // with both it is a CR whose kind is missing
		return noCR
	}
	return ""
}

// groupOf returns the part of an apiVersion before the slash, or all of it.
func groupOf(apiVersion string) string {
	group, _, _ := strings.Cut(apiVersion, "/")
	return group
}

// numbered gives the items of a List their numbers. One without any is passed over.
func (l *loader) numbered(file string, list cr, items []cr) []cr {
	if len(items) == 0 {
		l.passOver(file, list.before+1, "a List without CRs")
	}
	for i := range items {
		items[i].item = i + 1
	}
	return items
}
