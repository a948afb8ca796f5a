package code

import (
	"errors"
	"fmt"
	"strings"
)

// longestOwn is how many bytes a code of a reference's own may have: it is in a line with what
// it is about.
const longestOwn = 64

// IsOwn reports whether a finding has a code of the reference's own, not one of this table.
func IsOwn(c Code) bool { return c != "" && !isOurs(c) }

// isOurs reports whether a code has the form of those of this table, or one that they may get.
func isOurs(c Code) bool {
	digits, ours := strings.CutPrefix(c, "VT")
	return ours && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// CheckOwn returns an error for a text that cannot be a code of a reference's own.
func CheckOwn(c Code) error {
	const form = "write capitals, digits and single hyphens, such as NTP-SERVERS"
	switch {
	case c == "":
		return errors.New("the code is empty; " + form)
	case isOurs(c):
		return fmt.Errorf("%q looks like a code of the tool; give it a name of your own, such as NTP-SERVERS", c)
	case len(c) > longestOwn:
		return fmt.Errorf("the code that begins with %q is longer than %d characters", c[:longestOwn], longestOwn)
	}
	word := func(s string) bool { return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" }
	for part := range strings.SplitSeq(c, "-") {
		if !word(part) || c[0] < 'A' {
			return fmt.Errorf("%q is no code; %s", c, form)
		}
	}
	return nil
}
