package quantity

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// Texts of the same amount must compare as equal and print alike, others must not.
func TestAmounts(t *testing.T) {
	for _, row := range []struct {
		a, b  string
		order int
	}{
		{"1000m", "1", 0}, {"1Gi", "1024Mi", 0}, {"1.5Gi", "1536Mi", 0}, {"1e3", "1k", 0}, {"1E3", "1000", 0}, {"1E", "1e18", 0}, {".5", "500m", 0}, {"+5", "5.0", 0},
		{"-1", "-1000m", 0}, {"0", "0Gi", 0}, {"1e0000000002", "100", 0}, {"100e-2", "1", 0},
		{"1G", "1Gi", -1}, {"1m", "1M", -1}, {"1001m", "1", 1}, {"-2", "-1", -1}, {"2", "1999m", 1}, {"9007199254740993", "9007199254740992", 1},
	} {
		a, err := ParseQuantity(row.a)
		b, err2 := ParseQuantity(row.b)
		if err != nil || err2 != nil {
			t.Fatal(row, err, err2)
		}
		if a.Compare(b) != row.order || b.Compare(a) != -row.order || (a.String() == b.String()) != (row.order == 0) {
			t.Errorf("%s and %s: %d, written %s and %s", row.a, row.b, a.Compare(b), a, b)
		}
	}
}

// Texts that are no amount, or would take the parser of Kubernetes hours, must be refused at once.
func TestNoAmounts(t *testing.T) {
	begin := time.Now()
	for _, text := range []string{"", "x", "1K", "1 Gi", "1e", "1Gib", "0x10", "1,5", "1e999999999", "1e-999999999", "1E+999", strings.Repeat("9", 1<<20), "1e" + strings.Repeat("9", 90)} {
		if a, err := ParseQuantity(text); err == nil {
			t.Errorf("%.20q is %.20s", text, a)
		}
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("it takes %s", took)
	}
}

// Sets of the same CPUs must have the same key.
func TestCPUs(t *testing.T) {
	for _, row := range [][2]string{
		{"0-3", "0,1,2,3"}, {"3,0-2", "0-3"}, {" 0-1 , 20-21", "20,21,0,1"}, {"0-3:1/2", "0,2"}, {"0-30:2/4,40", "0-1,4-5,8-9,12-13,16-17,20-21,24-25,28-29,40"}, {"", ","}, {"1,1-1", "1"},
	} {
		a, err := ParseCPUs(row[0])
		b, err2 := ParseCPUs(row[1])
		if err != nil || err2 != nil || a.Key() != b.Key() || !a.Equal(b) {
			t.Errorf("%q is %q, %q is %q (%v, %v)", row[0], a.Key(), row[1], b.Key(), err, err2)
		}
	}
	for _, text := range []string{"a", "0-", "-1", "3-1", "0-99999", "0-3:2", "0-3:0/2", "0-3:3/2", "1.5", strings.Repeat("0-65535,", 100_000)} {
		if c, err := ParseCPUs(text); err == nil {
			t.Errorf("%.20q is a set of %d", text, c.Size())
		}
	}
}

// Sets of thousands of CPUs must take little memory each and have different keys.
func TestCPUsOfShortTexts(t *testing.T) {
	each := func(text string, want func(cpu int) bool) string {
		set, err := ParseCPUs(text)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for cpu := range maxCPU + 1 {
			if want(cpu) {
				size++
			}
			if !testkit.Whole() && 70 < cpu && cpu < maxCPU-70 && cpu%11 > 0 {
				continue
			}
			if one, _ := ParseCPUs(strconv.Itoa(cpu)); set.Overlap(one) != want(cpu) {
				t.Fatalf("%s: CPU %d is %v", text, cpu, !want(cpu))
			}
		}
		if set.Size() != size {
			t.Errorf("%s: %d CPUs, not %d", text, set.Size(), size)
		}
		return set.Key()
	}
	half := each("0-65535:1/2", func(cpu int) bool { return cpu < maxCPU && cpu%2 == 0 })
	third := each("7-65536:2/3", func(cpu int) bool { return cpu >= 7 && (cpu-7)%3 < 2 })
	all := each("0-65536:9/9", func(int) bool { return true })
	if half == third || third == all || len(half) > 100 {
		t.Error("keys are alike, or long")
	}
	if n := testing.AllocsPerRun(1, func() {
		set, _ := ParseCPUs("0-65535:1/2")
		_ = set.Key()
	}); n > 100 {
		t.Errorf("reading a set of 32768 CPUs takes %v allocations", n)
	}
}
