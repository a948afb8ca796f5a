package manifest

import (
	"bytes"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/scan"
)

// claimsObjects says of text that does not parse whether it was meant to be Kubernetes objects, as far as its keys tell: those of
// an object at the top, or an apiVersion or kind of Kubernetes right at its beginning. Logs hold such lines too, so a file of another
// name must begin with one.
func (r *reader) claimsObjects(text []byte) bool {
	switch {
	case r.ownFormat(text):
		return false
	case scan.LooksLikeJSON(text): // as the prompt of a shell does: [root@host ~]#
		return scan.ClaimsInBraces(text) || r.name.manifest && scan.ClaimsInLines(text, true)
	case !r.name.manifest && !scan.BeginsObject(text):
		return false
	}
	return scan.ClaimsInLines(text, r.name.excuse != "")
}

// ownFormat says of a file that is excused by its name whether its format has an apiVersion of its own.
func (r *reader) ownFormat(text []byte) bool {
	switch r.name.excuse {
	case PassedTemplate:
		full := strings.ToLower(pathOf(r.file, r.entry))
		return path.Ext(full) == ".tpl" || path.Base(full) == "chart.yaml" || path.Base(full) == "chart.lock"
	case PassedKustomize:
		return bytes.Contains(text, []byte("kustomize.config.k8s.io"))
	}
	return false
}
