// Package collector says what the support tools write that gather a cluster's objects, and where:
// must-gather, support bundles, Insights archives and the like. The table in table.go has a row for
// each. Everything else asks the functions of this package, and knows no collector by its name.
//
// In go names of files, and values of which it is asked whether a collector wrote them. Out come
// the layout of an input, the folders of its clusters, what a path says of the objects in a file,
// and which files are left out. A layout only explains and fills gaps: a plain walk through a tree
// finds every object of each of them.
//
// The package opens no files and decodes none. It stands above the packages that read, because all
// of these ask it.
package collector
