package pattern

import (
	"testing"

	"github.com/validationtool/validationtool/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Run(m) }
