package tree

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"net/url"
	"strings"
)

// Guard says what of a value is secret. It goes along on the way from an object to its fields, see Below.
type Guard uint8

// The guards.
const (
	Open              Guard = iota // nothing that is known, though there may be Secrets below
	Secret                         // an object of kind Secret
	SecretMetadata                 // its metadata
	SecretAnnotations              // its annotations
	SecretList                     // an object of kind SecretList
	SecretItems                    // its items, whose kind need not be stated
	Hidden                         // secret data
)

// Annotations of Secrets that hold their data.
const (
	lastApplied = "kubectl.kubernetes.io/last-applied-configuration" // a whole copy of the object, by kubectl
	tokenSecret = "openshift.io/token-secret.value"
)

// GuardOf returns the guard of an object, by its kind.
func GuardOf(v any) Guard {
	m, _ := v.(map[string]any)
	if m == nil {
		return Open
	}
	switch m["kind"] {
	case "Secret":
		return Secret
	case "SecretList":
		return SecretList
	}
	return Open
}

// Below returns the guard of what lies in a guarded value: v, at a key of a map, or at an element of a list, whose key is "".
func (g Guard) Below(key string, v any) Guard {
	if g == Open {
		return GuardOf(v)
	}
	switch {
	case g == Hidden:
		return Hidden
	case g == Secret && (key == "data" || key == "stringData" || key == lastApplied):
		return Hidden
	case g == Secret && key == "metadata":
		return SecretMetadata
	case g == SecretMetadata && key == "annotations":
		return SecretAnnotations
	case g == SecretAnnotations && (key == lastApplied || key == tokenSecret):
		return Hidden
	case g == SecretList && key == "items":
		return SecretItems
	case g == SecretItems:
		return Secret
	}
	return GuardOf(v)
}

// Conceal returns v with conceal's answer in the place of everything in it that is secret: the data of Secrets, wherever in v they
// lie, and texts that hold Secrets. It reports whether there was anything; else the result is v itself.
func Conceal(v any, g Guard, conceal func(any) any) (any, bool) {
	if g == Open {
		g = GuardOf(v)
	}
	if g == Hidden {
		return conceal(v), true
	}
	switch v := v.(type) {
	case map[string]any:
		out, changed := make(map[string]any, len(v)), false
		for k, x := range v {
			concealed, found := Conceal(x, g.Below(k, x), conceal)
			out[k], changed = concealed, changed || found
		}
		if changed {
			return out, true
		}
	case []any:
		out, changed := make([]any, len(v)), false
		for i, x := range v {
			concealed, found := Conceal(x, g.Below("", x), conceal)
			out[i], changed = concealed, changed || found
		}
		if changed {
			return out, true
		}
	case string:
		if HoldsSecrets(v) {
			return conceal(v), true
		}
	}
	return v, false
}

// ShownKeys returns the keys in a value that may be shown: of secret data, only the uppermost.
func ShownKeys(v any) map[string]bool {
	keys := map[string]bool{}
	var collect func(v any, g Guard)
	collect = func(v any, g Guard) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				keys[k] = true
				if g != Hidden {
					collect(x, g.Below(k, x))
				}
			}
		case []any:
			for _, x := range v {
				if g != Hidden {
					collect(x, g.Below("", x))
				}
			}
		}
	}
	collect(v, GuardOf(v))
	return keys
}

// HoldsSecrets reports whether a text is, or has in it, the manifest of a Secret: as YAML or JSON, however often that is quoted, or
// as a data URL or base64 of it, compressed or not. It goes by the text alone, so that also a broken manifest is one.
func HoldsSecrets(text string) bool { return holdsSecrets(text, 3) }

func holdsSecrets(text string, layers int) bool {
	const least = len("kind:Secret")
	if len(text) < least {
		return false
	}
	if statesSecret(text) {
		return true
	}
	if layers == 0 {
		return false
	}
	for _, inner := range encoded(text) {
		if holdsSecrets(inner, layers-1) {
			return true
		}
	}
	return false
}

// statesSecret looks for the kind in YAML, JSON, JSON inside JSON, Go's print of a map, and all of these in a URL.
func statesSecret(text string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], "Secret")
		if i < 0 {
			return false
		}
		before, after := text[:at+i], strings.TrimPrefix(text[at+i+len("Secret"):], "List")
		at += i + len("Secret")
		if after != "" && isWord(after[0]) {
			continue
		}
		before = trimAll(before, `"`, "'", `\`, "%22", "%27", "%5c", "%5C")
		before = trimAll(before, " ", "\t", "\r", "\n", "+", "%20", "%09", "%0d", "%0D", "%0a", "%0A")
		trimmed := trimOne(before, ":", "=", "%3a", "%3A", "%3d", "%3D")
		if trimmed == before {
			continue
		}
		before = trimAll(trimmed, " ", "\t", "+", "%20", "%09")
		before = trimAll(before, `"`, "'", `\`, "%22", "%27", "%5c", "%5C")
		if strings.HasSuffix(before, "kind") {
			return true
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// trimOne takes one of some endings off a text.
func trimOne(text string, endings ...string) string {
	for _, e := range endings {
		if rest, found := strings.CutSuffix(text, e); found {
			return rest
		}
	}
	return text
}

// trimAll takes all of some endings off a text.
func trimAll(text string, endings ...string) string {
	for {
		rest := trimOne(text, endings...)
		if rest == text {
			return text
		}
		text = rest
	}
}

// encoded returns what is encoded in a text: all of it, or the data URLs in it.
func encoded(text string) []string {
	var found []string
	rest := text
	for {
		_, after, ok := strings.Cut(rest, "base64,")
		if !ok {
			break
		}
		rest = after
		if s, ok := fromBase64(leadingBase64(after)); ok {
			found = append(found, s)
		}
	}
	if strings.Contains(text, "data:") && strings.Contains(text, "%") {
		if s, err := url.PathUnescape(text); err == nil {
			found = append(found, s)
		}
	}
	if onlyBase64(text) {
		if s, ok := fromBase64(strings.Join(strings.Fields(text), "")); ok {
			found = append(found, s)
		}
	}
	return found
}

// isBase64 knows the characters of both alphabets.
func isBase64(c byte) bool {
	return isWord(c) || c == '+' || c == '/' || c == '-' || c == '='
}

// onlyBase64 reports whether a text is base64, perhaps in lines.
func onlyBase64(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isBase64(c) && c != '\n' && c != '\r' && c != ' ' {
			return false
		}
	}
	return true
}

// leadingBase64 returns the base64 that a text begins with.
func leadingBase64(text string) string {
	for i := range len(text) {
		if !isBase64(text[i]) {
			return text[:i]
		}
	}
	return text
}

// fromBase64 decodes a text of either alphabet, with padding or without, as far as that is possible, and uncompresses what it finds.
func fromBase64(text string) (string, bool) {
	text = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(text), "=")
	data := make([]byte, base64.RawStdEncoding.DecodedLen(len(text)))
	n, _ := base64.RawStdEncoding.Decode(data, []byte(text)) // what stands before a fault is looked at
	data = data[:n]
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		const most = 4 << 20
		if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, _ = io.ReadAll(io.LimitReader(z, most)) // as far as it goes
		}
	}
	return string(data), len(data) > 0
}
