package function

// Unknown is what internal/template/probe makes of a call. It executes templates with arguments
// that are not known, and asks which fields the result depends on, and which values they may have.
type Unknown int

// These say what a call with an unknown argument results in, and what it shows about the argument.
const (
	// Derives: the result is made from the arguments.
	Derives Unknown = iota + 1
	// Extends: Derives, and the result is a list that also holds other values.
	Extends
	// Negates: Derives; the result is whether the argument is empty.
	Negates
	// Compares: Derives, and the call compares the unknown argument with the others, if it is the only
	// one.
	Compares
	// Matches: Compares, and the other arguments may decide which values it may have.
	Matches
	// Classifies: Compares the type of the argument, which may be that of an absent value: "invalid".
	Classifies
	// Equates: the result is true or false, and the known arguments may decide which values an unknown
	// one may have.
	Equates
	// Orders: Equates, but the known arguments are only limits.
	Orders
	// Contains: Equates the first argument with the elements of a list, the second one.
	Contains
	// Selects: the result is one of the arguments.
	Selects
	// Chooses: Selects, and the last argument, a condition, decides.
	Chooses
	// Defaults: Selects, and the first argument is the value of a field that is absent.
	Defaults
	// Digs: Defaults, for a value below the last argument.
	Digs
	// Passes: the function does not look into values that it returns or is about to return, so it
	// takes unknown ones too.
	Passes
	// Pairs: Passes, but every second argument is a key, which it must know.
	Pairs
	// Enters: the result is an element of the argument.
	Enters
	// Finds: Negates; the result is whether the first argument has a key, the second one.
	Finds
	// Assigns: it puts a value, its third argument, into a map.
	Assigns
	// Includes: it executes a named template.
	Includes
	// Asks: the result comes from the rest of the input, so it is unknown for known arguments too.
	Asks
	// Limits: the result is "", or the call limits the length of a list, the second argument.
	Limits
	// Reports: the result is "", and the call is a finding.
	Reports
	// Remarks: Reports, but the call is only a note.
	Remarks
)

// Decides reports whether the known arguments of a call may decide which values an unknown one may
// have.
func (u Unknown) Decides() bool { return u == Matches || u == Equates || u == Contains }
