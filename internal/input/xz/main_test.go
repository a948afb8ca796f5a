package xz_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

func TestMain(m *testing.M) { testkit.Run(m) }
