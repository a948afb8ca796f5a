package kubeyaml

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
)

// Resolve returns the value that Kubernetes gives a scalar: string, bool, int64, float64 or nil.
// The rules are those of `kubectl apply`: YAML 1.1 for plain text, then JSON, where a float without
// a fraction is an integer. For a scalar without a value in Kubernetes (a tag that does not fit,
// .inf, .nan) it returns the text; Parse rejects such a scalar.
func Resolve(text string, style Style, tag string) any {
	value, fault := resolve(text, style, tag)
	if fault != "" {
		return text
	}
	return value
}

// resolve does the same as Resolve, and also returns the fault of the scalar, or "".
func resolve(text string, style Style, tag string) (value any, fault string) {
	switch tag {
	case "":
		if style != Plain {
			return text, ""
		}
	case "!!str", "!!timestamp":
		return text, ""
	case "!!binary":
		return resolveBinary(text)
	case "!!bool", "!!int", "!!float", "!!null":
		return resolveTagged(text, tag)
	default:
		return text, "" // the YAML reader of Kubernetes treats a scalar with an unknown tag as text
	}
	switch v := ResolvePlain(text).(type) {
	case float64:
		return jsonNumber(text, v)
	case uint64:
		return float64(v), ""
	default:
		return v, ""
	}
}

// resolveTagged resolves text, quoted or not, to the type of its tag.
func resolveTagged(text, tag string) (value any, fault string) {
	switch v := ResolvePlain(text).(type) {
	case nil:
		if tag == "!!null" {
			return nil, ""
		}
	case bool:
		if tag == "!!bool" {
			return v, ""
		}
	case int64:
		if tag == "!!int" {
			return v, ""
		}
		if tag == "!!float" {
			return jsonNumber(text, float64(v))
		}
	case uint64:
		if tag == "!!int" {
			return float64(v), ""
		}
	case float64:
		if tag == "!!float" {
			return jsonNumber(text, v)
		}
	}
	return nil, "the value does not fit its tag " + tag
}

func resolveBinary(text string) (value any, fault string) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, "a value with the tag !!binary must be base64"
	}
	return string([]rune(string(data))), "" // as JSON does: each byte of invalid UTF-8 becomes U+FFFD
}

// jsonNumber converts a float as a round trip through JSON does: a number without fraction and
// exponent becomes an integer if it fits.
func jsonNumber(text string, f float64) (value any, fault string) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, quote(text) + " is not a value that Kubernetes can store; quote it if it is text"
	}
	if math.Abs(f) >= 1e21 || f != math.Trunc(f) {
		return f, ""
	}
	// The number is converted through its shortest decimal, as in JSON, which may differ from the
	// exact value in the last digits.
	if i, err := strconv.ParseInt(strconv.FormatFloat(f, 'f', -1, 64), 10, 64); err == nil {
		return i, ""
	}
	return f, ""
}

// KeyString returns a map key as JSON has it: "true" for y, "8" for 010. It returns "" for a key
// that is not a scalar.
func KeyString(n *Node) string {
	key, _ := keyString(n)
	return key
}

// keyString does the same as KeyString, and also returns the fault of the key, or "".
func keyString(n *Node) (key, fault string) {
	switch {
	case n.Kind != Scalar:
		return "", "a map or a list is used as a key; quote the braces if they are text"
	case n.Tag() != "":
		value, fault := resolve(n.Text, n.Style, n.Tag())
		if text, isString := value.(string); isString || fault != "" {
			return text, fault
		}
	case n.Style != Plain, IsWord(n.Text):
		return n.Text, ""
	}
	switch v := ResolvePlain(n.Text).(type) {
	case string:
		return v, ""
	case bool:
		return strconv.FormatBool(v), ""
	case int64:
		return strconv.FormatInt(v, 10), ""
	case float64:
		return floatKey(v), ""
	case uint64:
		return "", "the number " + n.Text + " is too large for a key; quote it"
	}
	return "", "a key is null; quote it"
}

// floatKey formats a number used as a key as Kubernetes' YAML reader does: with 32-bit precision.
func floatKey(f float64) string {
	switch text := strconv.FormatFloat(f, 'g', -1, 32); text {
	case "+Inf":
		return ".inf"
	case "-Inf":
		return "-.inf"
	case "NaN":
		return ".nan"
	default:
		return text
	}
}

// quote shortens text for a message.
func quote(text string) string {
	const most = 40
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
