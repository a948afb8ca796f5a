package collector

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/validationtool/validationtool/refconfig"
)

// Value is a value of an input object that differs from the expected value.
type Value struct {
	Kind            string // kind of the object
	Path            refconfig.FieldPath
	Expected, Found any
}

// Mask is the kind of replacement that a collector writes for a value.
type Mask int

// The masks. The original of a hidden value is unknown.
const (
	NoMask  Mask = iota
	Hides        // the value is hidden
	Empties      // the collector writes an empty value as the text null
)

// MaskOf returns the mask, if any, that the collector of a layout put in place of a value.
func MaskOf(layout string, v Value) Mask {
	for _, c := range table() {
		if c.layout == layout {
			return c.masked(v)
		}
	}
	return NoMask
}

// IsMaskedSecret reports whether oc adm inspect masked all data of a Secret, so that the Secret was
// copied out of a support archive.
func IsMaskedSecret(secret map[string]any) bool {
	data, _ := secret["data"].(map[string]any)
	for key, v := range data {
		if inspectMasked(Value{Kind: "Secret", Path: refconfig.PathOf("data", key), Found: v}) != Hides {
			return false
		}
	}
	return len(data) > 0
}

func hiddenIf(hidden bool) Mask {
	if hidden {
		return Hides
	}
	return NoMask
}

// emptied recognises empty values after support-bundle-kit, which edits the JSON as text.
func emptied(v Value) Mask {
	if v.Found == "null" && (v.Expected == nil || v.Expected == "") {
		return Empties
	}
	return NoMask
}

// crossedOut recognises the mask of the Insights operator: an x for every character.
func crossedOut(v Value) Mask {
	text, _ := v.Found.(string)
	was, ok := v.Expected.(string)
	return hiddenIf(ok && text != "" && strings.Trim(text, "x") == "" && utf8.RuneCountInString(was) == len(text))
}

// starred recognises the eight asterisks of sos.
func starred(v Value) Mask { return hiddenIf(v.blotted("********")) }

// inspectMasked recognises the masks of oc adm inspect: "N bytes long" for the data of a Secret,
// asterisks for the password in a Proxy's URL, and an empty text for the key of a Route and for two
// annotations of a Secret.
func inspectMasked(v Value) Mask {
	text, ok := v.Found.(string)
	if !ok || len(v.Path) < 2 {
		return NoMask
	}
	last := v.Path[len(v.Path)-1].Key
	switch v.Kind {
	case "Secret":
		if v.Path[0].Key == "data" {
			data, err := base64.StdEncoding.DecodeString(text)
			size, found := strings.CutSuffix(string(data), " bytes long")
			return hiddenIf(err == nil && found && size != "" && strings.Trim(size, "0123456789") == "")
		}
		return hiddenIf(text == "" && v.Path[0].Key == "metadata" &&
			(last == "openshift.io/token-secret.value" || last == "kubectl.kubernetes.io/last-applied-configuration"))
	case "Route":
		return hiddenIf(text == "" && v.Path.String() == "spec.tls.key")
	case "Proxy":
		return hiddenIf(v.blotted("****"))
	}
	return NoMask
}

// blotted reports whether the found value can be the expected value with a part of its text
// replaced by the mask.
func (v Value) blotted(mask string) bool {
	was, expected := v.Expected.(string)
	text, found := v.Found.(string)
	parts := strings.Split(text, mask)
	if !expected || !found || len(parts) < 2 {
		return false
	}
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(`\A(?s:` + strings.Join(parts, ".*") + `)\z`).MatchString(was)
}
