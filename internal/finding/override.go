package finding

// UsedOverride is an override that fits an object and a template.
type UsedOverride struct {
	File    string        `json:"file"`
	Line    int           `json:"line"`
	Type    string        `json:"type"`
	Reason  string        `json:"reason"`
	Expires string        `json:"expires,omitempty"`
	Applied bool          `json:"applied"`
	State   OverrideState `json:"state"`
	// of a stale one: what of the reference is another than what was accepted
	Message string `json:"message,omitempty"`
}

// OverrideState says what became of an override.
type OverrideState string

// The states.
const (
	OverrideUsed    OverrideState = "used"    // it was applied
	OverrideUnused  OverrideState = "unused"  // it is for no CR that was compared, or that the reference asks for
	OverrideExpired OverrideState = "expired" // its last day has passed
	// the CR agrees with the reference without it, or no rule is broken without it
	OverrideObsolete OverrideState = "obsolete"
	// the reference is another at a field than when the deviation was accepted
	OverrideStale     OverrideState = "stale"
	OverrideOverruled OverrideState = "overruled" // another one names the CR more specifically
)

// OverrideUse says what became of an accepted deviation in a run.
type OverrideUse struct {
	File   string        `json:"file"`
	Line   int           `json:"line"`
	Index  int           `json:"index"` // in the file
	Reason string        `json:"reason"`
	State  OverrideState `json:"state"`
	// those that it was applied to; of an obsolete one, those that it is for; of a stale one, those
	// that it does not fit
	Objects []Object `json:"objects"`
	// of a stale one: what of the reference is another than what was accepted
	Message string `json:"message,omitempty"`
}
