package code

// limitEntries explains the codes of limits and safety.
func limitEntries() []Entry {
	return []Entry{
		{
			Code:  LimitSize,
			Title: "more bytes than the limit",
			Cause: "A file, an archive entry or what an archive unpacks to is larger than the tool is willing to keep in memory. Either it is " +
				"no CR at all, or the archive was built to fill a disk.",
			Do: "Leave the file out of the input. If it is genuine, give the part of it that holds the CRs.",
		},
		{
			Code:  LimitDepth,
			Title: "nested deeper than the limit",
			Cause: "Mappings and lists, archives inside archives, or templates that include each other go deeper than any real one does. A " +
				"template that includes itself without end is the usual reason.",
			Do: "Make the template stop, or leave the file out of the input.",
		},
		{
			Code:  LimitSteps,
			Title: "a template takes too many steps",
			Cause: "Loops inside loops over large lists, or a loop that counts to a number that the CR holds. The limit counts steps, not " +
				"time, so that the answer is the same on every machine.",
			Do: "Rewrite the template so that it does less for each element.",
		},
		{
			Code:  LimitOutput,
			Title: "a template prints too much",
			Cause: "What the template yields for this CR is far larger than a CR can be; most often it repeats something without end.",
			Do:    "Look for a loop or a repeating function whose count comes from the CR.",
		},
		{
			Code:  Internal,
			Title: "a fault of the tool itself",
			Cause: "The tool met a state that cannot be. It says so instead of giving an answer that may be wrong; other CRs were compared.",
			Do:    "Report it, with the message and, if you can share them, the template and the CR.",
		},
	}
}
