package finding

import (
	"path"
	"strings"
)

// Places shortens places in the inputs of a run: what all places of an input begin with is told once, and left out of each of them.
type Places struct {
	within []shared
	files  map[string]string // the names that stand for inputs that are files
}

// shared is what the places in a folder or an archive have in common.
type shared struct {
	prefix string // what they begin with
	label  string // what stands in its place; "" where there is only one input
}

// Places returns what shortens the places of the run.
func (r *Run) Places() Places {
	p := Places{files: map[string]string{}}
	names := shortNames(r.Inputs)
	for i, in := range r.Inputs {
		p.files[in.file()] = names[i]
		if in.Format == "file" {
			continue
		}
		one := shared{prefix: in.within()}
		if len(r.Inputs) > 1 {
			one.label = names[i] + in.separator()
		}
		if one != (shared{}) {
			p.within = append(p.within, one)
		}
	}
	return p
}

// Short is a place as it is shown where the head of the report tells the inputs and their folders. What lies elsewhere is left as it is.
func (p Places) Short(place string) string {
	file, _ := splitPlace(place)
	if name, ok := p.files[file]; ok {
		return name + place[len(file):]
	}
	for _, in := range p.within {
		if rest, ok := strings.CutPrefix(place, in.prefix); ok && rest != "" {
			return in.label + rest
		}
	}
	return place
}

// Shared is the folder inside the input that its places are given from, with a slash at its end; "" where that is the input itself, or
// what Root says.
func (in Input) Shared() string {
	if in.Folder == "" || in.Folder == in.Root {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(in.Folder, in.Root+"/"), "/") + "/"
}

// within is what a place in the input begins with.
func (in Input) within() string {
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
	return in.file() + "!" + folder
}

// file is how places name an input that is a file.
func (in Input) file() string { return place(cleaned(in.Path), "", 0) }

// separator stands between the name of the input and a path in it.
func (in Input) separator() string {
	if in.Format == "directory" {
		return "/"
	}
	return "!"
}

func cleaned(name string) string { return path.Clean(strings.ReplaceAll(name, `\`, "/")) }

// shortNames returns for each input the shortest end of its path that no other input's path ends with.
func shortNames(inputs []Input) []string {
	ends := map[string]int{} // how many inputs have it
	for _, in := range inputs {
		for end := range endsOf(in.file()) {
			ends[end]++
		}
	}
	names := make([]string, len(inputs))
	for i, in := range inputs {
		for names[i] = range endsOf(in.file()) {
			if ends[names[i]] == 1 {
				break
			}
		}
	}
	return names
}

// endsOf yields the ends of a path, the shortest first.
func endsOf(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for at := len(name); at > 0; {
			at = strings.LastIndexByte(name[:at], '/')
			if !yield(name[at+1:]) {
				return
			}
		}
	}
}
