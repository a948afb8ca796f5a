package refconfig

import (
	"errors"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/yamlfile"
)

// AddPairs returns a diff config with more pairs in it; one that it has for the same object is replaced. What else is in
// it, comments too, stays. Nothing, or nothing but comments, makes a new one. Data must be a diff config that
// ParseDiffConfig has no fault to find with.
func AddPairs(data []byte, pairs []ManualPair) ([]byte, error) {
	config, _ := ParseDiffConfig("", data)
	if slices.ContainsFunc(config.Warnings, func(p Problem) bool { return p.Code == code.RefSecondDocument }) {
		return nil, errors.New("the file holds a second YAML document, which would be lost")
	}
	var texts [][2]string
	for _, p := range pairs {
		texts = append(texts, [2]string{p.Object, p.Template})
	}
	text, err := yamlfile.SetTexts(data, wayToPairs(), texts)
	if err != nil {
		return nil, errors.New("the file is no diff config")
	}
	return text, checkAdded(text, pairs)
}

// checkAdded reads the result again: what YAML can express is more than what was foreseen here.
func checkAdded(data []byte, pairs []ManualPair) error {
	config, problems := ParseDiffConfig("", data)
	templates := map[string]string{}
	for _, p := range config.Pairs {
		templates[p.Object] = p.Template
	}
	for _, p := range pairs {
		if templates[p.Object] != p.Template {
			problems = append(problems, Problem{})
		}
	}
	if len(problems) > 0 {
		return errors.New("the pairs cannot be added to this file")
	}
	return nil
}
