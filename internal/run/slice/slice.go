// Package slice has what the package slices lacks: functions that take some elements of a slice and
// leave the slice as it is. They return new slices of the same type.
package slice

import "slices"

// Filter returns the elements for which keep returns true.
func Filter[S ~[]E, E any](all S, keep func(E) bool) S {
	return Without(all, func(e E) bool { return !keep(e) })
}

// Without returns the elements for which drop returns false.
func Without[S ~[]E, E any](all S, drop func(E) bool) S {
	return slices.DeleteFunc(slices.Clone(all), drop)
}
