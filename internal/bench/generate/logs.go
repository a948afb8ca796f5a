package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"path"
	"strconv"
)

// files writes the files without objects: mostly logs, and the results of the collector's scripts.
func (o mustGather) files(g *gathering, pods []gatheredPod) {
	r := newRandom(o.seed, "files")
	total := bytesAtOne / 1000 * o.mille / 100 * o.logs
	for _, host := range []struct {
		name  string
		share int
	}{{"kubelet", 18}, {"crio", 10}, {"ovs-vswitchd", 4}, {"NetworkManager", 3}, {"openvswitch", 0}} {
		g.file("host_service_logs/masters/"+host.name+"_service.log", scriptMode, o.log(r, total/100*host.share))
	}
	weights, sum := make([]int, len(pods)), 0
	for i := range weights { // a few pods have most of the logs
		weights[i] = 1 + r.n(20)*r.n(20)*r.n(20)
		sum += weights[i]
	}
	for i, p := range pods {
		for c := range p.containers {
			name := fmt.Sprint("container-", c)
			folder := path.Join("namespaces", p.space, "pods", p.name, name, name, "logs")
			g.file(folder+"/current.log", toolMode, o.log(r, total/100*63/sum*weights[i]/p.containers))
			var previous []byte
			if r.percent(10) {
				previous = o.log(r, total/100*2/(len(pods)/5+1))
			}
			g.file(folder+"/previous.log", toolMode, previous)
			g.file(folder+"/previous.insecure.log", toolMode, nil)
			if i == 0 && c == 0 {
				g.file(folder+"/rotated/0.log.20250303-010203.gz", toolMode, zipped(o.log(r, 60000)))
			}
		}
	}
	o.scripts(g, r)
}

// log returns the lines of a log, up to a size in bytes.
func (o mustGather) log(r *random, size int) []byte {
	const kept = 64 // lines that may be repeated
	all, b := words(), make([]byte, 0, size)
	var recent [kept][2]int // the beginnings and ends of their messages
	second := r.n(80_000)
	for n := 0; ; n++ {
		start := len(b)
		second += r.n(3)
		b = appendTime(b, second, r)
		message := len(b)
		if from := recent[r.n(kept)]; r.percent(o.repeat) && from[1] > 0 {
			b = append(b, b[from[0]:from[1]]...)
		} else {
			b = appendMessage(b, r, all)
		}
		if len(b) > size {
			return b[:start]
		}
		recent[n%kept] = [2]int{message, len(b)}
	}
}

// appendTime appends the prefix of a runtime, and the time that the program logged.
func appendTime(b []byte, second int, r *random) []byte {
	clock := func(b []byte) []byte {
		for i, n := range []int{second / 3600 % 24, second / 60 % 60, second % 60} {
			if i > 0 {
				b = append(b, ':')
			}
			b = append(b, '0'+byte(n/10), '0'+byte(n%10))
		}
		return b
	}
	micro := strconv.Itoa(1_000_000 + r.n(1_000_000))[1:]
	b = append(clock(append(b, "2025-03-04T"...)), '.')
	b = append(b, micro...)
	b = append(b, '0'+byte(r.n(10)), '0'+byte(r.n(10)), '0'+byte(r.n(10)))
	b = append(clock(append(b, "Z I0304 "...)), '.')
	return append(b, micro...)
}

// appendMessage appends a message. A few look like the fields of an object.
func appendMessage(b []byte, r *random, all []string) []byte {
	word := func() string { return all[r.n(len(all))] }
	b = append(b, "       1 "...)
	b = append(b, word()...)
	b = append(b, ".go:"...)
	b = strconv.AppendInt(b, int64(r.n(900)), 10)
	b = append(b, "] \""...)
	for range 3 + r.n(12) {
		b = append(append(b, word()...), ' ')
	}
	if r.n(500) == 0 {
		b = append(b, "\"\nkind: "...)
	}
	b = append(append(b, word()...), "\" object=\"openshift-"...)
	b = append(append(append(b, word()...), '/'), word()...)
	b = append(b, "\" id="...)
	return append(r.appendFrom(b, nameLetters, 6), '\n')
}

// writePages writes the page of all events to both of its places.
func writePages(g *gathering, events []values) {
	var b bytes.Buffer
	b.WriteString(
		"<!doctype html>\n<html lang=\"en\"><head><title>Events</title></head><body>\n<table id=\"events\" class=\"table table-bordered\">\n",
	)
	for _, e := range events {
		fmt.Fprintf(
			&b,
			"      <tr>\n        <td class=\"truncated\">%s</td>\n        <td>%s</td>\n        <td>kubelet</td>\n        <td>Pulled</td>\n"+
				"        <td class=\"truncated\" data-container=\"body\" data-toggle=\"tooltip\" data-placement=\"bottom\">%s</td>\n"+
				"        <td class=\"text-nowrap\" data-field=\"message\" data-formatter=\"messageFormatter\">%s of %s</td>\n        <td><a href=\"namespaces/%s/pods/%s\">%s</a></td>\n      </tr>\n",
			e.time,
			e.space,
			e.uid,
			e.word,
			e.name,
			e.space,
			e.name,
			e.name,
		)
	}
	b.WriteString("</table></body></html>\n")
	times := []byte("2025-03-04 09:29:10.113871902 +0000 UTC m=+0.1\n2025-03-04 09:30:41.870012345 +0000 UTC m=+91.8\n")
	for _, folder := range []string{g.top, g.dir} {
		g.fileAt(folder+"/event-filter.html", scriptMode, b.Bytes())
		g.fileAt(folder+"/timestamp", scriptMode, times)
	}
}

// scripts writes a file of each other sort: inner archives, JSON without objects, a line of text
// before JSON.
func (o mustGather) scripts(g *gathering, r *random) {
	for _, f := range []struct{ name, text string }{
		{"version", "openshift/must-gather\n4.16.0-202502110930\n"},
		{"gather.logs", string(o.log(r, 20000))},
		{"etcd_info/endpoint_health.json", `[{"endpoint":"https://192.0.2.10:2379","health":true,"took":"7.2ms"}]`},
		{"monitoring/prometheus/rules.json", `{"status":"success","data":{"groups":[]}}` + "\n"},
		{"monitoring/prometheus/rules.stderr", ""},
		{"nodes/debug", "[must-gather      ] OUT pod for the node\n{\"status\": \"none\"}\n"},
		{"network_logs/ovn.db.gz", string(zipped(o.log(r, 90000)))},
		{"insights-data/insights-operator/insights-2025-03-04-080000.tar.gz", string(insights())},
		{"aggregated-discovery-apis.yaml", "apiVersion: apidiscovery.k8s.io/v2\nitems:\n- metadata:\n    name: apps\nkind: APIGroupDiscoveryList\nmetadata: {}\n"},
	} {
		g.file(f.name, scriptMode, []byte(f.text))
	}
}

// zipped returns compressed data. Writing to memory cannot fail.
func zipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

// insights returns an inner archive: the same cluster in objects without a kind.
func insights() []byte {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	text := []byte(`{"metadata": {"name": "version"}}`)
	_ = t.WriteHeader(
		&tar.Header{Name: "config/version.json", Mode: 0o640, Size: int64(len(text)), ModTime: gathered()},
	)
	_, _ = t.Write(text)
	_ = t.Close()
	return zipped(b.Bytes())
}
