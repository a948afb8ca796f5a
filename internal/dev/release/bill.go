package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// bill writes the software bill of materials of a target: what Go wrote into the binary of the
// modules that it is built from.
func (r release) bill(t target) error {
	info, err := r.buildInfo(t.path)
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	component := func(kind cyclonedx.ComponentType, name, version string) cyclonedx.Component {
		url := "pkg:golang/" + strings.ToLower(name) + "@" + version
		return cyclonedx.Component{BOMRef: url, Type: kind, Name: name, Version: version, PackageURL: url}
	}
	whole := component(cyclonedx.ComponentTypeApplication, info.Main.Path, r.version)
	whole.Hashes = &[]cyclonedx.Hash{
		{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sha256.Sum256(t.binary))},
	}
	parts := []cyclonedx.Component{
		component(cyclonedx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go")),
	}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		parts = append(parts, component(cyclonedx.ComponentTypeLibrary, module.Path, module.Version))
	}
	var linked []string
	for _, part := range parts {
		linked = append(linked, part.BOMRef)
	}
	bill := cyclonedx.NewBOM()
	bill.Metadata = &cyclonedx.Metadata{Timestamp: r.time.UTC().Format(time.RFC3339), Component: &whole}
	bill.Components = &parts
	bill.Dependencies = &[]cyclonedx.Dependency{{Ref: whole.BOMRef, Dependencies: &linked}}
	var b bytes.Buffer
	if err := cyclonedx.NewBOMEncoder(&b, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bill); err != nil {
		return err
	}
	return r.save(strings.Join([]string{tool, r.version, t.system, t.processor}, "_")+".cdx.json", b.Bytes())
}
