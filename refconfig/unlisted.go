package refconfig

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// mostUnlisted is up to how many files of a folder are looked at: a reference has some hundreds.
const mostUnlisted = 10_000

// unlisted warns of CRs in the folder that the metadata does not list. Folders that hold a
// reference of their own are not looked into, nor those that hold its tests, and what the text of
// another metadata file names is listed there.
func (l *loader) unlisted() {
	quiet := *l
	quiet.findings = &findings{} // what cannot be read is not asked for
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
