package finding

import (
	"encoding/json"
	"fmt"
	"regexp"
)

// ClusterVersion is the kind of the object that has the version of a cluster.
const ClusterVersion = "ClusterVersion"

// OtherVersion describes the versions of the cluster and of the reference if the differences of a
// ClusterVersion show that the versions differ; else it returns "".
func OtherVersion(of Object, all []Difference) string {
	if of.Kind != ClusterVersion || of.APIVersion != "config.openshift.io/v1" {
		return ""
	}
	at := regexp.MustCompile(`^status\.(desired|history\.[0-9]+)\.version$`)
	for _, d := range all {
		if d.Category == Drift && d.Reference != nil && d.Input != nil && at.MatchString(d.Path) {
			return fmt.Sprintf("the cluster is %s, the reference is for %s", plain(d.Input), plain(d.Reference))
		}
	}
	return ""
}

// plain formats a JSON value, a string without its quotes.
func plain(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}
