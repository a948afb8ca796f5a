package patch

import (
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// Maker makes the patches of one object: overrides, which change what is expected of it, and a fix,
// which changes the object. It proposes a patch, compares the object again, and keeps the patch if
// that leaves fewer differences.
type Maker struct {
	Object   manifest.ID
	Template *refconfig.Template
	Secrets  secret.Scope // which parts of an object of its kind are secret
	// compares the object again; nil if that fails
	Compare func(Proposal) *diff.Compared

	Active *Set  // for overrides: those of the run
	Scope  Scope // for overrides: what to accept
	Extra  bool  // for overrides: accept extra content too

	Input   map[string]any        // for a fix: the object as it was read; of a missing object its known identity
	Missing bool                  // for a fix: the input lacks the object
	Runtime []refconfig.OmitEntry // for a fix: fields that the cluster writes
	Layout  string                // for a fix: layout of the input, which decides what the collector masks
}

// Proposal is what a Maker compares: an object, or the object of the Maker under other overrides.
type Proposal struct {
	Object    map[string]any // in place of the object of the Maker; nil for that object
	Overrides *Set           // in place of the overrides of the run; only if Object is nil
}
