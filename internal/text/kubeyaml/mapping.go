package kubeyaml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
)

// MappingFault is the error for a text that is not one YAML mapping.
type MappingFault struct {
	Offset  int // in the text
	Message string
	Code    code.Code
}

// Error returns the message.
func (f *MappingFault) Error() string { return f.Message }

// ParseMapping parses a text that must be one YAML mapping, such as the output of a template for a
// CR. The error is a *MappingFault.
func ParseMapping(text string, limits Limits) (*Node, error) {
	return ParseMappingIn(&Room{}, text, limits)
}

// ParseMappingIn does the same as ParseMapping, but may take the memory of nodes from a room.
func ParseMappingIn(room *Room, text string, limits Limits) (*Node, error) {
	nodes, fault := limits.ParseTextIn(room, text, 0)
	nodes = slices.DeleteFunc(nodes, (*Node).IsNull)
	bad := &MappingFault{Code: code.EvalYAML}
	switch {
	case fault != nil && fault.Code != "":
		bad.Offset, bad.Code = offsetOf(text, fault.Line), fault.Code
		bad.Message = "the text rendered for this CR: " + fault.Message
	case fault != nil:
		bad.Offset = offsetOf(text, fault.Line)
		bad.Message = fmt.Sprintf(
			"the text rendered for this CR is not valid YAML at its line %d: %s", fault.Line, fault.Message)
	case len(nodes) == 0:
		bad.Message = "the template prints nothing for this CR"
	case len(nodes) > 1:
		bad.Offset, bad.Message = nodes[1].Offset, "the template prints more than one YAML document for this CR"
	case nodes[0].Kind != Map:
		bad.Offset, bad.Message = nodes[0].Offset, "the template prints no YAML mapping for this CR"
	default:
		return nodes[0], nil
	}
	return nil, bad
}

// offsetOf returns the offset of a 1-based line, or of the last one.
func offsetOf(text string, line int) int {
	lines := strings.SplitAfterN(text, "\n", max(line, 1))
	return len(text) - len(lines[len(lines)-1])
}
