// Package quantity parses texts that can have the same value in different forms: quantities of
// Kubernetes and CPU sets of Linux. In: a text. Out: its value, or an error that says what is wrong
// with it.
package quantity
