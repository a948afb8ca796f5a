package manifest

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// isReply reports whether a value is nothing but the reply of a web server that failed, as it is
// stored in place of a file: {"message": "Not Found"}. It has only fields of such replies, and one
// of them says what failed.
func (r *reader) isReply(h *head) bool {
	const longest = 4 << 10
	if len(h.source.text) > longest || !h.fields {
		return false
	}
	n, _, _ := r.decoded(h)
	only, failed := replyIn(n)
	return only && failed
}

// replyIn reports whether a map has only fields of the reply of a server, and whether one says what
// failed.
func replyIn(n *kubeyaml.Node) (only, failed bool) {
	if n == nil || n.Kind != kubeyaml.Map {
		return false, false
	}
	for i, key := range n.Keys {
		name := strings.ToLower(kubeyaml.KeyString(key))
		value := n.Values[i]
		switch {
		case !slices.Contains(replyFields(), name):
			return false, false
		case value.Kind == kubeyaml.Scalar:
			failed = failed || name != "path" && name != "documentation_url" && isFailure(value.Text)
			continue
		case value.Kind == kubeyaml.Map:
			value = &kubeyaml.Node{Values: []*kubeyaml.Node{value}}
		}
		for _, one := range value.Values { // errors
			if one.Kind != kubeyaml.Map {
				return false, false
			}
			inside, says := replyIn(one)
			if !inside {
				return false, false
			}
			failed = failed || says
		}
	}
	return true, failed
}

// replyFields are the fields, in lower case, of replies of Git servers, registries and API gateways
// that failed.
func replyFields() []string {
	return []string{
		"message", "error", "errors", "status", "statuscode", "status_code", "code", "reason", "detail", "details", "title",
		"type", "path", "instance", "timestamp", "documentation_url", "request_id", "requestid", "error_description",
	}
}

// isFailure reports whether a text begins with the number of an error of HTTP, or is the name of one.
func isFailure(text string) bool {
	text = strings.ToLower(strings.NewReplacer("_", " ", "-", " ", ".", "").Replace(text))
	number, _, _ := strings.Cut(text, " ")
	return collector.IsStatusCode(number) || slices.Contains([]string{
		"not found", "unauthorized", "forbidden", "bad request", "bad gateway", "bad credentials", "access denied",
		"service unavailable", "internal server error", "gateway timeout", "too many requests", "method not allowed",
		"invalid token", "page not found", "authentication required",
	}, text)
}
