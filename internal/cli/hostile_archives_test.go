package cli

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// hostileArchives are archives as inputs, with the good CR in them.
func hostileArchives() []hostile {
	good, other := pack.Entry{Name: "good.yaml", Data: goodCR}, pack.Entry{Name: "z.yaml", Data: config("z")}
	filler := pack.Entry{Name: "noise.log", Data: noise(600_000)}
	broken := func(name string, archive func() []byte, codes ...string) hostile {
		return hostile{name: name, archive: archive, lost: true, codes: codes}
	}
	unlisted := func(name string, archive func() []byte) hostile { // a zip archive without its list
		return hostile{name: name, archive: archive, lost: true, unread: true, codes: []string{"VT1006"}}
	}
	harmless := func(name string, archive func() []byte, codes ...string) hostile {
		return hostile{name: name, archive: archive, codes: codes}
	}
	limited := func(limit, name string, archive func() []byte, codes ...string) hostile {
		return hostile{
			name:    name,
			archive: archive,
			lost:    true,
			codes:   codes,
			args:    []string{"--limit", limit, "--nested"},
		}
	}
	cut := func(data []byte) []byte { return data[:len(data)*3/4] }
	flipped := func(data []byte, at int) []byte {
		data[at] ^= 0x55
		return data
	}
	changed := func(change func(h []byte)) []byte { // the header of the second entry
		data := pack.Tar(good, other)
		h := data[1024:1536]
		change(h)
		summed(h)
		return data
	}
	nested := func(n int) []byte {
		data := pack.Tar(other)
		for range n {
			data = pack.Tar(pack.Entry{Name: "in.tar.gz", Data: string(pack.GZ(data))})
		}
		return data
	}
	layers := func(n int) []byte {
		data := []byte(config("deep"))
		for range n {
			data = pack.GZ(data)
		}
		return data
	}
	zeros := strings.Repeat("\x00", 64<<20)
	xz := sync.OnceValue(func() []byte { return pack.XZ(pack.Tar(good, filler, other)) }) // takes a third of a second
	return []hostile{
		broken("tar cut in an entry", func() []byte { return pack.Tar(good, other)[:1024+512+30] }, "VT1006"),
		broken("tar cut between entries", func() []byte { return unended(good, other)[:1024] }, "VT1006"),
		broken("tar with a corrupt header", func() []byte { return flipped(pack.Tar(good, other), 1030) }, "VT1006"),
		broken(
			"tar with a corrupt checksum", func() []byte { return flipped(pack.Tar(good, other), 1024+150) }, "VT1006",
		),
		broken(
			"tar followed by something",
			func() []byte { return append(pack.Tar(good), "something else entirely"...) },
			"VT1006",
		),
		broken("tar with a huge size", func() []byte {
			return changed(func(h []byte) { copy(h[124:136], "\x80\x00\x00\x00\x3f\xff\xff\xff\xff\xff\xff\xff") })
		}, "VT5001"),
		broken("tar with a negative size", func() []byte {
			return changed(func(h []byte) { copy(h[124:136], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xf0") })
		}, "VT1006"),
		broken(
			"tar with a size that is no number",
			func() []byte { return changed(func(h []byte) { copy(h[124:136], "99999999999\x00") }) },
			"VT1006",
		),
		broken("pax with an absurd size", func() []byte {
			return append(append(unended(good), paxed("size=99999999999999999\n", "x.yaml")...), make([]byte, 1024)...)
		}, "VT5001"),
		broken("pax that is no record", func() []byte {
			return append(append(unended(good), paxHeader("999 broken")...), pack.Tar(other)...)
		}, "VT1006"),
		broken("pax larger than any", func() []byte {
			return append(append(unended(good), paxHeader(strings.Repeat("x", 2<<20))...), pack.Tar(other)...)
		}, "VT1006"),
		broken("gz cut", func() []byte { return cut(pack.GZ(pack.Tar(good, filler, other))) }, "VT1006"),
		broken(
			"gz with a wrong checksum",
			func() []byte { d := pack.GZ(pack.Tar(good, filler, other)); return flipped(d, len(d)-6) },
			"VT1006",
		),
		broken(
			"gz with a changed byte",
			func() []byte { d := pack.GZ(pack.Tar(good, filler, other)); return flipped(d, len(d)-3000) },
			"VT1006",
		),
		broken(
			"gz followed by something",
			func() []byte { return append(pack.GZ(pack.Tar(good, other)), "more"...) },
			"VT1006",
		),
		broken("xz cut", func() []byte { return cut(xz()) }, "VT1006"),
		broken(
			"xz with a changed byte", func() []byte { d := bytes.Clone(xz()); return flipped(d, len(d)-40) }, "VT1006",
		),
		broken("zst cut", func() []byte { return cut(pack.ZST(pack.Tar(good, filler, other))) }, "VT1006"),
		broken(
			"zst with a wrong checksum",
			func() []byte { d := pack.ZST(pack.Tar(good, filler, other)); return flipped(d, len(d)-1) },
			"VT1006",
		),
		unlisted(
			"zip without its list", func() []byte { d := pack.Zip(zip.Deflate, good, other); return d[:listOf(d)] },
		),
		unlisted(
			"zip cut in an entry", func() []byte { d := pack.Zip(zip.Deflate, good, other); return d[:listOf(d)-50] },
		),
		broken("zip with a corrupt entry", func() []byte {
			d := pack.Zip(zip.Store, good, other)
			return flipped(d, bytes.Index(d, []byte("name: z")))
		}, "VT1006"),
		broken("zip with an encrypted entry", func() []byte {
			d := pack.Zip(zip.Deflate, good, other)
			listed(d, "z.yaml")[8] |= 1
			return d
		}, "VT1003"),
		broken("zip with an unknown method", func() []byte {
			d := pack.Zip(zip.Deflate, good, other)
			listed(d, "z.yaml")[10] = 97
			return d
		}, "VT1003"),
		broken("zip with a size too small", func() []byte {
			d := pack.Zip(zip.Deflate, good, other)
			binary.LittleEndian.PutUint32(listed(d, "z.yaml")[24:], 5)
			return d
		}, "VT1006"),
		broken("zip with a size too large", func() []byte {
			d := pack.Zip(zip.Deflate, good, other)
			binary.LittleEndian.PutUint32(listed(d, "z.yaml")[24:], 1<<31)
			return d
		}, "VT1006"),
		broken("zip whose entry spans others", func() []byte {
			d := pack.Zip(zip.Deflate, good, other, pack.Entry{Name: "last.yaml", Data: config("last")})
			binary.LittleEndian.PutUint32(listed(d, "z.yaml")[20:], uint32(len(d)))
			return d
		}, "VT1006"),
		broken(
			"zip whose entries overlap",
			func() []byte { return repeated(500, good, pack.Entry{Name: "x.yaml", Data: config("x") + noise(9000)}) },
			"VT1006",
		),
		broken("zip with a lying zip64 size", func() []byte { return zip64(good, 1<<60) }, "VT1006"),
		unlisted("zip with a wrong number of entries", func() []byte {
			d := pack.Zip(zip.Deflate, good, other)
			binary.LittleEndian.PutUint16(d[bytes.LastIndex(d, []byte("PK\x05\x06"))+10:], 9)
			return d
		}),
		unlisted("zip with a list out of bounds", func() []byte {
			d := pack.Zip(zip.Deflate, good, other)
			binary.LittleEndian.PutUint32(d[bytes.LastIndex(d, []byte("PK\x05\x06"))+16:], 1<<30)
			return d
		}),
		limited("file=1GiB", "sparse entry of 8 GiB", func() []byte {
			return append(unended(good), append(holes("x.yaml", 8<<30-1), make([]byte, 1024)...)...)
		}, "VT5001"),
		limited("unpacked=4MiB", "sparse entries", func() []byte {
			return append(
				unended(good),
				append(slicesJoin(holes("a.yaml", 3<<20), holes("b.yaml", 3<<20)), make([]byte, 1024)...)...)
		}, "VT5006"),
		limited(
			"unpacked=2MiB",
			"gz bomb",
			func() []byte { return pack.GZ(pack.Tar(good, pack.Entry{Name: "bomb.log", Data: zeros})) },
			"VT5006",
		),
		limited(
			"unpacked=2MiB",
			"xz bomb",
			func() []byte { return pack.XZ(pack.Tar(good, pack.Entry{Name: "bomb.log", Data: zeros[:8<<20]})) },
			"VT5006",
		),
		limited(
			"unpacked=2MiB",
			"zst bomb",
			func() []byte { return pack.ZST(pack.Tar(good, pack.Entry{Name: "bomb.log", Data: zeros})) },
			"VT5006",
		),
		limited(
			"unpacked=2MiB",
			"zip bomb",
			func() []byte { return pack.Zip(zip.Deflate, good, pack.Entry{Name: "bomb.yaml", Data: zeros}) },
			"VT5006",
		),
		limited(
			"file=1MiB",
			"large entry",
			func() []byte { return pack.GZ(pack.Tar(good, pack.Entry{Name: "bomb.yaml", Data: zeros}, other)) },
			"VT5001",
		),
		limited(
			"entries=50",
			"many entries of a tar",
			func() []byte { return pack.GZ(pack.Tar(append([]pack.Entry{good}, many(100)...)...)) },
			"VT5007",
		),
		limited(
			"entries=50",
			"many entries of a zip",
			func() []byte { return pack.Zip(zip.Store, append([]pack.Entry{good}, many(100)...)...) },
			"VT5007",
		),
		limited(
			"depth=3", "archives in archives", func() []byte { return append(unended(good), nested(6)...) }, "VT5002",
		),
		limited(
			"depth=3",
			"compressed over and over",
			func() []byte { return pack.Tar(good, pack.Entry{Name: "deep.yaml.gz", Data: string(layers(6))}) },
			"VT5002",
		),
		limited("archives=3", "many archives", func() []byte {
			var all []pack.Entry
			for i := range 9 {
				all = append(all, pack.Entry{
					Name: fmt.Sprintf("%d.tar", i),
					Data: string(pack.Tar(pack.Entry{Name: "c.yaml", Data: config(fmt.Sprint("c", i))})),
				})
			}
			return pack.Tar(append([]pack.Entry{good}, all...)...)
		}, "VT5008"),
		{
			name:  "archives in a stream",
			stdin: true,
			lost:  true,
			codes: []string{"VT5009"},
			args:  []string{"--limit", "held=4KiB"},
			archive: func() []byte {
				return pack.Tar(pack.Entry{Name: "1.tar", Data: string(pack.Tar(good))}, pack.Entry{
					Name: "2.tar",
					Data: string(pack.Tar(pack.Entry{Name: "big.log", Data: noise(9000)}, other)),
				})
			},
		},
		{
			name:    "a stream cut off",
			stdin:   true,
			lost:    true,
			codes:   []string{"VT1006"},
			archive: func() []byte { return cut(pack.GZ(pack.Tar(good, filler, other))) },
		},
		broken("an inner archive that is corrupt", func() []byte {
			return pack.Tar(
				pack.Entry{Name: "1.tgz", Data: string(pack.GZ(pack.Tar(good)))},
				pack.Entry{Name: "2.tgz", Data: "\x1f\x8b\x08nothing like it"},
			)
		}, "VT1006"),
		broken("xz with a dictionary of 1 GiB", func() []byte {
			d := []byte("\xfd7zXZ\x00\x00\x01\x69\x22\xde\x36\x02\x00\x21\x01\x25\x00\x00\x00\x9a\x0e\xb6\x22\x00\x00")
			return pack.Tar(good, pack.Entry{Name: "x.yaml.xz", Data: string(d)})
		}),
		broken("zst with a window of 2 GiB", func() []byte {
			return pack.Tar(good, pack.Entry{Name: "x.yaml.zst", Data: "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00"})
		}, "VT1003"),

		harmless(
			"absolute names",
			func() []byte { return pack.Tar(good, pack.Entry{Name: "/etc/passwd.yaml", Data: config("abs")}) },
			"VT1010",
		),
		harmless(
			"names that climb",
			func() []byte { return pack.Tar(good, pack.Entry{Name: "a/../../../up.yaml", Data: config("up")}) },
			"VT1010",
		),
		harmless(
			"names that climb in a zip",
			func() []byte { return pack.Zip(zip.Store, good, pack.Entry{Name: "../../up.yaml", Data: config("up")}) },
			"VT1010",
		),
		harmless("names with drives and backslashes", func() []byte {
			return pack.Zip(zip.Store, good, pack.Entry{Name: `C:\windows\x.yaml`, Data: config("c")})
		}, "VT1010"),
		harmless("a name of 100 kB", func() []byte {
			return pack.Tar(good, pack.Entry{Name: strings.Repeat("n", 100_000) + ".yaml", Data: config("n")})
		}, "VT1010"),
		harmless("names with escapes", func() []byte {
			return pack.Tar(
				good,
				pack.Entry{Name: "a\x1b[2J\x1b]0;owned\a\u202eb\r\n.yaml", Data: config("e")},
				pack.Entry{Name: "z\xff\x9b.yaml", Data: strings.ReplaceAll(goodCR, "lenient", "other")},
			)
		}, "VT1008"),
		harmless("devices and pipes", func() []byte {
			return pack.Tar(
				good,
				pack.Entry{Name: "dev.yaml", Kind: tar.TypeChar},
				pack.Entry{Name: "disk.yaml", Kind: tar.TypeBlock},
				pack.Entry{Name: "pipe.yaml", Kind: tar.TypeFifo},
				other,
			)
		}),
		harmless("links out of the tree, in circles and to nowhere", func() []byte {
			return pack.Tar(
				good,
				pack.Entry{Name: "a.yaml", Kind: tar.TypeSymlink, Link: "b.yaml"},
				pack.Entry{Name: "b.yaml", Kind: tar.TypeSymlink, Link: "a.yaml"},
				pack.Entry{
					Name: "c.yaml",
					Kind: tar.TypeSymlink,
					Link: "/etc/passwd",
				},
				pack.Entry{Name: "d.yaml", Kind: tar.TypeLink, Link: "../../nowhere"},
				other,
			)
		}),
		harmless("names that differ in case only", func() []byte {
			return pack.Tar(
				good, pack.Entry{Name: "A.yaml", Data: config("a")}, pack.Entry{Name: "a.yaml", Data: config("b")},
			)
		}),
		harmless(
			"one name again and again",
			func() []byte { return pack.Tar(good, other, other, pack.Entry{Name: "z.yaml", Data: config("y")}) },
		),
		harmless("an empty archive inside", func() []byte {
			return pack.Tar(
				good,
				pack.Entry{Name: "empty.tar", Data: strings.Repeat("\x00", 10240)},
				pack.Entry{Name: "none.tar.gz"},
			)
		}),
		{name: "an archive that cannot be unpacked inside", args: []string{"--nested"}, codes: []string{"VT1007"},
			archive: func() []byte { return pack.Tar(good, pack.Entry{Name: "x.7z", Data: "7z\xbc\xaf\x27\x1c and more"}) }},
		broken(
			"something else that is called an archive",
			func() []byte { return pack.Tar(good, pack.Entry{Name: "x.zip", Data: "no archive"}) },
			"VT1006",
		),
		broken("something else that is called an archive, opened", func() []byte {
			return pack.Tar(
				pack.Entry{Name: "1.tar", Data: string(pack.Tar(good))}, pack.Entry{Name: "x.zip", Data: "no archive"},
			)
		}, "VT1006"),
	}
}

func slicesJoin(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// many are small objects.
func many(n int) []pack.Entry {
	var all []pack.Entry
	for i := range n {
		all = append(all, pack.Entry{Name: fmt.Sprintf("c%d.yaml", i), Data: config(fmt.Sprint("c", i))})
	}
	return all
}

// paxHeader is an entry of extended headers with this content.
func paxHeader(content string) []byte {
	h := make([]byte, 512)
	copy(h, "pax")
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x0000000000000\x00", len(content)))
	h[156] = tar.TypeXHeader
	copy(h[257:], "ustar\x0000")
	return append(summed(h), append([]byte(content), make([]byte, (512-len(content)%512)%512)...)...)
}

// paxed is an entry of a name with one extended header.
func paxed(record, name string) []byte {
	length := len(record) + 3
	entry := unended(pack.Entry{Name: name, Data: "x"})
	return append(paxHeader(fmt.Sprintf("%d %s", length, record)), entry...)
}

// zip64 is a zip archive with an entry more, whose size does not fit the usual field and is a lie.
func zip64(good pack.Entry, size uint64) []byte {
	d := pack.Zip(zip.Store, good, pack.Entry{Name: "z.yaml", Data: config("z")})
	l := listOf(d)
	entry := bytes.Clone(listed(d, "z.yaml")[:46+len("z.yaml")])
	binary.LittleEndian.PutUint32(entry[24:], 0xffffffff)
	extra := binary.LittleEndian.AppendUint64([]byte("\x01\x00\x08\x00"), size)
	binary.LittleEndian.PutUint16(entry[30:], uint16(len(extra)))
	end := bytes.LastIndex(d, []byte("PK\x05\x06"))
	start := len(d) - len(listed(d, "z.yaml"))
	out := append(bytes.Clone(d[:start]), append(entry, extra...)...)
	tail := bytes.Clone(d[end:])
	binary.LittleEndian.PutUint32(tail[12:], uint32(len(out)-l))
	return append(out, tail...)
}
