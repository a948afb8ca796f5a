// Package places shortens the locations of a report: the common prefix of all locations in an input
// appears only in the head of the report.
package places

import (
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// Names shortens locations by removing the common prefix of all locations in an input.
type Names struct {
	within  map[string]shared // the common prefixes of locations in folders and archives
	lengths map[int]bool      // lengths of these prefixes
	files   map[string]string // the shown names of inputs that are files, by their paths
}

// shared is a common prefix of locations.
type shared struct {
	input int    // the index of the first input with the prefix
	label string // the shown name of the input; "" for a single input
}

// Of returns the Names that shorten the locations in the inputs of a run.
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

// Short returns a location without the prefix that the head of the report shows. It returns other
// locations unchanged.
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

// Shared returns the folder in an input to which shortened locations are relative, with a slash at
// its end. It returns "" if this is the input itself, or the folder in Root.
func Shared(in finding.Input) string {
	if in.Folder == "" || in.Folder == in.Root {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(in.Folder, in.Root+"/"), "/") + "/"
}

// within returns the common prefix of all locations in an input.
func within(in finding.Input) string {
	folder := in.Folder
	if folder != "" {
		folder += "/"
	}
	if in.Format == "directory" {
		if before, after, found := strings.Cut(folder, "!/"); found { // in locations, an archive in a folder is a file
			folder = before + "!" + after
		}
		if dir := cleaned(in.Path); dir != "." {
			return strings.TrimSuffix(dir, "/") + "/" + folder
		}
		return folder
	}
	return file(in) + "!" + folder
}

// file returns the name that locations have for an input that is a file.
func file(in finding.Input) string { return finding.Input{Path: cleaned(in.Path)}.Place() }

// separator returns the text between the name of the input and a path in it.
func separator(in finding.Input) string {
	if in.Format == "directory" {
		return "/"
	}
	return "!"
}

// cleaned returns a path in the form in which locations have it.
func cleaned(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

// shortNames returns for each input the shortest suffix of its path that no other path ends with.
// It sorts the paths by their ends, so that the path with the longest common suffix is next to
// each.
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

// sameEnd returns the length in bytes of the common suffix of two texts.
func sameEnd(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
