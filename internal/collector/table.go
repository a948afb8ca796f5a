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
	// sign reports whether the names of an input's files are those of the collector.
	sign func(*Names) bool
	// id parses the path of a file of objects: the words below a folder, the last one without its
	// extension.
	id func(folder string, words []string) (PathID, bool)
	// objects reports whether every YAML and JSON file with this path, in lower case and with a
	// slash in front, contains objects.
	objects func(full string) bool
	// kind returns the apiVersion and kind of an object in a file that does not have them. words is
	// the path below the folder config.
	kind func(words []string) (apiVersion, kind string)
	// masked returns the mask that the collector put in place of a value.
	masked func(Value) Mask
	// samples reports whether the collector gathers by default no objects of a kind, or only some:
	// those that other objects name, or those of a few namespaces. An object of such a kind says
	// nothing about others. listed is for objects that it writes as a List.
	samples func(group, kind string, listed bool) bool
	// definition is the name of a CustomResourceDefinition that the collector gathers only together
	// with all others.
	definition string
	// logs reports whether the collector keeps logs, which are left out, in a folder of this name.
	logs func(folder string) bool
}

// table returns the collectors in the order of recognition. Besides its own logs, must-gather
// writes folders of `oc adm inspect`, so they are described only there.
func table() [8]collector {
	return [...]collector{
		{
			layout:  SupportBundleKit,
			sign:    (*Names).isBundle,
			id:      bundleID,
			objects: inBundle,
			masked:  emptied,
			samples: bundleSamples,
		},
		{layout: Insights, sign: (*Names).isInsights, kind: insightsKind, masked: crossedOut, samples: samplesAll},
		{layout: SOS, sign: (*Names).isSOS, masked: starred, samples: samplesSecrets},
		{layout: Troubleshoot, sign: (*Names).isTroubleshoot, objects: inTroubleshoot, samples: samplesSecrets},
		{
			layout:     MustGather,
			sign:       (*Names).isMustGather,
			masked:     inspectMasked,
			samples:    inspectSamples,
			definition: inspectDefinition,
			logs:       isLogFolder,
		},
		{
			layout:     Inspect,
			sign:       (*Names).isInspect,
			id:         inspectID,
			objects:    inInspect,
			masked:     inspectMasked,
			samples:    inspectSamples,
			definition: inspectDefinition,
		},
		{layout: Velero, sign: (*Names).isVelero, samples: samplesAll},
		{layout: ClusterInfo, sign: (*Names).isClusterInfo},
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
