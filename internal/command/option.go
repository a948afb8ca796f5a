package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// Option is one option of a command.
type Option struct {
	Name, Short string // without dashes; Short is one letter, or "" where there is none
	Category    string
	Usage       string      // what it does; in backquotes, what its value is called
	Values      []string    // what it can be set to, where that is known; of a list, its items; those that end in "=" have something behind it
	Table       [][2]string // what Values mean, with their defaults, where help lists that in a table of its own
	Hidden      bool        // help does not list it

	// Into is where its value goes: a *bool, *int or *string, in which its default stands. An option that can be given several times, and
	// can have several values with commas in between, has a *[]string, or a func(string) error that takes one value.
	Into any
}

// Categories of options, in the order in which they are listed. --help lists only those that are used often, each with what stands before
// the first semicolon of its Usage; --help-all has everything.
const (
	Often       = "Options"
	OfText      = "The text report"
	OfComparing = "What is compared"
	OfAccepting = "Accepting deviations"
	Rare        = "Rare options"
)

func categories() []string { return []string{Often, OfText, OfComparing, OfAccepting, Rare} }

// valued reports whether an option takes a value.
func (o Option) valued() bool { _, isBool := o.Into.(*bool); return !isBool }

// many reports whether an option may stand several times.
func (o Option) many() bool {
	switch o.Into.(type) {
	case *int, *string:
		return false
	}
	return true
}

// argument is what the value of an option is called, "" where it takes none.
func (o Option) argument() string {
	if parts := strings.SplitN(o.Usage, "`", 3); len(parts) == 3 {
		return parts[1]
	}
	return ""
}

// usage says what an option does.
func (o Option) usage() string { return strings.Replace(o.Usage, "`", "", 2) }

// names are those of an option, with what it takes.
func (o Option) names() string {
	names := "    --" + o.Name
	if o.Short != "" {
		names = "-" + o.Short + ", --" + o.Name
	}
	return strings.TrimRight(names+" "+o.argument(), " ")
}

// set takes in a value that was given.
func (o Option) set(text string) (err error) {
	switch into := o.Into.(type) {
	case *bool:
		if *into, err = strconv.ParseBool(text); err != nil {
			return fmt.Errorf("--%s is %q; it can be true or false", o.Name, text)
		}
	case *int:
		if *into, err = strconv.Atoi(text); err != nil {
			return fmt.Errorf("--%s is %q; it is a whole number", o.Name, text)
		}
	case *string:
		if o.Values != nil && o.argument() != "LIST" && !slices.Contains(o.Values, text) {
			return fmt.Errorf("--%s is %q; it can be %s", o.Name, text, code.Enumerate(o.Values, "or"))
		}
		*into = text
	case *[]string:
		for item := range strings.SplitSeq(text, ",") {
			*into = append(*into, strings.TrimSpace(item))
		}
	case func(string) error:
		for item := range strings.SplitSeq(text, ",") {
			if err := into(strings.TrimSpace(item)); err != nil {
				return fmt.Errorf("--%s: %w", o.Name, err)
			}
		}
	}
	return nil
}
