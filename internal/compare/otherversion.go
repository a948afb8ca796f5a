package compare

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
)

// clusterVersion is the kind of the object that has the version of a cluster.
const clusterVersion = "ClusterVersion"

// otherVersion returns an alarm if the differences of a ClusterVersion show that the reference is for
// another version than the cluster has. The alarm names the release of the reference that is wanted.
func otherVersion(of finding.Object, all []finding.Difference) (finding.Warning, bool) {
	if of.Kind != clusterVersion || of.APIVersion != "config.openshift.io/v1" {
		return finding.Warning{}, false
	}
	at := regexp.MustCompile(`^status\.(desired|history\.[0-9]+)\.version$`)
	for _, d := range all {
		if d.Category != finding.Drift || d.Reference == nil || d.Input == nil || !at.MatchString(d.Path) {
			continue
		}
		is, of := unquoted(d.Input), unquoted(d.Reference)
		w := finding.Warning{Code: code.WrongReference, Release: releaseFor(is, of)}
		w.Message = "the cluster is " + is + ", the reference is for " + of + ": this may be the wrong reference" +
			finding.Prefixed("; use the one for ", w.Release)
		return w, true
	}
	return finding.Warning{}, false
}

// releaseFor returns the release of the reference for a cluster of a version: its minor version, or
// the version if the other reference is for the same minor version; "" if it has none. The reference
// may state an expression.
func releaseFor(version, other string) string {
	minor := regexp.MustCompile(`^[0-9]+\.[0-9]+`).FindString(version)
	if other = strings.ReplaceAll(other, `\`, "") + "."; minor != "" && strings.HasPrefix(other, minor+".") {
		return version
	}
	return minor
}

// unquoted formats a JSON value, a string without its quotes.
func unquoted(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}
