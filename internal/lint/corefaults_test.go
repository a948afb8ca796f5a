package lint

// coreFaults are changes of the published reference core, each of another kind or in another place.
func coreFaults() []fault {
	const (
		meta      = "metadata.yaml"
		ns        = "required/networking/metallb/metallbNS.yaml"
		catalog   = "required/other/catalog-source.yaml"
		peer      = "required/networking/metallb/bgp-peer.yaml"
		sched     = "required/scheduling/sched.yaml"
		forwarder = "optional/logging/ClusterLogForwarder.yaml"
		version   = "ReferenceVersionCheck.yaml"
		profile   = "required/performance/PerformanceProfile.yaml"
		pinned    = "optional/other/precache/worker-olm-pinned-images.yaml"
	)
	return []fault{
		{name: "a misspelt key of the metadata", file: meta, old: "      - name: precache\n        anyOf:", new: "      - name: precache\n        descripton: images\n        anyOf:", at: "descripton", want: "error VT2005"},
		{name: "a misspelt path", file: meta, old: "metallb/bgp-peer.yaml", new: "metallb/bgp-pear.yaml", at: "bgp-pear", want: "error VT2014", also: "VT2062"},
		{name: "a template that is listed twice", file: meta, old: "          - path: required/networking/metallb/metallb.yaml\n", new: "          - path: required/networking/metallb/metallb.yaml\n          - path: required/networking/metallb/metallb.yaml\n", at: "          - path: required/networking/metallb/metallb.yaml\n          - path: required/networking/metallb/metallbNS", want: "warning VT2015"},
		{name: "a list of fields that is not there", file: meta, old: "                - monitoringLabel", new: "                - monitorLabel", at: "monitorLabel", want: "warning VT2020"},
		{name: "a rule against another", file: meta, old: "parts:\n", new: "parts:\n  - name: old\n    components:\n      - name: gone\n        noneOf:\n          - path: required/other/operator-hub.yaml\n", at: "          - path: required/other/operator-hub.yaml\n  - name: required-performance", want: "error VT2052", also: "VT2015"},
		{name: "a capture of a field that is not there", file: meta, old: `data."config.yaml"`, new: `data."config.yml"`, at: `config.yml`, want: "error VT2026"},
		{name: "an unknown inline diff function", file: meta, old: "inlineDiffFunc: capturegroups", new: "inlineDiffFunc: captureGroup", at: "captureGroup", want: "error VT2025"},
		{name: "a rule in another letter case", file: meta, old: "        allOrNoneOf:\n          - path: optional/cert-manager/ingressC", new: "        allornoneof:\n          - path: optional/cert-manager/ingressC", at: "allornoneof", want: "warning VT2035"},
		{name: "a field of metadata that is not there", file: meta, old: "pathToKey: metadata.finalizers", new: "pathToKey: metadata.finalisers", at: "finalisers", want: "warning VT2060"},
		{name: "a function file that is not there", file: meta, old: "  - unordered_list.tmpl", new: "  - unordered-list.tmpl", at: "unordered-list", want: "error VT2019", also: "VT2042"},
		{name: "a function file that nobody uses", file: "more.tmpl", new: "{{ define \"more\" }}more{{ end }}\n", at: "define", want: "warning VT2053"},
		{name: "an action that is not closed", file: catalog, old: "  image: {{ .spec.image }}", new: "  image: {{ .spec.image }", at: "{{ .spec.image }", want: "error VT2016"},
		{name: "an end too many", file: peer, old: "  vrf: {{ .spec.vrf }}\n  {{- end }}", new: "  vrf: {{ .spec.vrf }}\n  {{- end }}\n  {{ end }}", at: "  {{ end }}", want: "error VT2016"},
		{name: "an unknown function", file: forwarder, old: "| toYaml | nindent 2 }}\n  {{- end }}\n  {{- if .spec.pipelines", new: "| toYml | nindent 2 }}\n  {{- end }}\n  {{- if .spec.pipelines", at: "toYml", want: "error VT2016"},
		{name: "a template that is not defined", file: version, old: `template "versionMatch"`, new: `template "versionMatches"`, at: "versionMatches", want: "error VT2042", also: "VT2053"},
		{name: "a kind that only an input shows", file: sched, old: "kind: NUMAResourcesScheduler", new: "kind: {{ .kind }}", at: "# Optional", want: "error VT2017"},
		{name: "a template that refuses every CR", file: sched, old: "spec:\n", new: "{{- doNotMatch \"old\" }}\nspec:\n", at: "doNotMatch", want: "error VT2051", also: "VT2052"},
		{name: "a clock", file: sched, old: "  schedulerName: topo-aware-scheduler", new: "  schedulerName: topo-{{ (now).Year }}", at: "schedulerName: topo-{{", want: "warning VT2034", also: "VT2057"},
		{name: "a misspelt kind", file: ns, old: "kind: Namespace", new: "kind: Namespaces", at: "kind:", want: "error VT2051", also: "VT2052"},
		{name: "a namespace of a Namespace", file: ns, old: "  name: metallb-system", new: "  name: metallb-system\n  namespace: metallb-system", at: "  namespace:", want: "error VT2051", also: "VT2052"},
		{name: "a name that cannot be", file: "optional/logging/ClusterLogServiceAccount.yaml", old: "name: collector", new: "name: log_collector", at: "log_collector", want: "error VT2051", also: "VT2052"},
		{name: "a label that is true", file: ns, old: `"true"`, new: "true", at: "cluster-monitoring", want: "error VT2056"},
		{name: "a label that is a number", file: pinned, old: "role: worker", new: "role: 0", at: "role: 0", want: "error VT2056"},
		{name: "metadata in another letter case", file: sched, old: "metadata:", new: "Metadata:", at: "Metadata", want: "error VT2055", also: "VT2060"},
		{name: "a misspelt key of metadata", file: pinned, old: "  labels:", new: "  lables:", at: "lables", want: "error VT2055"},
		{name: "a key that stands twice", file: catalog, old: "  publisher: Red Hat", new: "  publisher: Red Hat\n  displayName: Catalog", at: "displayName: Catalog", want: "warning VT2058"},
		{name: "a key read in another letter case", file: peer, old: "{{ .spec.routerID }}", new: "{{ .spec.routerId }}", at: "routerId", want: "warning VT2059"},
		{name: "text without quotes", file: ns, old: `"true"`, new: "{{ index .metadata.labels \"x\" | lower }}", at: "lower", want: "warning VT2057"},
		{name: "a list that is not closed", file: catalog, old: "sourceType: grpc", new: "sourceType: [grpc", at: "sourceType", want: "warning VT2063"},
		{name: "a call that fails for every CR", file: sched, old: "schedulerName: topo-aware-scheduler", new: "schedulerName: {{ index (list) \"a\" }}", at: "index (list)", want: "warning VT2063"},
		{name: "a key without a value, where the rest is not compared", file: "required/networking/Network.yaml", old: "spec:\n", new: "spec:\n  disableNetworkDiagnostics:\n", at: "disableNetworkDiagnostics", want: "warning VT2061"},
		{name: "a definition in the place of another", file: "aaa.tmpl", new: "{{ define \"unorderedList\" }}[]{{ end }}\n", at: "define", want: "warning VT2054", also: "VT2053"},
		{name: "a definition that nobody calls", file: profile, old: "apiVersion", new: "{{ define \"alone\" }}x{{ end -}}\napiVersion", at: "alone", want: "warning VT2053"},
		{name: "a template that no component lists", file: "required/other/extra.yaml", new: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n", at: "apiVersion", want: "warning VT2062"},
	}
}
