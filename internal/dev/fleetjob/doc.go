// Package fleetjob holds the Jobs of examples/fleet/job against the API of Kubernetes, and runs
// what their containers run.
//
// It is a module of its own, so that the tool needs nothing of that API to be built or tested.
package fleetjob
