package compare

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
)

// maskedWarning warns of the values of a CR that could not be compared.
func maskedWarning(c *compared) (finding.Warning, bool) {
	if len(c.masked) == 0 {
		return finding.Warning{}, false
	}
	const most = 3
	var names []string
	for _, path := range c.masked[:min(most, len(c.masked))] {
		names = append(names, path.String())
	}
	more := ""
	if n := len(c.masked) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return finding.Warning{Code: code.EvalMasked, Place: c.object.Place.String(), Message: fmt.Sprintf(
		"%s: masked by the collector, so not compared: %s%s", c.Object, strings.Join(names, ", "), more)}, true
}
