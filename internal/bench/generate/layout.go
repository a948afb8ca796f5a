package main

import (
	"path"
	"slices"
)

// gathering is an archive in the layout of a collector.
type gathering struct {
	out  output
	made tally
	top  string // the folder of the run
	dir  string // the folder of the image that collected
	err  error  // the first error
}

func newGathering(out output, r *random) *gathering {
	top := "must-gather.local." + r.suffix(19)
	return &gathering{out: out, top: top, dir: top + "/registry-example-com-openshift-must-gather-sha256-" + r.hex(64)}
}

// file writes a file below the image's folder.
func (g *gathering) file(name string, mode int64, data []byte) { g.fileAt(g.dir+"/"+name, mode, data) }

func (g *gathering) fileAt(name string, mode int64, data []byte) {
	if g.err != nil {
		return
	}
	g.made.files++
	g.made.bytes += int64(len(data))
	if len(data) == 0 {
		g.made.empty++
	}
	g.err = g.out.file(name, mode, data)
}

// The modes of files that the collector writes, and of those that its scripts write.
const (
	toolMode   = 0o755
	scriptMode = 0o644
)

// space is a namespace of the archive; the name "" stands for cluster-scoped objects.
type space struct {
	name    string
	version string           // the resourceVersion of its Lists
	lists   map[string]*list // by path without extension
}

// list is a List of the archive.
type list struct {
	apiVersion, kind string // apiVersion and kind of the items
	text             []byte
	count            int
}

func (g *gathering) newSpace(name string, r *random) *space {
	s := &space{name: name, version: versionOf(r), lists: map[string]*list{}}
	if name == "" {
		return s
	}
	for _, k := range listed() {
		s.list(k.apiVersion, k.kind)
	}
	return s
}

// list returns the List for a kind, a new one if necessary.
func (s *space) list(apiVersion, kind string) *list {
	name := path.Join(s.folder(), groupOf(apiVersion), plural(kind))
	if s.lists[name] == nil {
		s.lists[name] = &list{apiVersion: apiVersion, kind: kind}
	}
	return s.lists[name]
}

func (s *space) folder() string {
	if s.name == "" {
		return "cluster-scoped-resources"
	}
	return "namespaces/" + s.name
}

// add adds an object as the collector would: to a List, as a file, or both.
func (g *gathering) add(s *space, t stamp, v values) {
	inList := isListed(t)
	if inList {
		l := s.list(t.apiVersion, t.kind)
		l.text = appendTo(l.text, t.item, v)
		l.count++
		g.made.objects++
	}
	name := path.Join(s.folder(), groupOf(t.apiVersion), plural(t.kind), v.name+".yaml")
	switch {
	case t.kind == "Namespace":
		name = path.Join("namespaces", v.name, v.name+".yaml")
	case t.kind == "Pod":
		name = path.Join(s.folder(), "pods", v.name, v.name+".yaml")
	case inList && groupOf(t.apiVersion) != "config.openshift.io":
		return
	}
	g.made.objects++
	g.file(name, toolMode, appendTo([]byte("---\n"), t.single, v))
}

// finish writes the Lists of a namespace, including empty ones. Empty Lists that passed through a
// Go type have null items.
func (g *gathering) finish(s *space) {
	names := make([]string, 0, len(s.lists))
	for name := range s.lists {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		l := s.lists[name]
		text := append([]byte("---\napiVersion: "), l.apiVersion+"\nitems:"...)
		switch {
		case l.count > 0:
			text = append(append(text, '\n'), l.text...)
		case l.kind == "Route":
			text = append(text, " null\n"...)
		default:
			text = append(text, " []\n"...)
		}
		text = append(text, "kind: "+l.kind+"List\nmetadata:\n  resourceVersion: \""+s.version+"\"\n"...)
		g.file(name+".yaml", toolMode, text)
	}
}

// listKind is a kind whose objects in a namespace are written as one List.
type listKind struct{ apiVersion, kind string }

func listed() []listKind {
	return []listKind{
		{"v1", "ConfigMap"}, {"v1", "Endpoints"}, {"v1", "Event"}, {"v1", "PersistentVolumeClaim"}, {"v1", "Pod"},
		{"v1", "ReplicationController"}, {"v1", "Secret"}, {"v1", "Service"},
		{"apps/v1", "DaemonSet"}, {"apps/v1", "Deployment"}, {"apps/v1", "ReplicaSet"}, {"apps/v1", "StatefulSet"},
		{"apps.openshift.io/v1", "DeploymentConfig"}, {"autoscaling/v2", "HorizontalPodAutoscaler"},
		{
			"batch/v1",
			"CronJob",
		}, {"batch/v1", "Job"}, {"build.openshift.io/v1", "Build"}, {"build.openshift.io/v1", "BuildConfig"},
		{
			"discovery.k8s.io/v1",
			"EndpointSlice",
		}, {"image.openshift.io/v1", "ImageStream"}, {"policy/v1", "PodDisruptionBudget"},
		{"route.openshift.io/v1", "Route"},
	}
}

func isListed(t stamp) bool {
	return groupOf(t.apiVersion) == "config.openshift.io" || slices.Contains(listed(), listKind{t.apiVersion, t.kind})
}

// isNamespaced reports whether objects of a generated kind are in a namespace.
func isNamespaced(kind string) bool {
	switch kind {
	case "Namespace",
		"CustomResourceDefinition",
		"APIRequestCount",
		"ClusterOperator",
		"Node",
		"MachineConfig",
		"ClusterRole",
		"ClusterRoleBinding":
		return false
	}
	return true
}
