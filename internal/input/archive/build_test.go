package archive

func testLimits() Limits { return Limits{Unpacked: 1 << 30, Memory: 1 << 30, Depth: 4} }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
