package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// neighbours finds files by what other files say about them: a kustomization about its patches, the
// metadata of a reference about its templates. It is made once all files are read, because a file may
// come before the one that names it.
type neighbours struct {
	files   map[string]*Batch
	folders map[string]bool // folders with files that were read
}

// newNeighbours returns the files that were read.
func newNeighbours(batches []*Batch) neighbours {
	n := neighbours{files: map[string]*Batch{}, folders: map[string]bool{}}
	for _, b := range batches {
		at := b.fullPath()
		n.files[at] = b
		for folder := path.Dir(at); !n.folders[folder]; folder = path.Dir(folder) {
			n.folders[folder] = true
		}
	}
	return n
}

// hasObjects reports whether there is a file with this path that holds CRs.
func (n neighbours) hasObjects(at string) bool {
	file := n.files[at]
	return file != nil && len(file.Contents.Objects) > 0
}

// unlisted returns the names of files with CRs that are in the folder of a kustomization, and that no
// kustomization lists.
func (n neighbours) unlisted(b *Batch, isListed func(*Batch) bool) (names []string) {
	folder := path.Dir(b.fullPath())
	for _, at := range slices.Sorted(maps.Keys(n.files)) {
		file := n.files[at]
		hasCRs := file.Contents.Kustomization == nil && len(file.Contents.Objects) > 0
		if path.Dir(at) == folder && hasCRs && !isListed(file) {
			names = append(names, path.Base(at))
		}
	}
	return names
}

// fullPath returns an absolute path of a file on disk, and one inside the archive of an entry.
func (b *Batch) fullPath() string {
	full, err := filepath.Abs(b.File.Path)
	if err != nil {
		full = b.File.Path
	}
	return path.Join(filepath.ToSlash(full), strings.ReplaceAll(b.File.Entry, "!/", "/"))
}

// setAside takes from the CRs of the cluster what other files say to be none: the files that
// kustomizations use and do not apply, and the templates of other references. It records what is
// named and was not read.
func (r *Reading) setAside(all []*Batch) {
	speaking := slice.Without(all, func(b *Batch) bool {
		return b.Contents.Kustomization == nil && b.links == nil && len(b.Contents.Templates) == 0
	})
	if len(speaking) == 0 {
		return
	}
	n := newNeighbours(all)
	applied, used := map[*Batch]bool{}, map[*Batch]bool{}
	for _, b := range speaking {
		b.links = cmp.Or(b.links, &links{})
		folder := path.Dir(b.fullPath())
		if k := b.Contents.Kustomization; k != nil {
			for _, at := range k.Resources {
				if file := n.files[path.Join(folder, at)]; file != nil {
					applied[file] = true
				} else if !n.folders[path.Join(folder, at)] {
					b.links.absent = append(b.links.absent, at)
				}
			}
			for _, at := range k.Used {
				used[n.files[path.Join(folder, at)]] = true
			}
		}
		for _, at := range b.links.submodules {
			if module := path.Join(folder, at); !n.folders[module] && isEmptyFolder(module) {
				b.links.absent = append(b.links.absent, at)
			}
		}
		for _, at := range b.Contents.Templates {
			if file := n.files[path.Join(folder, at)]; file != nil && !r.asked(file.File) {
				file.Contents = manifest.Contents{Passed: []manifest.Passed{{Reason: source.ReasonTemplate, Count: 1}}}
				b.links.templates++
			}
		}
	}
	delete(used, nil)
	for _, b := range speaking {
		if k := b.Contents.Kustomization; k != nil && !k.Component && !r.asked(b.File) {
			b.links.unlisted = n.unlisted(b, func(file *Batch) bool {
				return applied[file] || used[file] || r.asked(file.File)
			})
		}
	}
	for b := range used {
		if !applied[b] && !r.asked(b.File) {
			b.Contents.LeaveUsed()
		}
	}
}

// isEmptyFolder reports whether a folder has no entry or does not exist, as in an archive.
func isEmptyFolder(name string) bool {
	entries, _ := os.ReadDir(name)
	return len(entries) == 0
}

// submodulesIn returns the folders of the submodules in a file with the settings of Git for them.
func submodulesIn(f source.File, data []byte) *links {
	if path.Base(f.Name) != source.Submodules {
		return nil
	}
	var folders []string
	for line := range strings.Lines(string(data)) {
		key, value, found := strings.Cut(line, "=")
		if found && strings.TrimSpace(key) == "path" {
			folders = append(folders, strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
	return &links{submodules: folders}
}

// naming is what the files of an input name that is not compared.
type naming struct {
	resources, submodules []mention // what was not read
	unlisted              []mention // files that a kustomization beside them does not list
	references            []mention // metadata of other references, without the names of their templates
}

// mention is a file, and what it names.
type mention struct {
	file  string
	names []string
	count int // of the names
}

// add adds what a file names.
func (n *naming) add(b *Batch) {
	set := func(list *[]mention, names []string, count int) {
		if count > 0 {
			*list = append(*list, mention{file: b.place().String(), names: names, count: count})
		}
	}
	if b.links == nil {
		return
	}
	set(&n.unlisted, b.links.unlisted, len(b.links.unlisted))
	set(&n.references, nil, b.links.templates)
	if b.Contents.Kustomization != nil {
		set(&n.resources, b.links.absent, len(b.links.absent))
	} else {
		set(&n.submodules, b.links.absent, len(b.links.absent))
	}
}

// problems returns at most one warning of each sort, about the first of the files by name.
func (n *naming) problems() (problems []refconfig.Problem) {
	add := func(of []mention, c code.Code, format string, what func(mention) string) {
		if len(of) > 0 {
			first := slices.MinFunc(of, func(a, b mention) int { return strings.Compare(a.file, b.file) })
			at := refconfig.Place{File: first.file}
			problems = append(problems, at.Problem(c, format, andMore(len(of)-1), what(first)))
		}
	}
	firstNames := func(one mention) string {
		const most = 3
		return strings.Join(one.names[:min(one.count, most)], ", ") + andMore(one.count-most)
	}
	add(n.resources, code.NamedNotRead, "this kustomization%s lists resources that are not in the input (%s), "+
		"so their CRs were not compared; name a folder that holds them, too", firstNames)
	add(n.submodules, code.NamedNotRead, "this file%s names submodules that are not checked out (%s), "+
		"so CRs in them were not compared; get them with git submodule update --init", firstNames)
	add(n.unlisted, code.NotKustomized, "this kustomization%s does not list files with CRs in its folder (%s), "+
		"so it does not apply their CRs, which were compared all the same; compare the result of kustomize build", firstNames)
	add(n.references, code.ReferenceInInput,
		"this is the metadata of another reference%s, so its templates do not count as CRs of the cluster (%s)",
		func(one mention) string { return finding.Plural(one.count, "file", "files") })
	return problems
}

// andMore returns a remark that there are n more; "" for none.
func andMore(n int) string {
	if n < 1 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n)
}
