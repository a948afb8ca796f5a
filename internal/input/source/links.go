package source

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/code"
)

// link is a link of an archive and the name of its target inside the input; "" if the target is
// outside of the archive.
type link struct {
	from   place
	target string
}

// addLink records a link of an archive.
func (w *walker) addLink(c *container, from place, e archive.Entry) {
	w.replace(c, from)
	w.ledger.met++
	k := link{from: from}
	if e.Target != "" {
		k.target = strings.TrimSuffix(from.name, e.Name) + e.Target
	}
	w.links = append(w.links, k)
	c.links = append(c.links, k)
}

// followLinks processes the links of an archive after all other entries. As in a folder, the target
// of a link was processed under its own name, so a link counts only if it gives a wanted name to an
// unwanted entry that was not read. Such an entry of a zip archive is read; an entry of a tar
// archive cannot be read any more.
func (w *walker) followLinks(c *container, z *archive.Zip) error {
	targets := targetsOf(c.links)
	wanted := map[string]place{} // links, by the names of their targets
	for _, k := range c.links {
		target, ok := followed(k.target, targets)
		_, known := wanted[target]
		got, met := c.entries[target]
		isRead := !w.want(place{name: target}, -1).unwanted() // under its own name
		switch {
		case !ok || k.target == "" || isRead && !met:
			w.deadLink(
				k.from,
				w.unfollowed(k.from.name),
				"leads out of the archive, in a circle or to nothing, and was not followed; if it holds CRs, "+
					"name its target as a further input",
			)
		case known || isRead || got.delivered() || w.want(k.from, -1).unwanted():
			w.skip(ReasonLink)
		default:
			wanted[target] = k.from
		}
	}
	c.links = nil
	var err error
	is := func(string) code.Code { return code.InputUnreadable }
	why := "leads to an entry that is not read under its own name, or to nothing; unpack the archive and name the folder"
	if z != nil {
		err = w.zipTargets(c, z, wanted)
		is, why = w.unfollowed, "leads to nothing and was not followed"
	}
	for _, target := range slices.Sorted(maps.Keys(wanted)) {
		w.deadLink(wanted[target], is(wanted[target].name), why)
	}
	return err
}

// zipTargets reads the targets of links under the names of the links, and removes these links from
// the map. If several entries have one name, the last counts.
func (w *walker) zipTargets(c *container, z *archive.Zip, links map[string]place) error {
	for i := z.Len() - 1; i >= 0 && len(links) > 0; i-- {
		e := z.Entry(i)
		name := c.inside(e.Name).name
		from, ok := links[name]
		if !ok || e.Kind != archive.File || e.Lost {
			continue
		}
		delete(links, name)
		w.ledger.met-- // the link was counted already
		if err := w.zipTaken(c, w.takeContent(c, from, e)); err != nil {
			return err
		}
	}
	return nil
}

// deadLink handles a link that is not followed. It records a problem if the link has the name of a
// file of objects.
func (w *walker) deadLink(p place, is code.Code, why string) {
	if w.want(p, -1).Action != Read {
		w.skip(ReasonLink)
		return
	}
	w.refuse(p, is, "the link %s", why)
}

// unfollowed returns the code of a link that was not followed: if its name says that it should
// hold CRs, they are lost. Collectors keep links of the machines that they ran on, so that in
// their layouts the whole path counts. It must be called after all names of the input are known.
func (w *walker) unfollowed(name string) code.Code {
	_, lost := collector.IDOf(name)
	if _, certain := w.names.Layout(); !certain {
		lock := strings.HasPrefix(path.Base(name), ".#") // a link that Emacs makes while a file is open
		lost = !lock && namesObjects(name) && collector.ExcuseOf("/"+strings.ToLower(name)) == ""
	}
	if lost && !w.opt.keepsLinks {
		return code.InputUnreadable
	}
	return code.LinkSkipped
}

// targetsOf returns the targets of links, by their names.
func targetsOf(links []link) map[string]string {
	targets := map[string]string{}
	for _, k := range links {
		targets[k.from.name] = k.target
	}
	return targets
}

// maxHops is the maximum number of links in a chain.
const maxHops = 40

// followed replaces every part of a name that is itself a link by its target.
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
