package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/run/code"
)

// front separates the options of a command line from its arguments, because the library accepts no
// options after arguments. Options get their full names, because the library rejects two names of
// the same option. The error is about the first option that is unknown or lacks its value.
func front(flags []cli.Flag, words []string) (options, args []string, first error) {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if word == "--" {
			return options, append(args, words...), first
		}
		if len(word) < 2 || word[0] != '-' {
			args = append(args, word)
			continue
		}
		dashed, value, assigned := strings.Cut(word, "=")
		name := strings.TrimLeft(dashed, "-")
		f := flagOf(flags, name) // slow, as names are computed
		var err error
		switch {
		case f == nil && isBundle(flags, dashed): // -vo json is -v -o json
			words = append([]string{word[:2], "-" + word[2:]}, words...)
		case f == nil:
			err = fmt.Errorf("unknown option %s%s", dashed, suggestOption(flags, dashed))
		case assigned:
			if _, wrong := strconv.ParseBool(value); wrong != nil && !valued(f) {
				err = fmt.Errorf("--%s: %q is unknown; it can be true or false", f.Names()[0], value)
			}
			options = append(options, "--"+f.Names()[0]+"="+value)
		case !valued(f):
			options = append(options, "--"+f.Names()[0])
		case len(words) == 0 || isOption(flags, words[0]):
			err = fmt.Errorf("%s needs a value", dashed)
		default:
			options = append(options, "--"+f.Names()[0], words[0])
			words = words[1:]
		}
		if first == nil {
			first = err
		}
	}
	return options, args, first
}

// firstArgument returns the index of the first word that is neither an option nor its value, or
// len(words) if there is none, or only behind "--".
func firstArgument(flags []cli.Flag, words []string) int {
	for i, word := range words {
		if word == "--" {
			break
		}
		if _, args, _ := front(flags, words[:i+1]); len(args) > 0 {
			return i
		}
	}
	return len(words)
}

// isBundle reports whether a word combines several options of one letter. Only the last one can
// have a value.
func isBundle(flags []cli.Flag, dashed string) bool {
	last := len(dashed) - 1
	for i, letter := range dashed[1:] {
		if f := flagOf(flags, string(letter)); f == nil || i+1 < last && valued(f) {
			return false
		}
	}
	return last > 1
}

// flagOf returns the option with a name, or nil.
func flagOf(flags []cli.Flag, name string) cli.Flag {
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return nil
	}
	return flags[i]
}

// isOption reports whether a word is an option or "--", and therefore not the value of an option.
func isOption(flags []cli.Flag, word string) bool {
	name, _, _ := strings.Cut(word, "=")
	name, dashed := strings.CutPrefix(name, "--")
	return dashed && (name == "" || flagOf(flags, name) != nil)
}

// suggestOption suggests an option with a similar name. The library's suggestions are not used,
// because it always suggests an option, such as --all-resources for --namespace.
func suggestOption(flags []cli.Flag, dashed string) string {
	var names []string
	for _, f := range flags {
		names = append(names, f.Names()[0])
	}
	name := strings.TrimLeft(dashed, "-")
	if near := code.Nearest(name, names); near != "" {
		return "; did you mean --" + near + "?"
	}
	if f := flagOf(flags, name[:min(1, len(name))]); f != nil && valued(f) && dashed == "-"+name {
		return "; did you mean " + dashed[:2] + " " + dashed[2:] + "?"
	}
	return ""
}
