package compare

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/validationtool/validationtool/internal/finding"
)

// clusterVersion is the kind of the object that has the version of a cluster.
const clusterVersion = "ClusterVersion"

// otherVersion describes the versions of the cluster and of the reference if the differences of a
// ClusterVersion show that the versions differ; else it returns "".
func otherVersion(of finding.Object, all []finding.Difference) string {
	if of.Kind != clusterVersion || of.APIVersion != "config.openshift.io/v1" {
		return ""
	}
	at := regexp.MustCompile(`^status\.(desired|history\.[0-9]+)\.version$`)
	for _, d := range all {
		if d.Category == finding.Drift && d.Reference != nil && d.Input != nil && at.MatchString(d.Path) {
			return fmt.Sprintf("the cluster is %s, the reference is for %s", unquoted(d.Input), unquoted(d.Reference))
		}
	}
	return ""
}

// unquoted formats a JSON value, a string without its quotes.
func unquoted(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}
