package refconfig

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// mostUnlisted limits the files of a folder that are examined: a reference has some hundreds.
const mostUnlisted = 10_000

// unlisted warns of CRs in the folder that the metadata does not list. It ignores folders with a
// reference of their own or with tests, and files that another metadata file names.
func (l *loader) unlisted() {
	quiet := *l
	quiet.findings = &findings{} // unreadable files do not matter here
	names := quiet.filesBelow()
	if len(names) > mostUnlisted {
		return
	}
	var elsewhere []string
	var others [][]byte
	for _, name := range names {
		if isMetadataName(name) && path.Dir(name) != "." {
			elsewhere = append(elsewhere, path.Dir(name)+"/")
		}
	}
	var found []string
	for _, name := range names {
		suffix := strings.ToLower(path.Ext(name))
		if l.Files[name] != nil || !slices.Contains([]string{".yaml", ".yml", ".json"}, suffix) ||
			strings.HasPrefix(name, "tests/") ||
			slices.ContainsFunc(elsewhere, func(folder string) bool { return strings.HasPrefix(name, folder) }) {
			continue
		}
		data, err := quiet.Anew(name)
		switch {
		case err != nil:
		case isMetadata(data):
			others = append(others, data)
		case looksLikeCR(data) && !strings.HasPrefix(marginKeys(data)["apiVersion"], "kustomize.config.k8s.io"):
			found = append(found, name)
		}
	}
	for _, name := range found {
		if !slices.ContainsFunc(others, func(text []byte) bool { return bytes.Contains(text, []byte(name)) }) {
			l.warn(
				code.RefUnlisted,
				Place{File: l.shown(name), Line: 1},
				"no component lists this file, so it is not part of the reference",
			)
		}
	}
}
