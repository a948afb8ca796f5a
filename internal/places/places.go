// Package places shortens the places that a report shows: what all places of an input begin with is
// told once, in its head.
package places

import (
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// Names shortens places in the inputs of a run: what all places of an input begin with is left out
// of each of them.
type Names struct {
	within  map[string]shared // by what the places in a folder or an archive begin with
	lengths map[int]bool      // of these beginnings
	files   map[string]string // the names that stand for inputs that are files
}

// shared stands for what places begin with.
type shared struct {
	input int    // the first that has it
	label string // "" where there is only one input
}

// Of returns what shortens the places in the inputs of a run.
func Of(inputs []finding.Input) Names {
	p := Names{map[string]shared{}, map[int]bool{}, map[string]string{}}
	names := shortNames(inputs)
	for i, in := range inputs {
		p.files[file(in)] = names[i]
		if in.Format == "file" {
			continue
		}
		one, prefix := shared{input: i}, within(in)
		if len(inputs) > 1 {
			one.label = names[i] + separator(in)
		}
		if _, known := p.within[prefix]; !known {
			p.within[prefix], p.lengths[len(prefix)] = one, true
		}
	}
	return p
}

// Short is a place as it is shown where the head of the report tells the inputs and their folders.
// What lies elsewhere is left as it is.
func (p Names) Short(place string) string {
	whole, _ := finding.SplitPlace(place)
	if name, ok := p.files[whole]; ok {
		return name + place[len(whole):]
	}
	first, short := math.MaxInt, place
	for n := range p.lengths {
		if in, ok := p.within[place[:min(n, len(place))]]; ok && n < len(place) && in.input < first {
			first, short = in.input, in.label+place[n:]
		}
	}
	return short
}

// Shared is the folder inside the input that its places are given from, with a slash at its end; ""
// where that is the input itself, or what Root says.
func Shared(in finding.Input) string {
	if in.Folder == "" || in.Folder == in.Root {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(in.Folder, in.Root+"/"), "/") + "/"
}

// within is what a place in the input begins with.
func within(in finding.Input) string {
	folder := in.Folder
	if folder != "" {
		folder += "/"
	}
	if in.Format == "directory" {
		if before, after, found := strings.Cut(folder, "!/"); found { // a place names an archive as a file of its own
			folder = before + "!" + after
		}
		if dir := cleaned(in.Path); dir != "." {
			return strings.TrimSuffix(dir, "/") + "/" + folder
		}
		return folder
	}
	return file(in) + "!" + folder
}

// file is how places name an input that is a file.
func file(in finding.Input) string { return finding.Input{Path: cleaned(in.Path)}.Place() }

// separator stands between the name of the input and a path in it.
func separator(in finding.Input) string {
	if in.Format == "directory" {
		return "/"
	}
	return "!"
}

// cleaned is a path as places begin with it, which the inputs are read by.
func cleaned(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

// shortNames returns for each input the shortest end of its path that no other input's path ends
// with. The path with which one has the longest end in common stands beside it where they are
// sorted from their ends.
func shortNames(inputs []finding.Input) []string {
	names, order := make([]string, len(inputs)), make([]int, len(inputs))
	for i, in := range inputs {
		names[i], order[i] = "/"+strings.TrimPrefix(file(in), "/"), i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := names[a], names[b]
		n := sameEnd(x, y)
		return strings.Compare(x[max(0, len(x)-n-1):len(x)-n], y[max(0, len(y)-n-1):len(y)-n])
	})
	same := make([]int, len(inputs))
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		n := sameEnd(names[a], names[b])
		same[a], same[b] = max(same[a], n), n
	}
	for i, name := range names {
		own := name[:max(1, len(name)-same[i])]
		names[i] = name[strings.LastIndexByte(own, '/')+1:]
	}
	return names
}

// sameEnd is how many bytes two texts have in common at their ends.
func sameEnd(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
