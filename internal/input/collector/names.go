package collector

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"time"
)

// Reasons why the name of a file excludes it.
const (
	Log   = "log or data of the collector"
	Other = "neither YAML nor JSON by its name"
)

// LeftOut returns why the name of a file excludes it; "" for a file to read, or to inspect if its
// name says nothing. YAML and JSON files are read in any folder; the folder excludes only other
// files.
func LeftOut(name string) string {
	ext := Extension(name)
	switch {
	case IsObjectName(name):
	case ext == "stderr" || ext == "logs" || inLogFolder(name):
		return Log
	// these may contain output of kubectl or jq
	case !slices.Contains([]string{"", "log", "txt"}, ext):
		return Other
	}
	return ""
}

// IsObjectName reports whether a file has the name of YAML or JSON, so that it is expected to hold
// objects. Lines of JSON in a folder of logs are logs.
func IsObjectName(name string) bool {
	switch ext := Extension(name); ext {
	case "yaml", "yml", "json", "jsonc", "json5":
		return true
	case "jsonl", "ndjson":
		return !inLogFolder(name)
	}
	base := path.Base(name)
	return base == "Kustomization" || slices.Contains(objectSuffixes(), base)
}

// objectSuffixes returns the ends of the names of YAML and JSON files.
func objectSuffixes() []string { return []string{".yaml", ".yml", ".json"} }

// Extension returns the extension of a name in lower case without its dot. It returns "" for the
// name of a hidden file, and if the text after the dot is too long or unusual for an extension:
// some collectors use command lines as names.
func Extension(name string) string {
	base := path.Base(name)
	dot := strings.LastIndexByte(base, '.')
	if dot < 1 {
		return ""
	}
	ext := strings.ToLower(base[dot+1:])
	odd := func(r rune) bool { return !isAlphanumeric(r) && r != '~' }
	if len(ext) > 10 || strings.ContainsFunc(ext, odd) {
		return ""
	}
	return ext
}

// IsPackage reports whether a file has the name of a package or document that happens to be an
// archive. Nobody keeps CRs in one.
func IsPackage(name string) bool {
	return slices.Contains([]string{
		"jar", "war", "ear", "whl", "egg", "apk", "nupkg", "vsix", "xpi", "crx", "deb", "docx", "xlsx", "pptx", "odt", "ods",
		"odp", "epub", "svgz",
	}, Extension(name))
}

// IsSetAside reports whether the name of a file, in lower case, says that it was once YAML or JSON
// and is no manifest now, so that kubectl and kustomize do not read it: a backup, the copy of an
// editor, a template or sample, a file that was disabled by a suffix.
func IsSetAside(name string) bool {
	base := path.Base(name)
	ext := Extension(base)
	switch {
	case IsObjectName(base):
		return strings.HasPrefix(base, ".#") // Emacs's lock
	case ext == "txt" || ext == "log": // the output of a command, named by hand
		return false
	case strings.HasSuffix(base, "~"), strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#"),
		slices.Contains([]string{"bak", "backup", "old", "orig", "rej", "save", "swp", "disabled"}, ext):
		return true
	}
	return slices.ContainsFunc(objectSuffixes(), func(ext string) bool {
		_, after, found := strings.Cut(base, ext)
		return found && strings.IndexFunc(after[:min(1, len(after))], isAlphanumeric) < 0
	})
}

// ProperName returns the path that a collector's file had before somebody set it aside: what an
// editor or a user put around its name is left out. A name without the extension of YAML or JSON
// gets one.
func ProperName(full string) string {
	folder, base := path.Split(full)
	base = strings.TrimLeft(base, ".#")
	lower := strings.ToLower(base)
	for _, ext := range objectSuffixes() {
		if at := strings.Index(lower, ext); at > 0 {
			return folder + base[:at+len(ext)]
		}
	}
	return folder + strings.TrimRight(strings.TrimSuffix(base, path.Ext(base)), "~#") + ".yaml"
}

func isAlphanumeric(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }

// IsPrivate reports whether a folder belongs to a version control system or an editor, which keep
// earlier states of files in it.
func IsPrivate(folder string) bool {
	return strings.HasPrefix(folder, ".Trash") ||
		slices.Contains([]string{".git", ".hg", ".svn", ".bzr", ".history", ".idea", ".vs", ".vscode"}, folder)
}

// InPrivate reports whether a file is in such a folder.
func InPrivate(name string) bool {
	for {
		folder, rest, found := strings.Cut(name, "/")
		if !found || IsPrivate(folder) {
			return found
		}
		name = rest
	}
}

// inLogFolder reports whether a name is below a folder where must-gather keeps its logs.
func inLogFolder(name string) bool {
	for {
		folder, rest, found := strings.Cut(name, "/")
		if !found {
			return false
		}
		switch folder {
		case "logs", "audit_logs", "network_logs", "host_service_logs", "static-pods":
			return true
		}
		name = rest
	}
}

// HoldsObjects reports whether a YAML or JSON file is in a place where a collector writes only
// objects. The path must be in lower case and begin with a slash.
func HoldsObjects(full string) bool {
	for _, c := range table() {
		if c.objects(full) {
			return true
		}
	}
	return false
}

// Reasons why a file may contain no object: another tool reads it.
const (
	Helm      = "a Helm chart's template or values"
	Kustomize = "a file of kustomize"
	CI        = "a file of a CI system, compose or the like"
)

// ExcuseOf returns the reason why a file with this path, in lower case and with a slash in front,
// belongs to another tool; "" for other files.
func ExcuseOf(full string) string {
	base := path.Base(full)
	stem := strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")
	switch {
	case path.Ext(base) == ".tpl", stem != base && stem == "helmfile",
		slices.Contains([]string{"chart.yaml", "chart.lock", "requirements.yaml"}, base):
		return Helm
	case stem != base && (stem == "values" || strings.HasPrefix(stem, "values-") || strings.HasPrefix(stem,
		"values.") || strings.HasSuffix(stem, "-values")):
		return Helm
	case stem == "kustomization":
		return Kustomize
	case isCI(full, stem):
		return CI
	}
	return ""
}

func isCI(full, stem string) bool {
	if hasFolder(full, ".github/") || hasFolder(full, ".gitlab/") || hasFolder(full, ".circleci/") {
		return true
	}
	for _, tool := range []string{"docker-compose", "compose", "azure-pipelines"} {
		if stem == tool || strings.HasPrefix(stem, tool+".") || strings.HasPrefix(stem, tool+"-") {
			return true
		}
	}
	switch path.Base(full) {
	case "package.json", "package-lock.json", "tsconfig.json", "composer.json", "renovate.json", "install-config.yaml":
		return true
	}
	switch stem {
	case ".gitlab-ci", ".travis", ".pre-commit-config", "mkdocs":
		return true
	}
	return false
}

// IsMoment reports whether a file has the name of the file in which must-gather records its start
// and its end, each on a line in Go's format: "2024-09-17 11:02:08.415522318 +0000 UTC m=+0.21".
// Another run into the same folder adds more lines.
func IsMoment(name string) bool { return path.Base(name) == "timestamp" }

// Moment returns the time in the first line of such a file, when the archive was gathered, and the
// last time in it; false if the file is something else with the same name.
func Moment(name string, data []byte) (first, last time.Time, ok bool) {
	if !IsMoment(name) {
		return first, last, false
	}
	for line := range bytes.Lines(data) {
		text, _, _ := strings.Cut(string(line), " m=")
		fields := strings.Fields(text)
		if len(fields) < 3 {
			break
		}
		at, err := time.Parse("2006-01-02 15:04:05 -0700", strings.Join(fields[:3], " "))
		if err != nil {
			break
		}
		last = at.Truncate(time.Second)
		if !ok {
			first, ok = last, true
		}
	}
	return first, last, ok
}
