package function

import (
	_ "embed"
	"strings"
)

// Doc is the description of a function for users.
type Doc struct {
	Name      string
	Signature string
	Does      string // what the function does, on one line
	Of        Collection

	// These are set only for our own functions.
	Example string // a template that calls the function
	Label   string // what Output is: "prints", possibly with a condition, or "finds" for a finding on the CR
	Output  string
}

// Collection is a project that documents its functions elsewhere; empty for our own functions and
// those known from Helm.
type Collection struct{ Name, URL string }

// docs has the text of all descriptions. A function has a line "signature: what it does". Our own
// functions come first, each with an example and its output on indented lines. "# name URL" begins
// the functions of a collection.
//
//go:embed docs.txt
var docs string

// Docs returns the descriptions of all functions: our own, then those of each collection, each
// sorted by name.
func Docs() []Doc {
	var all []Doc
	var of Collection
	for line := range strings.Lines(docs) {
		line = strings.TrimSuffix(line, "\n")
		before, after, _ := strings.Cut(line, ": ")
		switch last := len(all) - 1; {
		case line[0] == '#':
			of.Name, of.URL, _ = strings.Cut(line[2:], " ")
		case line[0] != ' ':
			name, _, _ := strings.Cut(before, " ")
			all = append(all, Doc{Name: name, Signature: before, Does: after, Of: of})
		case all[last].Example == "":
			all[last].Example = strings.TrimSpace(line)
		default:
			all[last].Label = strings.TrimSpace(before)
			all[last].Output = after
		}
	}
	return all
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
