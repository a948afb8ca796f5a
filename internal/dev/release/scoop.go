package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// bucket returns what scoop installs the tool by, on Windows.
func (r release) bucket(all []packed) ([]byte, error) {
	type download struct {
		URL  string `json:"url"`
		Hash string `json:"hash"`
	}
	downloads := map[string]download{}
	names := map[string]string{"amd64": "64bit", "arm64": "arm64"}
	for _, p := range all {
		if name := names[p.processor]; p.system == "windows" && name != "" {
			downloads[name] = download{r.url + "/" + p.name, fmt.Sprintf("%x", p.sum)}
		}
	}
	short, _, _ := strings.Cut(about, "\n")
	return json.MarshalIndent(struct {
		Version      string              `json:"version"`
		Description  string              `json:"description"`
		Homepage     string              `json:"homepage"`
		License      string              `json:"license"`
		Architecture map[string]download `json:"architecture"`
		Bin          string              `json:"bin"`
	}{strings.TrimPrefix(r.version, "v"), short, homepage, "Apache-2.0", downloads, tool + ".exe"}, "", "    ")
}
