package manifest

import (
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/scan"
)

// skipNoise goes over what kubectl says before its output where both went into one file.
func skipNoise(d scan.Document) scan.Document {
	for collector.IsNoise(d.Text) {
		length := scan.LineEnd(d.Text, false)
		if length == 0 {
			length = len(d.Text)
		}
		d.Text, d.Base = d.Text[length:], d.Base+1
	}
	return d
}

// skippedText is the length of what a text between JSON values begins with: noise, or a section of logs.
func skippedText(text []byte) int {
	section := collector.LogSection(text)
	if section == 0 && !collector.IsNoise(text) {
		return 0
	}
	if end := scan.LineEnd(text[section:], false); end > 0 {
		return section + end
	}
	return len(text)
}
