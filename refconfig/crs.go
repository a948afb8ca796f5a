package refconfig

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// cr is the text of a CR in a file of the reference: the file, a document in it, or an item of a
// List. The text may be a template, which is often not valid YAML before it is executed.
type cr struct {
	text     []byte
	before   int // lines of the file before the text
	document int // number in the file, from 1; 0 if the file has only one
	item     int // number in the List, from 1; 0 if it is not in a List
}

// path returns the name of the CR: file.yaml, file.yaml#2 for the second document or item,
// file.yaml#2.3 for the third item of the second document.
func (c cr) path(file string) string {
	if number := cmp.Or(c.document, c.item); number > 0 {
		file = fmt.Sprintf("%s#%d", file, number)
	}
	if c.document > 0 && c.item > 0 {
		file = fmt.Sprintf("%s.%d", file, c.item)
	}
	return file
}

// looksLikeCR reports whether a file is text with a kind and an apiVersion, and not a metadata
// file.
func looksLikeCR(data []byte) bool {
	if bytes.IndexByte(data, 0) >= 0 {
		return false
	}
	keys := marginKeys(data)
	if has(keys, "apiVersion", "kind") || has(keys, "kind", "metadata") {
		return true
	}
	if !kubeyaml.LooksLikeJSON(data) {
		return false
	}
	nodes, err := kubeyaml.Parse(data)
	return err == nil && slices.ContainsFunc(nodes, func(n *kubeyaml.Node) bool { return hasKey(n, "kind") })
}

// isMetadata reports whether a file is the metadata of a reference: it has parts and no kind.
func isMetadata(data []byte) bool {
	keys := marginKeys(bytes.ToLower(data)) // the loader ignores the letter case of keys
	return has(keys, "parts") && !has(keys, "kind")
}

// has reports whether a map has all the keys.
func has(m map[string]string, keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { _, ok := m[k]; return !ok })
}

// crs returns the CRs of a file. It passes over anything that is not a CR, and reports text that may
// be a CR but cannot be read.
func (l *loader) crs(f crFile) (all []cr) {
	if what := kubeyaml.WhatItIs(f.data); what != "" {
		l.fault(code.RefUnreadable, Place{File: l.shown(f.name)}, "this %s", what)
		return nil
	}
	documents := l.jsonDocuments(f.data)
	if len(documents) == 0 {
		documents = templateDocuments(f.data)
	}
	for i, one := range documents {
		if len(documents) > 1 {
			one.document = i + 1
		}
		all = append(all, l.crsOf(f, one)...)
	}
	switch {
	case len(f.data) == 0:
		l.notRead(f.name, 0, "this file is empty; delete it, or get it again")
	case len(documents) == 0:
		l.passOver(f.name, 0, "it is empty")
	case len(documents) == 1 && len(all) == 1:
		all[0].item = 0
	}
	return all
}

// jsonDocuments returns the values of JSON text; none if the text is not JSON.
func (l *loader) jsonDocuments(text []byte) (all []cr) {
	if !kubeyaml.LooksLikeJSON(text) {
		return nil
	}
	nodes, _ := kubeyaml.Limits{Aliases: l.aliases}.ParseAt(text, 0)
	for _, n := range nodes {
		if n.End == 0 { // a template, or YAML in braces
			return nil
		}
		all = append(all, cr{text: text[n.Offset:n.End], before: n.Line - 1})
	}
	return all
}

// crsOf returns the CRs of a document. A document that is not valid YAML before its template is
// executed is a CR if its lines look like one.
func (l *loader) crsOf(f crFile, one cr) []cr {
	nodes, fault := kubeyaml.Limits{Aliases: l.aliases}.ParseAt(one.text, one.before)
	nodes = slices.DeleteFunc(nodes, (*kubeyaml.Node).IsNull)
	keys := marginKeys(one.text)
	isCR := has(keys, "kind") || has(keys, "apiVersion") || has(keys, "metadata")
	switch {
	case fault == nil && len(nodes) == 1:
		return l.split(f, one, one.text, nodes[0])
	case isCR && fault != nil && has(keys, "items") && strings.HasSuffix(keys["kind"], "List"):
		l.fault(code.RefTemplateYAML, Place{File: l.shown(f.name), Line: one.before + 1},
			"this List is not valid YAML, so its items cannot be read (%s); write one CR per file", fault.Message)
		return nil
	case isCR:
		return []cr{one}
	case fault != nil && bytes.Contains(one.text, []byte("{{")): // perhaps a template of another tool
		l.notRead(f.name, one.before+1, "this is not valid YAML, and has no apiVersion and kind; its beginning may be lost")
		return nil
	case fault != nil:
		l.fault(code.RefTemplateYAML, Place{File: l.shown(f.name), Line: max(fault.Line, one.before+1)},
			"this is not valid YAML (%s), so it may be a CR or not; correct it, or move it out of the reference", fault.Message)
		return nil
	}
	l.passOver(f.name, one.before+1, noCR)
	return nil
}

// templateDocuments splits a text into documents. One without content is added to the document
// before it, or to the first one.
func templateDocuments(text []byte) (all []cr) {
	at, begin, before := 0, 0, 0 // offsets of the text that is in no document yet
	for _, d := range kubeyaml.Split(text) {
		at += len(d.Text)
		last := len(all) - 1
		switch bare := isBareText(d.Text); {
		case bare && last < 0:
			continue
		case bare:
			all[last].text = text[begin-len(all[last].text) : at]
		default:
			all = append(all, cr{text: text[begin:at], before: before})
		}
		begin, before = at, d.Base+bytes.Count(d.Text, []byte("\n"))
	}
	if len(all) == 0 && bytes.Contains(text, []byte("{{")) {
		return []cr{{text: text}}
	}
	return all
}

// isBareText reports whether a document has no part of a CR.
func isBareText(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		line = strings.Trim(strings.TrimPrefix(line, kubeyaml.BOM), " \t\r\n")
		if rest, marked := strings.CutPrefix(line, "---"); marked && (rest == "" || rest[0] == ' ') {
			line = rest
		}
		if !isBare(line) {
			return false
		}
	}
	return true
}

// Reasons why a value is not a CR.
const (
	noCR        = "it has no apiVersion and kind, so it is not a CR"
	neverStored = "a cluster answers or logs this, but stores no such CR"
)

// split returns the CRs of a value: itself, the items of a List, or the items of a list of CRs.
// whole is the text that offsets of nodes refer to.
func (l *loader) split(f crFile, one cr, whole []byte, n *kubeyaml.Node) []cr {
	list := n
	switch why := notCR(n); {
	case isList(n) && why != neverStored:
		_, list = n.Field("items")
	case n.Kind == kubeyaml.List && slices.ContainsFunc(n.Values, isSurelyCR):
	case why != "":
		if what := remains(n); what != "" {
			l.fault(code.RefUnreadable, Place{File: l.shown(f.name), Line: n.Line},
				"this %s; get it again, or move it out of the reference", what)
			return nil
		}
		if _, spec := n.Field("spec"); spec != nil && spec.Kind == kubeyaml.Map && !hasKey(spec, "inputs") { // of GitLab
			l.notRead(f.name, n.Line, "this has a spec, but no apiVersion and kind, so its beginning may be lost")
			return nil
		}
		l.passOver(f.name, n.Line, why)
		return nil
	default:
		return []cr{one}
	}
	var all []cr
	for _, item := range list.Values {
		part := cr{text: itemText(whole, item), before: item.Line - 1, document: one.document}
		if part.text == nil {
			l.fault(code.RefTemplateYAML, Place{File: l.shown(f.name), Line: item.Line, Column: item.Column},
				"an item of this List cannot be read on its own; write one CR per file")
			continue
		}
		kind := strings.TrimSuffix(textAt(n, "kind"), "List")
		if kind == "" || len(item.Keys) == 0 || hasKey(item, "apiVersion") || hasKey(item, "kind") {
			all = append(all, l.split(f, part, whole, item)...)
			continue
		}
		part.text = withType(part.text, strconv.Quote(textAt(n, "apiVersion")), strconv.Quote(kind))
		all = append(all, part)
	}
	if len(list.Values) == 0 {
		l.passOver(f.name, one.before+1, "a List without CRs")
	}
	for i := range all {
		all[i].item = i + 1
	}
	return all
}

// withType adds the apiVersion and kind that an item of a typed List may omit.
func withType(text []byte, apiVersion, kind string) []byte {
	if rest, braces := strings.CutPrefix(string(text), "{"); braces {
		return []byte(`{"apiVersion": ` + apiVersion + `, "kind": ` + kind + ", " + rest)
	}
	return append(text, "apiVersion: "+apiVersion+"\nkind: "+kind+"\n"...)
}

// itemText returns the text of a list item: its own text in JSON, and its lines without their
// indentation in YAML. An item with aliases, or on one line with others, is written again with the
// same meaning. itemText returns nil if that is impossible.
func itemText(whole []byte, item *kubeyaml.Node) []byte {
	if item.End > 0 {
		return whole[item.Offset:item.End]
	}
	value := item.Value()
	if text := itemLines(whole, item); means(text, value) {
		return text
	}
	if text, err := kubeyaml.Marshal(value); err == nil && means(text, value) {
		return text
	}
	return nil
}

// means reports whether a text is a YAML document with a given value.
func means(text []byte, value any) bool {
	nodes, err := kubeyaml.Parse(text)
	return err == nil && len(nodes) == 1 && reflect.DeepEqual(nodes[0].Value(), value)
}

// itemLines returns the lines of a list item without their indentation.
func itemLines(whole []byte, item *kubeyaml.Node) []byte {
	var text []byte
	column := item.Column - 1
	start := item.Offset - column
	for line := range strings.Lines(string(whole[start:])) {
		indent := min(column, len(line))
		switch {
		case len(text) == 0 && strings.Trim(line[:indent], " -") != "":
			return nil
		case len(text) > 0 && strings.TrimSpace(line) != "" && indentation(line) < column:
			return text
		case strings.TrimSpace(line) == "":
			indent = min(indentation(line), column)
		}
		text = append(text, line[indent:]...)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text
}

func hasKey(n *kubeyaml.Node, key string) bool {
	name, _ := n.Field(key)
	return name != nil
}

// textAt returns the text of the scalar at a key.
func textAt(n *kubeyaml.Node, key string) string {
	if _, value := n.Field(key); value != nil {
		return value.Text
	}
	return ""
}

// isList reports whether a value is a List of CRs.
func isList(n *kubeyaml.Node) bool {
	_, items := n.Field("items")
	return items != nil && (items.Kind == kubeyaml.List || items.IsNull()) && strings.HasSuffix(textAt(n, "kind"), "List")
}

// isSurelyCR reports whether a value is certainly a CR or a List.
func isSurelyCR(n *kubeyaml.Node) bool {
	return hasKey(n, "kind") && hasKey(n, "apiVersion") && hasKey(n, "metadata") || isList(n)
}

// notCR returns why a value is not a CR, or "" if it is, or may be intended as one.
func notCR(n *kubeyaml.Node) string {
	kind := textAt(n, "kind")
	group, _, _ := strings.Cut(textAt(n, "apiVersion"), "/")
	switch {
	case group == "kustomize.config.k8s.io", kind == "Kustomization" && group == "":
		return "a Kustomization is input of kustomize, not a CR"
	case group == "v1" && kind == "Config":
		return "a kubeconfig is not a CR"
	case kubeyaml.IsNeverStored(textAt(n, "apiVersion"), kind):
		return neverStored
	// A value with apiVersion and metadata is a CR that lacks its kind.
	case !hasKey(n, "kind") && (!hasKey(n, "apiVersion") || !hasKey(n, "metadata")):
		return noCR
	}
	return ""
}

// remains describes a value that is no CR, but may be what is left of one, or "".
func remains(n *kubeyaml.Node) string {
	isError := func() bool {
		return len(n.Keys) == 1 && n.Values[0].IsText() && strings.HasPrefix(strings.ToLower(n.Keys[0].Text), "error")
	}
	switch {
	case n.Kind == kubeyaml.Scalar:
		return "is no mapping, as a CR is"
	case hasKey(n, "metadata") && !hasKey(n, "kind"):
		return "has metadata, but no apiVersion and kind, so its beginning may be lost"
	case isError():
		return "is an error message"
	}
	return ""
}
