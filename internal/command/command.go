// Package command is the command line as data: a command is a row that says what it is called, what it takes and what it does. Arguments are
// read by these rows, and help, the manual page and what shells complete are written from them.
//
// In: commands, and the arguments of a run. Out: the command that is meant with its options set, or a text. No command is run here, and
// nothing is printed.
package command

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// Command is one thing that the tool does.
type Command struct {
	Name     string             // a word, or that of a group and one more
	Main     bool               // it is meant where no command is named
	Args     string             // what its line of usage has behind the options
	Does     string             // in a few words
	About    []string           // paragraphs
	Terms    [][2]string        // words of Args, and what they stand for
	Examples []string           // lines for a shell
	Exits    []string           // what the exit statuses from 0 mean, where they are not those of others
	Options  func() []Option    // made where they are asked for, which is for one command of a run; nil where there are none
	Takes    func(Line) bool    // says whether arguments can be its own, where its name may be a folder's, see Set.Find
	Words    func() [][2]string // what its arguments can be, each with its meaning; nil for files
	Hidden   bool               // help does not list it
	Run      func(context.Context, Line) error
}

// NoWords is for commands without arguments.
func NoWords() [][2]string { return nil }

// Every returns the options of a command, and those that every command has.
func (c *Command) Every() []Option {
	var all []Option
	if c.Options != nil {
		all = append(c.Options(), Option{Name: "help-all", Category: Often, Usage: "show the help with all options", Into: new(bool)})
	}
	if c.Main {
		all = append(all, Option{Name: "version", Category: Often, Usage: "print the version", Into: new(bool)})
	}
	return append(all, Option{Name: "help", Short: "h", Category: Often, Usage: "show the help", Into: new(bool)})
}

// listed returns the options that help lists, in the order of their categories.
func (c *Command) listed() []Option {
	all := slices.DeleteFunc(c.Every(), func(o Option) bool { return o.Hidden })
	slices.SortStableFunc(all, func(a, b Option) int {
		return slices.Index(categories(), a.Category) - slices.Index(categories(), b.Category)
	})
	return all
}

// form is a line that says how a command is used.
func (c *Command) form() string {
	words := []string{finding.ToolName, c.Name}
	if c.Main {
		words[1] = "[" + c.Name + "]"
	}
	if c.Options != nil {
		words = append(words, "[options]")
	}
	return strings.TrimRight(strings.Join(append(words, c.Args), " "), " ")
}

// statuses say what the exit statuses of a command mean.
func (c *Command) statuses() [][2]string {
	if c.Exits == nil {
		return [][2]string{{"0", "it was done"}, {"2", "bad usage"}}
	}
	var rows [][2]string
	for i, text := range c.Exits {
		if text != "" {
			rows = append(rows, [2]string{strconv.Itoa(i), text})
		}
	}
	return rows
}

// Set is all commands of a program.
type Set []*Command

// Of returns the command of a name, nil if there is none.
func (s Set) Of(name string) *Command {
	for _, c := range s {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// main returns the command that is meant where none is named.
func (s Set) main() *Command { return s[slices.IndexFunc(s, func(c *Command) bool { return c.Main })] }

// Words are the names of the other commands, with what they do. Those of a group are left to the group.
func (s Set) Words() [][2]string {
	var words [][2]string
	for _, c := range s {
		if !c.Hidden && !c.Main && !strings.Contains(c.Name, " ") {
			words = append(words, [2]string{c.Name, c.Does})
		}
	}
	return words
}

// Members are the words behind the name of a group that make the commands in it, with what these do.
func (s Set) Members(group string) [][2]string {
	var words [][2]string
	for _, c := range s {
		if word, ok := strings.CutPrefix(c.Name, group+" "); ok {
			words = append(words, [2]string{word, c.Does})
		}
	}
	return words
}
