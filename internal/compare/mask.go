package compare

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// lastApplied is the annotation in which kubectl keeps a whole copy of an object.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// masker knows what the collector of an archive writes in place of values. What stands behind such a mask is unknown: it is no
// drift, and it is not compared.
type masker struct {
	layout string
	id     manifest.ID
	paths  []refconfig.FieldPath // of the values that were found masked
}

// unmask turns drift into an expected difference wherever the input holds a mask instead of a value.
func (m *masker) unmask(p *Pair, path refconfig.FieldPath) {
	for _, kid := range p.Kids {
		m.unmask(kid, extend(path, kid.Step))
	}
	if p.Kids != nil || p.Category != Drift || !p.Right.Present {
		return
	}
	switch {
	case m.emptied(p.Left.Data, p.Right.Data):
		p.Message = `the collector writes "null" for an empty value`
	case m.masks(path, p.Left.Data, p.Right.Data):
		p.Message = "masked by the collector, so it was not compared"
		m.paths = append(m.paths, path)
	default:
		return
	}
	p.Category, p.Code = Expected, code.EvalMasked
}

// emptied reports whether a value is what support-bundle-kit makes of an empty one: it edits the JSON as text.
func (m *masker) emptied(left, right any) bool {
	return m.layout == source.LayoutSupportBundleKit && right == "null" && (left == nil || left == "")
}

// masks reports whether the collector put a mask in the place of a value.
//
// oc adm inspect writes "N bytes long" for the data of a Secret, asterisks for the password in a Proxy's URL, and nothing for the
// key of a Route and for two annotations of a Secret; the Insights operator an x for every character; sos eight asterisks.
func (m *masker) masks(path refconfig.FieldPath, left, right any) bool {
	text, ok := right.(string)
	if !ok {
		return false
	}
	switch m.layout {
	case source.LayoutMustGather, source.LayoutInspect:
		return m.inspectMasks(path, left, text)
	case source.LayoutInsights:
		was, ok := left.(string)
		return ok && text != "" && strings.Trim(text, "x") == "" && utf8.RuneCountInString(was) == len(text)
	case source.LayoutSOS:
		return blotted(left, text, "********")
	}
	return false
}

func (m *masker) inspectMasks(path refconfig.FieldPath, left any, right string) bool {
	if len(path) < 2 {
		return false
	}
	last := path[len(path)-1].Key
	switch m.id.Kind {
	case "Secret":
		if path[0].Key == "data" {
			data, err := base64.StdEncoding.DecodeString(right)
			size, found := strings.CutSuffix(string(data), " bytes long")
			return err == nil && found && size != "" && strings.Trim(size, "0123456789") == ""
		}
		return right == "" && path[0].Key == "metadata" && (last == "openshift.io/token-secret.value" || last == lastApplied)
	case "Route":
		return right == "" && path.String() == "spec.tls.key"
	case "Proxy":
		return blotted(left, right, "****")
	}
	return false
}

// blotted reports whether a value could be another one in which the mask stands for some of the text.
func blotted(value any, text, mask string) bool {
	was, ok := value.(string)
	parts := strings.Split(text, mask)
	if !ok || len(parts) < 2 {
		return false
	}
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(`\A(?s:` + strings.Join(parts, ".*") + `)\z`).MatchString(was)
}

// maskedWarning warns of the values of a CR that could not be compared.
func maskedWarning(c *Comparison) (Warning, bool) {
	if len(c.Masked) == 0 {
		return Warning{}, false
	}
	const most = 3
	var names []string
	for _, path := range c.Masked[:min(most, len(c.Masked))] {
		names = append(names, path.String())
	}
	more := ""
	if n := len(c.Masked) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return Warning{Code: code.EvalMasked, Place: Where(c.Source), Message: fmt.Sprintf(
		"%s: masked by the collector, so not compared: %s%s", c.Object, strings.Join(names, ", "), more)}, true
}
