package manifest

import (
	"bytes"
	"path"
	"strings"
)

// name is what a file's name tells.
type name struct {
	manifest bool   // .yaml, .yml or .json
	gathered bool   // that, in a folder of the layouts of support archives
	holds    bool   // a collector wrote the file for objects, see id
	id       PathID // which objects these are
	excuse   Reason // why a file of this name may well be no Kubernetes object, or ""
}

func newName(file, entry string) name {
	full := pathOf(file, entry)
	var n name
	n.id, n.holds = pathID(full)
	full = "/" + strings.ToLower(full) // so that folders stand between slashes
	n.manifest = isManifestExt(path.Ext(full))
	if !n.holds { // a CR may have any name
		n.excuse = excuse(full)
	}
	n.gathered = n.holds || n.manifest && n.excuse == "" && inGatheredFolder(full)
	return n
}

func isManifestExt(ext string) bool { return ext == ".yaml" || ext == ".yml" || ext == ".json" }

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
