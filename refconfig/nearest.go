package refconfig

import (
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// hintKeys says which key was probably meant, or which there are.
func hintKeys(key string, known []string) string {
	if n := code.Nearest(key, known); n != "" {
		return "did you mean " + strconv.Quote(n) + "?"
	}
	return "it can have " + enumerate(known, "and")
}

// hint is a part of a message that says which name was probably meant, or "".
func hint(name string, names []string) string {
	if n := code.Nearest(name, names); n != "" {
		return "; did you mean " + strconv.Quote(n) + "?"
	}
	return ""
}

// enumerate writes words as people do: "a, b and c".
func enumerate(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// among returns the names of a list of things.
func among[T any](things []T, name func(T) string) []string {
	names := make([]string, 0, len(things))
	for _, t := range things {
		if n := name(t); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}
