// Package e2e runs the fleet of docs/fleet.md and the pipes of docs/references.md on a real
// Kubernetes: one node on this machine, with programs built from the Go module proxy and containerd
// from Debian.
//
// Its tests need root, ten gigabytes of disk, and ten minutes for the first build, so that they have
// a build tag of their own and are not part of `.ci/run`: `make e2e` runs them.
package e2e
