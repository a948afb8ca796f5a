package generate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// documents returns entries for the texts of a template that certainly hold a document, so that a
// comparison tells which of its fields differ. What a document has more is drift, because the text
// differs. same has texts that do not differ.
func documents(id manifest.ID, stated any, same map[string]bool) (all []refconfig.FieldFunction) {
	for text := range same {
		if hasOddNumber(text) {
			return nil
		}
	}
	reader := embed.Reader{Left: embed.Most(tree.SizeOf(stated).Bytes)}
	for at, v := range tree.Leaves(stated) {
		format := ""
		switch v := v.(type) {
		case tree.Document:
			format = embed.YAML
		case string:
			if !same[v] {
				format = formatOf(&reader, id, at, v)
			}
		}
		if format != "" {
			path := slices.Clone(at)
			all = append(all, refconfig.FieldFunction{Path: path, Key: refconfig.Embedded, Function: format},
				refconfig.FieldFunction{Path: path, Key: refconfig.Exact})
		}
	}
	return all
}

// texts returns the texts of another cluster's CR, in which a document is only opened if it differs; nil
// if the template is not made for another cluster.
func (t *template) texts(values []any) map[string]bool {
	if t.pairing == nil {
		return nil
	}
	all := map[string]bool{}
	for _, v := range tree.Leaves(values[len(values)-1]) {
		if text, isText := v.(string); isText {
			all[text] = true
		}
	}
	return all
}

// formatOf returns the format of the document in a text; "" if it is none, or if a reader could lose
// something of it.
func formatOf(reader *embed.Reader, id manifest.ID, at refconfig.FieldPath, text string) string {
	if isUnit(id, at) {
		if d, err := reader.Decode(text, "", embed.INI); err == nil && len(d.Layers) == 0 {
			return embed.INI
		}
		return ""
	}
	d, ok, err := reader.Recognise(text)
	if !ok || err != nil || len(d.Twice) > 0 || hasOddNumber(d.Text) {
		return ""
	}
	return d.Format
}

// hasOddNumber reports whether a text may have a number that ends in a zero after its point, such as a
// version: its program may read 1.20 as a text, which is another one than 1.2.
func hasOddNumber(text string) bool {
	if !strings.ContainsAny(text, "\n{[") || !strings.Contains(text, ".") {
		return false // it is no document
	}
	return regexp.MustCompile(`(?m)(^|[\s:\[,-])[+-]?\d+\.\d*0([\s,\]}]|$)`).MatchString(text)
}

// isUnit reports whether a field is a unit of systemd, or a drop-in of one.
func isUnit(id manifest.ID, at refconfig.FieldPath) bool {
	path := at.String()
	return id.Kind == "MachineConfig" && strings.HasPrefix(path, "spec.config.systemd.units.") &&
		strings.HasSuffix(path, ".contents")
}

// opened returns the maps in texts of YAML or JSON at the same path; false if one of them holds no map, or
// if a template cannot print it.
func opened(texts []any, at refconfig.FieldPath) (maps []any, ok bool) {
	if len(at) == 0 || at[len(at)-1].Index >= 0 {
		return nil, false
	}
	reader := embed.Reader{Left: embed.Most(tree.SizeOf(texts).Bytes)}
	for _, v := range texts {
		text, isText := v.(string)
		d, is, err := reader.Recognise(text)
		m, isMap := d.Value.(map[string]any)
		if !isText || !is || err != nil || len(d.Twice)+len(d.Layers) > 0 || !isMap || !isPlain(m) {
			return nil, false
		}
		maps = append(maps, m)
	}
	return maps, true
}

// isPlain reports whether the text that a template states can hold all texts of a document: those that
// end in empty lines, or have odd line breaks, would be others there.
func isPlain(document map[string]any) bool {
	isOdd := func(text string) bool {
		return strings.HasSuffix(text, "\n\n") || strings.ContainsAny(text, "\u0085\u2028\u2029\ufeff\r")
	}
	for at, v := range tree.Leaves(document) {
		if text, isText := v.(string); isText && isOdd(text) ||
			slices.ContainsFunc(at, func(s refconfig.Step) bool { return isOdd(s.Key) }) {
			return false
		}
	}
	return true
}
