package refdiff

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/given"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// edit is a change of one text in a reference; of a file as a whole where from is "".
type edit struct{ file, from, to string }

// folder reads a reference into memory.
func folder(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(name), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name + "/" + path)
		files[path] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// edited is a copy of a reference with edits.
func edited(t *testing.T, files fstest.MapFS, edits ...edit) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	for name, f := range files {
		out[name] = f
	}
	for _, e := range edits {
		switch {
		case e.from == "" && e.to == "":
			delete(out, e.file)
		case e.from == "":
			out[e.file] = &fstest.MapFile{Data: []byte(e.to)}
		default:
			text := string(out[e.file].Data)
			if !strings.Contains(text, e.from) {
				t.Fatalf("%s does not have %q", e.file, e.from)
			}
			out[e.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, e.from, e.to, 1))}
		}
	}
	return out
}

// version loads a reference.
func version(t *testing.T, files fs.FS, name string) Version {
	t.Helper()
	ref, engine := given.Load(t, files, name)
	return Version{ref, engine}
}

// told are the changes, a line each.
func told(d *Diff) (lines []string) {
	for _, c := range d.Changes {
		in := strings.Join(c.Templates, ",")
		if len(c.Templates) > 3 {
			in = fmt.Sprint(len(c.Templates), " templates")
		}
		old, new := c.Old, c.New
		if strings.Contains(old+new, "\n") { // of long texts what differs
			old, new = "", strings.Join(strings.Fields(strings.Join(c.versions(), " ")), " ")
		}
		lines = append(lines, strings.TrimSpace(
			fmt.Sprintf("%s %s %s %s | %s | %s", c.Group, c.Kind, in, strings.Join(c.Paths, ","), old, new),
		))
	}
	return lines
}

const profile, metadata = "platform/PerformanceProfile.yaml", "metadata.yaml"

// TestEditsAreNamed makes edits in a copy of an example: each of them is named, and nothing else
// is.
func TestEditsAreNamed(t *testing.T) {
	original := folder(t, "../../examples/ran-du/reference")
	before := version(t, original, "old")
	move := func(file, to string) []edit {
		return []edit{
			{file: file},
			{file: to, to: string(original[file].Data)},
			{metadata, "path: " + file, "path: " + to},
		}
	}
	for _, c := range []struct {
		name  string
		edits []edit
		want  []string
	}{
		{"nothing", nil, nil},
		{"comments and blanks", []edit{{profile, "# Required as it stands.", "# As it stands."}, {profile, "{{ .spec.cpu.isolated }}", "{{.spec.cpu.isolated}} # any"},
			{"sriov/SriovNetwork.yaml", "linkState: auto", "linkState: \"auto\""}}, nil},
		{"the order of keys", []edit{{"ptp/PtpOperatorConfig.yaml", "  name: default\n  namespace: openshift-ptp\n", "  namespace: openshift-ptp\n  name: default\n"}}, nil},
		{"a fixed value", []edit{{profile, "topologyPolicy: restricted", "topologyPolicy: single-numa-node"}},
			[]string{"must value " + profile + " spec.numa.topologyPolicy | restricted | single-numa-node"}},
		{"a number that becomes text", []edit{{"sriov/SriovOperatorConfig.yaml", "logLevel: 0", `logLevel: "0"`}}, []string{`must value sriov/SriovOperatorConfig.yaml spec.logLevel | 0 | "0"`}},
		{"a line of a text", []edit{{"platform/Tuned.yaml", "net.core.busy_poll=50", "net.core.busy_poll=60"}}, []string{"must value platform/Tuned.yaml spec.profile.0.data |  | - net.core.busy_poll=50 + net.core.busy_poll=60"}},
		{"a further key", []edit{{profile, "    enabled: true\n", "    enabled: true\n    strict: true\n"}}, []string{"must field-added " + profile + " spec.realTimeKernel.strict |  | true"}},
		{"a key less", []edit{{"sriov/SriovOperatorConfig.yaml", "  disableDrain: true\n", ""}}, []string{"dropped field-removed sriov/SriovOperatorConfig.yaml spec.disableDrain | true |"}},
		{"a further item", []edit{{profile, "    - efi=runtime\n", "    - efi=runtime\n    - nosmt\n"}}, []string{"must field-added " + profile + " spec.additionalKernelArgs.2 |  | nosmt"}},
		{"an item less", []edit{{profile, "    - efi=runtime\n", ""}}, []string{"dropped field-removed " + profile + " spec.additionalKernelArgs.1 | efi=runtime |"}},
		{"a fixed value that may vary", []edit{{"sriov/SriovNetwork.yaml", "linkState: auto", "linkState: {{ .spec.linkState }}"}}, []string{"may free sriov/SriovNetwork.yaml spec.linkState | auto | {{ .spec.linkState }}"}},
		{"a value that is fixed now", []edit{{"ptp/Subscription.yaml", "source: {{ .spec.source }}", "source: redhat-operators"}}, []string{"must fixed ptp/Subscription.yaml spec.source | {{ .spec.source }} | redhat-operators"}},
		{"a key that is not compared", []edit{{"ptp/Subscription.yaml", "  name: ptp-operator\n  channel", "  name: ptp-operator\n  upgradeStrategy: Default\n  channel"}},
			[]string{"authors field-added ptp/Subscription.yaml spec.upgradeStrategy |  | Default"}},
		{"a mandatory value", []edit{{"sriov/SriovNetwork.yaml", "  linkState: auto", "  linkState: auto\n  minTxRate: {{ .spec.minTxRate }}"}}, []string{"must field-added sriov/SriovNetwork.yaml spec.minTxRate |  | {{ .spec.minTxRate }}"}},
		{"an optional value", []edit{{"sriov/SriovNetwork.yaml", "  linkState: auto", "  linkState: auto\n  {{- if .spec.minTxRate }}\n  minTxRate: {{ .spec.minTxRate }}\n  {{- end }}"}},
			[]string{"may field-added sriov/SriovNetwork.yaml spec.minTxRate |  | {{ .spec.minTxRate }}"}},
		{"a mandatory value that becomes optional", []edit{{profile, "    isolated: {{ .spec.cpu.isolated }}", "    {{- if .spec.cpu.isolated }}\n    isolated: {{ .spec.cpu.isolated }}\n    {{- end }}"}},
			[]string{"may condition " + profile + " spec.cpu.isolated |  | .spec.cpu.isolated"}},
		{"an optional value that becomes mandatory", []edit{{"sriov/SriovNetwork.yaml", "  {{- if .spec.ipam }}\n  ipam: {{ .spec.ipam | quote }}\n  {{- end }}", "  ipam: {{ .spec.ipam | quote }}"}},
			[]string{"must condition sriov/SriovNetwork.yaml spec.ipam | .spec.ipam |"}},
		{"an optional block that is always asked for", []edit{{profile, "  {{- if .spec.workloadHints }}\n", ""}, {profile, "    perPodPowerManagement: false\n  {{- end }}", "    perPodPowerManagement: false"}},
			[]string{"must condition " + profile + " spec.workloadHints | .spec.workloadHints |"}},
		{"a default", []edit{{"sriov/SriovNetwork.yaml", "default 0", "default 100"}}, []string{"must parameter sriov/SriovNetwork.yaml spec.vlan | default 0 | default 100"}},
		{"a comparison", []edit{{profile, "(cpuSetSize .spec.cpu.reserved) 4", "(cpuSetSize .spec.cpu.reserved) 8"}},
			[]string{"must parameter " + profile + " spec.cpu.reserved | (cpuSetSize) is compared with 4 (lt) | (cpuSetSize) is compared with 8 (lt)"}},
		{"a length", []edit{{profile, "maxListLength 1", "maxListLength 2"}}, []string{"may parameter " + profile + " spec.hugepages.pages | is compared with 1 (maxListLength) | is compared with 2 (maxListLength)"}},
		{"a comparison less", []edit{{profile, "    {{- maxListLength 1 .spec.hugepages.pages }}\n", ""}}, []string{"may parameter " + profile + " spec.hugepages.pages | is compared with 1 (maxListLength) |"}},
		{"a message of a check", []edit{{profile, "at least 4 CPUs", "four CPUs"}},
			[]string{"authors computed " + profile + "  | {{fail \"at least 4 CPUs have to be reserved for the platform\"}} | {{fail \"four CPUs have to be reserved for the platform\"}}"}},
		{"a pattern", []edit{{"ptp/PtpConfigOrdinary.yaml", "interface: ^(?<port>e[a-z0-9]+)$", "interface: ^(?<port>ens[0-9]+)$"}},
			[]string{"must pattern ptp/PtpConfigOrdinary.yaml spec.profile.0.interface | \"^(?<port>e[a-z0-9]+)$\" | \"^(?<port>ens[0-9]+)$\""}},
		{"a line of a pattern", []edit{{"ptp/PtpConfigOrdinary.yaml", "masterOnly 0", "masterOnly 1"}}, []string{"must pattern ptp/PtpConfigOrdinary.yaml spec.profile.0.ptp4lConf |  | - masterOnly 0 + masterOnly 1"}},
		{"a field that becomes a pattern", []edit{{metadata, "                - pathToKey: spec.profile.0.interface\n", "                - pathToKey: spec.profile.0.ptp4lOpts\n                  inlineDiffFunc: regex\n                - pathToKey: spec.profile.0.interface\n"}},
			[]string{"may free ptp/PtpConfigOrdinary.yaml spec.profile.0.ptp4lOpts | -2 --summary_interval -4 | -2 --summary_interval -4"}},
		{"another inline diff function", []edit{{metadata, "spec.profile.0.phc2sysOpts\n                  inlineDiffFunc: capturegroups", "spec.profile.0.phc2sysOpts\n                  inlineDiffFunc: regex"}},
			[]string{"must pattern ptp/PtpConfigOrdinary.yaml spec.profile.0.phc2sysOpts | \"-a -r -n (?<domain>[0-9]+)\" | \"-a -r -n (?<domain>[0-9]+)\""}},
		{"a name", []edit{{"logging/ServiceAccount.yaml", "name: log-collector", "name: collector"}}, []string{"must value logging/ServiceAccount.yaml metadata.name | log-collector | collector"}},
		{"an apiVersion", []edit{{profile, "performance.openshift.io/v2", "performance.openshift.io/v3"}}, []string{"must value " + profile + " apiVersion | performance.openshift.io/v2 | performance.openshift.io/v3"}},
		{"a key that an action prints", []edit{{profile, "node-role.kubernetes.io/{{ $pool }}: \"\"", "node-role.kubernetes.io/{{ $pool }}: \"yes\""}},
			[]string{`must value ` + profile + ` spec.nodeSelector."node-role.kubernetes.io/{{ $pool }}" | "" | "yes"`}},
		{"what a variable is", []edit{{profile, "include \"pool\" .spec.nodeSelector", "include \"pool\" .spec.machineConfigPoolSelector"}}, []string{
			"must parameter " + profile + ` spec.machineConfigPoolSelector |  | optional; list or map; (key) is compared with "node-role.kubernetes.io/" (hasPrefix)`,
			"dropped parameter " + profile + ` spec.nodeSelector | optional; list or map; (key) is compared with "node-role.kubernetes.io/" (hasPrefix) |`}},
		{"what a call is made with", []edit{{"platform/ClusterVersion.yaml", `"4.16"`, `"4.17"`}},
			[]string{`must parameter platform/ClusterVersion.yaml status.desired.version | is compared with "4.16." (hasPrefix) | is compared with "4.17." (hasPrefix)`}},
		{"a further required template", []edit{{"ptp/Extra.yaml", "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n  namespace: openshift-ptp\n"}, {metadata, "          - path: ptp/PtpOperatorConfig.yaml\n", "          - path: ptp/PtpOperatorConfig.yaml\n          - path: ptp/Extra.yaml\n"}},
			[]string{"must template-added ptp/Extra.yaml  |  |"}},
		{"a further optional template", []edit{{"sriov/Extra.yaml", "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n  namespace: openshift-ptp\n"}, {metadata, "          - path: sriov/SriovNetwork.yaml\n", "          - path: sriov/SriovNetwork.yaml\n          - path: sriov/Extra.yaml\n"}},
			[]string{"may template-added sriov/Extra.yaml  |  |"}},
		{"a template less", []edit{{metadata, "          - path: ptp/PtpOperatorConfig.yaml\n", ""}}, []string{"dropped template-removed ptp/PtpOperatorConfig.yaml  |  |"}},
		{"a choice less", []edit{{metadata, "          - path: ptp/PtpConfigBoundary.yaml\n", ""}}, []string{"must template-removed ptp/PtpConfigBoundary.yaml  |  |"}},
		{"a file with another name", move("ptp/OperatorGroup.yaml", "ptp/group.yaml"), []string{"authors template-renamed ptp/group.yaml  | ptp/OperatorGroup.yaml | ptp/group.yaml"}},
		{"a renamed file that changed", append(move("ptp/OperatorGroup.yaml", "ptp/group.yaml"), edit{"ptp/group.yaml", "    - openshift-ptp\n", "    - openshift-time\n"}),
			[]string{"must value ptp/group.yaml spec.targetNamespaces.0 | openshift-ptp | openshift-time", "authors template-renamed ptp/group.yaml  | ptp/OperatorGroup.yaml | ptp/group.yaml"}},
		{"another component", []edit{{metadata, "          - path: platform/Tuned.yaml\n            description: Kernel settings on top of what the performance profile sets.\n", ""},
			{metadata, "      - name: machine-config\n        allOf:\n", "      - name: machine-config\n        allOf:\n          - path: platform/Tuned.yaml\n            description: Kernel settings on top of what the performance profile sets.\n"}},
			[]string{"authors template-moved platform/Tuned.yaml  | platform/tuning | platform/machine-config"}},
		{"the name of a component", []edit{{metadata, "name: ptp-clock", "name: clock"}}, []string{"authors template-moved ptp/PtpConfigOrdinary.yaml,ptp/PtpConfigBoundary.yaml  | ptp/ptp-clock | ptp/clock"}},
		{"a rule", []edit{{metadata, "        oneOf:\n", "        anyOf:\n"}},
			[]string{"may rule ptp/PtpConfigOrdinary.yaml,ptp/PtpConfigBoundary.yaml  | one of the alternatives of its component; exactly one is required | optional"}},
		{"a required component", []edit{{metadata, "own disks. Optional, but only as a whole.\n        allOrNoneOf:", "own disks. Optional, but only as a whole.\n        allOf:"}},
			[]string{"must rule storage/Namespace.yaml,storage/OperatorGroup.yaml,storage/Subscription.yaml  | required together with the others of its component | required"}},
		{"another component and rule", []edit{{metadata, "          - path: ptp/PtpOperatorConfig.yaml\n", ""}, {metadata, "          - path: sriov/SriovNetwork.yaml\n", "          - path: sriov/SriovNetwork.yaml\n          - path: ptp/PtpOperatorConfig.yaml\n"}},
			[]string{"may rule ptp/PtpOperatorConfig.yaml  | required (ptp/ptp-operator) | optional (sriov/sriov-networks)"}},
		{"a description", []edit{{metadata, "The unit takes its time from the network.", "Time comes from the network."}}, []string{
			"authors description 4 templates  | The unit takes its time from the network. | Time comes from the network."}},
		{"a description of a template", []edit{{metadata, "description: Kernel settings on top", "description: Settings on top"}},
			[]string{"authors description platform/Tuned.yaml  | Kernel settings on top of what the performance profile sets. | Settings on top of what the performance profile sets."}},
		{"a field that is left out", []edit{{metadata, "      - pathToKey: spec.upgradeStrategy\n", "      - pathToKey: spec.upgradeStrategy\n      - pathToKey: spec.logLevel\n"}}, []string{"may omitted 25 templates spec.logLevel |  |"}},
		{"a field that is compared", []edit{{metadata, "      - pathToKey: spec.upgradeStrategy\n", ""}}, []string{"must compared 25 templates spec.upgradeStrategy |  |"}},
		{"fields that are free", []edit{{metadata, "          - path: sriov/SriovOperatorConfig.yaml\n", "          - path: sriov/SriovOperatorConfig.yaml\n            config:\n              ignore-unspecified-fields: true\n"}}, []string{"may unspecified sriov/SriovOperatorConfig.yaml  |  |"}},
		{"fields that are not free", []edit{{metadata, "          - path: ptp/Namespace.yaml\n            config:\n              ignore-unspecified-fields: true\n", "          - path: ptp/Namespace.yaml\n"}}, []string{"must unspecified ptp/Namespace.yaml  |  |"}},
		{"a field that whose order does not count", []edit{{metadata, "                - pathToKey: spec.profile.0.ptp4lConf\n                  inlineDiffFunc: capturegroups\n          - path: ptp/PtpConfigBoundary.yaml\n", "                - pathToKey: spec.profile.0.ptp4lConf\n                  inlineDiffFunc: capturegroups\n                - {pathToKey: spec.recommend, list: set}\n          - path: ptp/PtpConfigBoundary.yaml\n"}}, []string{"may manner ptp/PtpConfigOrdinary.yaml spec.recommend |  | list set"}},
		{"a field whose order is told", []edit{{metadata, "                - pathToKey: spec.profile.0.ptp4lConf\n                  inlineDiffFunc: capturegroups\n          - path: ptp/PtpConfigBoundary.yaml\n", "                - pathToKey: spec.profile.0.ptp4lConf\n                  inlineDiffFunc: capturegroups\n                - {pathToKey: spec.recommend, list: ordered}\n          - path: ptp/PtpConfigBoundary.yaml\n"}}, []string{"authors manner ptp/PtpConfigOrdinary.yaml spec.recommend |  | list ordered"}},
		{"a function", []edit{{"functions/version.tmpl", "}}.z", "}}.x"}}, []string{"must computed platform/ClusterVersion.yaml  | .z | .x"}},
		{"a check in a function", []edit{{"functions/pool.tmpl", "hasPrefix \"node-role.kubernetes.io/\"", "hasPrefix \"node.kubernetes.io/\""}},
			[]string{"must parameter " + profile + ` spec.nodeSelector | (key) is compared with "node-role.kubernetes.io/" (hasPrefix) | (key) is compared with "node.kubernetes.io/" (hasPrefix)`}},
		{"a comment in a function", []edit{{"functions/version.tmpl", "sameMinor (list HAVE WANT)", "sameMinor"}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Of(t.Context(), before, version(t, edited(t, original, c.edits...), "new"))
			if err != nil {
				t.Fatal(err)
			}
			got := told(d)
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestNoLineGoesUnnoticed takes lines out of the templates of an example, one by one: each of them
// is a change for users, or the reference does not load any more.
func TestNoLineGoesUnnoticed(t *testing.T) {
	original := folder(t, "../../examples/ran-du/reference")
	before := version(t, original, "old")
	n, told := 0, 0
	for _, one := range before.Engine.Templates() {
		file := one.Ref.Path
		lines := strings.SplitAfter(string(original[file].Data), "\n")
		for i, line := range lines {
			text := strings.TrimSpace(line)
			if n++; text == "" || text[0] == '#' || strings.HasPrefix(text, "{{- /*") || !given.All() && n%5 > 0 {
				continue
			}
			files := edited(t, original, edit{file: file, to: strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")})
			ref, faults := refconfig.Load(files, ".", refconfig.LoadOptions{Name: "new"})
			engine, more := render.Compile(t.Context(), ref)
			if len(faults)+len(more) > 0 {
				continue
			}
			d, err := Of(t.Context(), before, Version{ref, engine})
			if err != nil {
				t.Fatal(err)
			}
			if told++; d.ExitStatus == 0 && !strings.Contains(line, "upgradeStrategy") {
				t.Errorf("%s:%d: %q is taken out, and %v is told", file, i+1, line, d.Changes)
			}
		}
	}
	if told < 50 {
		t.Errorf("%d lines were taken out", told)
	}
}
