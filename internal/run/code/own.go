package code

import (
	"errors"
	"fmt"
	"strings"
)

// longestOwn is the maximum number of bytes of a reference's own code. The code and its finding
// share a line.
const longestOwn = 64

// IsInvalid reports whether a code is of a field that an API server would reject or drop.
func IsInvalid(c Code) bool {
	return c == InvalidValue || c == InvalidMissing || c == InvalidUnknown || c == InvalidVersion || c == InvalidRule
}

// IsOwn reports whether a code is the reference's own, and not a code of the tool.
func IsOwn(c Code) bool { return c != "" && !isOurs(c) }

// isOurs reports whether a code has the form of the tool's codes: VT and digits.
func isOurs(c Code) bool {
	digits, ours := strings.CutPrefix(c, "VT")
	return ours && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// IsValid reports whether a text has the form of a code, of the tool or of a reference.
func IsValid(c Code) bool { return isOurs(c) && len(c) <= longestOwn || CheckOwn(c) == nil }

// CheckOwn returns an error for a text that is not a valid code of a reference.
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
			return fmt.Errorf("%q is not a valid code; %s", c, form)
		}
	}
	return nil
}
