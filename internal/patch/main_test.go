package patch_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/seldom"
)

func TestMain(m *testing.M) { seldom.Collected(m) }
