// Command release packs built binaries into the files of a release: an archive
// for each system, with the licenses of all that is linked; packages for Linux; a container image;
// bills of materials; what krew, Homebrew and scoop install by; and the checksums. Same files in, same
// bytes out: nothing of the machine, its users or its clock is in them.
//
// It is a module of its own, so that the tool needs nothing of what packs it.
//
// goreleaser would do a part of this: the archives, the packages (by the same library), and what krew,
// Homebrew and scoop install by. Notices, bills and an image that needs no daemon stay own code, and its
// manifest for krew leaves out ppc64le. Building goreleaser v2.15.1 with its 325 modules takes eleven
// minutes of a processor; building this and packing takes one.
package main

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	r := release{buildInfo: buildinfo.ReadFile}
	flag.StringVar(&r.sources, "root", ".", "the `FOLDER` with the sources of the tool")
	r.notices = func(system, processor string) ([]byte, error) { return notices(r.sources, system, processor) }
	flag.StringVar(&r.version, "version", "", "the `VERSION` that is released, such as v1.2.3")
	flag.StringVar(&r.binaries, "binaries", "", "the `FOLDER` with OS_ARCH/validationTool of each system")
	flag.StringVar(&r.out, "out", "", "the `FOLDER` that the archives are written to")
	flag.StringVar(&r.url, "url", "", "where the archives can be fetched from: the `URL` of a folder")
	flag.StringVar(&r.completions, "completions", "", "the `FOLDER` with validationTool.SHELL for bash, zsh and fish")
	flag.StringVar(&r.registry, "push", "", "the `NAME` that the image is pushed to, such as registry.example.com/tool:v1.2.3")
	date := flag.String("date", "", "the `TIME` of all files, such as 2030-01-31T00:00:00Z")
	flag.Parse()
	r.files = flag.Args()
	var err error
	if r.time, err = time.Parse(time.RFC3339, *date); err == nil {
		err = r.write()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}
