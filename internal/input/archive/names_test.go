package archive

import (
	"strings"
	"testing"
)

func TestCleanName(t *testing.T) {
	cases := []struct {
		name, clean string
		f           format
		unsafe      bool
	}{
		{"a/b.yaml", "a/b.yaml", formatTar, false},
		{"./a//b.yaml", "a/b.yaml", formatTar, false},
		{"a/..b/c..yaml", "a/..b/c..yaml", formatTar, false},
		{"system:registry.yaml", "system:registry.yaml", formatTar, false},
		{"C:name", "C:name", formatTar, false},
		{"../a.yaml", "a.yaml", formatTar, true},
		{"a/../../b.yaml", "b.yaml", formatTar, true},
		{"a/..", "_", formatTar, true},
		{"..", "_", formatTar, true},
		{"", "_", formatTar, false},
		{"/etc/a.yaml", "etc/a.yaml", formatTar, true},
		{`C:\a\b.yaml`, "a/b.yaml", formatTar, true},
		{"c:/a.yaml", "a.yaml", formatZip, true},
		{`..\a.yaml`, "a.yaml", formatTar, true},
		{`\\host\share\a.yaml`, "host/share/a.yaml", formatZip, true},
		{`dir\a.yaml`, "dir/a.yaml", formatZip, false},
		{`dir\a.yaml`, `dir\a.yaml`, formatTar, false},
		{`dir/dev-disk-by\x2duuid.swap`, `dir/dev-disk-by\x2duuid.swap`, formatZip, false},
		{strings.Repeat("n", maxName), strings.Repeat("n", maxName), formatTar, false},
		{strings.Repeat("n", 5000), strings.Repeat("n", maxName), formatTar, true},
	}
	for _, c := range cases {
		clean, unsafe := cleanName(c.name, c.f)
		if clean != c.clean || unsafe != c.unsafe {
			t.Errorf("cleanName(%.40q) = %.40q, %t; want %.40q, %t", c.name, clean, unsafe, c.clean, c.unsafe)
		}
	}
}

// TestFormatsAreKnownByTheirFirstBytes: also archives that begin otherwise than most, and those
// that are empty.
func TestFormatsAreKnownByTheirFirstBytes(t *testing.T) {
	for head, want := range map[string]format{
		"PK\x03\x04": formatZip, "PK\x05\x06": formatZip, "PK\x07\x08": formatZip, "PK\x01\x02": formatPlain,
		"BZh9\x31\x41\x59\x26\x53\x59": formatBzip2, "BZh9\x17\x72\x45\x38\x50\x90": formatBzip2, "BZh9 is a word": formatPlain, "BZh0\x31\x41\x59\x26\x53\x59": formatPlain,
		"\x1f\x8b\x08": formatGzip, "\xfd7zXZ\x00": formatXZ, "\x28\xb5\x2f\xfd": formatZstd, "\x5f\x2a\x4d\x18": formatZstd, "": formatPlain, "kind: Node": formatPlain,
	} {
		if got := sniff([]byte(head)); got != want {
			t.Errorf("%q is %q, want %q", head, got, want)
		}
	}
}
