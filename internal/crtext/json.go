package crtext

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// jsonHead reads what tells whether a JSON value is a CR.
func jsonHead(text []byte) head {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return head{}
	}
	h := head{apiVersion: fields["apiVersion"] != nil, kind: fields["kind"] != nil, metadata: fields["metadata"] != nil}
	var apiVersion string
	_ = json.Unmarshal(fields["apiVersion"], &apiVersion) // what is no text has none
	_ = json.Unmarshal(fields["kind"], &h.kindText)
	h.group = groupOf(apiVersion)
	var items []json.RawMessage
	h.items = fields["items"] != nil && json.Unmarshal(fields["items"], &items) == nil
	return h
}

// jsonCRs returns the CRs of a JSON value: itself, or the items of a List.
func (r *Reader) jsonCRs(value CR) []CR {
	list, kind := jsonItems(value.Text)
	if list == nil {
		if why := jsonHead(value.Text).notCR(); why != "" {
			r.PassOver(value.Before+1, why)
			return nil
		}
		return []CR{value}
	}
	var all []CR
	rest := value.Text
	for _, item := range list {
		at := bytes.Index(rest, item)
		before := value.Before + bytes.Count(value.Text[:len(value.Text)-len(rest)+at], []byte("\n"))
		rest = rest[at+len(item):]
		if h := jsonHead(item); kind != "" && !h.kind && !h.apiVersion && len(item) > len("{}") && item[0] == '{' {
			item = json.RawMessage(kind + "," + string(item[1:]))
		}
		all = append(all, r.jsonCRs(CR{Text: item, Before: before, document: value.document, IsJSON: true})...)
	}
	return r.numbered(value, all)
}

// jsonItems returns the items of a List, or of an array that holds CRs; nil for anything else. The items of a typed List need not state
// their apiVersion and kind: kind is the beginning of an object with these.
func jsonItems(text []byte) (items []json.RawMessage, kind string) {
	h := jsonHead(text)
	if !h.isList() {
		sure := func(item json.RawMessage) bool { return jsonHead(item).isSurely() }
		if json.Unmarshal(text, &items) != nil || !slices.ContainsFunc(items, sure) {
			return nil, ""
		}
		return items, ""
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(text, &fields) // it was read for its head
	_ = json.Unmarshal(fields["items"], &items)
	if h.kindText != "List" && fields["apiVersion"] != nil {
		kind = `{"apiVersion":` + string(fields["apiVersion"]) + `,"kind":` + strconv.Quote(strings.TrimSuffix(h.kindText, "List"))
	}
	if items == nil {
		items = []json.RawMessage{}
	}
	return items, kind
}
