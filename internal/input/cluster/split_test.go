package cluster

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// version, infrastructure and system are CRs that tell their cluster, namespace and config some
// that do not.
func version(id string) string {
	return "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: " + id + "}\n"
}

func infrastructure(name string) string {
	return "apiVersion: config.openshift.io/v1\nkind: Infrastructure\nmetadata: {name: cluster}\nstatus: {infrastructureName: " + name + "}\n"
}

func system(uid string) string { return namespace("kube-system", uid) }

func namespace(name, uid string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", uid: " + uid + "}\n"
}

func config(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: app}\n"
}

func pod(uid string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: app, uid: " + uid + "}\n"
}

func service(name, uid, version string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + ", namespace: app, uid: " + uid + ", resourceVersion: '" + version + "'}\n"
}

// files are the texts of an input by their names.
type files map[string]string

// split tells the clusters of inputs apart, each given as its files.
func splitOf(t *testing.T, opt Options, inputs ...files) (*clusters, error) {
	t.Helper()
	var sources []source.Input
	var batches []*Batch
	for i, in := range inputs {
		var names collector.Names
		for name := range in {
			names.Add(name)
		}
		sources = append(sources, source.Input{Path: fmt.Sprintf("in%d", i), Format: "directory", Roots: names.Roots()})
		for name, text := range in {
			place := fmt.Sprintf("in%d/%s", i, name)
			c := manifest.Read(place, "", []byte(text), manifest.Hints{})
			batches = append(batches, &Batch{File: source.File{Input: i, Name: name, Path: place}, Contents: c})
		}
	}
	return split(sources, batches, opt, false)
}

// described says of each cluster what it is called, which files it has, and how many doubts.
func described(c *clusters) []string {
	var all []string
	for _, one := range c.List {
		var names []string
		for _, b := range one.Batches {
			names = append(names, b.File.Path)
		}
		s := one.Name + ": " + strings.Join(names, " ")
		for _, d := range one.Doubts {
			if d.Code != code.ClusterUnclear {
				s += " " + string(d.Code)
			}
			s += " ?" + d.Place.String()
		}
		all = append(all, s)
	}
	return all
}

func TestSplit(t *testing.T) {
	const hub, hosted = "mg/img-sha256-1/", "mg/img-sha256-1/hostedcluster-h/"
	for _, c := range []struct {
		name   string
		opt    Options
		inputs []files
		want   []string
	}{
		{name: "no identity is one cluster", inputs: []files{{"a.yaml": config("a")}, {"b.yaml": config("b")}}, want: []string{": in0/a.yaml in1/b.yaml"}},
		{name: "one cluster, and what tells nothing", inputs: []files{{"b.yaml": config("b")}, {"a.yaml": version("1"), "c.yaml": config("c")}},
			want: []string{"1: in0/b.yaml in1/a.yaml in1/c.yaml"}},
		{name: "two inputs of two clusters", inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}}, want: []string{"1: in0/v.yaml", "2: in1/v.yaml"}},
		{name: "two inputs of one cluster", inputs: []files{{"v.yaml": version("1")}, {"w.yaml": version("1")}}, want: []string{"1: in0/v.yaml in1/w.yaml"}},
		{name: "no kind in common is one cluster, with what tells nothing", inputs: []files{{"v.yaml": version("1")}, {"s.yaml": system("u")}, {"i.yaml": infrastructure("site")}, {"c.yaml": config("c")}},
			want: []string{"site: in0/v.yaml in1/s.yaml in2/i.yaml in3/c.yaml"}},
		{name: "no kind in common with one of two", inputs: []files{{"v.yaml": version("1"), "s.yaml": system("u")}, {"s.yaml": system("w")}, {"i.yaml": infrastructure("site") + "---\n" + version("2")}},
			want: []string{"1: in0/s.yaml in0/v.yaml", "site: in1/s.yaml in2/i.yaml"}},
		{name: "no kind in common with two", inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}, {"s.yaml": system("u")}},
			want: []string{"1: in0/v.yaml ?in0/v.yaml:1", "2: in1/v.yaml ?in0/v.yaml:1", "u: in2/s.yaml ?in0/v.yaml:1"}},
		{name: "no kind in common with two, of which one tells more", inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2"), "s.yaml": system("u")}, {"i.yaml": infrastructure("site")}},
			want: []string{"1: in0/v.yaml ?in0/v.yaml:1", "2: in1/s.yaml in1/v.yaml ?in0/v.yaml:1", "site: in2/i.yaml ?in0/v.yaml:1"}},
		{name: "no kind in common with two, of which one is named", opt: Options{Only: []string{"2"}}, inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}, {"s.yaml": system("u")}},
			want: []string{"2: in1/v.yaml"}},
		{name: "no kind in common, and both are named", opt: Options{Only: []string{"2", "u"}}, inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}, {"s.yaml": system("u")}},
			want: []string{"2: in1/v.yaml in2/s.yaml"}},
		{name: "no kind in common, and it is called by either", opt: Options{Only: []string{"u"}}, inputs: []files{{"v.yaml": version("1")}, {"s.yaml": system("u")}},
			want: []string{"1: in0/v.yaml in1/s.yaml"}},
		{name: "no kind in common, but a namespace with two UIDs", inputs: []files{{"v.yaml": version("1"), "n.yaml": namespace("app", "x")}, {"s.yaml": system("u"), "n.yaml": namespace("app", "y")}},
			want: []string{"1: in0/n.yaml in0/v.yaml ?in0/n.yaml:1", "u: in1/n.yaml in1/s.yaml ?in0/n.yaml:1"}},
		{name: "no kind in common, a namespace with two UIDs, and one is named", opt: Options{Only: []string{"1"}},
			inputs: []files{{"v.yaml": version("1"), "n.yaml": namespace("app", "x")}, {"s.yaml": system("u"), "n.yaml": namespace("app", "y")}}, want: []string{"1: in0/n.yaml in0/v.yaml"}},
		{name: "no kind in common, but a namespace with one UID", inputs: []files{{"v.yaml": version("1"), "n.yaml": namespace("app", "x") + "---\n" + namespace("b", "x")},
			{"s.yaml": system("u"), "n.yaml": namespace("app", "y") + "---\n" + namespace("b", "x")}}, want: []string{"1: in0/n.yaml in0/v.yaml in1/n.yaml in1/s.yaml"}},
		{name: "images with no kind in common, of two must-gathers", inputs: []files{{
			"a/img-sha256-1/cluster-scoped-resources/g/v.yaml": version("1"), "a/img-sha256-2/namespaces/kube-system/kube-system.yaml": system("u"),
			"b/img-sha256-1/cluster-scoped-resources/g/v.yaml": version("2"), "b/img-sha256-2/namespaces/kube-system/kube-system.yaml": system("w")}},
			want: []string{
				"1: in0/a/img-sha256-1/cluster-scoped-resources/g/v.yaml in0/a/img-sha256-2/namespaces/kube-system/kube-system.yaml",
				"2: in0/b/img-sha256-1/cluster-scoped-resources/g/v.yaml in0/b/img-sha256-2/namespaces/kube-system/kube-system.yaml"}},
		{name: "what agrees with two, of which one is named", opt: Options{Only: []string{"a"}}, inputs: []files{
			{"i.yaml": infrastructure("a"), "v.yaml": version("1")}, {"i.yaml": infrastructure("b"), "s.yaml": system("u")}, {"s.yaml": system("u"), "v.yaml": version("1")}},
			want: []string{"a: in0/i.yaml in0/v.yaml in2/s.yaml in2/v.yaml"}},
		{name: "what agrees with two, and states less than both", inputs: []files{
			{"i.yaml": infrastructure("a"), "v.yaml": version("1")}, {"i.yaml": infrastructure("b"), "v.yaml": version("1")}, {"v.yaml": version("1")}},
			want: []string{"a: in0/i.yaml in0/v.yaml ?in2/v.yaml", "b: in1/i.yaml in1/v.yaml ?in2/v.yaml"}},
		{name: "what agrees with two, and has no kind in common with a third", inputs: []files{
			{"i.yaml": infrastructure("a"), "v.yaml": version("1")}, {"i.yaml": infrastructure("b"), "v.yaml": version("1")}, {"v.yaml": version("1")}, {"s.yaml": system("u")}},
			want: []string{"a: in0/i.yaml in0/v.yaml ?in0/i.yaml:1 ?in2/v.yaml", "b: in1/i.yaml in1/v.yaml ?in0/i.yaml:1 ?in2/v.yaml", "u: in3/s.yaml ?in0/i.yaml:1"}},
		{name: "what agrees with two, states less than both, and one is named", opt: Options{Only: []string{"a"}}, inputs: []files{
			{"i.yaml": infrastructure("a"), "v.yaml": version("1")}, {"i.yaml": infrastructure("b"), "v.yaml": version("1")}, {"v.yaml": version("1")}},
			want: []string{"a: in0/i.yaml in0/v.yaml in2/v.yaml"}},
		{name: "two clusters in one file, and another is named", opt: Options{Only: []string{"3"}}, inputs: []files{{"a.yaml": version("1") + "---\n" + version("2")}, {"b.yaml": version("3")}},
			want: []string{"3: in1/b.yaml"}},
		{name: "one that has something in common with both", inputs: []files{{"v.yaml": version("1")}, {"s.yaml": system("u")}, {"a.yaml": version("1"), "b.yaml": system("u")}},
			want: []string{"1: in0/v.yaml in1/s.yaml in2/a.yaml in2/b.yaml"}},
		{name: "one that has something in common with both, beside another", inputs: []files{{"v.yaml": version("1")}, {"s.yaml": system("u")}, {"a.yaml": version("1"), "b.yaml": system("u")}, {"v.yaml": version("2")}},
			want: []string{"1: in0/v.yaml in1/s.yaml in2/a.yaml in2/b.yaml", "2: in3/v.yaml"}},
		{name: "what agrees in one and differs in another is two", inputs: []files{{"v.yaml": version("1"), "s.yaml": system("u")}, {"v.yaml": version("2"), "s.yaml": system("u")}},
			want: []string{"1: in0/s.yaml in0/v.yaml", "2: in1/s.yaml in1/v.yaml"}},
		{name: "the infrastructure's name is the first to call it by", inputs: []files{{"v.yaml": version("1") + "---\n" + infrastructure("site-a")}}, want: []string{"site-a: in0/v.yaml"}},
		{name: "CRs that only look like those that tell their cluster", inputs: []files{
			{"i.yaml": infrastructure("a"), "s.yaml": system("u"), "v.yaml": version("1")},
			{"1.yaml": strings.Replace(version("2"), "config.openshift.io", "example.com", 1), "2.yaml": strings.Replace(version("2"), "ClusterVersion", "Other", 1),
				"3.yaml": strings.Replace(infrastructure("b"), "config.openshift.io", "example.com", 1), "4.yaml": strings.Replace(infrastructure("b"), "Infrastructure", "Other", 1),
				"5.yaml": strings.Replace(system("w"), "v1", "example.com/v1", 1), "6.yaml": strings.Replace(system("w"), "Namespace", "ConfigMap", 1), "7.yaml": namespace("app", "w")}},
			want: []string{"a: in0/i.yaml in0/s.yaml in0/v.yaml in1/1.yaml in1/2.yaml in1/3.yaml in1/4.yaml in1/5.yaml in1/6.yaml in1/7.yaml"}},
		{name: "folders of two clusters", inputs: []files{{"east/v.yaml": version("1"), "east/c/c.yaml": config("c"), "west/v.yaml": version("2")}},
			want: []string{"1: in0/east/c/c.yaml in0/east/v.yaml", "2: in0/west/v.yaml"}},
		{name: "files of two clusters in a folder", inputs: []files{{"x/east.yaml": version("1"), "x/west.yaml": version("2")}},
			want: []string{"1: in0/x/east.yaml", "2: in0/x/west.yaml"}},
		{name: "files of two clusters", inputs: []files{{"east.yaml": version("1") + "---\n" + config("c"), "west.yaml": version("2")}},
			want: []string{"1: in0/east.yaml", "2: in0/west.yaml"}},
		{name: "archives in a folder", inputs: []files{{"a.tar!/v.yaml": version("1"), "b.tar!/v.yaml": version("2"), "b.tar!/c.yaml": config("c")}},
			want: []string{"1: in0/a.tar!/v.yaml", "2: in0/b.tar!/c.yaml in0/b.tar!/v.yaml"}},
		{name: "a folder beside two clusters", inputs: []files{{"east/v.yaml": version("1"), "west/v.yaml": version("2"), "more/c.yaml": config("c")}},
			want: []string{"1: in0/east/v.yaml ?in0/more/c.yaml", "2: in0/west/v.yaml ?in0/more/c.yaml"}},
		{name: "two clusters in one file", inputs: []files{{"a.yaml": version("1") + "---\n" + version("2")}}, want: []string{": in0/a.yaml ?in0/a.yaml:6"}},
		{name: "two clusters in one file beside a third", inputs: []files{{"a.yaml": version("1") + "---\n" + version("2")}, {"b.yaml": version("3")}},
			want: []string{": in0/a.yaml ?in0/a.yaml:6", "3: in1/b.yaml"}},
		{name: "a hosted cluster inside its hub", inputs: []files{{
			hub + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml": version("1"), hub + "namespaces/app/app.yaml": namespace("app", "x"),
			hosted + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml": version("2"), hosted + "namespaces/app/app.yaml": namespace("app", "y")}},
			want: []string{
				"1: in0/" + hub + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml in0/" + hub + "namespaces/app/app.yaml",
				"2: in0/" + hosted + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml in0/" + hosted + "namespaces/app/app.yaml"}},
		{name: "a hosted cluster that tells nothing, but whose namespace is another", inputs: []files{{
			hub + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml": version("1"), hub + "namespaces/app/app.yaml": namespace("app", "x"),
			hosted + "namespaces/app/app.yaml": namespace("app", "y")}},
			want: []string{
				"1: in0/" + hub + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml in0/" + hub + "namespaces/app/app.yaml",
				": in0/" + hosted + "namespaces/app/app.yaml"}},
		{name: "images of one must-gather", inputs: []files{{
			hub + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml": version("1"), "mg/img-sha256-2/namespaces/odf/odf.yaml": namespace("odf", "x"),
			hosted + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml": version("2")}},
			want: []string{
				"1: in0/" + hub + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml in0/mg/img-sha256-2/namespaces/odf/odf.yaml",
				"2: in0/" + hosted + "cluster-scoped-resources/config.openshift.io/clusterversions.yaml"}},
		{name: "a later collection of one of two clusters, by its UIDs", inputs: []files{{"v.yaml": version("1"), "n.yaml": namespace("app", "x")},
			{"v.yaml": version("2"), "n.yaml": namespace("app", "y")}, {"n.yaml": namespace("app", "y"), "c.yaml": config("c")}},
			want: []string{"1: in0/n.yaml in0/v.yaml", "2: in1/n.yaml in1/v.yaml in2/c.yaml in2/n.yaml"}},
		{name: "what could be of either", inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}, {"c.yaml": config("c")}},
			want: []string{"1: in0/v.yaml ?in2/c.yaml", "2: in1/v.yaml ?in2/c.yaml"}},
		{name: "an empty List could be of either, and says nothing", inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}, {"c.yaml": "apiVersion: v1\nkind: ConfigMapList\nitems: []\n"}},
			want: []string{"1: in0/v.yaml", "2: in1/v.yaml"}},
		{name: "a broken file could be of either", inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}, {"c.yaml": "apiVersion: v1\nkind: [\n"}},
			want: []string{"1: in0/v.yaml ?in2/c.yaml", "2: in1/v.yaml ?in2/c.yaml"}},
		{name: "what could be of either, and one is named", opt: Options{Only: []string{"2"}}, inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}, {"c.yaml": config("c")}},
			want: []string{"2: in1/v.yaml in2/c.yaml"}},
		{name: "what is of one that is not named", opt: Options{Only: []string{"*2"}}, inputs: []files{{"a/v.yaml": version("1"), "a/c.yaml": config("c"), "b/v.yaml": version("2")}},
			want: []string{"2: in0/b/v.yaml"}},
		{name: "joined on purpose", opt: Options{Join: true}, inputs: []files{{"v.yaml": version("1")}, {"v.yaml": version("2")}, {"c.yaml": config("c")}},
			want: []string{"1: in0/v.yaml in1/v.yaml in2/c.yaml"}},
		{name: "joined on purpose, and called by its name", opt: Options{Join: true, Only: []string{"1"}}, inputs: []files{{"v.yaml": version("1")}, {"c.yaml": config("c")}},
			want: []string{"1: in0/v.yaml in1/c.yaml"}},
		{name: "a namespace with two UIDs", inputs: []files{{"a.yaml": namespace("app", "x")}, {"b.yaml": namespace("app", "y")}}, want: []string{": in0/a.yaml in1/b.yaml ?in0/a.yaml:1"}},
		{name: "a namespace with two UIDs shows it best", inputs: []files{
			{"a.yaml": strings.Replace(pod("x"), "Pod", "Service", 1), "n.yaml": namespace("app", "x"), "z.yaml": namespace("b", "x")},
			{"a.yaml": strings.Replace(pod("y"), "Pod", "Service", 1), "n.yaml": namespace("app", "y"), "z.yaml": namespace("b", "y")}},
			want: []string{": in0/a.yaml in0/n.yaml in0/z.yaml in1/a.yaml in1/n.yaml in1/z.yaml ?in0/n.yaml:1"}},
		{name: "a pod with two UIDs was made anew", inputs: []files{{"a.yaml": pod("x")}, {"b.yaml": pod("y")}}, want: []string{": in0/a.yaml in1/b.yaml"}},
		{name: "a namespace with another UID than the only cluster's", inputs: []files{{"v.yaml": version("1"), "n.yaml": namespace("app", "x")}, {"n.yaml": namespace("app", "y")}},
			want: []string{"1: in0/n.yaml in0/v.yaml in1/n.yaml ?in1/n.yaml:1"}},
		{name: "a later CR was made anew", inputs: []files{{"v.yaml": version("1"), "s.yaml": service("s", "x", "5")}, {"s.yaml": service("s", "y", "12")}},
			want: []string{"1: in0/s.yaml in0/v.yaml in1/s.yaml"}},
		{name: "a later CR beside was made anew", inputs: []files{{"a/v.yaml": version("1"), "a/s.yaml": service("s", "x", "5"), "s.yaml": service("s", "y", "12")}},
			want: []string{"1: in0/a/s.yaml in0/a/v.yaml in0/s.yaml"}},
		{name: "an earlier CR was not made anew", inputs: []files{{"v.yaml": version("1"), "s.yaml": service("s", "x", "12")}, {"s.yaml": service("s", "y", "5")}},
			want: []string{"1: in0/s.yaml in0/v.yaml in1/s.yaml ?in1/s.yaml:1"}},
		{name: "several CRs were not made anew", inputs: []files{
			{"v.yaml": version("1"), "s.yaml": service("s", "x", "5")}, {"s.yaml": service("s", "y", "12"), "t.yaml": service("t", "y", "13")}},
			want: []string{"1: in0/s.yaml in0/v.yaml in1/s.yaml in1/t.yaml ?in1/s.yaml:1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := splitOf(t, c.opt, c.inputs...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, described(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
	_, err := splitOf(t, Options{Only: []string{"east"}}, files{"v.yaml": version("1")}, files{"v.yaml": version("2")})
	if err == nil || !strings.Contains(err.Error(), `no cluster of the inputs matches "east"; the clusters are 1, 2`) {
		t.Error(err)
	}
}

// TestClustersOfOneNameShowTheirIDs: where a message enumerates clusters, those that share a name
// have their IDs, others have not, and a long enumeration ends.
func TestClustersOfOneNameShowTheirIDs(t *testing.T) {
	one := func(name, id, uid string) *Cluster {
		return &Cluster{Identity: Identity{infrastructureName: name, clusterID: id, systemUID: uid}}
	}
	var many []*Cluster
	for i := range 12 {
		many = append(many, one(fmt.Sprintf("c%02d", i), "", ""))
	}
	for want, clusters := range map[string][]*Cluster{
		"site (ID 1), site (ID 2)":                                     {one("site", "2", ""), one("site", "1", "u")},
		"other, site, site (ID u)":                                     {one("site", "", ""), one("other", "1", ""), one("site", "", "u")},
		"c00, c01, c02, c03, c04, c05, c06, c07, c08, c09":             many[:10],
		"c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, and 1 more": many[:11],
		"c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, and 2 more": many,
	} {
		if got := named(clusters); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestScopesGivenOneByOne: the folders of a root that are given one by one lie where the root lies,
// also where one of them tells nothing.
func TestScopesGivenOneByOne(t *testing.T) {
	var sources []source.Input
	var batches []*Batch
	for i, in := range []struct{ path, name, text string }{
		{"a/cluster-scoped-resources", "g/v.yaml", version("1")}, {"b/cluster-scoped-resources/", "g/v.yaml", version("2")},
		{"a/namespaces", "kube-system/kube-system.yaml", system("u")}, {"b/namespaces", "app/core/configmaps/c.yaml", config("c")},
	} {
		sources = append(sources, source.Input{Path: in.path, Format: "directory"})
		batches = append(batches, &Batch{
			File:     source.File{Input: i, Name: in.name, Path: in.path},
			Contents: manifest.Read(in.path, "", []byte(in.text), manifest.Hints{}),
		})
	}
	c, err := split(sources, batches, Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1: a/cluster-scoped-resources a/namespaces", "2: b/cluster-scoped-resources/ b/namespaces"}, described(c)); diff != "" {
		t.Error(diff)
	}
}

// TestPlacesOfClusters: what cannot be read concerns the cluster in whose folder it lies, else all
// of its input.
func TestPlacesOfClusters(t *testing.T) {
	c, err := splitOf(
		t,
		Options{},
		files{"east/v.yaml": version("1"), "west/v.yaml": version("2")},
		files{"v.yaml": version("3")},
		files{"c.yaml": config("c")},
		files{},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		input int
		name  string
		want  []int
	}{
		{0, "east/broken.yaml", []int{0}}, {0, "west/a/b/broken.yaml", []int{1}}, {0, "broken.yaml", []int{0, 1}}, {0, "", []int{0, 1}},
		{1, "x.yaml", []int{2}}, {1, "", []int{2}}, {2, "x.yaml", nil}, {3, "", nil},
	} {
		if got := c.of(test.input, test.name); !slices.Equal(got, test.want) {
			t.Errorf("%d %q: %v, want %v", test.input, test.name, got, test.want)
		}
		problems := func(codes ...code.Code) (all []source.Problem) {
			for _, one := range codes {
				all = append(all, source.Problem{Problem: refconfig.Problem{Code: one}, Input: test.input, Name: test.name})
			}
			return all
		}
		summary := source.Summary{
			Inputs: c.inputs, Problems: problems(code.InputUnreadable, code.LinkSkipped, code.UnsafeName, code.ReferenceInInput), NotRead: problems(code.ArchiveNotRead),
		}
		var told []int
		for i, one := range spread(make([]Collected, len(c.List)), c, summary, beside{}) {
			if len(one.Unreadable) == 1 && len(one.Warnings) == 3 && len(one.NotRead) == 1 {
				told = append(told, i)
			}
		}
		if test.want == nil {
			test.want = []int{len(c.List)} // it has an entry of its own
		}
		if !slices.Equal(told, test.want) {
			t.Errorf("%d %q: told of %v, want %v", test.input, test.name, told, test.want)
		}
	}
	if !c.has(1) || c.has(2) || c.has(3) || !c.found(2) || c.found(3) {
		t.Error("what is of no cluster in particular is of one, or was not found")
	}
	for i, want := range []Part{{0, "east"}, {0, "west"}, {1, ""}} {
		if got := c.List[i].Parts; len(got) != 1 || got[0] != want {
			t.Errorf("the parts of %s are %v, want %v", c.List[i].Name, got, want)
		}
	}
}

// TestJoinedInputsAreAllThere: of a cluster that is joined on purpose every input is a part, and
// none counts as one without CRs.
func TestJoinedInputsAreAllThere(t *testing.T) {
	c, err := splitOf(t, Options{Join: true}, files{"v.yaml": version("1")}, files{"c.yaml": config("c")}, files{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Part{{0, ""}, {1, ""}}, c.List[0].Parts); diff != "" {
		t.Error(diff)
	}
	if !c.has(0) || !c.has(1) || c.has(2) {
		t.Error("an input with CRs is not there, or one without is")
	}
}

// TestOrderDecidesNothing: in whatever order the inputs stand and their files come, the clusters
// have the same files.
func TestOrderDecidesNothing(t *testing.T) {
	inputs := []files{
		{"a/v.yaml": version("1"), "a/c.yaml": config("c"), "b/v.yaml": version("2")},
		{"s.yaml": system("u") + "---\n" + version("2")},
		{
			"i.yaml": infrastructure("n"),
		},
		{"j.yaml": infrastructure("n") + "---\n" + version("3")},
		{"c.yaml": config("c")},
		{"x.yaml": namespace("app", "x")},
	}
	clusters := func(order []int) []string {
		shuffled := make([]files, len(order))
		for i, from := range order {
			shuffled[i] = files{}
			for name, text := range inputs[from] {
				shuffled[i][fmt.Sprintf("%d/%s", from, name)] = text
			}
		}
		c, err := splitOf(t, Options{}, shuffled...)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, one := range c.List {
			var names []string
			for _, b := range one.Batches {
				names = append(names, b.File.Name)
			}
			slices.Sort(names)
			all = append(all, fmt.Sprint(one.Name, one.Identity, names, len(one.Doubts)))
		}
		slices.Sort(all)
		return all
	}
	want := clusters([]int{0, 1, 2, 3, 4, 5})
	r := rand.New(rand.NewSource(3))
	for range 50 {
		if diff := cmp.Diff(want, clusters(r.Perm(len(inputs)))); diff != "" {
			t.Fatal(diff)
		}
	}
}
