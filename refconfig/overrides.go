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

// PatchType says what an override's patch is.
type PatchType string

// The types of patches.
const (
	MergePatch PatchType = "mergepatch"  // a JSON merge patch (RFC 7386)
	JSONPatch  PatchType = "rfc6902"     // a JSON patch
	GoTemplate PatchType = "go-template" // a template over the CR that yields a mapping with type and patch
)

// Override is an accepted deviation: a patch of the rendered reference, for the CRs that it names.
// A CR must have each of the identifying fields that are set.
type Override struct {
	APIVersion, Kind, Namespace, Name string // "" for any
	ExactMatch                        string // the whole identity, as ManualPair.Object has it; "" for any
	TemplatePath                      string // only where the CR is compared with this template; "" for any
	Type                              PatchType
	Patch                             string // for MergePatch and JSONPatch, JSON
	Missing                           bool   // accepts, in place of a patch, that the CR is missing
	// accepts, in place of a patch, that the CR is there, where a rule forbids it
	Present bool
	Reason  string
	Expires string // the last day on which it applies, as 2006-01-02; "" for no end
	Place   Place  // of the entry
}

// Expired reports whether the override no longer applies on a day, which is written as 2006-01-02;
// never on "".
func (o Override) Expired(today string) bool {
	return o.Expires != "" && today > o.Expires
}

// ParseOverrides reads a file of overrides as it is used with published references: a YAML list
// whose entries have kind, apiVersion, namespace and name, or exactMatch; optionally templatePath;
// type, patch and reason. Of its own, the tool knows expires, a date; a patch that is YAML instead
// of text; and in place of type and patch missing or present. Other keys are ignored and warned of,
// unless one looks like a misspelt key that says which CRs are meant: without it the override would
// accept more than its author meant.
//
// file is what messages call it. Warnings and faults are sorted by place; the entries without fault
// are returned all the same. An empty file has no overrides.
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

// patch reads a patch: text, or of the types that are JSON the YAML for it.
func (d *document) patch(n *kubeyaml.Node, kind PatchType) (text string, ok bool) {
	if n == nil || kind != MergePatch && kind != JSONPatch {
		return d.Text(n, "patch")
	}
	if n.Kind == kubeyaml.Scalar {
		return d.Text(n, "patch")
	}
	out, err := json.Marshal(n.Value())
	if err != nil {
		d.fault(code.OverridesBroken, d.at(n), "the patch has no meaning in JSON: %v", err)
		return "", false
	}
	return string(out), true
}

// unknownOverrideKey warns of a key that an override does not have, or refuses it where the
// override would accept more without it.
func (d *document) unknownOverrideKey(f kubeyaml.Field, known []string) {
	switch {
	case code.Nearest(f.Key, narrowing()) != "":
		d.fault(
			code.OverridesBroken,
			d.at(f.Name),
			"unknown key %q in an override%s",
			f.Key,
			code.DidYouMean(f.Key, narrowing()),
		)
	case f.Key == "metadata":
		d.fault(
			code.OverridesBroken,
			d.at(f.Name),
			`unknown key "metadata" in an override; name and namespace stand in the override itself`,
		)
	default:
		d.NoEffect(f, "an override", known)
	}
}

// identifying returns the keys that say which CRs an override is for.
func identifying() []string {
	return []string{"apiVersion", "kind", "namespace", "name", "exactMatch", "templatePath"}
}

// narrowing returns the keys without which an override accepts more.
func narrowing() []string { return append(identifying(), "expires") }

// isEmpty reports whether a node is null or empty text.
func isEmpty(n *kubeyaml.Node) bool {
	return n.IsNull() || n.IsText() && strings.TrimSpace(n.Text) == ""
}

// checkOverride looks at each field; isText says which were read at all.
func (d *document) checkOverride(o Override, m kubeyaml.Mapping, isText map[string]bool) {
	named := slices.ContainsFunc(m.Fields, func(f kubeyaml.Field) bool { return slices.Contains(identifying(), f.Key) })
	for _, f := range m.Fields {
		if slices.Contains(narrowing(), f.Key) && isEmpty(f.Node) {
			d.fault(
				code.OverridesBroken,
				d.at(f.Name),
				"%s is empty; give it a value, or leave the key out if the override is meant for more",
				f.Key,
			)
		}
	}
	if !named {
		d.fault(code.OverridesBroken, d.at(m.Node), "the override names no CR; give kind and name, or exactMatch")
	}
	if o.ExactMatch != "" && !identifies(o.ExactMatch) {
		d.fault(
			code.OverridesBroken,
			d.at(m.Field("exactMatch")),
			"exactMatch %q names no CR; write apiVersion_kind_namespace_name, or apiVersion_kind_name for a CR without namespace",
			o.ExactMatch,
		)
	}
	if isText["reason"] && strings.TrimSpace(o.Reason) == "" {
		d.fault(
			code.OverridesBroken,
			d.at(m.Node),
			"the override has no reason; say why the deviation is accepted, because reports show it",
		)
	}
	if o.Expires != "" {
		if _, err := time.Parse(time.DateOnly, o.Expires); err != nil {
			d.fault(
				code.OverridesBroken,
				d.at(m.Field("expires")),
				"expires is %q, which is no date; write year-month-day, like 2030-01-31",
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
		d.fault(
			code.OverridesBroken,
			d.at(m.Node),
			"the override has no type; it can be mergepatch, rfc6902 or go-template",
		)
	case o.Type != MergePatch && o.Type != JSONPatch && o.Type != GoTemplate:
		d.fault(
			code.OverridesBroken,
			d.at(m.Field("type")),
			"unknown type %q; it can be mergepatch, rfc6902 or go-template",
			o.Type,
		)
	}
	switch {
	case !isText["patch"]:
	case strings.TrimSpace(o.Patch) == "":
		d.fault(code.OverridesBroken, d.at(m.Node), "the override has no patch")
	default:
		d.checkPatch(o, m.Field("patch"))
	}
}

// checkPresence checks an entry that accepts that a CR is missing, or that it is there.
func (d *document) checkPresence(o Override, m kubeyaml.Mapping) {
	if o.Missing && o.Present {
		d.fault(
			code.OverridesBroken,
			d.at(m.Field("present")),
			"an override accepts that a CR is missing or that it is present, not both",
		)
	}
	for _, key := range []string{"type", "patch"} {
		if n := m.Field(key); n != nil {
			d.fault(
				code.OverridesBroken,
				d.at(n),
				"an override with missing or present has no %s; write a second entry for what of the CR differs",
				key,
			)
		}
	}
}

// checkPatch checks that the patch is what its type says, as far as that can be known without a CR.
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

// wrongOperation says what is wrong with an operation of a JSON patch, "" if nothing is. Members
// that the standard does not know are ignored, as it wants it.
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
		return "has no op that there is; it can be add, remove, replace, move, copy or test"
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
