package main

import (
	"fmt"
	"strings"
)

// formula returns what Homebrew installs the tool by, on macOS and Linux.
func (r release) formula(all []packed) string {
	var b strings.Builder
	fmt.Fprintf(&b, `class Validationtool < Formula
  desc "Compare Kubernetes CRs and must-gathers with a reference configuration"
  homepage %q
  version %q
  license "Apache-2.0"
`, homepage, strings.TrimPrefix(r.version, "v"))
	systems := map[string]string{"darwin": "macos", "linux": "linux"}
	processors := map[string]string{"amd64": "intel", "arm64": "arm"}
	for _, p := range all {
		if systems[p.system] != "" && processors[p.processor] != "" {
			fmt.Fprintf(&b, `
  on_%s do
    on_%s do
      url "%s/%s"
      sha256 "%x"
    end
  end
`, systems[p.system], processors[p.processor], r.url, p.name, p.sum)
		}
	}
	fmt.Fprintf(&b, `
  def install
    bin.install %[1]q
    man1.install "%[1]s.1"
    generate_completions_from_executable(bin/%[1]q, "completion")
  end

  test do
    system bin/%[1]q, "version"
  end
end
`, tool)
	return b.String()
}
