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

// OverrideState says whether an override was applied, or why not.
type OverrideState string

// The states.
const (
	OverrideUsed    OverrideState = "used"    // it was applied
	OverrideUnused  OverrideState = "unused"  // no compared CR and no CR that the reference requires matches it
	OverrideExpired OverrideState = "expired" // its last day is over
	// the CR agrees with the reference without it, or no rule is broken without it
	OverrideObsolete OverrideState = "obsolete"
	// the reference has changed at a field since the deviation was accepted
	OverrideStale     OverrideState = "stale"
	OverrideOverruled OverrideState = "overruled" // another override selects the CR more specifically
)

// OverrideUse says what happened to an accepted deviation in a run.
type OverrideUse struct {
	File   string        `json:"file"`
	Line   int           `json:"line"`
	Index  int           `json:"index"` // its index in the file
	Reason string        `json:"reason"`
	State  OverrideState `json:"state"`
	// the objects that it was applied to; for an obsolete or stale override, the objects that it
	// matches
	Objects []Object `json:"objects"`
	// for a stale override, how the reference has changed since the deviation was accepted
	Message string `json:"message,omitempty"`
}
