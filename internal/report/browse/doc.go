// Package browse shows a report on a terminal, where keys move through it: a tree of the findings on
// the left, and what the text report says of the chosen one on the right. It reads only the model of
// the report, and prints CRs with the printer of the text report, so that colours and what is hidden
// are the same.
//
// Tree is the tree and its cursor, without a terminal. Browser runs it on one.
package browse
