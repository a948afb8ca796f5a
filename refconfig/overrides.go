package refconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/userfile"
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
	codes := userfile.OneCode(code.OverridesBroken)
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
func (d *document) override(n *kubeyaml.Node) (o Override) {
	keys := append(narrowing(), "type", "patch", "reason", "missing", "present")
	m, ok := d.KnownFields(n, "an override", keys)
	if !ok {
		return o
	}
	for _, f := range m.Unknown {
		d.unknownOverrideKey(f, keys)
	}
	text := func(key string) string {
		s, _ := d.Text(m.Field(key), key)
		return s
	}
	o = Override{
		APIVersion:   text("apiVersion"),
		Kind:         text("kind"),
		Namespace:    text("namespace"),
		Name:         text("name"),
		ExactMatch:   text("exactMatch"),
		TemplatePath: text("templatePath"),
		Type:         PatchType(text("type")),
		Missing:      d.Flag(m.Field("missing"), "missing"),
		Present:      d.Flag(m.Field("present"), "present"),
		Reason:       text("reason"),
		Expires:      text("expires"),
		Place:        d.at(n),
	}
	d.checkScope(o, m)
	if o.Missing || o.Present {
		d.checkPresence(o, m)
		return o
	}
	isJSON := o.Type == MergePatch || o.Type == JSONPatch
	switch kind := m.Field("type"); {
	case isEmpty(kind):
		d.broken(n, "the override has no type; add mergepatch, rfc6902 or go-template")
	case kind.Kind == kubeyaml.Scalar && !isJSON && o.Type != GoTemplate:
		d.broken(kind, "unknown type %q; use mergepatch, rfc6902 or go-template", o.Type)
	}
	patch := m.Field("patch")
	if isEmpty(patch) {
		d.broken(n, "the override has no patch")
		return o
	}
	if o.Patch, ok = d.patch(patch, isJSON); ok {
		for _, wrong := range CheckPatch(o.Type, o.Patch) {
			d.fault(code.OverridesBroken, d.inJSON(patch, wrong), "%v%s", wrong, hintOfYAML(patch, wrong))
		}
		if isJSON {
			d.duplicatesIn(patch)
		}
	}
	return o
}

// broken adds an error of an overrides file.
func (d *document) broken(n *kubeyaml.Node, format string, args ...any) {
	d.faultAt(n, code.OverridesBroken, format, args...)
}

// patch reads a patch: text, or YAML for the types that are JSON.
func (d *document) patch(n *kubeyaml.Node, isJSON bool) (text string, ok bool) {
	if !isJSON || n.Kind == kubeyaml.Scalar {
		return d.Text(n, "patch")
	}
	out, err := json.Marshal(n.Value())
	if err != nil {
		d.broken(n, "the patch cannot be written as JSON: %v", err)
	}
	return string(out), err == nil
}

// hintOfYAML says how to write a patch in YAML, if the text of a patch is YAML and not JSON.
func hintOfYAML(patch *kubeyaml.Node, wrong error) string {
	var fault *json.SyntaxError
	if !errors.As(wrong, &fault) || strings.ContainsAny(strings.TrimSpace(patch.Text)[:1], "{[") {
		return ""
	}
	if all, err := kubeyaml.Parse([]byte(patch.Text)); err != nil || len(all) != 1 || all[0].Kind == kubeyaml.Scalar {
		return ""
	}
	return "; write YAML without | or quotes, as a mapping or list"
}

// duplicatesIn refuses keys that a patch has twice: only the last one would count.
func (d *document) duplicatesIn(patch *kubeyaml.Node) {
	if patch.Kind != kubeyaml.Scalar {
		for _, key := range kubeyaml.DuplicateKeys(patch) {
			d.broken(key, "duplicate key %q in the patch; keep one", kubeyaml.KeyString(key))
		}
		return
	}
	all, err := kubeyaml.Parse([]byte(patch.Text))
	if err != nil {
		return // it is no JSON, which is refused
	}
	for _, n := range all {
		for _, key := range kubeyaml.DuplicateKeys(n) {
			d.fault(code.OverridesBroken, d.within(patch, key.Offset),
				"duplicate key %q in the patch; keep one", kubeyaml.KeyString(key))
		}
	}
}

// unknownOverrideKey warns of an unknown key. It is an error if the override would accept more
// without it.
func (d *document) unknownOverrideKey(f userfile.Field, known []string) {
	switch {
	case code.Nearest(f.Key, narrowing()) != "":
		d.broken(f.Name, "unknown key %q in an override%s", f.Key, code.DidYouMean(f.Key, narrowing()))
	case f.Key == "metadata":
		d.broken(f.Name, `unknown key "metadata" in an override; write name and namespace directly into the override`)
	default:
		d.NoEffect(f, "an override", known)
	}
}

// narrowing returns the keys without which an override accepts more: those that select its CRs, and
// as the last one expires.
func narrowing() []string {
	return []string{"apiVersion", "kind", "namespace", "name", "exactMatch", "templatePath", "expires"}
}

// isEmpty reports whether a node is null or empty text.
func isEmpty(n *kubeyaml.Node) bool {
	return n.IsNull() || n.IsText() && strings.TrimSpace(n.Text) == ""
}

// checkScope checks which CRs an override is for, how long, and why.
func (d *document) checkScope(o Override, m userfile.Mapping) {
	named, identified := false, o.Kind != "" && o.Name != ""
	for _, f := range m.Fields {
		narrows := slices.Contains(narrowing(), f.Key)
		named = named || narrows && f.Key != "expires"
		switch {
		case !narrows || !isEmpty(f.Node):
		case identified && slices.Contains([]string{"apiVersion", "namespace", "exactMatch", "templatePath"}, f.Key):
			d.warnAt(f.Name, code.RefNoEffect, "%s is empty, and has no effect in an override; remove the key", f.Key)
		default:
			d.broken(f.Name, "%s is empty; give it a value, or remove the key if the override is for all", f.Key)
		}
	}
	if !named || o.Missing && !identified && o.ExactMatch == "" && o.TemplatePath == "" {
		d.broken(m.Node, "the override does not name a CR; add kind and name, or exactMatch")
	}
	if o.ExactMatch != "" && !identifies(o.ExactMatch) {
		d.broken(m.Field("exactMatch"), "exactMatch %q does not name a CR; write apiVersion_kind_namespace_name, "+
			"or apiVersion_kind_name for a CR without a namespace", o.ExactMatch)
	}
	if isEmpty(m.Field("reason")) {
		d.broken(m.Node, "the override has no reason; add why the deviation is accepted, because reports show it")
	}
	if _, err := time.Parse(time.DateOnly, o.Expires); err != nil && o.Expires != "" {
		d.broken(m.Field("expires"), "expires is %q, not a date; write year-month-day, such as 2030-01-31", o.Expires)
	}
}

// checkPresence checks an entry that accepts a missing or an existing CR.
func (d *document) checkPresence(o Override, m userfile.Mapping) {
	if o.Missing && o.Present {
		d.broken(m.Field("present"), "an override has both missing and present; keep one")
	}
	for _, key := range []string{"type", "patch"} {
		if n := m.Field(key); n != nil {
			d.broken(n, "an override with missing or present cannot have %s; write a second override for the differences", key)
		}
	}
}

// CheckPatch returns the errors in a patch of a type that can be found without applying the patch.
// It does not check a go-template.
func CheckPatch(kind PatchType, text string) (wrong []error) {
	if kind != MergePatch && kind != JSONPatch {
		return nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return []error{fmt.Errorf("the patch is not valid JSON: %w", err)}
	}
	_, isObject := v.(map[string]any)
	operations, isList := v.([]any)
	switch {
	case kind == MergePatch && !isObject:
		return []error{fmt.Errorf("a mergepatch must be a JSON object, not %s", jsonKind(v))}
	case kind == JSONPatch && !isList:
		return []error{fmt.Errorf("an rfc6902 patch must be a JSON list of operations, not %s", jsonKind(v))}
	}
	for i, operation := range operations {
		if what := wrongOperation(operation); what != "" {
			wrong = append(wrong, fmt.Errorf("operation %d of the patch %s", i+1, what))
		}
	}
	return wrong
}

// wrongOperation returns the fault of an operation of a JSON patch, or "". It ignores unknown
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

// jsonKind names the type of a JSON value for messages.
func jsonKind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "text"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}
