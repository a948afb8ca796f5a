package main

import (
	"fmt"
	"strings"
)

// plugin is what kubectl calls the tool where krew installed it: `kubectl validation-tool`. No name
// with "compare" in it, which would come near that of another plugin.
const plugin = "validation-tool"

// manifest returns what krew installs the tool by. krew knows no linux/s390x, and its validator
// refuses it.
func (r release) manifest(all []packed) string {
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: %s
spec:
  version: %s
  homepage: %s
  shortDescription: Compare a cluster with a reference configuration
  description: |
    Compares the CRs of a folder, a file or a support archive, such as an OpenShift
    must-gather, with a reference configuration, and shows where they differ.
    It needs no access to a cluster.
  platforms:
`, plugin, r.version, homepage)
	for _, p := range all {
		if p.processor == "s390x" {
			continue
		}
		fmt.Fprintf(&b, `  - selector:
      matchLabels:
        os: %s
        arch: %s
    uri: %s/%s
    sha256: %x
    bin: %s
`, p.system, p.processor, r.url, p.name, p.sum, p.binary)
	}
	return b.String()
}
