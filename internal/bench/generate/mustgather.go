package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// mustGather describes an archive.
type mustGather struct {
	mille  int    // the size in thousandths of the size at scale 1
	logs   int    // the percentage of the bytes that are logs
	repeat int    // the percentage of the lines of a log that repeat another
	seed   uint64 // the seed of all random choices
}

// bytesAtOne is the size in bytes at scale 1.
const bytesAtOne = 42_000_000

// usualLogs is the percentage of logs on clusters that are half an hour old. The counts of other
// files assume it.
const usualLogs = 37

// count scales a number that was counted at scale 1.
func (o mustGather) count(n, least int) int {
	return max(least, n*o.mille*(100-o.logs)/(1000*(100-usualLogs)))
}

// write writes the archive to a path, with the CRs of a folder in it.
func (o mustGather) write(path, crs string) (tally, error) {
	own, err := readCRs(crs)
	if err != nil {
		return tally{}, err
	}
	out, err := newOutput(path)
	if err != nil {
		return tally{}, err
	}
	r := newRandom(o.seed, "must-gather")
	g := newGathering(out, r)
	pods := o.objects(g, own)
	o.files(g, pods)
	if err := out.close(); g.err == nil {
		g.err = err
	}
	return g.made, g.err
}

// gatheredPod is a pod with logs.
type gatheredPod struct {
	space, name string
	containers  int
}

// cluster is the cluster of the archive.
type cluster struct {
	mustGather
	g        *gathering
	own      []map[string]any // the CRs of the given folder
	fillings []filling
	pods     [][]stamp // by the number of containers minus one
	gathered []gatheredPod
	events   []values
}

// objects writes all objects, namespace by namespace, and the page of their events.
func (o mustGather) objects(g *gathering, own []map[string]any) []gatheredPod {
	r := newRandom(o.seed, "objects")
	c := &cluster{
		mustGather: o,
		g:          g,
		own:        own,
		fillings:   fillings(r),
		pods:       [][]stamp{variants(r, 1), variants(r, 2), variants(r, 3)},
	}
	names := o.spaces(own)
	for i, name := range names {
		c.space(r, name, i, len(names))
	}
	c.withoutSpace(r)
	writePages(g, c.events)
	return c.gathered
}

// space writes the i-th of n namespaces.
func (c *cluster) space(r *random, name string, i, n int) {
	s := c.g.newSpace(name, r)
	if !has(c.own, "Namespace", name) {
		namespace := newStamp("v1", "Namespace", map[string]any{
			"spec":   map[string]any{"finalizers": []any{"kubernetes"}},
			"status": map[string]any{"phase": "Active"},
		})
		c.g.add(s, namespace, newValues(r, name, name))
	}
	for _, f := range c.fillings {
		if isNamespaced(f.stamp.kind) {
			c.fill(r, s, f, share(c.count(f.count, 1), i, n))
		}
	}
	for range share(c.count(117, 4), i, n) {
		p := gatheredPod{space: name, name: objectName(r, "Pod"), containers: []int{1, 1, 2, 3}[r.n(4)]}
		stamps := c.pods[p.containers-1]
		c.g.add(s, stamps[r.n(len(stamps))], newValues(r, p.name, name))
		c.gathered = append(c.gathered, p)
	}
	c.addOwn(s, r)
	c.g.finish(s)
}

// withoutSpace writes the cluster-scoped objects.
func (c *cluster) withoutSpace(r *random) {
	s := c.g.newSpace("", r)
	for _, f := range c.fillings {
		if !isNamespaced(f.stamp.kind) {
			c.fill(r, s, f, c.count(f.count, 1))
		}
	}
	for i := range c.count(50, 1) {
		name := r.word() + strconv.Itoa(i)
		c.g.add(s, definition(r, name), newValues(r, name+"s.example.com", ""))
	}
	c.addOwn(s, r)
	c.g.finish(s)
}

// fill adds a number of objects of a kind.
func (c *cluster) fill(r *random, s *space, f filling, number int) {
	for range number {
		v := newValues(r, objectName(r, f.stamp.kind), s.name)
		if f.word != nil {
			v.word = f.word(r)
		}
		c.g.add(s, f.stamp, v)
		if f.stamp.kind == "Event" {
			c.events = append(c.events, v)
		}
	}
}

// addOwn adds the given CRs of a namespace, or the cluster-scoped ones.
func (c *cluster) addOwn(s *space, r *random) {
	for _, cr := range c.own {
		metadata := cr["metadata"].(map[string]any)
		at := field(metadata, "namespace")
		if field(cr, "kind") == "Namespace" {
			at = field(metadata, "name")
		}
		if at == s.name {
			t, v := live(cr, r)
			c.g.add(s, t, v)
		}
	}
}

// spaces returns the sorted names of all namespaces.
func (o mustGather) spaces(own []map[string]any) []string {
	names := []string{"default", "kube-system"}
	for _, cr := range own {
		metadata := cr["metadata"].(map[string]any)
		if field(cr, "kind") == "Namespace" {
			names = append(names, field(metadata, "name"))
		} else if s := field(metadata, "namespace"); s != "" {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i := 0; len(names) < o.count(27, 4); i++ {
		names = append(
			names, fmt.Sprintf("openshift-%s-%s-%d", words()[i%len(words())], words()[(i*7+3)%len(words())], i),
		)
	}
	slices.Sort(names)
	return names
}

func has(own []map[string]any, kind, name string) bool {
	return slices.ContainsFunc(own, func(cr map[string]any) bool {
		return field(cr, "kind") == kind && field(cr["metadata"].(map[string]any), "name") == name
	})
}

// variants returns stamps of pods with different images.
func variants(r *random, containers int) []stamp {
	var all []stamp
	for range 8 {
		all = append(all, pod(r, containers))
	}
	return all
}

// share returns the part of a number of things for the i-th of n.
func share(number, i, n int) int { return number*(i+1)/n - number*i/n }

// newValues returns the values of a new object.
func newValues(r *random, name, space string) values {
	return values{name: name, space: space, uid: r.uid(), word: "word", time: madeAt(r), version: versionOf(r)}
}

// objectName returns a name as controllers generate them.
func objectName(r *random, kind string) string {
	switch kind {
	case "Pod":
		return r.word() + "-" + r.word() + "-" + r.suffix(10) + "-" + r.suffix(5)
	case "Event":
		return r.word() + "-" + r.word() + "-" + r.suffix(5) + ".17" + r.hex(14)
	}
	return r.word() + "-" + r.word() + "-" + r.suffix(5)
}

// madeAt returns a time in the day before the archive.
func madeAt(r *random) string {
	return gathered().Add(-time.Duration(600+r.n(86400)) * time.Second).Format(time.RFC3339)
}

func versionOf(r *random) string { return strconv.Itoa(10_000 + r.n(9_000_000)) }
