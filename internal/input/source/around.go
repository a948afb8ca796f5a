package source

import (
	"os"

	"github.com/validationtool/validationtool/internal/input/collector"
)

// lookAround sets the full path of an input on disk if the input may be a part of what a collector
// wrote: then the folders around it, and the files in these that only a collector leaves, tell its
// layout.
func (w *walker) lookAround(c *container) {
	full, err := RealPath(c.path)
	if err != nil {
		return
	}
	marks := collector.MarksAround(full)
	if len(marks) == 0 {
		return
	}
	c.full = full
	for _, mark := range marks {
		if _, err := os.Lstat(mark); err == nil {
			w.around.Add(mark)
		}
	}
}

// addName records the name of a file, from which the layout of the input is recognised.
func (w *walker) addName(p place) {
	w.names.Add(p.name)
	if p.full != "" && p.entry == "" {
		w.around.Add(p.full)
	}
}

// recognise sets the layout of the input according to its names, or else according to the folders
// around it: then the whole input is inside one root, or is a part of it.
func (w *walker) recognise() {
	if w.in.Layout, w.in.Certain = w.names.Layout(); w.in.Layout != "" {
		w.in.Roots = w.names.Roots()
		return
	}
	w.in.Layout, w.in.Certain = w.around.Layout()
}
