// Package notation says which texts stand for the same value though they are written in other ways:
// amounts as Kubernetes writes them, which are quantities, and sets of CPUs as Linux writes them.
// In goes a text; out comes what it stands for, or an error that says what is wrong with it.
package quantity
