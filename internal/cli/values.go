package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
)

// option is an option of a command.
type option struct {
	name, letter string // letter is empty for none
	category     string // the heading of its help
	usage        string // its help, with the name of its value in backquotes
	value        *value // reads its values
	on           *bool  // what an option without values sets; else nil
}

// value reads the values of an option. It keeps the first error, and check returns this error later.
type value struct {
	set   func(string) error
	words []string // completions; if set stores a text, the only possible values; one that ends in "=" is incomplete
	many  bool     // the option takes a list with commas and can be repeated
	texts []string // the values that were given
	err   error
}

// one returns a value that must be one of the words. If there are no words, it can be any text.
func one(into *string, words ...string) *value {
	return &value{words: words, set: func(text string) error {
		*into = text
		return known(text, words)
	}}
}

// list returns a value that must be a list of these words. If there are no words, it can be a list
// of any texts.
func list(into *[]string, words ...string) *value {
	return &value{words: words, many: true, set: func(text string) error {
		if words != nil {
			text = strings.ToLower(text)
		}
		*into = append(*into, text)
		return known(text, words)
	}}
}

// atLeast returns a value that is a whole number.
func atLeast(into *int, least int) *value {
	return &value{set: func(text string) (err error) {
		if *into, err = strconv.Atoi(text); err != nil || *into < least {
			return fmt.Errorf("%q is not possible; it must be a whole number, %d or more", text, least)
		}
		return nil
	}}
}

// between returns the value of an option for a whole number from least to most.
func between(into *int, least, most int) *value {
	return &value{set: func(text string) (err error) {
		if *into, err = strconv.Atoi(text); err != nil || *into < least || *into > most {
			return fmt.Errorf("%q is not possible; it must be a whole number from %d to %d", text, least, most)
		}
		return nil
	}}
}

// known returns an error if there are words and the text is none of them.
func known(text string, words []string) error {
	if words == nil || slices.Contains(words, text) {
		return nil
	}
	return fmt.Errorf("%q is unknown; it can be %s", text, code.Enumerate(words, "or"))
}

// add reads a value, or several in a list with commas.
func (v *value) add(text string) {
	items := []string{text}
	switch {
	case v.err != nil:
		return
	case v.many:
		items = strings.Split(text, ",")
	case v.texts != nil:
		v.err = errors.New("it takes one value, but is given more than once")
		return
	}
	for _, item := range items {
		if v.many {
			item = strings.TrimSpace(item)
		}
		v.texts = append(v.texts, item)
		if v.err == nil {
			v.err = v.set(item)
		}
	}
}

// setting returns an option that takes values. names are its name and, if it has one, its letter.
func setting(names, category string, v *value, usage string) *option {
	name, letter, _ := strings.Cut(names, " ")
	return &option{name: name, letter: letter, category: category, value: v, usage: usage}
}

// toggle returns an option that takes no value.
func toggle(names, category string, into *bool, usage string) *option {
	name, letter, _ := strings.Cut(names, " ")
	return &option{name: name, letter: letter, category: category, value: &value{many: true}, on: into, usage: usage}
}

// apply sets options from words that front returned.
func apply(flags []*option, words []string) {
	for i := 0; i < len(words); i++ {
		name, text, assigned := strings.Cut(words[i], "=")
		switch f := flagOf(flags, strings.TrimPrefix(name, "--")); {
		case f.on != nil:
			*f.on = !assigned || isTrue(text)
		case assigned:
			f.value.add(text)
		default:
			i++
			f.value.add(words[i])
		}
	}
}

// isTrue reports whether a text that ParseBool accepts is true.
func isTrue(text string) bool {
	is, _ := strconv.ParseBool(text)
	return is
}

// check returns the first error of the values of options.
func check(flags []*option) error {
	for _, f := range flags {
		if err := f.value.err; err != nil {
			return fmt.Errorf("--%s: %w", f.name, err)
		}
	}
	return nil
}
