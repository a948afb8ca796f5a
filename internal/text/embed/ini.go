package embed

import (
	"errors"
	"fmt"
	"strings"
)

// readINI reads sections in brackets with keys and values, as systemd, NetworkManager and tuned
// write them. A repeated key or section becomes a list, in the order of the text. Keys before the
// first section are on the same level as the sections. A key without an equals sign is null, a
// backslash at the end of a line continues it, and # or ; starts a comment line.
func readINI(text string) (any, error) {
	all := map[string]any{}
	section := all
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for n := 0; n < len(lines); n++ {
		line, at := strings.TrimSpace(lines[n]), n+1
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			name, closed := strings.CutSuffix(line[1:], "]")
			if !closed || name == "" {
				return nil, fmt.Errorf("it is not valid INI (its line %d)", at)
			}
			section = map[string]any{}
			add(all, name, section)
			continue
		}
		var whole []string
		for ; strings.HasSuffix(line, `\`) && n+1 < len(lines); line = strings.TrimSpace(lines[n]) {
			whole = append(whole, strings.TrimSpace(strings.TrimSuffix(line, `\`)))
			n++
		}
		key, value, given := strings.Cut(strings.Join(append(whole, line), " "), "=")
		if key = strings.TrimSpace(key); key == "" {
			return nil, fmt.Errorf("it is not valid INI (its line %d)", at)
		}
		if given {
			add(section, key, strings.TrimSpace(value))
		} else {
			add(section, key, nil)
		}
	}
	if strings.Contains(text, "\x00") {
		return nil, errors.New("it is not valid INI")
	}
	return all, nil
}

// add adds a value; the values of a repeated key form a list.
func add(m map[string]any, key string, value any) {
	old, again := m[key]
	if list, isList := old.([]any); isList {
		m[key] = append(list, value)
	} else if again {
		m[key] = []any{old, value}
	} else {
		m[key] = value
	}
}
