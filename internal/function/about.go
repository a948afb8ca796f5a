package function

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/Masterminds/sprig/v3"
)

// About is the description of one of our own functions for users.
type About struct {
	Name      string
	Signature string
	Does      string // what the function does, on one line
	Example   string // a template that calls the function
	Prints    string // output of the example, or its finding if Finds is set
	Finds     bool   // the example prints nothing but reports a finding on the CR
	Of        string // CRs of the input that the example needs, if any
}

// Collection is a set of functions that are documented elsewhere.
type Collection struct {
	Name, Described string
	Names           []string // sorted
}

// Own returns the descriptions of our own functions and of those known from Helm, sorted by name.
// Collections returns all others.
func Own() []About {
	const nodes = "Nodes a and b"
	return []About{
		{Name: "cpuSetSize", Signature: "cpuSetSize SET", Does: "the number of CPUs in a set as Linux writes them",
			Example: `{{ cpuSetSize "0-1,20-21" }}`, Prints: "4"},
		{Name: "cpuSetsEqual", Signature: "cpuSetsEqual SET SET", Does: "whether two sets have the same CPUs",
			Example: `{{ cpuSetsEqual "0-3" "3,0-2" }}`, Prints: "true"},
		{Name: "cpuSetsOverlap", Signature: "cpuSetsOverlap SET SET", Does: "whether two sets have a CPU in common",
			Example: `{{ cpuSetsOverlap "0-3" "2,8" }}`, Prints: "true"},
		{
			Name:      "doNotMatch",
			Signature: "doNotMatch REASON",
			Does:      "refuse the CR: another template may take it; otherwise it is not compared",
			Example:   `{{ doNotMatch "a pool of the lab" }}`,
			Prints:    "refused: a pool of the lab",
			Finds:     true,
		},
		{Name: "fail", Signature: "fail MESSAGE", Does: "report a message as a finding on the CR, and go on",
			Example: `{{ fail "mtu is too small" }}`, Prints: "mtu is too small", Finds: true},
		{Name: "fromJson", Signature: "fromJson TEXT", Does: "the map in a text of JSON",
			Example: `{{ (fromJson "{\"a\": [1, 2]}").a | len }}`, Prints: "2"},
		{Name: "fromJsonArray", Signature: "fromJsonArray TEXT", Does: "the list in a text of JSON",
			Example: `{{ fromJsonArray "[1, 2]" | len }}`, Prints: "2"},
		{Name: "fromYaml", Signature: "fromYaml TEXT", Does: "the map in a text of YAML",
			Example: `{{ (fromYaml "mtu: 9000").mtu }}`, Prints: "9000"},
		{Name: "fromYamlArray", Signature: "fromYamlArray TEXT", Does: "the list in a text of YAML",
			Example: `{{ fromYamlArray "[a, b]" | len }}`, Prints: "2"},
		{Name: "include", Signature: "include NAME DATA", Does: "the text that a named template prints",
			Example: `{{ define "greet" }}hello {{ . }}{{ end }}{{ include "greet" "edge" | upper }}`, Prints: "HELLO EDGE"},
		{
			Name:      "inputFiles",
			Signature: "inputFiles GLOB",
			Does:      "the names of the YAML and JSON files of the input whose last parts match",
			Example:   `{{ range inputFiles "nodes/*/*.yaml" }}{{ base . }}{{ else }}there is none{{ end }}`,
			Prints:    "there is none",
		},
		{
			Name:      "lookupCR",
			Signature: "lookupCR APIVERSION KIND NAMESPACE NAME",
			Does:      `the one CR of the input that matches, or nothing; "" and "*" match any namespace and name`,
			Example:   `{{ (lookupCR "v1" "Node" "" "b").metadata.name }}`,
			Prints:    "b",
			Of:        nodes,
		},
		{
			Name:      "lookupCRs",
			Signature: "lookupCRs APIVERSION KIND NAMESPACE NAME",
			Does:      `all CRs of the input that match; "" and "*" match any namespace and name`,
			Example:   `{{ lookupCRs "v1" "Node" "" "*" | len }}`,
			Prints:    "2",
			Of:        nodes,
		},
		{
			Name:      "maxListLength",
			Signature: "maxListLength N LIST",
			Does:      "print nothing, or report a finding if the list is longer",
			Example:   `{{ maxListLength 1 (list "a" "b") }}`,
			Prints:    "the list has 2 items, more than the 1 allowed",
			Finds:     true,
		},
		{
			Name:      "minListLength",
			Signature: "minListLength N LIST",
			Does:      "print nothing, or report a finding if the list is shorter",
			Example:   `{{ minListLength 3 (list "a" "b") }}`,
			Prints:    "the list has 2 items, fewer than the 3 allowed",
			Finds:     true,
		},
		{
			Name:      "note",
			Signature: "note CODE [PATH] MESSAGE",
			Does:      "print nothing, and add a note with a code of the reference's own to the report; it is no finding",
			Example:   `{{ note "CLOCK-SOURCE" (printf "%-8s %d" "ptp4l" 2) }}`,
			Prints:    "ptp4l    2",
			Finds:     true,
		},
		{
			Name:      "oldCR",
			Signature: "oldCR",
			Does:      "the CR as it was in the input of --old, or nothing",
			Example:   `{{ with oldCR }}size was {{ .spec.size }}{{ else }}nothing is known of the past{{ end }}`,
			Prints:    "nothing is known of the past",
		},
		{
			Name:      "quantityCompare",
			Signature: "quantityCompare QUANTITY QUANTITY",
			Does:      "-1, 0 or 1: whether the first quantity is smaller than the second, the same, or larger",
			Example:   `{{ quantityCompare "1500m" 1 }}`,
			Prints:    "1",
		},
		{
			Name:      "quantityEqual",
			Signature: "quantityEqual QUANTITY QUANTITY",
			Does:      "whether two quantities are the same amount",
			Example:   `{{ quantityEqual "1Gi" "1024Mi" }}`,
			Prints:    "true",
		},
		{Name: "toJson", Signature: "toJson VALUE", Does: "a value as JSON, on one line",
			Example: `{{ list "a" "b" | toJson }}`, Prints: `["a","b"]`},
		{Name: "toToml", Signature: "toToml MAP", Does: "a map as TOML",
			Example: `{{ dict "threads" 4 | toToml }}`, Prints: "threads = 4"},
		{Name: "toYaml", Signature: "toYaml VALUE", Does: "a value as YAML, as the Kubernetes tools print it",
			Example: `{{ dict "mtu" 9000 | toYaml }}`, Prints: "mtu: 9000"},
		{
			Name:      "violation",
			Signature: "violation CODE [PATH] MESSAGE",
			Does:      "print nothing, and report a finding with a code of the reference's own, at a field or on the CR as a whole",
			Example:   `{{ violation "MTU-JUMBO" "spec.mtu" "jumbo frames need 9000" }}`,
			Prints:    "jumbo frames need 9000",
			Finds:     true,
		},
	}
}

// Collections returns the functions that are documented elsewhere, grouped by the project that
// documents them.
func Collections() []Collection {
	builtin := Collection{Name: "text/template", Described: "https://pkg.go.dev/text/template#hdr-Functions",
		Names: strings.Fields(
			"and call eq ge gt html index js le len lt ne not or print printf println slice urlquery",
		)}
	sprigs := Collection{Name: "sprig", Described: "https://masterminds.github.io/sprig/"}
	own := Own()
	known := sprig.TxtFuncMap()
	for name := range Table() {
		isOwn := slices.ContainsFunc(own, func(a About) bool { return a.Name == name })
		if known[name] != nil && !isOwn && !slices.Contains(builtin.Names, name) {
			sprigs.Names = append(sprigs.Names, name)
		}
	}
	slices.Sort(sprigs.Names)
	return []Collection{builtin, sprigs}
}

// known describes the functions of the collections, each on a line "signature: what it returns".
//
//go:embed known.txt
var known string

// Described returns the signature of a function of a collection, and what it returns.
func Described(name string) (signature, does string) {
	for line := range strings.Lines(known) {
		signature, does, _ = strings.Cut(strings.TrimSpace(line), ": ")
		if called, _, _ := strings.Cut(signature, " "); called == name {
			return signature, does
		}
	}
	rest, ok := strings.CutPrefix(name, "must")
	if !ok || rest == "" {
		return name, ""
	}
	if rest, isWord := strings.CutPrefix(rest, "_"); isWord {
		signature, does = Described(rest)
		return "must_" + signature, does
	}
	signature, does = Described(strings.ToLower(rest[:1]) + rest[1:])
	return "must" + strings.ToUpper(signature[:1]) + signature[1:], does
}

// LeftOut returns why a function that authors may know from elsewhere does not exist here; "" for
// any other name.
func LeftOut(name string) string {
	switch name {
	case "env", "expandenv":
		return "it reads the environment of the user who runs the comparison"
	case "getHostByName":
		return "it asks the network"
	case "lookup":
		return "nothing asks a live cluster; lookupCR and lookupCRs look into the input"
	case "tpl", "required", "fromSecret", "fromConfigMap", "fromClusterClaim":
		return "it belongs to another template language"
	}
	return ""
}
