package command

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// Line is the command line of a command, taken apart. What stands behind "--" are arguments.
type Line struct {
	Args  []string
	Given map[string]bool // options, by their long names

	values [][2]string // options with what they are set to, in the order in which they stand
	known  map[string]Option
}

// Asked is the option that asks for a text about the tool instead of a run, or "".
func (l Line) Asked() string {
	for _, name := range []string{"help", "help-all", "version"} {
		if l.Given[name] {
			return name
		}
	}
	return ""
}

// Read takes the arguments of a command apart, all of them, as the last may ask for help. The error says which option is unknown, lacks
// its value, or stands twice and must not; it is about the first such.
func (c *Command) Read(args []string) (l Line, first error) {
	l = Line{known: map[string]Option{}, Given: map[string]bool{}}
	for _, o := range c.Every() {
		l.known[o.Name] = o
		if o.Short != "" {
			l.known[o.Short] = o
		}
	}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			l.Args = append(l.Args, args[i+1:]...)
			i = len(args)
		case len(arg) < 2 || arg[0] != '-':
			l.Args = append(l.Args, arg)
		default:
			used, err := l.option(arg, args[i+1:])
			if first == nil {
				first = err
			}
			i += used
		}
	}
	return l, first
}

// option takes in one option, which may be several short ones, and tells how many of the arguments behind it are its value.
func (l *Line) option(arg string, behind []string) (used int, err error) {
	word, text, assigned := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	names := []string{word}
	if _, known := l.known[word]; !known && !strings.HasPrefix(arg, "--") && l.short(word) {
		names = strings.Split(word, "")
	}
	for i, name := range names {
		o, known := l.known[name]
		switch {
		case !known:
			return 0, fmt.Errorf("there is no option %s%s", dashed(arg, name), l.meant(arg, name))
		case l.Given[o.Name] && !o.many():
			return 0, fmt.Errorf("--%s is given twice, and can have one value", o.Name)
		}
		l.Given[o.Name] = true
		value, last := "true", i == len(names)-1
		switch {
		case assigned && last:
			value = text
		case !o.valued():
		case !last || len(behind) == 0 || l.isOption(behind[0]):
			return 0, fmt.Errorf("%s needs a value", dashed(arg, name))
		default:
			value, used = behind[0], 1
		}
		l.values = append(l.values, [2]string{o.Name, value})
	}
	return used, nil
}

// isOption reports whether an argument is an option of the command, or "--", which cannot be meant as the value of one.
func (l *Line) isOption(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	_, known := l.known[strings.TrimPrefix(name, "--")]
	return arg == "--" || strings.HasPrefix(arg, "--") && known
}

// short reports whether a word is made of the letters of options.
func (l *Line) short(word string) bool {
	return !strings.ContainsFunc(word, func(letter rune) bool { _, known := l.known[string(letter)]; return !known })
}

// meant says which option was probably meant.
func (l *Line) meant(arg, name string) string {
	names := slices.Sorted(maps.Keys(l.known))
	if near := code.Nearest(name, slices.DeleteFunc(names, func(n string) bool { return len(n) < 2 })); near != "" {
		return "; did you mean --" + near + "?"
	}
	if o := l.known[arg[1:2]]; o.Short != "" && o.valued() {
		return "; did you mean " + arg[:2] + " " + arg[2:] + "?"
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

// Find returns the command that is meant, and its arguments. Words that name a command are paths where there are such and what stands
// behind them would make no sense for the command.
func (s Set) Find(args []string) (*Command, []string) {
	c, words := s.named(args)
	if c == nil {
		return s.main(), args
	}
	if !slices.ContainsFunc(args[:words], isNoPath) {
		if l, err := c.Read(args[words:]); err != nil || l.Asked() == "" && !c.Takes(l) {
			return s.main(), args
		}
	}
	return c, args[words:]
}

// named returns the command that the first arguments name, and how many of them do; nil if there is none.
func (s Set) named(args []string) (found *Command, words int) {
	for _, c := range s {
		name := strings.Fields(c.Name)
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
