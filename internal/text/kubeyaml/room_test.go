package kubeyaml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRoomIsUsedAgain: nodes in memory that was used before are those in memory of their own, and
// what was read before a mark stays as it is.
func TestRoomIsUsedAgain(t *testing.T) {
	long := strings.Builder{}
	for i := range 80 {
		fmt.Fprintf(&long, "k%d:\n- a: 'b'\n  c: [d, {e: f}]\n- g\n", i)
	}
	texts := []string{"a: b\n", long.String(), "a:\n  b: {}\n  c:\n", `{"a": ["b", {"c": null}]}`, "!x a: &y b\n", long.String(), "- a\n"}
	room := &Room{}
	read := func(text string) []*Node {
		nodes, fault := Limits{}.ParseIn(room, []byte(text), 3)
		if fault != nil {
			t.Fatal(fault)
		}
		return nodes
	}
	want := func(text string) []*Node {
		nodes, _ := Limits{}.ParseAt([]byte(text), 3)
		return nodes
	}
	kept, mark := []*Node(nil), Mark{}
	for i, text := range append(texts, texts...) {
		if i == len(texts) {
			kept = read(texts[1])
			mark = room.Mark()
		}
		if diff := cmp.Diff(want(text), read(text)); diff != "" {
			t.Errorf("%.20q, text %d of the room:\n%s", text, i, diff)
		}
		room.Reuse(mark)
	}
	if diff := cmp.Diff(want(texts[1]), kept); diff != "" {
		t.Errorf("what was read before the mark has changed:\n%s", diff)
	}
}

// TestRoomSavesMemory: reading in the same room takes no memory for nodes any more.
func TestRoomSavesMemory(t *testing.T) {
	text, room := []byte(strings.Repeat("- a: b\n  c: d\n", 100)), &Room{}
	n := testing.AllocsPerRun(20, func() {
		_, _ = Limits{}.ParseIn(room, text, 0)
		room.Reuse(Mark{})
	})
	if n > 5 {
		t.Errorf("%.0f allocations", n)
	}
}
