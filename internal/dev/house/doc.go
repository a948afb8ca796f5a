// Package house has a test of the rules for the code of this repository: which package may import
// which, which package imports a third-party package, what is forbidden at package level, and what
// must be documented.
//
// The rules are tables at the top of rules_test.go. To change a rule, change its table and give the
// reason there. The test reads the sources with go/parser, so it also covers files for other systems.
// It does not repeat the checks of the compiler and of go vet.
package house
