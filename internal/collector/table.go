package collector

import "strings"

// The layouts that are recognised, as reports name them.
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

// collector is what is known of one of them. A column that is nil says nothing.
type collector struct {
	layout string
	// sign reports whether the names of an input's files are those that it writes.
	sign func(*Names) bool
	// id reads the path of a file of objects: the words below a folder, the last one without its
	// extension.
	id func(folder string, words []string) (PathID, bool)
	// objects says whether every YAML and JSON file of this path, in lower case and with a slash in
	// front, holds objects.
	objects func(full string) bool
	// kind says of which kind the object in a file is that does not say so itself. The path is that
	// below the folder config.
	kind func(words []string) (apiVersion, kind string)
	// masked says what it wrote in the place of a value.
	masked func(Value) Mask
	// samples says of which kinds it gathers, unless it is asked for more, none or only some: those
	// that others name, or those of a few namespaces. That one of them is there says nothing of the
	// others. listed is for what it writes as a List.
	samples func(group, kind string, listed bool) bool
	// definition is the name of a CustomResourceDefinition that it gathers only together with all
	// others.
	definition string
	// logs reports whether it keeps logs, which are left out, in a folder of this name.
	logs func(folder string) bool
}

// table has the collectors in the order in which they are recognised. What must-gather writes
// besides its own logs are folders of `oc adm inspect`, so these are described once, there.
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

// The folders that oc adm inspect, support-bundle-kit and Troubleshoot put objects into.

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
