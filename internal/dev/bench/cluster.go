package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"gopkg.in/yaml.v3"
)

//go:embed kinds.txt
var kindTable string

// ownCRs is the folder of the CRs that the reference is about.
const ownCRs = "examples/ran-du/cluster"

// cluster describes what a collector gathers of a cluster. Its content follows measurements of real
// archives: the shares of logs, YAML and pages of events in the bytes, the numbers of empty files,
// of empty Lists and of objects of each kind. Nothing in it was copied from a cluster.
type cluster struct {
	seed   int
	size   int // bytes of all files
	logged int // the percentage of them that are logs
	repeat int // the percentage of the lines of a log that repeat one shortly before
}

// gathering is a cluster that is being written.
type gathering struct {
	cluster
	*tree
	random
	printer
	lists  map[list]*bytes.Buffer
	events bytes.Buffer
	logs   []logFile
}

// list identifies a List: the objects of a kind in a namespace, or of the whole cluster.
type list struct{ apiVersion, kind, namespace string }

// logFile is a log with its share of what the logs of all pods have.
type logFile struct {
	name   string
	weight int
}

// write fills a folder.
func (c cluster) write(t *tree) {
	g := &gathering{
		cluster: c, tree: t, random: newRandom(c.seed), printer: newPrinter(), lists: map[list]*bytes.Buffer{},
	}
	t.root = filepath.Join(t.root, "must-gather.local/registry-example-com-must-gather-sha256-"+g.Hex(64))
	g.namespaces()
	g.own()
	g.writeLists()
	g.scripts()
	g.fill()
}

// scaled returns how many things this cluster has, of which one of 42 MB has n.
func (g *gathering) scaled(n int) int {
	const size, logged = 42_000_000, 37
	return int(math.Ceil(float64(n*g.size*(100-g.logged)) / (size * (100 - logged))))
}

// kind is a row of kinds.txt.
type kind struct {
	apiVersion, kind, template, place string
	count, variants, size             int
}

func kinds() []kind {
	var all []kind
	for line := range strings.Lines(kindTable) {
		var k kind
		_, err := fmt.Sscan(line, &k.apiVersion, &k.kind, &k.template, &k.place, &k.count, &k.variants, &k.size)
		if err == nil {
			all = append(all, k)
		}
	}
	return all
}

// namespaces adds all generated objects, spread evenly over the namespaces.
func (g *gathering) namespaces() {
	var names []string
	for i := range g.scaled(27) {
		names = append(names, fmt.Sprintf("openshift-%s-%s-%d", g.Word(), g.Word(), i))
		namespace := newObject(g.random, g.printer, "v1", "Namespace")
		namespace.Name = names[i]
		g.add(namespace, namespace.print("small"), "file")
	}
	for _, k := range kinds() {
		if k.place == "list" {
			for _, name := range names {
				g.listOf(list{k.apiVersion, k.kind, name})
			}
		}
		for i := range g.scaled(k.count) {
			o := newObject(g.random, g.printer, k.apiVersion, k.kind)
			o.Size = k.size
			if k.place != "cluster" {
				o.Namespace = names[i%len(names)]
			}
			o.random = newRandom(g.seed, k.kind, k.template, i%k.variants)
			g.add(o, o.print(k.template), k.place)
		}
	}
}

// listOf returns the items of a List, which is written even without any.
func (g *gathering) listOf(l list) *bytes.Buffer {
	if g.lists[l] == nil {
		g.lists[l] = &bytes.Buffer{}
	}
	return g.lists[l]
}

// add adds an object to the places where the collector writes it.
func (g *gathering) add(o object, text []byte, place string) {
	name := path.Join(pathOf(list{o.APIVersion, o.Kind, o.Namespace}), o.Name+".yaml")
	switch o.Kind {
	case "Namespace":
		name = path.Join("namespaces", o.Name, o.Name+".yaml")
	case "Pod":
		pod := path.Join("namespaces", o.Namespace, "pods", o.Name)
		name = path.Join(pod, o.Name+".yaml")
		g.podLogs(pod, o.Size)
	case "Event":
		g.events.Write(o.print("row"))
	}
	if place == "list" || groupOf(o.APIVersion) == "config.openshift.io" {
		g.listOf(list{o.APIVersion, o.Kind, o.Namespace}).Write(asItem(text))
	}
	if place != "list" || o.Kind == "Pod" {
		g.file(name, append([]byte("---\n"), text...))
	}
}

// podLogs adds the logs of a pod. A few have most of the bytes, and nearly all previous logs are
// empty.
func (g *gathering) podLogs(pod string, containers int) {
	for c := range containers {
		logs := path.Join(pod, fmt.Sprintf("container-%d/container-%d/logs", c, c))
		previous := 0
		if g.IntN(10) == 0 {
			previous = 500
		}
		g.logs = append(g.logs,
			logFile{path.Join(logs, "current.log"), 1 + g.IntN(20)*g.IntN(20)*g.IntN(20)},
			logFile{path.Join(logs, "previous.log"), previous},
			logFile{path.Join(logs, "previous.insecure.log"), 0},
		)
	}
}

// own adds the CRs that the reference is about, with what an API server adds to them.
func (g *gathering) own() {
	files, err := os.ReadDir(ownCRs)
	g.err = errors.Join(g.err, err)
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(ownCRs, file.Name()))
		g.err = errors.Join(g.err, err)
		for _, text := range strings.Split(strings.TrimSpace(string(data)), "\n---\n") {
			var cr struct {
				APIVersion string `yaml:"apiVersion"`
				Kind       string
				Metadata   struct{ Name, Namespace string }
			}
			g.err = errors.Join(g.err, yaml.Unmarshal([]byte(text), &cr))
			o := newObject(g.random, g.printer, cr.APIVersion, cr.Kind)
			o.Name, o.Namespace = cr.Metadata.Name, cr.Metadata.Namespace
			server := "metadata:\n  " + o.Include(2, "server") + "\n"
			g.add(o, []byte(strings.Replace(text, "metadata:\n", server, 1)+"\n"), "file")
		}
	}
}

// writeLists writes all Lists. Empty ones that passed through a Go type have null items.
func (g *gathering) writeLists() {
	for l, items := range g.lists {
		text := "\n" + items.String()
		switch {
		case items.Len() > 0:
		case l.kind == "Route":
			text = " null\n"
		default:
			text = " []\n"
		}
		g.file(pathOf(l)+".yaml", fmt.Appendf(nil, "---\napiVersion: %s\nitems:%skind: %sList\nmetadata:\n  resourceVersion: \"%d\"\n",
			l.apiVersion, text, l.kind, len(text)))
	}
}

// pathOf returns the path of the objects of a List, and of itself without the extension.
func pathOf(l list) string {
	scope := "cluster-scoped-resources"
	if l.namespace != "" {
		scope = path.Join("namespaces", l.namespace)
	}
	return path.Join(scope, groupOf(l.apiVersion), strings.TrimSuffix(strings.ToLower(l.kind), "s")+"s")
}

// groupOf returns the API group as it appears in paths.
func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return "core"
	}
	return group
}

// scripts writes a file of each other sort: pages of events, a packed log, an inner archive, JSON
// without objects, a line of text before JSON.
func (g *gathering) scripts() {
	page := "<!doctype html>\n<html lang=\"en\"><body><table id=\"events\">\n" + g.events.String() + "</table></body></html>\n"
	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	_, err := packer.Write(g.log(newRandom("ovn"), 90_000))
	g.err = errors.Join(g.err, err, packer.Close())
	for name, text := range map[string]string{
		"event-filter.html":              page,
		"../event-filter.html":           page,
		"timestamp":                      "2025-03-04 09:29:10.113871902 +0000 UTC m=+0.1\n",
		"version":                        "openshift/must-gather\n4.16.0-202502110930\n",
		"etcd_info/endpoint_health.json": `[{"endpoint":"https://192.0.2.10:2379","health":true,"took":"7.2ms"}]`,
		"monitoring/rules.json":          `{"status":"success","data":{"groups":[]}}`,
		"monitoring/rules.stderr":        "",
		"nodes/debug":                    "[must-gather      ] OUT pod for the node\n{\"status\": \"none\"}\n",
		"network_logs/ovn.db.gz":         packed.String(),
		"insights/config/version.json":   `{"metadata": {"name": "version"}}`,
		"aggregated-discovery-apis.yaml": "apiVersion: apidiscovery.k8s.io/v2\nitems:\n- metadata:\n    name: apps\nkind: APIGroupDiscoveryList\nmetadata: {}\n",
	} {
		g.file(name, []byte(text))
	}
	insights := filepath.Join(g.root, "insights")
	g.err = errors.Join(g.err, pack(insights, insights+"-2025-03-04-080000.tar.gz"), os.RemoveAll(insights))
}

// fill writes the logs of the host and of all pods, as large as the cluster still lacks.
func (g *gathering) fill() {
	sum := 0
	for _, l := range g.logs {
		sum += l.weight
	}
	for host, percent := range map[string]int{"kubelet": 30, "crio": 15, "ovs-vswitchd": 6, "NetworkManager": 5} {
		g.logs = append(g.logs, logFile{"host_service_logs/masters/" + host + "_service.log", sum * percent / 100})
	}
	const percents = 156 // of the sum
	left := g.size - g.written
	for _, l := range g.logs {
		g.file(l.name, g.log(newRandom(g.seed, l.name), left*l.weight/sum*100/percents))
	}
}

// log returns the lines of a log, up to a size in bytes. A few look like the fields of an object.
func (c cluster) log(r random, size int) []byte {
	var b bytes.Buffer
	var recent [64]string
	at := gathered()
	for i := 0; ; i++ {
		message := recent[r.IntN(len(recent))]
		if message == "" || r.IntN(100) >= c.repeat {
			message = fmt.Sprintf("%s.go:%d] %q object=\"openshift-%s/%s\" id=%s\n",
				r.Word(), r.IntN(900), r.Words(4+r.IntN(12)), r.Word(), r.Word(), r.Hex(6))
		}
		if r.IntN(500) == 0 {
			message += "kind: " + r.Word() + "\n"
		}
		recent[i%len(recent)] = message
		at = at.Add(time.Duration(r.IntN(3e9)))
		line := at.Format("2006-01-02T15:04:05.000000000Z I0102 15:04:05.000000       1 ") + message
		if b.Len()+len(line) > size {
			return b.Bytes()
		}
		b.WriteString(line)
	}
}
