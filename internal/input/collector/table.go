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

// collector describes one collector. A row fills each column; no… in a column says that the collector
// has nothing of the sort.
type collector struct {
	layout string
	// detect says how the names of files show the collector. The first row that agrees decides.
	detect signs
	// around lists folders of the collector. An input may be such a folder, or one below it; then the
	// files named in beside, which are next to the folder, show the collector.
	around, beside string
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
	// client is the program that asks its clusters for more: not each of them has oc.
	client string
}

// collectors is the number of rows in the table.
const collectors = 8

// table returns the collectors. Besides its logs, must-gather writes folders of `oc adm inspect`, so
// the paths of their files are described only there.
func table() [collectors]collector {
	return [...]collector{
		{
			layout: SupportBundleKit,
			detect: signs{form: inBundleFolder, also: anyFile, mark: ofSupportBundle},
			around: "/yamls/", beside: noFiles,
			id: bundleID, objects: inBundle, masked: emptied, samples: bundleSamples,
			client: kubectl,
		},
		{
			layout: Insights,
			detect: signs{form: ofInsights, also: anyFile, mark: anyFile},
			around: "/config/", beside: "config/id",
			id: noID, objects: noFolder, masked: crossedOut, samples: samplesAll,
			client: oc,
		},
		{
			layout: SOS,
			detect: signs{form: ofSOS, also: anyFile, mark: anyFile},
			around: noFiles, beside: noFiles,
			id: noID, objects: noFolder, masked: starred, samples: samplesSecrets,
			client: oc,
		},
		{
			layout: Troubleshoot,
			detect: signs{form: inClusterResources, also: isVersionYAML, mark: noFile},
			around: "/cluster-resources/", beside: "version.yaml",
			id: noID, objects: inTroubleshoot, masked: noMask, samples: samplesSecrets,
			client: kubectl,
		},
		{
			layout: MustGather,
			detect: signs{form: isInspected, also: ofMustGather, mark: anyFile},
			around: noFiles, beside: "event-filter.html gather.logs must-gather.logs",
			id: noID, objects: noFolder, masked: inspectMasked, samples: inspectSamples,
			client: oc,
		},
		{
			layout: Inspect,
			detect: signs{form: isInspected, also: anyFile, mark: ofInspect},
			around: "/cluster-scoped-resources/ /namespaces/", beside: "timestamp",
			id: inspectID, objects: inInspect, masked: inspectMasked, samples: inspectSamples,
			client: oc,
		},
		{
			layout: Velero,
			detect: signs{form: isBackedUp, also: ofVelero, mark: anyFile},
			around: "/resources/", beside: "metadata/version",
			id: noID, objects: noFolder, masked: noMask, samples: samplesAll,
			client: oc,
		},
		{
			layout: ClusterInfo,
			detect: signs{form: isDumped, also: anyFile, mark: anyFile},
			around: noFiles, beside: noFiles,
			id: noID, objects: noFolder, masked: noMask, samples: samplesNone,
			client: oc,
		},
	}
}

// The clients.
const (
	oc      = "oc"
	kubectl = "kubectl"
)

// HasOC reports whether users of a layout have oc, which other distributions than OpenShift lack. It
// is true for a plain folder.
func HasOC(layout string) bool {
	for _, c := range table() {
		if c.layout == layout {
			return c.client == oc
		}
	}
	return true
}

// Columns of collectors that have nothing of the sort.

const noFiles = " "

func noID(string, []string) (id PathID, ok bool) { return id, false }

func noFolder(string) bool { return false }

func noMask(Value) Mask { return NoMask }

func samplesNone(string, string, bool) bool { return false }

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
