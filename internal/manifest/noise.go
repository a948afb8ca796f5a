package manifest

import (
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// skipNoise skips lines before the objects: in a manifest messages of kubectl, in other files shell
// prompts. Other files may be logs, which begin with such messages too.
func (r *reader) skipNoise(d kubeyaml.Document) kubeyaml.Document {
	isNoise := collector.IsPrompt
	if r.name.manifest {
		isNoise = collector.IsNoise
	}
	for isNoise(d.Text) {
		length := kubeyaml.LineLength(d.Text)
		d.Text, d.Base = d.Text[length:], d.Base+1
	}
	return d
}

// skippedText returns the length of the noise, or the section of logs, at the beginning of a text
// between JSON values.
func skippedText(text []byte) int {
	section := collector.LogSection(text)
	if section == 0 && !collector.IsNoise(text) {
		return 0
	}
	return section + kubeyaml.LineLength(text[section:])
}
