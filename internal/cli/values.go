package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
)

// value parses the value of an option. Its words are for help and shell completion.
type value struct {
	words []string // nil for any; a word that ends in "=" needs text after it
	many  bool     // a list with commas, which can be repeated
	set   func(string) error
}

// one returns a value that is one of some words, or any text without words.
func one(into *string, words ...string) *value {
	return &value{words: words, set: func(text string) error {
		if words != nil && !slices.Contains(words, text) {
			return fmt.Errorf("it can be %s", code.Enumerate(words, "or"))
		}
		*into = text
		return nil
	}}
}

// list returns a value that is a list.
func list(into *[]string, words ...string) *value {
	return &value{words: words, many: true, set: func(text string) error {
		*into = append(*into, text)
		return nil
	}}
}

// Set reads a text of the command line.
func (v *value) Set(text string) error {
	switch {
	case text == copied:
		return nil
	case !v.many:
		return v.set(text)
	}
	for item := range strings.SplitSeq(text, ",") {
		if err := v.set(strings.TrimSpace(item)); err != nil {
			return err
		}
	}
	return nil
}

// copied is the text to which the library sets an option's alias.
const copied = "\x00"

// Serialize returns the text to which the library sets an option's alias.
func (v *value) Serialize() string { return copied }

// String returns no default, because the usage text names it.
func (v *value) String() string { return "" }

// valueOf returns the value of an option, or an empty one.
func valueOf(f cli.Flag) *value {
	if g, ok := f.(*cli.GenericFlag); ok {
		if v, ok := g.Value.(*value); ok {
			return v
		}
	}
	return &value{many: !valued(f)}
}

// valued reports whether an option takes a value.
func valued(f cli.Flag) bool {
	_, isBool := f.(*cli.BoolFlag)
	return !isBool
}

// isMany reports whether an option may be repeated.
func isMany(f cli.Flag) bool { return valueOf(f).many }
