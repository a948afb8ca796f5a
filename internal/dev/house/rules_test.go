package house

import (
	"path"
	"slices"
	"strings"
)

// module is the path of this repository's own packages.
const module = "github.com/validationtool/validationtool"

// group is a folder of packages that answer one larger question.
type group struct {
	name     string
	question string
	packages []string // in their order: each may import only those above it
}

// groups lists the groups in their order, which is that of the data: each may import only those above
// it.
func groups() []group {
	return []group{
		{"docs", "What does the manual say?", []string{"docs"}},
		{"internal/run", "What does every command need?", []string{
			"internal/run/code",
			"internal/run/filename",
			"internal/run/schema",
			"internal/run/memory",
			"internal/run/slice",
			"internal/run/watch",
			"internal/run/workers",
			"internal/run/disk",
			"internal/run/destination",
		}},
		{"internal/text", "What does a text say?", []string{
			"internal/text/kubeyaml",
			"internal/text/userfile",
			"internal/text/lines",
			"internal/text/placeholder",
			"internal/text/embed",
			"internal/text/quantity",
		}},
		{"refconfig", "What does a reference say?", []string{"refconfig"}},
		{"internal/value", "Which values are these, and what in two of them belongs together?", []string{
			"internal/value/tree",
			"internal/value/secret",
			"internal/value/align",
			"internal/value/provenance",
			"internal/value/pattern",
		}},
		{"internal/finding", "What was found, as every format shows it?", []string{
			"internal/finding",
			"internal/finding/saved",
			"internal/finding/escape",
			"internal/finding/places",
		}},
		{"internal/input", "Which objects do these bytes hold, and in which cluster are they?", []string{
			"internal/input/collector",
			"internal/input/manifest",
			"internal/input/inflate",
			"internal/input/xz",
			"internal/input/archive",
			"internal/input/source",
			"internal/input/cluster",
		}},
		{"internal/template", "What does a template expect of an object?", []string{
			"internal/template/function",
			"internal/template",
			"internal/template/render",
			"internal/template/probe",
			"internal/template/remark",
			"internal/template/correlate",
		}},
		{"internal/compare", "How do the two differ, and what does that mean?", []string{
			"internal/compare/crdschema",
			"internal/compare/celrule",
			"internal/compare/impact",
			"internal/compare/diff",
			"internal/compare/patch",
			"internal/compare",
			"internal/compare/explain",
		}},
		{"internal/author", "What helps those who write references?", []string{
			"internal/author/inspect",
			"internal/author/generate",
			"internal/author/values",
			"internal/author/lint",
			"internal/author/fixture",
			"internal/author/refdiff",
			"internal/author/lsp",
		}},
		{"internal/report", "How is it shown to people and programs?", []string{
			"internal/report/text",
			"internal/report/browse",
			"internal/report/html",
			"internal/report/formats",
		}},
		{"internal/cli", "What does the user want?", []string{"internal/cli"}},
		{".", "The program", []string{"."}},
		// What tests are given; last, so that only tests can import it.
		{"internal/dev", "What do only developers run?", []string{"internal/dev/given"}},
	}
}

// rooms lists the packages of all groups in their order: each may import only those above it. "." is
// main.
func rooms() (all []string) {
	for _, g := range groups() {
		all = append(all, g.packages...)
	}
	return all
}

// outbuildings lists packages beside the rooms: they import none of the rooms, and only tests
// import them.
func outbuildings() []string {
	return []string{
		"internal/dev/acceptance", // tests of the built tool
		"internal/dev/house",
		"internal/dev/testkit", // what tests share; only they may import it
		"internal/dev/bench",   // a program of its own, which measures the built tool from outside
		// a module of its own, which holds the manifests of examples/fleet/job against the API of
		// Kubernetes
		"internal/dev/fleetjob",
		"internal/dev/e2e",       // tests on a real Kubernetes, which make e2e runs
		"internal/dev/e2e/pause", // a program of its own, which the pods of those tests need
		"internal/dev/release",   // a program and a module of its own, which packs what is released
		"internal/dev/kinds",     // a program and a module of its own, which makes a table of crdschema
	}
}

// pure reports whether a package is a function of values: no files, clock, environment, terminal or
// logging.
func pure(pkg string) bool {
	impure := []string{
		"internal/run/watch",
		"internal/run/workers",
		"internal/run/disk",
		"internal/run/destination",
		"internal/input/inflate",
		"internal/input/xz",
		"internal/input/archive",
		"internal/input/source",
		"internal/input/cluster",
		"internal/cli",
		".",
		"internal/dev/given",
	}
	return slices.Contains(rooms(), pkg) && !slices.Contains(impure, pkg)
}

// home says where a third-party package may be imported.
type home struct {
	importPath string // with everything below it
	packages   []string
}

// homes lists where each third-party package may be imported, so that it can be replaced there.
func homes() []home {
	return []home{
		// The program that makes input decodes YAML without our decoder, so that it shares no bug
		// with it.
		{"gopkg.in/yaml.v3", []string{"internal/text/kubeyaml", "internal/text/userfile", "internal/dev/bench"}},
		// Templates print YAML with it, so that toYaml prints the same text as elsewhere.
		{"go.yaml.in/yaml/v2", []string{"internal/template/function"}},
		{"github.com/Masterminds/sprig/v3", []string{"internal/template/function"}},
		// It decides which quantities are equal: 650 kB of the binary. Rules in CEL calculate with
		// them.
		{"k8s.io/apimachinery/pkg/api/resource", []string{"internal/text/quantity", "internal/compare/celrule"}},
		// It evaluates rules of CustomResourceDefinitions: 10 MB of the binary.
		{"cel.dev/cel-go", []string{"internal/compare/celrule"}},
		{"github.com/BurntSushi/toml", []string{"internal/template/function"}},
		// The same libraries pack the input of benchmarks: klauspost is several times as fast as
		// Go, and only the other one writes xz. That library alone is the yardstick for reading xz.
		{"github.com/klauspost/compress/zstd", []string{"internal/input/archive", "internal/dev/testkit"}},
		{"github.com/klauspost/compress/gzip", []string{"internal/input/archive", "internal/dev/bench"}},
		{"github.com/ulikunitz/xz", []string{"internal/dev/bench", "internal/dev/testkit"}},
		{"github.com/Masterminds/semver/v3", []string{"internal/compare/impact"}},
		{"github.com/sergi/go-diff", []string{"internal/value/align"}},
		{"go.mau.fi/util/confusable", []string{"internal/value/align"}}, // which characters look the same
		{"golang.org/x/text/unicode/norm", []string{"internal/value/align"}},
		// Its "**" crosses folders, which that of Go does not.
		{"github.com/bmatcuk/doublestar/v4", []string{"internal/input/source"}},
		{"github.com/fatih/color", []string{"internal/report/text"}},
		{"github.com/mattn/go-runewidth", []string{"internal/report/text"}},
		// It moves the cursor of a terminal and reads its keys: 2.5 MB of the binary, with the two
		// below, which belong to it.
		{"charm.land/bubbletea/v2", []string{"internal/report/browse"}},
		{"github.com/charmbracelet/colorprofile", []string{"internal/report/browse"}},
		{"github.com/charmbracelet/x/ansi", []string{"internal/report/browse"}},
		{"github.com/urfave/cli/v2", []string{"internal/cli"}},
		// urfave/cli makes the manual page with it; here it takes the chapters of the manual apart.
		{"github.com/russross/blackfriday/v2", []string{"internal/report/text"}},
		{"golang.org/x/term", []string{"internal/cli"}},
		{"github.com/sourcegraph/jsonrpc2", []string{"internal/author/lsp"}},
		{"github.com/KimMachineGun/automemlimit/memlimit", []string{"internal/run/watch"}},
		// They belong to the module that packs a release, and are not linked into the tool.
		{"github.com/goreleaser/nfpm/v2", []string{"internal/dev/release"}},
		{"github.com/goreleaser/chglog", []string{"internal/dev/release"}},
		{"github.com/google/go-containerregistry", []string{"internal/dev/release"}},
		{"github.com/CycloneDX/cyclonedx-go", []string{"internal/dev/release"}},
		// The only reader of golden files.
		{"github.com/rogpeppe/go-internal/txtar", []string{"internal/dev/testkit"}},
		{"github.com/google/go-cmp", []string{"internal/dev/testkit"}},
		{"github.com/itchyny/gojq", []string{"internal/dev/acceptance"}}, // runs the queries of docs/formats.md
	}
}

// ban is a package of the standard library that only the listed packages may import.
type ban struct {
	importPath string
	reason     string
	except     []string
}

func bans() []ban {
	return []ban{
		{importPath: "C", reason: "the binary is static and builds without a C compiler"},
		{importPath: "unsafe", reason: "there is no need for it"},
		{importPath: "plugin", reason: "nothing is loaded while the tool runs"},
		{importPath: "net", reason: "the tool talks to nobody"},
		{importPath: "net/http", reason: "the tool talks to nobody"},
		{importPath: "net/rpc", reason: "the tool talks to nobody"},
		{importPath: "net/smtp", reason: "the tool talks to nobody"},
		{importPath: "crypto/tls", reason: "the tool talks to nobody"},
		// The program that measures the tool starts it; the one that packs a release asks Go what is
		// linked, and the one that makes the table of kinds has it download sources. None is a part of
		// the tool.
		{
			importPath: "os/exec",
			reason:     "no other program is needed",
			except:     []string{"internal/dev/bench", "internal/dev/release", "internal/dev/kinds"},
		},
		{
			importPath: "text/template",
			reason:     "templates of references are executed by internal/template/render itself; three escaping functions and three layouts use it",
			except:     []string{"internal/template/function", "internal/author/generate", "internal/author/refdiff", "internal/dev/bench"},
		},
		{
			importPath: "html/template",
			reason:     "templates of references are executed by internal/template/render itself; this one escapes a page by the place where a value stands",
			except:     []string{"internal/report/html"},
		},
		{
			importPath: "text/template/parse",
			reason:     "only the packages that read and execute templates know their language",
			except: []string{
				"internal/template",
				"internal/template/render",
				"internal/template/probe",
			},
		},
		{importPath: "math/rand", reason: "the same input has to give the same report"},
		{
			importPath: "math/rand/v2",
			reason:     "the same input has to give the same report",
			except:     []string{"internal/dev/bench"}, // from a seed
		},
		{importPath: "crypto/rand", reason: "the same input has to give the same report"},
	}
}

// door is a file that may use a function that others may not.
type door struct{ file, use string }

// doors lists all of them; docs/security.md promises that there are no others.
func doors() []door {
	return []door{
		// Files and folders that the user names to be written.
		{"internal/run/destination/file.go", "os.OpenFile"},
		{"internal/run/destination/file.go", "os.O_CREATE"},
		{"internal/run/destination/file.go", "os.O_APPEND"},
		{"internal/run/destination/file.go", "os.O_EXCL"},
		{"internal/run/destination/file.go", "os.O_WRONLY"},
		{"internal/run/destination/file.go", "os.Rename"},
		{"internal/run/destination/file.go", "os.Remove"},
		{"internal/run/destination/file.go", "os.MkdirAll"},
		{"internal/run/destination/folder.go", "os.OpenFile"},
		{"internal/run/destination/folder.go", "os.O_CREATE"},
		{"internal/run/destination/folder.go", "os.O_EXCL"},
		{"internal/run/destination/folder.go", "os.O_WRONLY"},
		{"internal/run/destination/folder.go", "os.Mkdir"},
		{"internal/run/destination/folder.go", "os.MkdirAll"},
		{"internal/run/destination/folder.go", "os.Rename"},
		{"internal/run/destination/folder.go", "os.Remove"},
		{"internal/run/destination/folder.go", "os.RemoveAll"},
		{"internal/run/destination/replacing.go", "os.Remove"},
		// Files are opened in one place, which waits for no other process.
		{"internal/run/disk/disk.go", "os.Open"},
		{"internal/run/disk/disk.go", "os.OpenFile"},
		{"internal/run/disk/disk.go", "os.O_RDONLY"},
		{"internal/run/disk/folder.go", "os.DirFS"},
		{"internal/run/disk/folder.go", "path/filepath.Join"},
		{"internal/run/disk/open_unix.go", "syscall.O_NONBLOCK"},
		{"internal/dev/given/given.go", "os.ReadFile"}, // files of this repository
		{"internal/dev/given/given.go", "os.DirFS"},
		{"main.go", "syscall.SIGPIPE"},
		{"internal/run/watch/signals.go", "syscall.SIGTERM"},
		{"internal/run/watch/signals.go", "syscall.SIGHUP"},
		{"internal/run/watch/signals.go", "syscall.SIGQUIT"},
		{"internal/run/watch/signals.go", "syscall.SIGALRM"},
		{"internal/run/watch/signals_unix.go", "syscall.SIGUSR1"},
		{"internal/run/watch/signals_unix.go", "syscall.SIGUSR2"},
		{"internal/run/watch/signals_unix.go", "syscall.SIGVTALRM"},
		{"internal/run/watch/signals_unix.go", "syscall.SIGXCPU"},
		{"internal/run/watch/signals_unix.go", "syscall.SIGXFSZ"},
		{"internal/cli/run.go", "syscall.EPIPE"},
		{"internal/cli/browse.go", "os.Unsetenv"},                  // so that a library writes no file
		{"internal/run/watch/processor_unix.go", "syscall.Rusage"}, // for --limit time
		{"internal/run/watch/processor_unix.go", "syscall.Getrusage"},
		{"internal/run/watch/processor_unix.go", "syscall.RUSAGE_SELF"},
		{"internal/run/watch/processor_windows.go", "syscall.GetCurrentProcess"},
		{"internal/run/watch/processor_windows.go", "syscall.GetProcessTimes"},
		{"internal/run/watch/processor_windows.go", "syscall.Filetime"},
		{"internal/cli/usage_unix.go", "syscall.Rusage"}, // for --timings
		{"internal/cli/usage_unix.go", "syscall.Getrusage"},
		{"internal/cli/usage_unix.go", "syscall.RUSAGE_SELF"},
		{"main.go", "os.LookupEnv"}, // for colours
		{"main.go", "os.Exit"},
		// Paths in the form of the system. All others have slashes, as in reports, which every
		// system accepts.
		{"internal/run/destination/file.go", "path/filepath.Join"},
		{"internal/run/destination/folder.go", "path/filepath.Join"},
		{"internal/run/destination/folder.go", "path/filepath.FromSlash"},
		{"internal/input/source/folder.go", "path/filepath.Join"},
		{"internal/cli/reference.go", "path/filepath.Join"},
		{"internal/cli/test.go", "path/filepath.Join"},
	}
}

// stamps are the variables of main.go that the linker sets.
func stamps() []string { return []string{"release", "commit", "date"} }

// readers are the functions and types of os that every package may use: they only read named files.
func readers() []string {
	return []string{
		"os.ReadDir",
		"os.Stat",
		"os.Lstat",
		"os.SameFile",
		"os.LinkError",
		"os.File",
		"os.Args",
		"os.Stdin",
		"os.Stdout",
		"os.Stderr",
		"os.Interrupt",
		"os.Signal",
		"os.ErrNotExist",
		"os.FileInfo",
		"os.Getwd",
	}
}

// impureImports are the packages of the standard library through which a value could come from
// outside.
func impureImports() []string {
	return []string{"os", "os/signal", "os/user", "log", "log/slog", "syscall"}
}

// impureCalls are the functions that read the clock or write to the terminal.
func impureCalls() []string {
	return []string{
		"time.Now",
		"time.Since",
		"time.Until",
		"time.Sleep",
		"time.After",
		"fmt.Print",
		"fmt.Printf",
		"fmt.Println",
	}
}

// isThirdParty reports whether an import is of another module, and not of the standard library: its
// first element is a domain.
func isThirdParty(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".") && !isOwn(importPath)
}

func isOwn(importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}

// packageOf returns the folder of an import path of this module.
func packageOf(importPath string) string {
	return path.Clean("./" + strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/"))
}

// besidesForms lists the types that hold a form of a CR and are none: those of many CRs, and the tools
// of one step.
func besidesForms() []string {
	return []string{
		"compare.comparer", "compare.run", "compare.Kept", "compare.store", "compare.missing", "compare.schemas", // of many CRs
		"compare.copies", "compare.lookedUp", // of CRs with the same identity
		"compare.matcher", "patch.Maker", "patch.acceptor", "patch.fixer", "compare.changing", // tools
		"compare.Studied", "compare.Attempt", // what explain-match shows of a choice and of an attempt
	}
}
