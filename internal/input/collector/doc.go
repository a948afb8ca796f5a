// Package collector describes the support tools that gather the objects of a cluster (must-gather,
// support bundles, Insights archives and others): which files they write, and where. The table in
// table.go has a row for each. All other packages use the functions of this package and know no
// collector by name.
//
// The functions take names of files, or values that a collector may have written. They return the
// layout of an input, the folders of its clusters, what a path shows about the objects in a file,
// and which files are not read. A layout only explains and fills gaps: a plain walk through a
// folder finds every object of any layout.
//
// The package opens and decodes no files. It comes before the packages that read files in the
// import order, because all of these use it.
package collector
