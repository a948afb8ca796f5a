package lint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// Merge joins the documents of several references, in their order.
func Merge(all []*Document) *Document {
	if len(all) == 1 {
		return all[0]
	}
	merged := &Document{SchemaVersion: SchemaVersion, Flaws: []Flaw{}, Schemas: all[0].Schemas}
	for _, d := range all {
		merged.Schemas = merged.Schemas.add(d.Schemas)
		merged.References = append(merged.References, d.Reference)
		merged.Flaws = append(merged.Flaws, d.Flaws...)
		merged.Summary.Templates += d.Summary.Templates
	}
	merged.Reference = all[0].Reference
	return merged
}

// Parse parses a JSON document.
func Parse(text []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("not a JSON document of lint: %w", err)
	}
	switch {
	case d.Flaws == nil:
		return nil, errors.New("not output of `lint --output json`; save it with that command")
	case d.SchemaVersion != SchemaVersion:
		return nil, fmt.Errorf("its schemaVersion is %d, and this tool reads %d; save it again", d.SchemaVersion, SchemaVersion)
	}
	return &d, nil
}

// Mark marks the flaws that an earlier document has, and counts its resolved ones. file is the name
// of the earlier document. Two flaws are the same if code, file and message agree; lines may
// differ.
func (d *Document) Mark(file string, earlier *Document) {
	const line = `(line |:)\d+` // in a message
	place := regexp.MustCompile(line)
	alone := len(d.References) == 0 && len(earlier.References) == 0
	key := func(of *Document, f Flaw) Flaw {
		if alone { // the reference may have another path now
			folder := path.Dir(cmp.Or(filepath.ToSlash(of.Reference.Metadata), of.Reference.Path+"/.")) + "/"
			f.File, f.Message = strings.TrimPrefix(f.File, folder), strings.ReplaceAll(f.Message, folder, "")
		}
		same := Flaw{Severity: f.Severity}
		same.File, same.Code, same.Message = f.File, f.Code, place.ReplaceAllString(f.Message, "${1}0")
		return same
	}
	known := map[Flaw]int{}
	for _, f := range earlier.Flaws {
		known[key(earlier, f)]++
	}
	d.Baseline = &Baseline{Path: file, Gone: len(earlier.Flaws)}
	for i := range d.Flaws {
		if k := key(d, d.Flaws[i]); known[k] > 0 {
			known[k]--
			d.Flaws[i].Known = true
			d.Baseline.Known++
			d.Baseline.Gone--
		}
	}
}

// New returns the flaws that are not in the baseline.
func (d *Document) New() []Flaw {
	var all []Flaw
	for _, f := range d.Flaws {
		if !f.Known {
			all = append(all, f)
		}
	}
	return all
}

// Name returns the path of the reference, or the number of references.
func (d *Document) Name() string {
	if len(d.References) == 0 {
		return d.Reference.Path
	}
	return finding.Plural(len(d.References), "reference", "references")
}
