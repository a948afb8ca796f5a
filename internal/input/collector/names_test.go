package collector

import "testing"

// TestNamesOfFiles holds what the name of a file says: that it is YAML or JSON, that it was once and is
// set aside, and that it is in a folder of an editor or a version control system.
func TestNamesOfFiles(t *testing.T) {
	const object, aside, private = 1, 2, 4
	for name, want := range map[string]int{
		"a.yaml": object, "a.yml": object, "x/A.JSON": object, "a.b.yaml": object, "a.bak.yaml": object, "a.jsonc": object,
		"a.json5": object, "a.jsonl": object, "x/a.ndjson": object, "logs/a.jsonl": 0, "x/audit_logs/a.ndjson": 0, "logs/a.json": object,
		"Kustomization": object, "x/Kustomization": object, "kustomization": 0, "a": 0, "a.txt": 0, "a.conf": 0, "a.yaml.gz": aside,
		"a.yaml.txt": 0, "a.json.log": 0, "oc_get_-o_json": 0, "a.jsonnet": 0, "a.yamllint": 0, ".yamllint": 0,
		"a.yaml.disabled": aside, "a.disabled": aside, "a.yaml.bak": aside, "a.orig": aside, "a.rej": aside, "a.yaml~": aside, "a~": aside,
		".a.yaml.swp": aside, "#a.yaml#": aside, ".#a.yaml": object | aside, "a.yaml_": aside, "a.yaml-20240101": aside, "a.yaml.1": aside,
		"a.yml.j2": aside, "a.yaml.tpl": aside, "a.json.sample": aside,
		".git/a.yaml": object | private, "x/.git/a": private, ".history/x/a.yaml": object | private, ".Trash-1000/files/a": private,
		".git": 0, ".github/a.yaml": object, ".gitlab-ci.yml": object, "git/a": 0, ".git/annex/objects/x/a": private,
	} {
		got := 0
		for bit, is := range map[int]func(string) bool{object: IsObjectName, aside: IsSetAside, private: InPrivate} {
			if is(name) {
				got |= bit
			}
		}
		if got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// TestProperNames holds the names that collectors' files had before they were set aside.
func TestProperNames(t *testing.T) {
	for name, want := range map[string]string{
		"x/a.yaml.1": "x/a.yaml", "x/a.yaml~": "x/a.yaml", "x/#a.yaml#": "x/a.yaml", "x/.a.yaml.swp": "x/a.yaml",
		"x/.#a.yaml": "x/a.yaml", "x/a.yaml (1)": "x/a.yaml", "x/A.YAML.OLD": "x/A.YAML", "x.old/a.json.bak": "x.old/a.json",
		"x/a.old": "x/a.yaml", "x/a~": "x/a.yaml", "#a#": "a.yaml", "x/a.b.orig": "x/a.b.yaml", "x/a.yaml": "x/a.yaml",
	} {
		if got := ProperName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
