package refconfig_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

const plainCR = `apiVersion: v1
kind: ConfigMap
metadata:
  name: b
  namespace: app
data:
  key: value
`

const annotatedCR = `apiVersion: v1
kind: ConfigMap
metadata:
  name: b
  annotations:
    reference-config.openshift.io/attributes: '{"part-of": "p", "component-name": "c", "required": true}'
data:
  key: {{ .data.key }}
`

// denied is a file system with a file that may not be read.
type denied struct {
	fstest.MapFS
	name string
}

func (d denied) Open(name string) (fs.File, error) {
	if name == d.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.MapFS.Open(name)
}

func (d denied) ReadFile(name string) ([]byte, error) {
	if name == d.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.MapFS.ReadFile(name)
}

// TestNoPossibleCRIsIgnored: in a folder without metadata, a file that may be a CR and is damaged, packed,
// hidden or behind a link is an error, an alarm or a warning with its name. The other CRs stay the same.
func TestNoPossibleCRIsIgnored(t *testing.T) {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	const lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 312\n"
	for _, cr := range []string{plainCR, annotatedCR} {
		zeroed := strings.Repeat("\x00", len(cr))
		for _, c := range []struct {
			about, name string
			file        *fstest.MapFile
			want        code.Code // of the error, alarm or warning
		}{
			{"LFS pointer", "b.yaml", text(lfs), code.RefUnreadable},
			{"LFS pointer as JSON", "b.json", text(lfs), code.RefUnreadable},
			{"annex pointer", "b.yaml", text("/annex/objects/SHA256E-s312--4d7a.yaml\n"), code.RefUnreadable},
			{"zeroed", "b.yaml", text(zeroed), code.RefUnreadable},
			{"beginning zeroed", "b.yaml", text(zeroed[:20] + cr[20:]), code.RefUnreadable},
			{"end zeroed", "b.yaml", text(cr[:60] + zeroed[60:]), code.RefUnreadable},
			{"random", "b.yaml", text("\x93\xfe\x01k\xd7:\x8a\n\xc1"), code.RefUnreadable},
			{"another encoding", "b.yaml", text("\xff\xfek\x00i\x00n\x00d\x00"), code.RefUnreadable},
			{"HTML", "b.yaml", text("\n<!DOCTYPE html>\n<html><title>404: x</title></html>\n"), code.RefUnreadable},
			{"XML", "b.yml", text("<?xml version=\"1.0\"?><Error/>"), code.RefUnreadable},
			{"merge conflict", "b.yaml", text("<<<<<<< ours\n" + cr + "=======\n" + cr + ">>>>>>> theirs\n"), code.RefUnreadable},
			{"merge conflict inside", "b.yaml", text(cr + "<<<<<<< ours\n  a: b\n=======\n  a: c\n>>>>>>> theirs\n"), code.RefUnreadable},
			{"text", "b.yaml", text("Unable to connect to the server\n"), code.RefUnreadable},
			{"vault", "b.yaml", text("$ANSIBLE_VAULT;1.1;AES256\n62313365396662343061393464336163\n"), code.RefUnreadable},
			{"message", "b.yaml", text("Error from server (NotFound): configmaps \"b\" not found\n"), code.RefUnreadable},
			{"another message", "b.yaml", text("error: You must be logged in\n"), code.RefUnreadable},
			{"no apiVersion and kind", "b.yaml", text(plainCR[strings.Index(plainCR, "metadata"):]), code.RefUnreadable},
			{"a text in a List", "b.yaml", text("kind: List\nitems:\n- text\n"), code.RefUnreadable},
			{"cut in front", "b.yaml", text(plainCR[strings.Index(plainCR, "  name"):]), code.RefTemplateYAML},
			{"a template cut in front", "b.yaml", text(annotatedCR[strings.Index(annotatedCR, "  name"):]), code.RefNotRead},
			{"cut JSON", "b.json", text(`{"apiVersion": "v1", "kind": "Config`), code.RefTemplateYAML},
			{"broken", "b.yaml", text("a: [\n"), code.RefTemplateYAML},
			{"only a spec", "b.yaml", text("sion: v1\nspec:\n  a: b\n"), code.RefNotRead},
			{"empty", "b.yaml", text(""), code.RefNotRead},
			{"comments", "b.yaml", text("# nothing\n"), code.RefPassedOver},
			{"values", "b.yaml", text("replicas: 3\n"), code.RefPassedOver},
			{"packed", "b.yaml.gz", text("\x1f\x8b\x08\x00"), code.RefNotRead},
			{"encrypted", "b.yaml.age", text("age-encryption.org/v1\x00\xd7"), code.RefNotRead},
			{"pointer of another name", "b.yaml.tmpl", text(lfs), code.RefNotRead},
			{"archive", "crs.tar.gz", text("\x1f\x8b\x08\x00"), code.RefPassedOver},
			{"another archive", "x/crs.ZIP", text("PK\x03\x04"), code.RefPassedOver},
			{"another suffix", "b.yaml.bak", text(plainCR), code.RefPassedOver},
			{"no suffix and no text", "b", text(zeroed), code.RefPassedOver},
			{"LFS pointer without suffix", "b", text(lfs), code.RefPassedOver},
			{"hidden", ".b.yaml", text(cr), code.RefPassedOver},
			{"hidden folder", ".x/y/b.yaml", text(cr), code.RefPassedOver},
			{"hidden without suffix", "x/.y/b", text(cr), code.RefPassedOver},
			{"hidden and damaged", ".x/b.yaml", text(zeroed), code.RefPassedOver},
			{"link to nothing", "b.yaml", link("nowhere.yaml"), code.RefUnreadable},
			{"link to a file outside", "b.yaml", link("../out/b.yaml"), code.RefPathOutside},
			{"link to a folder outside", "b", link("../out"), code.RefNotRead},
			{"link to a folder", "b", link("in"), code.LinkSkipped},
			{"no permission", "b.yaml", nil, code.RefUnreadable},
			{"pipe", "b.yaml", &fstest.MapFile{Mode: fs.ModeNamedPipe}, code.RefUnreadable},
			{"too large", "b.yaml", text(strings.Repeat("#", 5000)), code.LimitSize},
		} {
			another := strings.Replace(cr, "name: ", "name: c-", 1)
			files := fstest.MapFS{"ref/a.yaml": text(cr), "ref/in/c.yaml": text(another), "out/b.yaml": text(cr)}
			var fsys fs.FS = files
			if files["ref/"+c.name] = c.file; c.file == nil {
				files["ref/"+c.name] = text(cr)
				fsys = denied{files, "ref/" + c.name}
			}
			ref, problems := refconfig.Load(fsys, "ref", refconfig.LoadOptions{FileLimit: 4000})
			all := slices.Concat(problems, ref.Warnings)
			isThis := func(p refconfig.Problem) bool { return p.Code == c.want && p.Place.File == "ref/"+c.name }
			if len(all) != 1 || !isThis(all[0]) {
				t.Errorf("%s: %s: want %s, got %v", c.about, c.name, c.want, all)
			}
			if len(ref.Templates) != 2 {
				t.Errorf("%s: %d templates", c.about, len(ref.Templates))
			}
		}
	}
}

// TestFilesOfOtherToolsAreIgnored: files beside the CRs that nobody takes for one raise no warning.
func TestFilesOfOtherToolsAreIgnored(t *testing.T) {
	ref, problems := refconfig.Load(folder(map[string]string{
		"a.yaml": plainCR, "README.md": "kind: text", "LICENSE": "Copyright", "Makefile": "all:\n\techo\n", "logo.png": "\x89PNG\x00",
		".git/config": "[core]", ".git/HEAD.yaml": plainCR, "x/.git": "gitdir: ../y", ".gitignore": "*.gz", ".gitlab-ci.yml": "stages: [a]",
		".github/workflows/ci.yml": "on: push\njobs: {}\n", ".pre-commit-config.yaml": "repos: []", ".venv/bin/python": "\x7fELF\x00",
		".cache/x.bin": "\x00", "doc.pdf": "%PDF\x00",
	}), ".", refconfig.LoadOptions{})
	if len(problems) > 0 || len(ref.Warnings) > 0 || len(ref.Templates) != 1 {
		t.Errorf("%v, %v, %v", problems, ref.Warnings, ref.Templates)
	}
}
