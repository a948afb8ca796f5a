// Package formats writes a report for programs, tickets, and files that mend a cluster or accept its
// deviations: a file for each format. Each writer reads a finding.Report and decides nothing: the
// verdict, the counts and the exit status are in the report.
package formats
