package source

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"path"
	"strings"
)

// FS returns files, such as those of ReadAll, as a file system, by their names. Of a name that occurs twice the last file
// counts, as it would for tar. Names that no file system can have are left out.
func FS(files []File) (fs.FS, error) {
	last := map[string]int{}
	for i, f := range files {
		last[f.Name] = i
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed) // its reader is the standard library's file system in memory
	for i, f := range files {
		name := strings.TrimPrefix(path.Clean("/"+f.Name), "/")
		if last[f.Name] != i || !fs.ValidPath(name) || name == "." {
			continue
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
}
