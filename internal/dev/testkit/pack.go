package testkit

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// Folder makes a new folder of files, by slash-separated path, and returns its path.
func Folder(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	Files(t, root, files)
	return root
}

// Files writes files into a folder, by slash-separated path.
func Files(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Entry is one entry of an archive.
type Entry struct {
	Name, Data string
	Kind       byte              // a type flag of tar; 0 is a regular file
	Link       string            // target of a link
	Pax        map[string]string // records of tar
}

// Tar makes a tar archive.
func Tar(entries ...Entry) []byte {
	var b bytes.Buffer
	size := 0
	for _, e := range entries {
		size += len(e.Data)
	}
	b.Grow(size + size/8) // so that a large one is not copied repeatedly
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{
			Name:       e.Name,
			Typeflag:   e.Kind,
			Linkname:   e.Link,
			Mode:       0o644,
			Size:       int64(len(e.Data)),
			PAXRecords: e.Pax,
		}
		if e.Kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		must(w.WriteHeader(h))
		_, err := io.WriteString(w, e.Data)
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

// Zstd is the method of zip entries that are compressed with zstd.
const Zstd = zstd.ZipMethodWinZip

// Zip makes a zip archive whose entries are compressed with a method.
func Zip(method uint16, entries ...Entry) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(Zstd, zstd.ZipCompressor())
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.Name, Method: method}
		if e.Kind == tar.TypeSymlink {
			h.SetMode(fs.ModeSymlink | 0o777)
			e.Data = e.Link
		}
		f, err := w.CreateHeader(h)
		must(err)
		_, err = io.WriteString(f, e.Data)
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

// GZ compresses with gzip.
func GZ(data []byte) []byte { return GZBy(gzip.DefaultCompression, data) }

// GZBy compresses with gzip at a level.
func GZBy(level int, data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	must(err)
	return written(&b, w, data)
}

// XZ compresses with xz.
func XZ(data []byte) []byte { return XZBy(xz.WriterConfig{}, data) }

// XZBy compresses with a configuration of xz. The default dictionary is small, because the
// library's default takes time to allocate.
func XZBy(config xz.WriterConfig, data []byte) []byte {
	if config.DictCap == 0 {
		config.DictCap = 1 << 16
	}
	var b bytes.Buffer
	w, err := config.NewWriter(&b)
	must(err)
	return written(&b, w, data)
}

// ZST compresses with zstd.
func ZST(data []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	must(err)
	defer w.Close()
	return w.EncodeAll(data, nil)
}

func written(b *bytes.Buffer, w io.WriteCloser, data []byte) []byte {
	_, err := w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
