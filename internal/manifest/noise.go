package manifest

import (
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// skipNoise goes over what kubectl says before its output where both went into one file, and over
// the prompts before it. Logs, which may have other names than manifests, begin with such lines,
// too.
func (r *reader) skipNoise(d kubeyaml.Document) kubeyaml.Document {
	isNoise := collector.IsPrompt
	if r.name.manifest {
		isNoise = collector.IsNoise
	}
	for isNoise(d.Text) {
		length := kubeyaml.LineEnd(d.Text, false)
		if length == 0 {
			length = len(d.Text)
		}
		d.Text, d.Base = d.Text[length:], d.Base+1
	}
	return d
}

// skippedText is the length of what a text between JSON values begins with: noise, or a section of
// logs.
func skippedText(text []byte) int {
	section := collector.LogSection(text)
	if section == 0 && !collector.IsNoise(text) {
		return 0
	}
	if end := kubeyaml.LineEnd(text[section:], false); end > 0 {
		return section + end
	}
	return len(text)
}
