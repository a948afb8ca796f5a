// Package crtext tells which CRs a file has, each as the text that stands there: a text may be a template, which is no YAML before it is
// executed, and is changed nowhere but where an item of a List needs what the List states for it.
//
// In: the bytes of a file. Out: texts with their places in it, and by callback what is no CR, and why.
package crtext

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/yamlfile"
)

// CR is a CR of a file: the file as a whole, a document of it, or an item of a List in one.
type CR struct {
	Text     []byte
	Before   int  // lines of the file before the text
	IsJSON   bool // the text is JSON
	document int  // its number in the file, from 1; 0 if the file has one only
	item     int  // its number in the List, from 1; 0 if it is in none
}

// Reader reads files. Faults that its Reader notes are of the code RefTemplateYAML, or of those it has.
type Reader struct {
	yamlfile.Reader
	PassOver func(line int, why string) // is told what is no CR, by the line where it begins; 0 for the file as a whole
}

// Path names the CR: file.yaml, file.yaml#2 for the second document or item, file.yaml#2.3 for an item of the second document.
func (c CR) Path(file string) string {
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

// has reports whether a map has all of some keys.
func has(m map[string]string, keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { _, ok := m[k]; return !ok })
}

// LooksLikeCR reports whether a file is text with a kind and an apiVersion, and not a metadata file.
func LooksLikeCR(data []byte) bool {
	if bytes.IndexByte(data, 0) >= 0 {
		return false
	}
	if documents, ok := yamlfile.JSONDocuments(data); ok {
		return slices.ContainsFunc(documents, func(d yamlfile.Excerpt) bool { return jsonHead(d.Text).kind })
	}
	keys := yamlfile.Keys(data)
	return has(keys, "apiVersion", "kind") || has(keys, "kind", "metadata") || flowHead(data).kind
}

// IsMetadata reports whether a file is no CR but the metadata of a reference: it has parts and no kind.
func IsMetadata(data []byte) bool {
	keys := yamlfile.Keys(bytes.ToLower(data)) // the case of its keys does not matter
	return has(keys, "parts") && !has(keys, "kind")
}

// CRs returns the CRs of a file. What is none is passed over; what may be one and cannot be taken apart is a fault.
func (r *Reader) CRs(data []byte) []CR {
	documents, isJSON := yamlfile.JSONDocuments(data)
	if !isJSON {
		documents = yamlfile.Documents(data)
	}
	if len(documents) == 0 {
		r.PassOver(0, "it is empty")
	}
	several := len(documents) > 1
	var all []CR
	for i, d := range documents {
		one := CR{Text: d.Text, Before: d.LinesBefore, IsJSON: isJSON}
		if several {
			one.document = i + 1
		}
		if isJSON {
			all = append(all, r.jsonCRs(one)...)
		} else {
			all = append(all, r.yamlCRs(one)...)
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
func (r *Reader) numbered(list CR, items []CR) []CR {
	if len(items) == 0 {
		r.PassOver(list.Before+1, "a List without CRs")
	}
	for i := range items {
		items[i].item = i + 1
	}
	return items
}
