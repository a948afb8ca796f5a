package source

import (
	"archive/tar"
	"path"
	"strings"
)

// linkSet gathers the links inside an input by the names of File.Name. A nil one gathers nothing.
type linkSet struct {
	list []link
}

type link struct {
	from   place
	target string
}

func (l *linkSet) add(from place, target string) {
	if l != nil {
		l.list = append(l.list, link{from, target})
	}
}

// addEntry takes a link of a tar archive: a symbolic one is relative to its folder, a hard one to the archive.
func (l *linkSet) addEntry(from place, entry string, h *tar.Header) {
	target := h.Linkname
	if h.Typeflag == tar.TypeSymlink {
		target = path.Join("/", path.Dir(entry), h.Linkname)
		if path.IsAbs(h.Linkname) {
			return
		}
	}
	clean, _ := cleanName(strings.TrimPrefix(target, "/"), formatTar)
	l.add(from, strings.TrimSuffix(from.name, entry)+clean)
}

// maxHops is how many links may lead to each other.
const maxHops = 40

// copies returns the files that the links lead to, under the names of the links. A link to a folder stands for all files in it.
func (l *linkSet) copies(files []File) []File {
	targets := map[string]string{}
	for _, k := range l.list {
		targets[k.from.name] = k.target
	}
	var out []File
	for _, k := range l.list {
		target, ok := followed(k.target, targets)
		if !ok || strings.HasPrefix(k.from.name, target+"/") {
			continue
		}
		for _, f := range files {
			rest, below := strings.CutPrefix(f.Name, target)
			if below && (rest == "" || rest[0] == '/') {
				out = append(out, k.from.below(rest).file(f.Size, append([]byte{}, f.Data...)))
			}
		}
	}
	return out
}

// below is the place of a file in the folder at p; rest begins with a slash, or is empty for p itself.
func (p place) below(rest string) place {
	if p.entry == "" {
		p.path += rest
	} else {
		p.entry += rest
	}
	p.name += rest
	return p
}

// followed replaces every part of the name that is a link itself by what it leads to.
func followed(name string, targets map[string]string) (string, bool) {
	for range maxHops {
		next, ok := followOnce(name, targets)
		if !ok {
			return name, true
		}
		name = next
	}
	return "", false
}

func followOnce(name string, targets map[string]string) (string, bool) {
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		if target, ok := targets[name[:i]]; ok {
			return target + name[i:], true
		}
	}
	return "", false
}
