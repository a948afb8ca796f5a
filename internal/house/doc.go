// Package house holds no code, only the test of the rules that the code of this repository keeps:
// which package may import which, where each third-party package is at home, what may not stand at
// package level, what has to be documented.
//
// The rules are tables at the top of rules_test.go. To change one, change the table there and say
// why beside it. The test reads the sources with go/parser, so it also covers files that are built
// for other systems only. It does not replace go vet: what the compiler or vet finds is left to
// them.
package house
