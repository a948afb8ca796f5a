package finding

// FixScript is the name of the script in a folder that --output fix writes, and FixHead its
// beginning. Both show that a folder inside an input has corrections rather than CRs of a cluster.
const (
	FixScript = "commands.sh"
	FixHead   = "#!/bin/sh\n# Commands that make the CRs of a cluster what a reference wants. They were written by"
)
