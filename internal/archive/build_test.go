package archive

import (
	"bytes"
	"compress/gzip"

	"github.com/ulikunitz/xz"
)

func testLimits() Limits { return Limits{Unpacked: 1 << 30, Memory: 1 << 30, Depth: 4} }

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

func xzOf(data []byte) []byte { return xzWith(xz.WriterConfig{}, data) }

func xzWith(config xz.WriterConfig, data []byte) []byte {
	var b bytes.Buffer
	config.DictCap = 1 << 16 // the default takes time to allocate
	w, err := config.NewWriter(&b)
	must(err)
	_, err = w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
