package inspect

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// namespaces returns the kind whose objects a collector must not be asked for: it would collect all
// that is in them, logs too.
func namespaces() finding.Kind { return finding.Kind{APIVersion: "v1", Kind: "Namespace"} }

// CollectCommands returns the commands that collect all objects of some kinds from a cluster, each
// on one line.
func CollectCommands(kinds []finding.Kind) []string {
	var all []string
	var arguments []string
	for _, k := range kinds {
		if k != namespaces() {
			arguments = append(arguments, collected(k))
		}
	}
	if len(arguments) > 0 {
		all = append(all, "oc adm inspect --all-namespaces "+strings.Join(arguments, ","))
	}
	if slices.Contains(kinds, namespaces()) {
		all = append(all, "oc get namespaces -o yaml > namespaces.yaml")
	}
	return all
}

// collected returns what kubectl and oc take a kind as: "PtpConfig.v1.ptp.openshift.io", or less
// where the version or the group is open.
func collected(k finding.Kind) string {
	group, version, hasGroup := strings.Cut(k.APIVersion, "/")
	switch {
	case !hasGroup || strings.Contains(group, "*"):
		return k.Kind
	case strings.Contains(version, "*"):
		return k.Kind + "." + group
	}
	return k.Kind + "." + version + "." + group
}
