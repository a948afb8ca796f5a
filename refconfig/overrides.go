package refconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// PatchType is the format of an override's patch.
type PatchType string

// The types of patches.
const (
	MergePatch PatchType = "mergepatch"  // a JSON merge patch (RFC 7386)
	JSONPatch  PatchType = "rfc6902"     // a JSON patch
	GoTemplate PatchType = "go-template" // a template that renders a mapping with type and patch for the CR
)

// Override is an accepted deviation: a patch of the rendered reference for the CRs that it selects.
// A CR must have all identifying fields that are set.
type Override struct {
	APIVersion, Kind, Namespace, Name string // "" for any
	ExactMatch                        string // the identity as in ManualPair.Object; "" for any
	TemplatePath                      string // only for CRs that are compared with this template; "" for any
	Type                              PatchType
	Patch                             string // for MergePatch and JSONPatch, JSON
	Missing                           bool   // accepts that the CR is missing; there is no patch
	// accepts that the CR exists although a rule forbids it; there is no patch
	Present bool
	Reason  string
	Expires string // the last day on which it applies, as 2006-01-02; "" for ever
	Place   Place  // location of the entry
}

// Expired reports whether the override no longer applies on a day, written as 2006-01-02. It never
// expires on "".
func (o Override) Expired(today string) bool {
	return o.Expires != "" && today > o.Expires
}

// ParseOverrides reads a file of overrides in the format of published references: a YAML list whose
// entries have kind, apiVersion, namespace and name, or exactMatch; optionally templatePath; and
// type, patch and reason. Additional keys of this tool are expires, a date, and missing or present
// in place of type and patch; and a patch may be YAML instead of text. Unknown keys cause a
// warning, or an error if one looks like a misspelt key that selects CRs: without it the override
// would accept more than intended.
//
// file is its name in messages. Warnings and errors are sorted by location. Entries without an
// error are returned in any case. An empty file has no overrides.
func ParseOverrides(file string, data []byte) (overrides []Override, warnings, faults []Problem) {
	codes := kubeyaml.OneCode(code.OverridesBroken)
	codes.Duplicate = code.RefDuplicateKey
	d := (&findings{}).document(file, codes, DefaultAliasLimit)
	root, _ := d.Parse(data)
	for _, n := range d.List(root, "an overrides file") {
		before := len(d.faults)
		if o := d.override(n); len(d.faults) == before {
			overrides = append(overrides, o)
		}
	}
	return overrides, tidy(d.warnings), tidy(d.faults)
}

// override reads one entry.
func (d *document) override(n *kubeyaml.Node) Override {
	o := Override{Place: d.at(n)}
	var kind string
	texts := []struct {
		key  string
		into *string
	}{
		{"apiVersion", &o.APIVersion}, {"kind", &o.Kind}, {"namespace", &o.Namespace}, {"name", &o.Name},
		{"exactMatch", &o.ExactMatch}, {"templatePath", &o.TemplatePath}, {"type", &kind},
		{"reason", &o.Reason}, {"expires", &o.Expires},
	}
	keys := []string{"patch", "missing", "present"}
	for _, t := range texts {
		keys = append(keys, t.key)
	}
	m, ok := d.KnownFields(n, "an override", keys)
	if !ok {
		return o
	}
	for _, f := range m.Unknown {
		d.unknownOverrideKey(f, keys)
	}
	isText := map[string]bool{}
	for _, t := range texts {
		*t.into, isText[t.key] = d.Text(m.Field(t.key), t.key)
	}
	o.Type = PatchType(kind)
	o.Missing, o.Present = d.Flag(m.Field("missing"), "missing"), d.Flag(m.Field("present"), "present")
	o.Patch, isText["patch"] = d.patch(m.Field("patch"), o.Type)
	d.checkOverride(o, m, isText)
	return o
}

// patch reads a patch: text, or YAML for the types that are JSON.
func (d *document) patch(n *kubeyaml.Node, kind PatchType) (text string, ok bool) {
	if n == nil || kind != MergePatch && kind != JSONPatch {
		return d.Text(n, "patch")
	}
	if n.Kind == kubeyaml.Scalar {
		return d.Text(n, "patch")
	}
	out, err := json.Marshal(n.Value())
	if err != nil {
		d.faultAt(n, code.OverridesBroken, "the patch cannot be written as JSON: %v", err)
		return "", false
	}
	return string(out), true
}

// unknownOverrideKey warns of an unknown key. It is an error if the override would accept more
// without it.
func (d *document) unknownOverrideKey(f kubeyaml.Field, known []string) {
	switch {
	case code.Nearest(f.Key, narrowing()) != "":
		d.faultAt(f.Name, code.OverridesBroken,
			"unknown key %q in an override%s",
			f.Key,
			code.DidYouMean(f.Key, narrowing()),
		)
	case f.Key == "metadata":
		d.faultAt(f.Name, code.OverridesBroken,
			`unknown key "metadata" in an override; write name and namespace directly into the override`,
		)
	default:
		d.NoEffect(f, "an override", known)
	}
}

// identifying returns the keys that select the CRs of an override.
func identifying() []string {
	return []string{"apiVersion", "kind", "namespace", "name", "exactMatch", "templatePath"}
}

// narrowing returns the keys without which an override accepts more.
func narrowing() []string { return append(identifying(), "expires") }

// isEmpty reports whether a node is null or empty text.
func isEmpty(n *kubeyaml.Node) bool {
	return n.IsNull() || n.IsText() && strings.TrimSpace(n.Text) == ""
}

// checkOverride checks each field. isText has the keys whose text was read.
func (d *document) checkOverride(o Override, m kubeyaml.Mapping, isText map[string]bool) {
	named := slices.ContainsFunc(m.Fields, func(f kubeyaml.Field) bool { return slices.Contains(identifying(), f.Key) })
	for _, f := range m.Fields {
		if slices.Contains(narrowing(), f.Key) && isEmpty(f.Node) {
			d.faultAt(f.Name, code.OverridesBroken,
				"%s is empty; give it a value, or remove the key if the override is for all",
				f.Key,
			)
		}
	}
	if !named {
		d.faultAt(m.Node, code.OverridesBroken, "the override does not name a CR; add kind and name, or exactMatch")
	}
	if o.ExactMatch != "" && !identifies(o.ExactMatch) {
		d.faultAt(m.Field("exactMatch"), code.OverridesBroken,
			"exactMatch %q does not name a CR; write apiVersion_kind_namespace_name, or apiVersion_kind_name for a CR without a namespace",
			o.ExactMatch,
		)
	}
	if isText["reason"] && strings.TrimSpace(o.Reason) == "" {
		d.faultAt(m.Node, code.OverridesBroken,
			"the override has no reason; add why the deviation is accepted, because reports show it",
		)
	}
	if o.Expires != "" {
		if _, err := time.Parse(time.DateOnly, o.Expires); err != nil {
			d.faultAt(m.Field("expires"), code.OverridesBroken,
				"expires is %q, not a date; write year-month-day, such as 2030-01-31",
				o.Expires,
			)
		}
	}
	if o.Missing || o.Present {
		d.checkPresence(o, m)
		return
	}
	switch {
	case !isText["type"]:
		return
	case o.Type == "":
		d.faultAt(m.Node, code.OverridesBroken,
			"the override has no type; add mergepatch, rfc6902 or go-template",
		)
	case o.Type != MergePatch && o.Type != JSONPatch && o.Type != GoTemplate:
		d.faultAt(m.Field("type"), code.OverridesBroken,
			"unknown type %q; use mergepatch, rfc6902 or go-template",
			o.Type,
		)
	}
	switch {
	case !isText["patch"]:
	case strings.TrimSpace(o.Patch) == "":
		d.faultAt(m.Node, code.OverridesBroken, "the override has no patch")
	default:
		d.checkPatch(o, m.Field("patch"))
	}
}

// checkPresence checks an entry that accepts a missing or an existing CR.
func (d *document) checkPresence(o Override, m kubeyaml.Mapping) {
	if o.Missing && o.Present {
		d.faultAt(m.Field("present"), code.OverridesBroken,
			"an override has both missing and present; keep one",
		)
	}
	for _, key := range []string{"type", "patch"} {
		if n := m.Field(key); n != nil {
			d.faultAt(n, code.OverridesBroken,
				"an override with missing or present cannot have %s; write a second override for the differences",
				key,
			)
		}
	}
}

// checkPatch checks that the patch has the format of its type, as far as possible without a CR.
func (d *document) checkPatch(o Override, n *kubeyaml.Node) {
	for _, wrong := range CheckPatch(o.Type, o.Patch) {
		at := d.at(n)
		if line := n.LineAt(faultOffset(wrong, o.Patch)); errors.Is(wrong, errNoJSON) && line != at.Line {
			at.Line, at.Column = line, 0
		}
		d.fault(code.OverridesBroken, at, "%v", wrong)
	}
}

var errNoJSON = errors.New("the patch is not valid JSON")

// CheckPatch says what is wrong with a patch of a type, as far as that can be known without what it
// is applied to. A go-template is not looked into.
func CheckPatch(kind PatchType, text string) (wrong []error) {
	var v any
	if kind != MergePatch && kind != JSONPatch {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return []error{fmt.Errorf("%w: %w", errNoJSON, err)}
	}
	if kind == MergePatch {
		if _, isObject := v.(map[string]any); !isObject {
			wrong = append(wrong, fmt.Errorf("a mergepatch must be a JSON object, not %s", jsonKind(v)))
		}
		return wrong
	}
	operations, isList := v.([]any)
	if !isList {
		return []error{fmt.Errorf("an rfc6902 patch must be a JSON list of operations, not %s", jsonKind(v))}
	}
	for i, operation := range operations {
		if what := wrongOperation(operation); what != "" {
			wrong = append(wrong, fmt.Errorf("operation %d of the patch %s", i+1, what))
		}
	}
	return wrong
}

// wrongOperation returns what is wrong with an operation of a JSON patch, or "". It ignores unknown
// members, as RFC 6902 requires.
func wrongOperation(v any) string {
	o, isObject := v.(map[string]any)
	if !isObject {
		return "must be a JSON object, not " + jsonKind(v)
	}
	needs := []string{"path"}
	switch o["op"] {
	case "add", "replace", "test":
		if _, ok := o["value"]; !ok {
			return "has no value"
		}
	case "move", "copy":
		needs = append(needs, "from")
	case "remove":
	default:
		return "has an unknown op; use add, remove, replace, move, copy or test"
	}
	for _, key := range needs {
		pointer, isText := o[key].(string)
		if !isText {
			return "has no " + key
		}
		if pointer != "" && pointer[0] != '/' {
			return "has the " + key + " \"" + pointer + "\"; it must begin with a slash, like /spec/replicas"
		}
	}
	return ""
}
