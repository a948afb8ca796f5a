package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
)

// option is what is known of an option: how it is called, and how it is given.
type option struct {
	name   string // the first of its names
	valued bool   // it takes a value
	many   bool   // it may stand several times
}

// options tells of flags, by each of their names.
func optionsOf(flags []cli.Flag) map[string]option {
	known := map[string]option{"help": {name: "help"}, "h": {name: "help"}}
	for _, f := range flags {
		_, isBool := f.(*cli.BoolFlag)
		_, isSlice := f.(*cli.StringSliceFlag)
		for _, name := range f.Names() {
			known[name] = option{name: f.Names()[0], valued: !isBool, many: isBool || isSlice}
		}
	}
	return known
}

// arranger puts options before arguments, because urfave/cli v2 takes everything behind the first argument for one. What
// stands behind "--" stays an argument.
type arranger struct {
	known         map[string]option
	given         map[string]bool // the options that may stand once, and were given
	options, rest []string
	help          bool // -h or --help stands anywhere among the options
}

// arrange returns the arguments in order, and whether help is asked for. The error says which option is unknown, lacks its value, or
// stands twice and must not.
func arrange(args []string, flags []cli.Flag) (arranged []string, help bool, err error) {
	a := &arranger{known: optionsOf(flags), given: map[string]bool{}}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			a.rest = append(a.rest, args[i+1:]...)
			i = len(args)
		case len(arg) < 2 || arg[0] != '-':
			a.rest = append(a.rest, arg)
		default:
			used, err := a.option(arg, args[i+1:])
			if err != nil {
				return nil, false, err
			}
			i += used
		}
	}
	return append(append(a.options, "--"), a.rest...), a.help, nil
}

// option takes in one option, which may be several short ones, and tells how many of the arguments behind it are its value.
func (a *arranger) option(arg string, behind []string) (used int, err error) {
	a.options = append(a.options, arg)
	word, _, assigned := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	names := []string{word}
	if _, known := a.known[word]; !known && !strings.HasPrefix(arg, "--") && a.short(word) {
		names = strings.Split(word, "")
	}
	for i, name := range names {
		o, known := a.known[name]
		switch {
		case !known:
			return 0, fmt.Errorf("there is no option %s%s", dashed(arg, name), a.meant(name))
		case o.name == "help":
			a.help = true
		case a.given[o.name]:
			return 0, fmt.Errorf("--%s is given twice, and can have one value", o.name)
		}
		a.given[o.name] = !o.many
		if !o.valued || assigned {
			continue
		}
		if i < len(names)-1 || len(behind) == 0 || behind[0] == "--" {
			return 0, fmt.Errorf("%s needs a value", dashed(arg, name))
		}
		a.options = append(a.options, behind[0])
		used = 1
	}
	return used, nil
}

// short reports whether a word is made of the letters of options.
func (a *arranger) short(word string) bool {
	return !strings.ContainsFunc(word, func(letter rune) bool { _, known := a.known[string(letter)]; return !known })
}

// meant says which option was probably meant.
func (a *arranger) meant(name string) string {
	names := slices.Sorted(maps.Keys(a.known))
	if near := code.Nearest(name, slices.DeleteFunc(names, func(n string) bool { return len(n) < 2 })); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}

// dashed writes an option's name with as many dashes as it was given with.
func dashed(arg, name string) string {
	if strings.HasPrefix(arg, "--") {
		return "--" + name
	}
	return "-" + name
}

// command splits the arguments into a command's name, "" for compare, and its own arguments. A word that names a command
// but can only be meant as a path is taken as one.
func command(args []string, names map[string]bool) (string, []string) {
	if len(args) == 0 || !names[args[0]] {
		return "", args
	}
	word, rest := args[0], args[1:]
	if _, err := os.Stat(word); err == nil && meansPath(word, positional(rest)) {
		return "", append([]string{"." + string(filepath.Separator) + word}, rest...)
	}
	if word == "compare" {
		return "", rest
	}
	return word, rest
}

// meansPath says whether a command's name, being the name of a file too, is meant as REFERENCE.
func meansPath(word string, rest []string) bool {
	switch word {
	case "compare":
		return len(rest) == 1
	case "version":
		return len(rest) > 0
	}
	if len(rest) != 1 {
		return false
	}
	_, err := os.Stat(rest[0])
	return err == nil || rest[0] == "-"
}

// positional returns the arguments that are no options.
func positional(args []string) []string {
	var out []string
	for _, a := range args {
		if a == "-" || !strings.HasPrefix(a, "-") {
			out = append(out, a)
		}
	}
	return out
}
