package impact

import (
	"errors"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// versions is a range of versions of clusters.
type versions struct {
	rangeOf *semver.Constraints
	early   bool // the range itself has pre-release versions, such as 4.16.0-rc.1
}

// parseVersions parses a range such as ">=4.14 <4.16".
func parseVersions(text string) (*versions, error) {
	const longest = 200
	if len(text) > longest {
		return nil, errors.New("too long")
	}
	c, err := semver.NewConstraint(text)
	if err != nil {
		return nil, err
	}
	words := strings.Join(strings.Fields(text), " ")
	return &versions{c, strings.Contains(strings.ReplaceAll(words, " - ", " "), "-")}, nil
}

// has reports whether a valid version is in the range. A pre-release, such as a nightly build or a
// release candidate, counts as its release unless the range itself has pre-releases. The library
// differs: for it, >=4.8 excludes 4.8.0-0.nightly-2021-07-31-065602.
func (v *versions) has(version string) bool {
	have, err := semver.NewVersion(version)
	if err != nil {
		return false
	}
	if !v.early {
		released, err := have.SetPrerelease("")
		if err != nil {
			return false
		}
		have = &released
	}
	return v.rangeOf.Check(have)
}
