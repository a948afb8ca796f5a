// Command release packs binaries that are built already into the archives of a release: one for
// each system, with the licenses of all that is linked; a file with their checksums; and the
// manifest for krew, the manager of kubectl's plugins. Same files in, same bytes out: nothing of
// the machine, its users or its clock is in them.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	r := release{notices: func(system, processor string) ([]byte, error) { return notices(".", system, processor) }}
	flag.StringVar(&r.version, "version", "", "the `VERSION` that is released, such as v1.2.3")
	flag.StringVar(&r.binaries, "binaries", "", "the `FOLDER` with OS_ARCH/validationTool of each system")
	flag.StringVar(&r.out, "out", "", "the `FOLDER` that the archives are written to")
	flag.StringVar(&r.url, "url", "", "where the archives can be fetched from: the `URL` of a folder")
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
