package main

import (
	"bytes"
	"slices"
)

// The marks in the text of a stamp, replaced by the values of each object. They are control
// characters, which no other text has. The last two are always in quotes.
const (
	markName    = "\x01"
	markSpace   = "\x02"
	markUID     = "\x03"
	markWord    = "\x04" // any other value that differs between objects
	markTime    = "\x05"
	markVersion = "\x06"

	marks = markName + markSpace + markUID + markWord // marks without quotes
)

func isMark(c byte) bool { return c >= markName[0] && c <= markVersion[0] }

// stamp prints objects that differ only in a few values, much faster than a printer of YAML.
type stamp struct {
	apiVersion, kind string
	single, item     []piece // as a document, and as an item of a List
}

// piece is a text and the mark after it, or 0.
type piece struct {
	text []byte
	mark byte
}

// values are the values for the marks of an object.
type values struct{ name, space, uid, word, time, version string }

// newStamp returns the stamp of an object, and fills in its metadata.
func newStamp(apiVersion, kind string, body map[string]any) stamp {
	metadata := map[string]any{
		"name":              markName,
		"uid":               markUID,
		"resourceVersion":   markVersion,
		"creationTimestamp": markTime,
	}
	if kind != "Event" {
		metadata["labels"] = map[string]any{
			"app.kubernetes.io/name":    markName,
			"app.kubernetes.io/part-of": "benchmark",
		}
	}
	if isNamespaced(kind) {
		metadata["namespace"] = markSpace
	}
	object := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata}
	for key, value := range body {
		object[key] = value
	}
	if kind != "Event" && kind != "Secret" {
		metadata["managedFields"] = managedFields(object, "controller-manager", markTime)
	}
	text := document(object)
	return stamp{apiVersion: apiVersion, kind: kind, single: pieces(text), item: pieces(asItem(text))}
}

// asItem indents a document as an item of a List.
func asItem(text []byte) []byte {
	text = bytes.ReplaceAll(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"), []byte("\n  "))
	return slices.Concat([]byte("- "), text, []byte("\n"))
}

// pieces cuts a text at its marks.
func pieces(text []byte) []piece {
	var all []piece
	for {
		i := bytes.IndexFunc(text, func(c rune) bool { return c < 0x80 && isMark(byte(c)) })
		if i < 0 {
			return append(all, piece{text: text})
		}
		all = append(all, piece{text: text[:i], mark: text[i]})
		text = text[i+1:]
	}
}

// appendTo appends the pieces with the values of an object between them.
func appendTo(b []byte, all []piece, v values) []byte {
	for _, p := range all {
		b = append(b, p.text...)
		switch p.mark {
		case markName[0]:
			b = append(b, v.name...)
		case markSpace[0]:
			b = append(b, v.space...)
		case markUID[0]:
			b = append(b, v.uid...)
		case markWord[0]:
			b = append(b, v.word...)
		case markTime[0]:
			b = append(b, v.time...)
		case markVersion[0]:
			b = append(b, v.version...)
		}
	}
	return b
}

// managedFields returns the entries by which an API server records who set which field.
func managedFields(object map[string]any, manager, when string) []any {
	own := map[string]any{}
	for key, value := range object {
		if key != "apiVersion" && key != "kind" && key != "metadata" && key != "status" {
			own["f:"+key] = fieldSet(value)
		}
	}
	entry := func(set map[string]any, more ...string) map[string]any {
		e := map[string]any{
			"apiVersion": object["apiVersion"],
			"fieldsType": "FieldsV1",
			"fieldsV1":   set,
			"manager":    manager,
			"operation":  "Update",
			"time":       when,
		}
		if len(more) > 0 {
			e["subresource"] = more[0]
		}
		return e
	}
	entries := []any{entry(own)}
	if status, ok := object["status"]; ok {
		entries = append(entries, entry(map[string]any{"f:status": fieldSet(status)}, "status"))
	}
	return entries
}

// fieldSet lists the keys of a value.
func fieldSet(v any) map[string]any {
	set := map[string]any{}
	if m, ok := v.(map[string]any); ok && len(m) > 0 {
		set["."] = map[string]any{}
		for key, value := range m {
			set["f:"+key] = fieldSet(value)
		}
	}
	return set
}
