// Package formats writes a report for programs and for tickets, and as files that correct a cluster
// or accept its deviations. Each format has a Go file of its own. The writers read a finding.Report
// and decide nothing: the verdict, the counts and the exit status are in the report.
package formats
