package finding

// UsedOverride is an override for an object and a template.
type UsedOverride struct {
	File    string        `json:"file"`
	Line    int           `json:"line"`
	Type    string        `json:"type"`
	Reason  string        `json:"reason"`
	Expires string        `json:"expires,omitempty"`
	Applied bool          `json:"applied"`
	State   OverrideState `json:"state"`
	// for a stale override, how the reference has changed since the deviation was accepted
	Message string `json:"message,omitempty"`
}

// OverrideState says whether an override was applied, or why it was not.
type OverrideState string

// The states.
const (
	OverrideUsed    OverrideState = "used"    // it was applied
	OverrideUnused  OverrideState = "unused"  // no compared CR and no CR that the reference requires matches it
	OverrideExpired OverrideState = "expired" // its last day has passed
	// it is unused, and may be for a CR of a component that is left out
	OverrideLeftOut OverrideState = "left-out"
	// without the override too, the CR agrees with the reference, or no rule is broken
	OverrideObsolete OverrideState = "obsolete"
	// the reference has changed at a field since the deviation was accepted
	OverrideStale     OverrideState = "stale"
	OverrideOverruled OverrideState = "overruled" // another override selects the CR more specifically
)

// OverrideUse says what happened to an accepted deviation in a run.
type OverrideUse struct {
	File    string        `json:"file" required:"true"`
	Line    int           `json:"line"`
	Index   int           `json:"index"` // the index of the override in the file
	Reason  string        `json:"reason"`
	Expires string        `json:"expires,omitempty"` // the last day on which it is used; "" for no end
	State   OverrideState `json:"state"`
	// the objects to which the override was applied; for an obsolete or stale override, the objects
	// that match it
	Objects []Object `json:"objects"`
	// for a stale override, how the reference has changed since the deviation was accepted; for one
	// that names no missing CR, what it lacks
	Message string `json:"message,omitempty"`
}
