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
}
