package inspect

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
)

// namespaces returns the kind Namespace. oc adm inspect must not be asked for it, because it would
// collect everything in the namespaces, including logs.
func namespaces() finding.Kind { return finding.Kind{APIVersion: "v1", Kind: "Namespace"} }

// CollectCommands returns the commands that collect all objects of some kinds from the cluster of
// some inputs, each on one line. Tools of other distributions than OpenShift come without oc.
func CollectCommands(kinds []finding.Kind, inputs []finding.Input) []string {
	isElsewhere := func(in finding.Input) bool { return !collector.HasOC(in.Layout) }
	if slices.ContainsFunc(inputs, isElsewhere) {
		words := make([]string, len(kinds))
		for i, k := range kinds {
			words[i] = collected(k)
		}
		return []string{"kubectl get --all-namespaces -o yaml " + strings.Join(words, ",") + " > collected.yaml"}
	}
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

// collected returns a kind as an argument of kubectl and oc: "PtpConfig.v1.ptp.openshift.io". It
// omits an unknown version; for the core group or an unknown group, it returns only the name.
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
