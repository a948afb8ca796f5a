package refconfig

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/userfile"
)

// DiffConfig is a user's configuration of a comparison: templates chosen by hand for some CRs.
type DiffConfig struct {
	Pairs    []ManualPair // in the order of the file, each object once
	Warnings []Problem    // sorted by location
}

// ManualPair pairs an object with a template.
type ManualPair struct {
	Object   string // apiVersion_kind_namespace_name, or apiVersion_kind_name for a CR without namespace
	Template string // the template's path, as the reference spells it
	Place    Place
}

// ParseDiffConfig reads a diff config, which has this form in published references:
//
//	correlationSettings:
//	  manualCorrelation:
//	    correlationPairs:
//	      v1_Service_shop_storefront: service.yaml
//
// file is its name in messages. The problems are errors, sorted by location. Pairs without an error
// are returned in any case.
func ParseDiffConfig(file string, data []byte) (DiffConfig, []Problem) {
	d := (&findings{}).document(file, userfile.OneCode(code.DiffConfigBroken), DefaultAliasLimit)
	root, _ := d.Parse(data)
	what := "the diff config"
	for _, key := range wayToPairs() {
		if root == nil {
			break
		}
		m, _ := d.Mapping(root, what, []string{key})
		root, what = m.Field(key), key
	}
	config := DiffConfig{Pairs: d.pairs(root)}
	config.Warnings = tidy(d.warnings)
	return config, tidy(d.faults)
}

// wayToPairs returns the nested keys above the pairs of a diff config.
func wayToPairs() []string {
	return []string{"correlationSettings", "manualCorrelation", "correlationPairs"}
}

// pairs reads correlationPairs.
func (d *document) pairs(n *kubeyaml.Node) []ManualPair {
	if n == nil {
		return nil
	}
	m, _ := d.OpenMapping(n, "correlationPairs")
	var pairs []ManualPair
	for _, f := range m.Fields {
		template, ok := d.Text(f.Node, "the template of "+f.Key)
		switch {
		case !identifies(f.Key):
			d.faultAt(f.Name, code.DiffConfigBroken, "the key %q does not name a CR; write apiVersion_kind_namespace_name, "+
				"or apiVersion_kind_name for a CR without a namespace", f.Key)
		case !ok:
		case strings.TrimSpace(template) == "":
			d.faultAt(f.Name, code.DiffConfigBroken, "the pair %q has no template", f.Key)
		default:
			pairs = append(pairs, ManualPair{Object: f.Key, Template: template, Place: d.at(f.Name)})
		}
	}
	return pairs
}

// identifies reports whether a key has the form of an object's identity: three or more words
// between underscores. There is no upper limit because names may contain underscores.
func identifies(key string) bool {
	words := strings.SplitN(key, "_", 3)
	return len(words) == 3 && words[0] != "" && words[1] != "" && words[2] != ""
}

// Resolve returns the template of each object in the pairs, and a problem for each template that
// the reference does not have.
func (c DiffConfig) Resolve(ref *Reference) (map[string]*Template, []Problem) {
	templates, byPath := map[string]*Template{}, map[string]*Template{}
	for _, t := range slices.Backward(ref.Templates) { // the first of a path is used
		byPath[path.Clean(t.Path)] = t
	}
	hint := suggest(ref.Templates)
	var problems []Problem
	for _, p := range c.Pairs {
		if t := byPath[path.Clean(p.Template)]; t != nil {
			templates[p.Object] = t
			continue
		}
		problems = append(problems, p.Place.Problem(
			code.ManualPairUnknown, "the reference has no template \"%s\"%s", p.Template, hint(p.Template)))
	}
	return templates, problems
}

// suggest returns a function that ends the message about an unknown template with the one that was
// probably intended: one with nearly the same path, or with the same file name.
func suggest(templates []*Template) func(name string) string {
	paths, byName := among(templates, func(t *Template) string { return t.Path }), map[string]string{}
	for _, p := range slices.Backward(paths) { // the first counts
		byName[path.Base(p)] = p
	}
	near := code.NewNames(paths)
	return func(name string) string {
		meant := cmp.Or(near.Nearest(name), byName[path.Base(name)])
		if meant == "" {
			return ""
		}
		return fmt.Sprintf("; did you mean %q?", meant)
	}
}

// AddPairs returns a diff config with additional pairs. They replace pairs of the same object;
// everything else stays, including comments. Empty data, or only comments, becomes a new diff
// config. data must be free of errors for ParseDiffConfig.
func AddPairs(data []byte, pairs []ManualPair) ([]byte, error) {
	config, _ := ParseDiffConfig("", data)
	if slices.ContainsFunc(config.Warnings, func(p Problem) bool { return p.Code == code.RefSecondDocument }) {
		return nil, errors.New("the file has a second YAML document, which would be lost")
	}
	var texts [][2]string
	for _, p := range pairs {
		texts = append(texts, [2]string{p.Object, p.Template})
	}
	text, err := userfile.SetTexts(data, wayToPairs(), texts)
	if err != nil {
		return nil, errors.New("the file is not a diff config")
	}
	// parse the result again, because YAML has more forms than SetTexts handles
	config, problems := ParseDiffConfig("", text)
	isMissing := func(p ManualPair) bool {
		isThere := func(q ManualPair) bool { return q.Object == p.Object && q.Template == p.Template }
		return !slices.ContainsFunc(config.Pairs, isThere)
	}
	if len(problems) > 0 || slices.ContainsFunc(pairs, isMissing) {
		return nil, errors.New("the pairs cannot be added to this file")
	}
	return text, nil
}
