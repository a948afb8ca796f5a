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
	Message string        `json:"message,omitempty"` // of a stale one: what of the reference is another than what was accepted
}

// OverrideState says what became of an override.
type OverrideState string

// The states.
const (
	OverrideUsed      OverrideState = "used"      // it was applied
	OverrideUnused    OverrideState = "unused"    // it is for no CR that was compared, or that the reference asks for
	OverrideExpired   OverrideState = "expired"   // its last day has passed
	OverrideObsolete  OverrideState = "obsolete"  // the CR agrees with the reference without it, or no rule is broken without it
	OverrideStale     OverrideState = "stale"     // the reference is another at a field than when the deviation was accepted
	OverrideOverruled OverrideState = "overruled" // another one names the CR more specifically
)

// OverrideUse says what became of an accepted deviation in a run.
type OverrideUse struct {
	File    string        `json:"file"`
	Line    int           `json:"line"`
	Index   int           `json:"index"` // in the file
	Reason  string        `json:"reason"`
	State   OverrideState `json:"state"`
	Objects []Object      `json:"objects"`           // those that it was applied to; of an obsolete one, those that it is for; of a stale one, those that it does not fit
	Message string        `json:"message,omitempty"` // of a stale one: what of the reference is another than what was accepted
}
