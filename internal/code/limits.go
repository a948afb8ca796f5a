package code

import "slices"

// limitEntries explains the codes of limits and safety.
func limitEntries() []Entry {
	return slices.Concat(templateLimits(), inputLimits())
}

// templateLimits are the first codes that there were: those of templates, and the oldest of the input.
func templateLimits() []Entry {
	return []Entry{
		{
			Code:  LimitSize,
			Title: "a file is larger than the limit",
			Cause: "A file, or an entry of an archive, is larger than the tool is willing to keep in memory. Either it is no CR at all, or the " +
				"archive was built to fill a memory.",
			Do: "Leave the file out of the input. If it is genuine, raise the limit: `--limit file=4GiB`, or `--limit reference=64MiB` for a " +
				"file of the reference.",
		},
		{
			Code:  LimitDepth,
			Title: "archives inside archives, deeper than the limit",
			Cause: "Archives lie in archives, or compressed data is compressed again, deeper than any collector does it. There are archives " +
				"that contain themselves.",
			Do: "Unpack the outer archives and name the inner one, or raise the limit: `--limit depth=8`.",
		},
		{
			Code:  LimitSteps,
			Title: "a template takes too many steps",
			Cause: "Loops inside loops over large lists, a loop that counts to a number that the CR holds, or functions that do much work. The " +
				"limit counts steps, not time, so that the answer is the same on every machine.",
			Do: "Rewrite the template so that it does less for each element. If it is right as it is, raise the limit: `--limit steps=20000000`.",
		},
		{
			Code:  LimitOutput,
			Title: "a template makes too much text",
			Cause: "What the template prints for this CR, or what its functions hand on, is far larger than a CR can be; most often it repeats " +
				"something without end.",
			Do: "Look for a loop or a repeating function whose count comes from the CR. If the template is right, raise the limit: " +
				"`--limit output=256MiB`.",
		},
		{
			Code:  Internal,
			Title: "a fault of the tool itself",
			Cause: "The tool met a state that cannot be. It says so instead of giving an answer that may be wrong; other CRs were compared.",
			Do:    "Report it, with the message and, if you can share them, the template and the CR.",
		},
	}
}

func inputLimits() []Entry {
	return []Entry{
		{
			Code:  LimitUnpacked,
			Title: "archives unpack to more than the limit",
			Cause: "All archives of the input together yield more bytes than the limit. Small archives that unpack to very much are built to " +
				"fill a disk or a memory.",
			Do: "Unpack the archive yourself if you trust it, and name the folder; or raise the limit: `--limit unpacked=64GiB`.",
		},
		{
			Code:  LimitEntries,
			Title: "archives have more entries than the limit",
			Cause: "All archives of the input together have more entries than the limit. A support archive has some thousands.",
			Do:    "Name the folder or inner archive that holds the CRs, or raise the limit: `--limit entries=10000000`.",
		},
		{
			Code:  LimitArchives,
			Title: "more archives inside an input than the limit",
			Cause: "The input holds a great many archives, such as rotated logs that each are one.",
			Do:    "Name those that hold CRs as inputs of their own, or raise the limit: `--limit archives=100000`.",
		},
		{
			Code:  LimitHeld,
			Title: "archives inside a stream are larger than what is kept of it",
			Cause: "Standard input cannot be read twice, so that archives inside it are kept in memory until it is known whether they are to " +
				"be opened.",
			Do: "Write the stream to a file and name that, or raise the limit: `--limit held=2GiB`.",
		},
		{
			Code:  LimitNesting,
			Title: "maps and lists nested deeper than the limit",
			Cause: "Mappings and lists lie in each other deeper than in any real CR. Such files are built to make programs run out of stack.",
			Do:    "Leave the file out of the input, or raise the limit: `--limit nesting=5000`.",
		},
		{
			Code:  LimitAliases,
			Title: "aliases of YAML repeat more than the limit",
			Cause: "With `&name` and `*name` a small YAML text can stand for a huge one. No collector writes them.",
			Do:    "Write out what the aliases stand for, or raise the limit: `--limit aliases=1000000`.",
		},
		{
			Code:  LimitValues,
			Title: "a document has more values than the limit",
			Cause: "A single document, or a List, has more keys and values than the tool is willing to keep in memory at once.",
			Do:    "Cut the file into parts, leave it out of the input, or raise the limit: `--limit values=50000000`.",
		},
		{
			Code:  LimitCalls,
			Title: "templates call each other deeper than the limit",
			Cause: "A template that includes itself without end is the usual reason.",
			Do:    "Make the template stop. If it is right as it is, raise the limit: `--limit calls=5000`.",
		},
		{
			Code:  LimitObjects,
			Title: "more CRs than the limit",
			Cause: "The inputs hold more CRs than the tool is willing to keep in memory. Nothing was compared, because the result would not be " +
				"that of the whole input.",
			Do: "Name a part of the input only, or raise the limit: `--limit objects=50000000`.",
		},
		{
			Code:  LimitLine,
			Title: "a line of the report is longer than the limit",
			Cause: "A value, a name or a message is so long that nobody would read it. The text shows its beginning; the whole value was " +
				"compared, and JSON and YAML hold all of it.",
			Do: "Nothing, or raise the limit to see all of it: `--limit line=64MiB`.",
		},
		{
			Code:  LimitMemory,
			Title: "more would be held in memory than the limit",
			Cause: "A file, an archive inside another, or a CR needs more memory than it may take of the limit for the whole run, or the CRs that " +
				"the templates want, and what is found about them, come to more together. Then the first ones of the input are compared.",
			Do: "Name a part of the input only, leave large files that hold nothing of interest out of it, or raise the limit on a machine that has " +
				"the memory: `--limit memory=8GiB`.",
		},
	}
}
