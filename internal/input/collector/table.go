package collector

import "strings"

// The supported layouts, by their names in reports.
const (
	MustGather       = "must-gather"
	Inspect          = "inspect"
	SupportBundleKit = "support-bundle-kit"
	Troubleshoot     = "troubleshoot"
	Velero           = "velero"
	Insights         = "insights"
	SOS              = "sos"
	ClusterInfo      = "cluster-info"
)

// collector describes one collector. A nil column has no information.
type collector struct {
	layout string
	// id parses the path of a file of objects: the words below a folder, the last one without its
	// extension.
	id func(folder string, words []string) (PathID, bool)
	// objects reports whether every YAML and JSON file with this path, in lower case and with a
	// slash in front, contains objects.
	objects func(full string) bool
	// masked returns the mask that the collector put in place of a value.
	masked func(Value) Mask
	// samples reports whether the collector gathers by default no objects of a kind, or only some:
	// those that other objects name, or those of a few namespaces. An object of such a kind says
	// nothing about others. listed is for objects that it writes as a List.
	samples func(group, kind string, listed bool) bool
}

// table returns the collectors. Besides its logs, must-gather writes folders of `oc adm inspect`, so
// the paths of their files are described only there.
func table() [7]collector {
	return [...]collector{
		{layout: SupportBundleKit, id: bundleID, objects: inBundle, masked: emptied, samples: bundleSamples},
		{layout: Insights, masked: crossedOut, samples: samplesAll},
		{layout: SOS, masked: starred, samples: samplesSecrets},
		{layout: Troubleshoot, objects: inTroubleshoot, samples: samplesSecrets},
		{layout: MustGather, masked: inspectMasked, samples: inspectSamples},
		{layout: Inspect, id: inspectID, objects: inInspect, masked: inspectMasked, samples: inspectSamples},
		{layout: Velero, samples: samplesAll},
	}
}

// The folders into which oc adm inspect, support-bundle-kit and Troubleshoot write objects.

func inInspect(full string) bool {
	return hasFolder(full, "cluster-scoped-resources/") || hasFolder(full, "namespaces/")
}

func inBundle(full string) bool {
	return hasFolder(full, "yamls/cluster/") || hasFolder(full, "yamls/namespaced/")
}

func inTroubleshoot(full string) bool {
	return hasFolder(full, "cluster-resources/") && !strings.HasSuffix(full, "-errors.json") &&
		!hasFolder(full, "auth-cani-list/")
}
