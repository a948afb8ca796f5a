package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/run/code"
)

// value reads the value of an option for the library. It keeps the first error, and check returns
// this error later. If Set returned it, the library would add words of its own.
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

// Set implements cli.Generic.
func (v *value) Set(text string) error {
	items := []string{text}
	switch {
	case text == copied || v.err != nil:
		return nil
	case v.many:
		items = strings.Split(text, ",")
	case v.texts != nil:
		v.err = errors.New("it takes one value, but is given more than once")
		return nil
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
	return nil
}

// copied is the text to which the library sets an option again for each alias that was not used.
const copied = "\x00"

// Serialize implements cli.Serializer.
func (v *value) Serialize() string { return copied }

// String returns no default, because the help of the option names it.
func (v *value) String() string { return "" }

// option returns an option with a value. names are its name and, if it has one, its letter.
func option(names, category string, v *value, usage string) cli.Flag {
	words := strings.Fields(names)
	return &cli.GenericFlag{Name: words[0], Aliases: words[1:], Category: category, Value: v, Usage: usage}
}

// toggle returns an option without a value.
func toggle(names, category string, into *bool, usage string) cli.Flag {
	words := strings.Fields(names)
	return &cli.BoolFlag{Name: words[0], Aliases: words[1:], Category: category, Destination: into, Usage: usage}
}

// check returns the first error of the values of options.
func check(flags []cli.Flag) error {
	for _, f := range flags {
		if err := valueOf(f).err; err != nil {
			return fmt.Errorf("--%s: %w", f.Names()[0], err)
		}
	}
	return nil
}

// valueOf returns the value of an option. For an option without a value it returns an empty one.
func valueOf(f cli.Flag) *value {
	if g, ok := f.(*cli.GenericFlag); ok {
		return g.Value.(*value)
	}
	return &value{many: true}
}

// valued reports whether an option takes a value.
func valued(f cli.Flag) bool { return f.(cli.DocGenerationFlag).TakesValue() }
