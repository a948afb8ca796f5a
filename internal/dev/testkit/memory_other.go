//go:build !linux

package testkit

func memory() string { return "" }
