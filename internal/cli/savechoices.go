package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// save offers to save the choices as a diff config, which gives the same result without questions. A new file begins with
// what the diff config of this run has, named by config if there is one.
func (d *dialogue) save(config string) {
	pairs := d.pairs()
	for len(pairs) > 0 {
		name, ok := d.line(fmt.Sprintf("Save %s as a diff config? File name, or Enter for no:", plural(len(pairs), "choice")))
		if !ok {
			d.say("Nothing is saved.")
		}
		if !ok || name == "" {
			break
		}
		saved, err := d.saveAs(name, config, pairs)
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

// pairs are the choices as a diff config can have them. What it cannot express is told.
func (d *dialogue) pairs() []refconfig.ManualPair {
	var pairs []refconfig.ManualPair
	chosen := map[string]*refconfig.Template{}
	for _, m := range d.made {
		key := m.object.Key()
		before, twice := chosen[key]
		switch {
		case twice && before != m.template:
			d.say("%q is in several clusters of the input; a diff config has the first choice for all of them", m.object.String())
		case twice:
		case d.ref.Template(m.template.Path) != m.template:
			d.say("%q: %s is in the reference twice, and a diff config means the first; this choice cannot be saved", m.object.String(), m.template.Path)
		default:
			pairs = append(pairs, refconfig.ManualPair{Object: key, Template: m.template.Path})
		}
		if !twice {
			chosen[key] = m.template
		}
	}
	return pairs
}

// saveAs adds the pairs to a file, and reports whether the user let it.
func (d *dialogue) saveAs(name, config string, pairs []refconfig.ManualPair) (bool, error) {
	old, err := os.ReadFile(name)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew && config != "":
		if old, err = os.ReadFile(config); err != nil {
			return false, err
		}
	case isNew:
		old = []byte("# Which template a CR is compared with, for --diff-config.\n")
	case err != nil:
		return false, err
	}
	before, problems := refconfig.ParseDiffConfig(name, old)
	if len(problems) > 0 {
		return false, faults{"the file cannot be added to", problems}
	}
	text, err := refconfig.AddPairs(old, pairs)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	if !isNew {
		answer, ok := d.line(fmt.Sprintf("%s has %s; add to them, and replace those of the same CRs? y or n:", name, plural(len(before.Pairs), "pair")))
		if !ok || !strings.HasPrefix(strings.ToLower(answer), "y") {
			return false, nil
		}
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return false, fmt.Errorf("%s: %w", code.OutputFailed, err)
	}
	return true, nil
}
