package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/schema"
	"github.com/validationtool/validationtool/refconfig"
)

// save offers to save the choices as a diff config. A run with this diff config gives the same
// result without questions. A new file begins with the content of config, the diff config of this
// run, if there is one, and may be that diff config, but no other file in use.
func (d *dialogue) save(config string, inUse *destination.InUse) {
	inUse.Release(config)
	pairs := d.pairs()
	for len(pairs) > 0 {
		name, ok := d.fileName(fmt.Sprintf(
			"Save %s as a diff config? File name, or Enter for no:", finding.Plural(len(pairs), "choice", "choices"),
		))
		if !ok {
			d.say("Nothing was saved.")
			break
		}
		saved, err := d.saveAs(name, config, pairs, inUse)
		if err != nil {
			d.say("%s", err)
			continue
		}
		if saved {
			d.say("Saved. Next time: --diff-config %s", name)
			break
		}
	}
}

// fileName asks for the name of a file. For the answer "yes" it asks again; for "no" it returns
// false.
func (d *dialogue) fileName(prompt string) (string, bool) {
	name, ok := d.line(prompt)
	if word := strings.ToLower(name); ok && (word == "y" || word == "yes") {
		name, ok = d.line("File name, or Enter to save nothing:")
	}
	word := strings.ToLower(name)
	return name, ok && !slices.Contains([]string{"", "n", "no", "y", "yes"}, word)
}

// confirmed asks a question whose default answer is no.
func (d *dialogue) confirmed(question string) bool {
	answer, ok := d.line(question + " y, or Enter for no:")
	word := strings.ToLower(answer)
	return ok && (word == "y" || word == "yes")
}

// pairs returns the choices as pairs of a diff config, and prints choices that it cannot express.
func (d *dialogue) pairs() []refconfig.ManualPair {
	var pairs []refconfig.ManualPair
	chosen := map[string]string{} // path of the template by object
	for _, m := range d.made {
		key := m.object.Key()
		if before, known := chosen[key]; !known {
			chosen[key] = m.template.Path
			pairs = append(pairs, refconfig.ManualPair{Object: key, Template: m.template.Path})
		} else if before != m.template.Path {
			d.say("%q is in several clusters of the input; the diff config uses the first choice for all of them",
				m.object.String())
		}
	}
	return pairs
}

// saveAs adds the pairs to a file if the user agrees, and reports whether the user did.
func (d *dialogue) saveAs(name, config string, pairs []refconfig.ManualPair, inUse *destination.InUse) (bool, error) {
	old, err := disk.ReadFile(name)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew && config != "":
		if old, err = disk.ReadFile(config); err != nil {
			return false, err
		}
	case isNew:
		old = []byte(schema.Comment("diff-config") + "# Manual pairs of CRs and templates, for --diff-config.\n")
	case err != nil:
		return false, err
	}
	before, problems := refconfig.ParseDiffConfig(name, old)
	if len(problems) > 0 {
		return false, refconfig.Faults{What: "the file cannot be added to", Problems: problems}
	}
	text, err := refconfig.AddPairs(old, pairs)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	question := fmt.Sprintf("Write the new file %s?", name)
	if !isNew {
		question = fmt.Sprintf(
			"%s has %s; add the new ones, and replace those of the same CRs?",
			name,
			finding.Plural(len(before.Pairs), "pair", "pairs"),
		)
	}
	if !d.confirmed(question) {
		return false, nil
	}
	if err := destination.WriteFile(name, text, inUse); err != nil {
		return false, fmt.Errorf("%s: %w", outputCode(err, code.OutputFailed), err)
	}
	return true, nil
}
