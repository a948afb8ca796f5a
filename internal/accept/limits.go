package accept

import (
	"encoding/json"
	"fmt"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// charge counts the work of a patch: it goes through what is expected and the input, and an operation of a JSON patch may move the items of a
// list. A template is read and given a copy of the input first.
func (x *Expected) charge(kind refconfig.PatchType, patch string, input map[string]any) {
	const around, bytesPerStep, stepsOfValue, ofOperation, valuesPerStepOfOperation = 200, 2, 3, 1500, 128 // measured
	expected, found := tree.SizeOf(x.Value), tree.SizeOf(input)
	x.Work += around + (expected.Printed()+found.Printed()+len(patch))/bytesPerStep + stepsOfValue*(expected.Nodes+found.Nodes)
	if kind == refconfig.JSONPatch {
		var operations []json.RawMessage
		if json.Unmarshal([]byte(patch), &operations) == nil {
			x.Work += len(operations) * (ofOperation + expected.Nodes/valuesPerStepOfOperation)
		}
	}
}

// fits refuses what an override makes where it is larger than there is memory for, roughly as budget.Decoding has it.
func fits(value any, one refconfig.Override, limits render.Limits) error {
	const ofValue, ofText = 400, 3
	made, room := tree.SizeOf(value), limits.Room
	if n := ofValue*int64(made.Nodes) + ofText*int64(made.Bytes); !room.Fits(n) {
		return &render.Error{Code: code.LimitMemory, Position: place(one), Message: fmt.Sprintf(
			"what the override makes takes about %d bytes of memory, more than the %d that there are for that; raise the limit with --limit memory=N",
			n, room.Size())}
	}
	return nil
}
