package main

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// file is an entry of the archive.
type file struct {
	path string
	data []byte
	tool bool // written by the part of the collector that makes its files executable
}

// The folders of the archive: one for the run, and in it one for the image that collected the
// objects.
const (
	runFolder   = "must-gather.local.4619837205518830914"
	imageFolder = runFolder + "/registry-example-com-openshift-must-gather-sha256-9d1c6be7a2f4083e5bd0c7f19a64e3827f5bb10c96d8ae432071fe65c83d9b4a"
)

// layOut returns the files of the archive, sorted by path.
func layOut(objects []object) []file {
	files := plainFiles(objects)
	lists := map[string][]any{}
	for _, o := range objects {
		switch {
		case o.kind == "Namespace":
			files = append(files, crFile(o, "namespaces", o.name, o.name+".yaml"))
		case o.namespace == "" && o.group == "config.openshift.io":
			p := listPath(o)
			lists[p] = append(lists[p], o.content)
			files = append(files, crFile(o, "cluster-scoped-resources", o.group, plural(o.kind), o.name+".yaml"))
		case o.namespace == "":
			files = append(files, crFile(o, "cluster-scoped-resources", o.group, plural(o.kind), o.name+".yaml"))
		case isListed(o.group + "/" + plural(o.kind)):
			p := listPath(o)
			lists[p] = append(lists[p], o.content)
		default:
			files = append(files, crFile(o, "namespaces", o.namespace, o.group, plural(o.kind), o.name+".yaml"))
		}
		if o.kind == "Pod" {
			files = append(files, crFile(o, "namespaces", o.namespace, "pods", o.name, o.name+".yaml"))
		}
	}
	files = append(files, listFiles(objects, lists)...)
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	return files
}

func crFile(o object, elements ...string) file {
	return file{path: path.Join(imageFolder, path.Join(elements...)), data: document(o.content), tool: true}
}

// listPath returns the path of the List that contains an object.
func listPath(o object) string {
	folder := "cluster-scoped-resources"
	if o.namespace != "" {
		folder = path.Join("namespaces", o.namespace)
	}
	return path.Join(folder, o.group, plural(o.kind)+".yaml")
}

// listFiles writes the Lists that have items, and in every namespace an empty one of each other
// kind that is collected as a List.
func listFiles(objects []object, lists map[string][]any) []file {
	kinds := map[string]listKind{}
	for _, o := range objects {
		if o.namespace == "" && o.group == "config.openshift.io" {
			kinds[listPath(o)] = listKind{apiVersion: text(o.content["apiVersion"]), kind: o.kind}
		}
		if o.namespace == "" {
			continue
		}
		for _, k := range listKinds() {
			kinds[path.Join("namespaces", o.namespace, k.folder()+".yaml")] = k
		}
	}
	var files []file
	for p, k := range kinds {
		content := map[string]any{
			"apiVersion": k.apiVersion,
			"kind":       k.kind + "List",
			"metadata":   map[string]any{"resourceVersion": "41877"},
		}
		switch items := lists[p]; {
		case len(items) > 0:
			content["items"] = items
		case k.typed:
			content["items"] = nil
		default:
			content["items"] = []any{}
		}
		files = append(files, file{path: path.Join(imageFolder, p), data: document(content), tool: true})
	}
	return files
}

// listKind is a kind. The collector writes all of its objects in a namespace into one List.
type listKind struct {
	apiVersion, kind string
	typed            bool // the collector decodes it to a Go type, so that an empty list becomes null
}

// folder returns the group and the plural as they appear in paths.
func (k listKind) folder() string {
	group, _, found := strings.Cut(k.apiVersion, "/")
	if !found {
		group = "core"
	}
	return group + "/" + plural(k.kind)
}

func listKinds() []listKind {
	return []listKind{
		{apiVersion: "v1", kind: "ConfigMap"},
		{apiVersion: "v1", kind: "Endpoints"},
		{apiVersion: "v1", kind: "Event"},
		{apiVersion: "v1", kind: "PersistentVolumeClaim"},
		{apiVersion: "v1", kind: "Pod"},
		{apiVersion: "v1", kind: "ReplicationController"},
		{apiVersion: "v1", kind: "Secret"},
		{apiVersion: "v1", kind: "Service"},
		{apiVersion: "apps/v1", kind: "DaemonSet"},
		{apiVersion: "apps/v1", kind: "Deployment"},
		{apiVersion: "apps/v1", kind: "ReplicaSet"},
		{apiVersion: "apps/v1", kind: "StatefulSet"},
		{apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler"},
		{apiVersion: "batch/v1", kind: "CronJob"},
		{apiVersion: "batch/v1", kind: "Job"},
		{apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice"},
		{apiVersion: "image.openshift.io/v1", kind: "ImageStream"},
		{apiVersion: "policy/v1", kind: "PodDisruptionBudget"},
		{apiVersion: "route.openshift.io/v1", kind: "Route", typed: true},
	}
}

func isListed(folder string) bool {
	return slices.ContainsFunc(listKinds(), func(k listKind) bool { return k.folder() == folder })
}

// plural returns the plural of a kind as it appears in the paths of the API.
func plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case s == "endpoints":
		return s
	case strings.HasSuffix(s, "y"):
		return strings.TrimSuffix(s, "y") + "ies"
	case strings.HasSuffix(s, "s"):
		return s + "es"
	default:
		return s + "s"
	}
}

// plainFiles returns the files of an archive that are not CRs: logs, some of them empty, a page of
// events, and files about the run.
func plainFiles(objects []object) []file {
	const times = "2024-09-17 11:02:08.415522318 +0000 UTC m=+0.213854410\n2024-09-17 11:03:41.998120554 +0000 UTC m=+93.796452646\n"
	files := []file{
		{path: runFolder + "/timestamp", data: []byte(times)},
		{
			path: runFolder + "/must-gather.logs",
			data: []byte(
				"[must-gather      ] OUT Using must-gather plug-in image: registry.example.com/openshift/must-gather\n",
			),
		},
		{path: runFolder + "/event-filter.html", data: eventPage(objects)},
		{path: imageFolder + "/timestamp", data: []byte(times)},
		{path: imageFolder + "/version", data: []byte("openshift/must-gather\n4.16.0-202409051707\n")},
		{
			path: imageFolder + "/gather.logs",
			data: []byte("gathering data\nkind: of progress, printed by a script and no CR\n"),
		},
		{path: imageFolder + "/event-filter.html", data: eventPage(objects)},
		{
			path: imageFolder + "/etcd_info/endpoint_health.json",
			data: []byte(`[{"endpoint":"https://192.0.2.10:2379","health":true,"took":"5.61ms"}]` + "\n"),
		},
		{
			path: imageFolder + "/monitoring/alerts.json",
			data: []byte(`{"status":"success","data":{"alerts":[]}}` + "\n"),
		},
		{path: imageFolder + "/monitoring/alerts.stderr"},
	}
	for _, o := range objects {
		if o.kind != "Pod" {
			continue
		}
		for _, container := range containers(o) {
			logs := path.Join(imageFolder, "namespaces", o.namespace, "pods", o.name, container, container, "logs")
			files = append(files,
				file{path: logs + "/current.log", data: podLog(container)},
				file{path: logs + "/previous.log"},
				file{path: logs + "/previous.insecure.log"})
		}
	}
	return files
}

func containers(pod object) []string {
	var names []string
	spec, _ := pod.content["spec"].(map[string]any)
	list, _ := spec["containers"].([]any)
	for _, c := range list {
		if m, ok := c.(map[string]any); ok {
			names = append(names, text(m["name"]))
		}
	}
	return names
}

func podLog(container string) []byte {
	var b bytes.Buffer
	for minute := range 30 {
		fmt.Fprintf(
			&b,
			"2024-09-17T10:%02d:00.000000000Z I0917 10:%02d:00.000000 1 %s.go:101] reconciled, nothing to do\n",
			minute,
			minute,
			container,
		)
	}
	return b.Bytes()
}

// eventPage returns the page that shows all events to people, as collectors write it.
func eventPage(objects []object) []byte {
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html>\n<html><head><title>Events</title></head><body><table>\n")
	for _, o := range objects {
		if o.kind == "Event" {
			fmt.Fprintf(
				&b,
				"<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n",
				o.namespace,
				text(o.content["reason"]),
				text(o.content["message"]),
			)
		}
	}
	b.WriteString("</table></body></html>\n")
	return b.Bytes()
}
