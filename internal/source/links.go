package source

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
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

// addLink takes a link of an archive.
func (w *walker) addLink(c *container, from place, e archive.Entry) {
	w.replace(c, from)
	w.ledger.met++
	k := link{from: from}
	if e.Target != "" {
		k.target = strings.TrimSuffix(from.name, e.Name) + e.Target
		w.opt.links.add(from, k.target)
	}
	c.links = append(c.links, k)
}

// linkTargets goes through the links of an archive after all else. As in a folder, what a link leads to was met under its own name, so a link
// only counts if it gives a name that is wanted to an entry that is not. It returns such links, by the names of what they lead to.
func (w *walker) linkTargets(c *container) map[string]*wantedLink {
	targets := map[string]string{}
	for _, k := range c.links {
		targets[k.from.name] = k.target
	}
	wanted := map[string]*wantedLink{}
	for _, k := range c.links {
		target, ok := followed(k.target, targets)
		switch _, known := wanted[target]; {
		case !ok || k.target == "":
			w.deadLink(k.from)
		case known || w.want(k.from, -1).Action == Skip || w.want(place{name: target}, -1).Action != Skip:
			w.skip(k.from, -1, ReasonLink)
		default:
			wanted[target] = &wantedLink{from: k.from}
		}
	}
	c.links = nil
	return wanted
}

// wantedLink is a link that counts.
type wantedLink struct {
	from place
	met  bool // what it leads to
}

// takeLinked takes an entry under the name of the link that leads to it.
func (w *walker) takeLinked(c *container, k *wantedLink, it item) error {
	if !k.met {
		k.met = true
		w.ledger.met-- // the link was counted when it was met
	}
	return w.takeEntry(c, it)
}

// leftLinks is for the links of which the target was not met.
func (w *walker) leftLinks(wanted map[string]*wantedLink) {
	for _, target := range slices.Sorted(maps.Keys(wanted)) {
		if k := wanted[target]; !k.met {
			w.deadLink(k.from)
		}
	}
}

// deadLink is for a link that leads nowhere, which is worth a word if it is called like a file of objects.
func (w *walker) deadLink(p place) {
	if w.want(p, -1).Action != Read {
		w.skip(p, -1, ReasonLink)
		return
	}
	w.ledger.lost++
	w.problem(p, code.LinkSkipped, "the link leads out of the archive, in a circle or to nothing, and was not followed")
}

// followTarLinks reads a tar archive again for what its links lead to, if there are any that count.
func (w *walker) followTarLinks(c *container, again reopen) error {
	wanted := w.linkTargets(c)
	if len(wanted) == 0 {
		return nil
	}
	if again == nil {
		for _, target := range slices.Sorted(maps.Keys(wanted)) {
			w.ledger.lost++
			w.problem(wanted[target].from, code.InputUnreadable, "it is a link to an entry that was not read, in a stream that cannot be read twice; "+
				"write the stream to a file and name that")
		}
		return nil
	}
	r, err := again()
	if err != nil {
		w.ledger.lost += len(wanted)
		w.unreadable(c.place, err)
		return w.ctx.Err()
	}
	defer r.Close()
	s, err := w.unpacker.Open(r, false)
	defer s.End()
	if err == nil {
		err = w.tarTargets(c, s.Tar(), wanted)
	}
	w.leftLinks(wanted)
	return w.secondPassEnded(c, s, err)
}

// tarTargets reads the entries that links lead to.
func (w *walker) tarTargets(c *container, t *archive.Tar, wanted map[string]*wantedLink) error {
	for {
		e, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &fault{c.place, err}
		}
		k, ok := wanted[nestedPrefix(c)+e.Name]
		if !ok || e.Kind != archive.File {
			continue
		}
		if err := w.takeLinked(c, k, itemAt(k.from, e)); err != nil {
			return err
		}
	}
}

// maxHops is how many links may lead to each other.
const maxHops = 40

// copies returns the files that the links lead to, under the names of the links; they share their content. A link to a folder stands for all
// files in it. Together with the files they may be no more than the limits allow; that they are more is a problem.
func (l *linkSet) copies(files []File, limits Limits) ([]File, *Problem) {
	targets := map[string]string{}
	for _, k := range l.list {
		targets[k.from.name] = k.target
	}
	sorted := slices.SortedStableFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	first := func(name string) int {
		i, _ := slices.BinarySearchFunc(sorted, name, func(f File, name string) int { return strings.Compare(f.Name, name) })
		return i
	}
	var out []File
	bytes := int64(0)
	for _, f := range files {
		bytes += f.Size
	}
	for _, k := range l.list {
		target, ok := followed(k.target, targets)
		if !ok || strings.HasPrefix(k.from.name, target+"/") {
			continue
		}
		// What is below a folder lies between its name with a slash and that with the letter behind the slash.
		for _, found := range [][]File{sorted[first(target):first(target+"\x00")], sorted[first(target+"/"):first(target+"0")]} {
			for _, f := range found {
				copied := k.from.below(f.Name[len(target):]).file(f.Size, f.Data)
				if bytes += f.Size; bytes > limits.Unpacked || len(files)+len(out) >= limits.Entries {
					over := k.from.problem(code.LimitUnpacked, "with it the links lead to more than %d bytes or %d files, the limits; "+
						"raise them with --limit unpacked=N or entries=N", limits.Unpacked, limits.Entries)
					return nil, &over
				}
				out = append(out, copied)
			}
		}
	}
	return out, nil
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
