package manifest

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// meaning says how surely a text or value was meant to be CRs. What was meant to be CRs and is none
// is lost; see Lost.
type meaning uint8

const (
	meansOther meaning = iota // it is something else, or the name of its file excuses it
	meansMaybe                // it may have been CRs: it is lost if the name of its file says so
	meansCRs                  // it is CRs or was meant to be, whatever the name of its file is
)

// meaning returns what a value was meant to be.
func (r *reader) meaning(h *head) meaning {
	isHelm, isKustomize := r.hints.Chart, r.name.excuse == PassedKustomize
	excused := isHelm || r.name.excuse != "" || r.name.lines // of data sets: a damaged line does not parse
	switch {
	case h.isObject(), h.isList(), h.isMeant() && !isHelm && !isKustomize:
		return meansCRs
	case !excused && h.fields && (h.isRest() || r.isStump(h)) && !r.isForeign(h):
		return meansMaybe
	}
	return meansOther
}

// meaningOfText returns what a text that does not parse was meant to be, the kinds of CRs that it
// names, and why it is passed over if it was not meant to be CRs.
func (r *reader) meaningOfText(text []byte) (m meaning, kinds []string, reason Reason) {
	switch {
	case r.hints.Chart && !r.name.holds:
		return meansOther, nil, PassedRaw
	case r.name.excuse == "" && (r.name.gathered || r.hints.Kind != ""), r.claimsObjects(text):
		return meansCRs, nil, ""
	case r.name.excuse != "":
		return meansOther, nil, r.name.excuse
	case r.name.comments && !bytes.Contains(text, []byte("apiVersion")): // JSON5 is not all read
		return meansOther, nil, PassedBroken
	case r.name.manifest && len(named(text, "apiVersion")) > 0:
		kinds = named(text, "kind")
	}
	return meansMaybe, kinds, PassedBroken
}

// claimsObjects reports whether text that does not parse was probably meant as Kubernetes objects.
// Its keys decide: those of an object at the top level, or an apiVersion or kind of Kubernetes at
// the very beginning. Logs contain such lines too, so a file without a manifest's extension must
// begin with one.
func (r *reader) claimsObjects(text []byte) bool {
	switch {
	case r.ownFormat(text):
		return false
	case kubeyaml.LooksLikeJSON(text): // or like a shell prompt: [root@host ~]#
		return claimsInBraces(text) || r.name.manifest && claimsInLines(text, true)
	case !r.name.manifest && !beginsObject(text):
		return false
	}
	return claimsInLines(text, r.name.excuse != "")
}

// ownFormat reports whether a file whose name shows that it need not hold objects (a template, a
// kustomization) has an apiVersion of its own format.
func (r *reader) ownFormat(text []byte) bool {
	switch r.name.excuse {
	case PassedTemplate:
		full := strings.ToLower(pathOf(r.file, r.entry))
		return path.Ext(full) == ".tpl" || path.Base(full) == "chart.yaml" || path.Base(full) == "chart.lock"
	case PassedKustomize:
		return bytes.Contains(text, []byte(kustomizeGroup))
	}
	return false
}

// isMeant reports whether a value that is not an object has kind and metadata, or metadata and a
// kind that is not a string.
func (h *head) isMeant() bool {
	return !h.isObject() && h.metadata && (h.kind != "" || h.oddKind && h.apiVersion != "")
}

// isRest reports whether a map has metadata like those of an object, but lacks its kind or
// apiVersion, as if lines of it were lost.
func (h *head) isRest() bool {
	one := h.apiVersion != "" || h.kind != "" || h.oddKind
	return !h.isObject() && (h.metadata || h.oddMetadata) && one || h.metadata && h.name+h.namespace != ""
}

// isStump reports whether a map has only the beginning of an object.
func (r *reader) isStump(h *head) bool {
	const longest = 4 << 10 // a longer text is no mere beginning, and is not decoded for this
	if len(h.source.text) > longest {
		return false
	}
	n, _, _ := r.decoded(h)
	others := func(n *kubeyaml.Node, keys ...string) bool {
		return slices.ContainsFunc(n.Keys, func(key *kubeyaml.Node) bool {
			return !slices.Contains(keys, kubeyaml.KeyString(key))
		})
	}
	if n == nil || len(n.Keys) == 0 || others(n, "apiVersion", "kind", "metadata") {
		return false
	}
	_, version := n.Field("apiVersion")
	_, metadata := n.Field("metadata")
	switch {
	case version != nil:
		return true
	case h.kind != "":
		return h.kind[0] >= 'A' && h.kind[0] <= 'Z'
	case metadata != nil && metadata.Kind == kubeyaml.Map: // what other programs call metadata has other keys
		return len(metadata.Keys) > 0 && !others(metadata, "name", "namespace", "labels", "annotations", "creationTimestamp")
	}
	return true
}

// isForeign reports whether a value without apiVersion and kind says its format in the way of another
// tool: of Butane, or of a devfile.
func (r *reader) isForeign(h *head) bool {
	n, _, _ := r.decoded(h)
	has := func(key string) bool {
		_, value := n.Field(key)
		return textOf(value) != ""
	}
	return h.apiVersion == "" && h.kind == "" && (has("variant") && has("version") || has("schemaVersion"))
}

// LooksLikeObjects reports whether a file that begins with these bytes (512 are enough) may contain
// Kubernetes objects: YAML or JSON with an apiVersion or a kind, or with the items of a List first.
// It is for files whose name says nothing. It accepts no logs, but misses objects whose apiVersion
// and kind are further down.
func LooksLikeObjects(first []byte) bool {
	rest := firstContent(kubeyaml.DecodeText(first))
	if len(rest) == 0 {
		return false
	}
	if rest[0] == '{' || rest[0] == '[' {
		return beginsLikeJSON(rest) && hasJSONKey(rest) && !bytes.Contains(rest, []byte("audit.k8s.io"))
	}
	if !beginsWithKey(afterDashes(rest)) {
		return false
	}
	for line := range bytes.Lines(rest) {
		key, _ := keyAt(afterDashes(line))
		if slices.Contains([]string{"apiVersion", "kind", "items"}, key) {
			return true
		}
	}
	return false
}

// firstContent skips blank lines, comments, directives, document separators and what a shell or a
// client prints before CRs.
func firstContent(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, " \t\r\n")
		separator := kubeyaml.IsMarker(b, "---") || kubeyaml.IsMarker(b, "...")
		switch {
		case separator:
			b = b[len("---"):]
		case len(b) > 0 && (b[0] == '#' || b[0] == '%'):
			b = b[kubeyaml.LineLength(b):]
		case collector.IsOpening(b):
			b = b[collector.NoiseLength(b):]
		default:
			return b
		}
	}
}

// beginsLikeJSON distinguishes an object or a list of objects from a line of a log that begins with
// a bracket.
func beginsLikeJSON(b []byte) bool {
	next := bytes.TrimLeft(b[1:], " \t\r\n")
	if b[0] == '[' {
		return len(next) > 0 && next[0] == '{'
	}
	return len(next) > 0 && next[0] == '"'
}

func hasJSONKey(b []byte) bool {
	for _, key := range []string{`"apiVersion"`, `"kind"`, `"items"`} {
		if bytes.Contains(b, []byte(key)) {
			return true
		}
	}
	return false
}

// beginsWithKey reports whether b begins like "word: " or "word:" at the end of a line.
func beginsWithKey(b []byte) bool {
	word, after, found := bytes.Cut(b, []byte(":"))
	if !found || len(word) == 0 || len(after) > 0 && strings.IndexByte(" \t\r\n", after[0]) < 0 {
		return false
	}
	for _, c := range bytes.Trim(word, `"'`) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("._-/", c) < 0 {
			return false
		}
	}
	return true
}
