package manifest

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
)

// name is what a file's name tells.
type name struct {
	manifest bool   // .yaml, .yml or .json
	gathered bool   // that, in a folder of the layouts of support archives
	excuse   Reason // why a file of this name may well be no Kubernetes object, or ""
}

func newName(file, entry string) name {
	full := entry
	if full == "" {
		full = filepath.ToSlash(file)
	}
	full = "/" + strings.ToLower(full) // so that folders stand between slashes
	var n name
	switch path.Ext(full) {
	case ".yaml", ".yml", ".json":
		n.manifest = true
	}
	n.excuse = excuse(full)
	n.gathered = n.manifest && n.excuse == "" && inGatheredFolder(full)
	return n
}

// inGatheredFolder knows the folders that oc adm inspect, support-bundle-kit and Troubleshoot put objects into.
func inGatheredFolder(full string) bool {
	for _, folder := range []string{"/cluster-scoped-resources/", "/namespaces/", "/yamls/cluster/", "/yamls/namespaced/"} {
		if strings.Contains(full, folder) {
			return true
		}
	}
	return strings.Contains(full, "/cluster-resources/") && !strings.HasSuffix(full, "-errors.json") &&
		!strings.Contains(full, "/auth-cani-list/")
}

// excuse knows the files of other tools by their names. They are passed over only where they hold no objects.
func excuse(full string) Reason {
	base := path.Base(full)
	stem := strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")
	switch {
	case path.Ext(base) == ".tpl", base == "chart.yaml", base == "chart.lock", base == "requirements.yaml":
		return PassedTemplate
	case stem != base && (stem == "values" || strings.HasPrefix(stem, "values-") || strings.HasPrefix(stem, "values.") || strings.HasSuffix(stem, "-values")):
		return PassedTemplate
	case stem == "kustomization":
		return PassedKustomize
	case isCI(full, stem):
		return PassedCI
	}
	return ""
}

func isCI(full, stem string) bool {
	for _, folder := range []string{"/.github/", "/.gitlab/", "/.circleci/"} {
		if strings.Contains(full, folder) {
			return true
		}
	}
	for _, tool := range []string{"docker-compose", "compose", "azure-pipelines"} {
		if stem == tool || strings.HasPrefix(stem, tool+".") || strings.HasPrefix(stem, tool+"-") {
			return true
		}
	}
	switch stem {
	case ".gitlab-ci", ".travis", ".pre-commit-config", "mkdocs":
		return true
	}
	return false
}

// mayHoldObjects decides cheaply whether to look into a file at all: by its name, else by how it begins.
func (r *reader) mayHoldObjects(text []byte) bool {
	if r.name.manifest {
		return true
	}
	if !bytes.Contains(text, []byte("apiVersion")) && r.hints.Kind == "" {
		return false
	}
	const enough = 4096
	begin := text[:min(len(text), enough)]
	first := split(begin)[0].body().text
	return beginsObject(first) || looksLikeJSON(first) || followedByJSON(begin)
}

// followedByJSON says whether JSON begins at one of the lines.
func followedByJSON(text []byte) bool {
	i := bytes.Index(text, []byte("\n{"))
	return i >= 0 && isJSON(text[i+1:])
}

// beginsObject says whether the text begins with a key of a Kubernetes object or List, or a list of such.
func beginsObject(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("- "))
	for _, key := range objectKeys() {
		if bytes.HasPrefix(text, []byte(key+":")) {
			return true
		}
	}
	return false
}

func objectKeys() []string {
	return []string{"apiVersion", "kind", "metadata", "items", "spec", "data"}
}

// claimsObjects says of text that does not parse whether it looks like Kubernetes objects: an apiVersion and another key
// of an object or List at the beginning of lines, or a JSON object that begins with such a key. Logs hold such lines
// too, so a file of another name must begin with one.
func (r *reader) claimsObjects(text []byte) bool {
	switch {
	case looksLikeJSON(text):
		return claimsJSON(text)
	case !r.name.manifest && !beginsObject(text):
		return false
	}
	found := 0
	for _, key := range objectKeys() {
		if hasKeyLine(text, key) {
			found++
		} else if key == "apiVersion" {
			return false
		}
	}
	return found >= 2
}

func claimsJSON(text []byte) bool {
	first := bytes.TrimLeft(firstText(text), "[{ \t\r\n")
	for _, key := range objectKeys() {
		if bytes.HasPrefix(first, []byte(`"`+key+`"`)) {
			return bytes.Contains(text, []byte(`"apiVersion"`))
		}
	}
	return false
}

// hasKeyLine looks for the key at the beginning of a line, or of an item there.
func hasKeyLine(text []byte, key string) bool {
	for _, before := range []string{"", "- ", "  "} {
		begin := []byte(before + key + ":")
		if bytes.HasPrefix(text, begin) || bytes.Contains(text, append([]byte("\n"), begin...)) {
			return true
		}
	}
	return false
}
