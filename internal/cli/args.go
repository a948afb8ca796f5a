package cli

import (
	"fmt"
	"maps"
	"os"
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

// known tells of the options of a command, by each of their names.
func (c *command) known() map[string]option {
	known := map[string]option{}
	for _, f := range c.options() {
		_, isBool := f.(*cli.BoolFlag)
		_, isSlice := f.(*cli.StringSliceFlag)
		for _, name := range f.Names() {
			known[name] = option{name: f.Names()[0], valued: !isBool, many: isBool || isSlice}
		}
	}
	return known
}

// arrangement is a command line with options before arguments, because urfave/cli v2 takes everything behind the first argument for one.
// What stands behind "--" stays an argument.
type arrangement struct {
	options, rest []string
	given         map[string]bool // options, by the first of their names
	known         map[string]option
}

// sides counts the arguments, and the options that stand in place of some.
func (a arrangement) sides() int {
	n := len(a.rest)
	for _, name := range []string{"reference", "filename"} {
		if a.given[name] {
			n++
		}
	}
	return n
}

// asked is the option that asks for a text about the tool instead of a run, or "".
func (a arrangement) asked() string {
	for _, name := range []string{"help", "help-all", "version"} {
		if a.given[name] {
			return name
		}
	}
	return ""
}

// arrange takes the arguments of a command apart, all of them, as the last may ask for help. The error says which option is unknown, lacks
// its value, or stands twice and must not; it is about the first such.
func arrange(args []string, c *command) (a arrangement, first error) {
	a = arrangement{known: c.known(), given: map[string]bool{}}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			a.rest = append(a.rest, args[i+1:]...)
			i = len(args)
		case len(arg) < 2 || arg[0] != '-':
			a.rest = append(a.rest, arg)
		default:
			used, err := a.option(arg, args[i+1:])
			if first == nil {
				first = err
			}
			i += used
		}
	}
	return a, first
}

// option takes in one option, which may be several short ones, and tells how many of the arguments behind it are its value.
func (a *arrangement) option(arg string, behind []string) (used int, err error) {
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
		case a.given[o.name] && !o.many:
			return 0, fmt.Errorf("--%s is given twice, and can have one value", o.name)
		}
		a.given[o.name] = true
		if !o.valued || assigned {
			continue
		}
		if i < len(names)-1 || len(behind) == 0 || a.isOption(behind[0]) {
			return 0, fmt.Errorf("%s needs a value", dashed(arg, name))
		}
		a.options = append(a.options, behind[0])
		used = 1
	}
	return used, nil
}

// isOption reports whether an argument is an option of the command, or "--", which cannot be meant as the value of one.
func (a *arrangement) isOption(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	_, known := a.known[strings.TrimPrefix(name, "--")]
	return arg == "--" || strings.HasPrefix(arg, "--") && known
}

// short reports whether a word is made of the letters of options.
func (a *arrangement) short(word string) bool {
	return !strings.ContainsFunc(word, func(letter rune) bool { _, known := a.known[string(letter)]; return !known })
}

// meant says which option was probably meant.
func (a *arrangement) meant(name string) string {
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

// command returns the command that is meant, and its arguments. Words that name a command are paths where there are such and what stands
// behind them would make no sense for the command.
func (p *program) command(args []string) (*command, []string) {
	c, words := p.commandNamed(args)
	if c == nil {
		return p.commandOf(comparison), args
	}
	if !slices.ContainsFunc(args[:words], isNoPath) {
		if a, err := arrange(args[words:], c); err != nil || a.asked() == "" && !c.takes(a) {
			return p.commandOf(comparison), args
		}
	}
	return c, args[words:]
}

// commandNamed returns the command that the first arguments name, and how many of them do; nil if there is none.
func (p *program) commandNamed(args []string) (found *command, words int) {
	for _, c := range p.commands() {
		name := strings.Fields(c.name)
		if len(name) > words && len(args) >= len(name) && slices.Equal(name, args[:len(name)]) {
			found, words = c, len(name)
		}
	}
	return found, words
}

func isNoPath(name string) bool {
	_, err := os.Stat(name)
	return err != nil
}
