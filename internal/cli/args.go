package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

// inOrder puts options before arguments, because urfave/cli v2 takes everything behind the first argument for one. What
// stands behind "--" stays an argument. Flags tells which options take a value.
func inOrder(args []string, flags []cli.Flag) []string {
	valued := map[string]bool{}
	for _, f := range flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			valued[name] = !isBool
		}
	}
	var options, rest []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			rest = append(rest, args[i+1:]...)
			i = len(args)
		case len(a) < 2 || a[0] != '-':
			rest = append(rest, a)
		default:
			options = append(options, a)
			if takesNext(a, valued) && i+1 < len(args) {
				i++
				options = append(options, args[i])
			}
		}
	}
	return append(append(options, "--"), rest...)
}

// takesNext says whether the value of an option is the argument behind it.
func takesNext(option string, valued map[string]bool) bool {
	name := strings.TrimLeft(option, "-")
	if strings.Contains(name, "=") {
		return false
	}
	if strings.HasPrefix(option, "--") || valued[name] {
		return valued[name]
	}
	return valued[name[len(name)-1:]] // the last of combined short options
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
