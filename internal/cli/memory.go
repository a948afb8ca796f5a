package cli

import (
	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/compare"
)

// comparing is how much memory the comparison of clusters takes, of whose reports so much is held already.
func (l limits) comparing(held int64) compare.Memory {
	share := l.memory() / budget.Eighth
	return compare.Memory{Room: budget.NewRoom(3 * share), Rendered: budget.NewRoom(share), Report: max(1, share-held)}
}
