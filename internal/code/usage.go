package code

// usageEntries explains the codes of usage and input.
func usageEntries() []Entry {
	return []Entry{
		{
			Code:  Usage,
			Title: "the command line cannot be understood",
			Cause: "An option does not exist, got a value that it does not take, or contradicts another one; or there are " +
				"too few arguments. A comparison needs a REFERENCE and at least one INPUT.",
			Do: "The message names the option or the argument. `validationTool --help` lists what there is.",
		},
		{
			Code:  InputNotFound,
			Title: "an input does not exist or cannot be opened",
			Cause: "The path is misspelt, a glob matched nothing, or the user who runs the tool may not read it.",
			Do: "Check the path and its permissions. An input is a directory, a file, a support archive, or `-` for " +
				"standard input.",
		},
		{
			Code:  InputUnreadable,
			Title: "a file or folder of the input cannot be read",
			Cause: "Archives that were unpacked by another user, such as root, often keep permissions that lock others out. " +
				"The rest of the input was compared, but the answer is not complete.",
			Do: "Make the file readable, or point the tool at the archive itself, which needs no unpacking. With " +
				"`--skip-unreadable` such files are warnings only.",
		},
		{
			Code:  InputNoObjects,
			Title: "the input holds no Kubernetes object",
			Cause: "The input could be read, but nothing in it has an apiVersion and a kind. It may be the wrong folder, an " +
				"archive of logs only, or one whose content lies in another archive inside it.",
			Do: "Point the tool at the folder or archive that holds the CRs; any folder above them will do too. Try " +
				"`--nested` if the input holds further archives.",
		},
		{
			Code:  DocumentBroken,
			Title: "a file that should hold CRs is not valid YAML or JSON",
			Cause: "By its name or its content the file holds Kubernetes objects, but it breaks off or does not parse: a copy " +
				"that was cut short, marks of a merge conflict, a tab in the indentation, or placeholders that were never filled in.",
			Do: "Repair the file at the line that the message names, or gather it again. With `--skip-unreadable` such files " +
				"are warnings, and what they hold is not compared.",
		},
		{
			Code:  ArchiveBroken,
			Title: "an archive is truncated or corrupt",
			Cause: "The download or the copy ended too early, the disk was full while the archive was packed, or some of its " +
				"bytes changed on the way. What stands before the damage was compared.",
			Do: "Copy the archive again and compare its size or checksum with the original. CRs behind the damage may be " +
				"reported as missing although the cluster has them.",
		},
		{
			Code:  ArchiveNotRead,
			Title: "an archive inside the input was not opened",
			Cause: "The input holds CRs of its own, so archives inside it are taken for attachments: they are often logs, or " +
				"a second copy of the same cluster.",
			Do: "Nothing, if they are attachments. Use `--nested` to read them too, or name the inner archive as the input.",
		},
		{
			Code:  CopiesDiffer,
			Title: "the same CR is in the input several times with different content",
			Cause: "Collectors write some CRs more than once, and a CR may change in between; or the input mixes two states or " +
				"two clusters. The first copy was compared, the others were not.",
			Do: "Look at the two places that the message names. Take the one that does not belong there out of the input.",
		},
		{
			Code:  LinkSkipped,
			Title: "a symbolic link was not followed",
			Cause: "The link leads out of the input, in a circle, or to nothing.",
			Do:    "Name the place the link leads to as a further input, if it holds CRs that should be compared.",
		},
		{
			Code:  UnsafeName,
			Title: "an archive entry has an unsafe name",
			Cause: "The name is absolute or climbs out of the archive with `..`. No collector writes such names.",
			Do:    "Find out where the archive comes from. What the entry holds is compared like the rest; nothing is ever written to disk from an archive.",
		},
		{
			Code:  ObjectWithoutName,
			Title: "a CR has no name",
			Cause: "It has an apiVersion and a kind, but no metadata.name. Patches for kustomize and CRs that were never applied " +
				"look like this.",
			Do: "Give the CR its name, or leave its file out of the input.",
		},
		{
			Code:  DiffConfigBroken,
			Title: "the diff config cannot be used",
			Cause: "The file of `--diff-config` does not exist, is not valid YAML, or has a key that the format lacks. Pairs stand " +
				"below correlationSettings.manualCorrelation.correlationPairs, and each maps `apiVersion_kind_namespace_name` " +
				"(`apiVersion_kind_name` for CRs without a namespace) to the path of a template.",
			Do: "Correct the place that the message names.",
		},
		{
			Code:  OverridesBroken,
			Title: "the overrides file cannot be used",
			Cause: "The file of `--overrides` does not exist, is not a YAML list, or one of its entries cannot be used: the reason is " +
				"missing, the type is none of mergepatch, rfc6902 and go-template, the patch cannot be read, or the date in " +
				"`expires` is no date.",
			Do: "Correct the entry that the message names. Every override needs a reason, because the report shows it.",
		},
		{
			Code:  OverrideUnused,
			Title: "an override met no CR",
			Cause: "None of the CRs that were compared has the kind, name and namespace of the override, or other overrides name those CRs " +
				"more specifically. It may be misspelt, or the CR that it was written for is gone.",
			Do: "Correct the entry, or delete it if it is no longer needed.",
		},
		{
			Code:  OverrideExpired,
			Title: "an override is past its date",
			Cause: "The date in `expires` has passed, so the override was not applied and what it allowed shows as drift again.",
			Do:    "Bring the CR in line with the reference, or review the deviation and give the override a new date.",
		},
		{
			Code:  ManualPairUnknown,
			Title: "a manual pair names no template",
			Cause: "The diff config pairs a CR with a path that the reference does not have. Paths are written as in the reference, " +
				"relative to its metadata file.",
			Do: "Correct the path, or delete the pair. The paths are those that the metadata file lists, as the reports show them.",
		},
		{
			Code:  ManualPairUnused,
			Title: "a manual pair names no CR of the input",
			Cause: "The diff config was written for another cluster, or apiVersion, kind, namespace or name are misspelt.",
			Do: "Correct the key, `apiVersion_kind_namespace_name` or, for a CR without a namespace, `apiVersion_kind_name`; or " +
				"delete the pair.",
		},
		{
			Code:  ComponentUnknown,
			Title: "no component has this name",
			Cause: "The name or glob of `--component` or `--skip-component` meets no component of the reference.",
			Do:    "Write the name as `COMPONENT` or `PART/COMPONENT`. The names are those of the metadata file, as the reports show them.",
		},
		{
			Code:  WrappedNotRead,
			Title: "CRs wrapped in another CR were not looked into",
			Cause: "The input holds CRs that carry others inside, such as a Policy, a Template or a ManifestWork. What is wrapped is " +
				"not what runs on a cluster, so it is not compared, and may be reported as missing.",
			Do: "Compare the CRs that these produce: a support archive of the cluster, or the rendered output of the generator.",
		},
		{
			Code:  OutputFailed,
			Title: "the report could not be written",
			Cause: "The disk is full, or the place it should be written to does not exist or is not writable. An output that was closed " +
				"early, as by `head`, is no error.",
			Do: "Make room, or write the report to another place.",
		},
		{
			Code:  Interrupted,
			Title: "the run was interrupted",
			Cause: "It was ended from outside, as by Ctrl-C, before everything was read and compared. The report holds what was found " +
				"until then; rules were not evaluated, because a CR that is missing may be in the part that was not read.",
			Do: "Run the comparison again, and let it come to its end.",
		},
		{
			Code:  KeyTwice,
			Title: "a key stands twice in a CR",
			Cause: "One of the values is lost: the last one counts, as for the Kubernetes API. It is mostly a slip of a CR that " +
				"was written by hand, such as two blocks that were merged.",
			Do: "Delete the one that is not meant.",
		},
		{
			Code:  NotAccepted,
			Title: "a finding was left out of the overrides",
			Cause: "`--output overrides` writes overrides for what was found, but not for everything: the data of a Secret is never " +
				"written to a file; a CR that could not be evaluated, a CR that is missing and a check that is about no field of the " +
				"reference cannot be overridden. The next comparison finds these again.",
			Do: "Bring the CR in line with the reference. If the deviation of a Secret has to be accepted, write the override by " +
				"hand and guard the file like the Secret, or leave the field out with fieldsToOmit.",
		},
		{
			Code:  NoTerminal,
			Title: "there is no terminal to ask on",
			Cause: "`--interactive` asks on the error stream and reads answers from standard input. One of them is a file or a pipe, as " +
				"in a script or a CI job, or the input itself comes from standard input.",
			Do: "Run the command on a terminal and save the choices as a diff config; then use that with `--diff-config`, which asks " +
				"nothing. Leave out `--interactive` to take the template with the smallest difference.",
		},
		{
			Code:  ClusterUnclear,
			Title: "it cannot be told of which cluster CRs are",
			Cause: "Rules are about one cluster, so the CRs of several clusters are never pooled. Clusters are told apart by the ID in " +
				"ClusterVersion, the UID of the Namespace kube-system and the name in Infrastructure. Here CRs of two clusters lie in one " +
				"file; or one object has two UIDs and nothing says of which cluster it is; or there are several clusters and some CRs, " +
				"such as those of a single `oc get`, that could be of any of them.",
			Do: "Give each cluster as an input of its own, or in a folder of its own. Name the cluster that is meant with `--cluster`, " +
				"which a CR without identity then belongs to. If it is all one cluster, for example because a namespace was deleted and " +
				"made again between two collections, say so with `--join`.",
		},
		{
			Code:  FileBlank,
			Title: "a file of a support archive holds no CR",
			Cause: "The file lies where the collector writes CRs, by its path, and is empty, encrypted, an error page or message instead, or has " +
				"no apiVersion and kind. The collector may have lacked the right to read these CRs, the disk may have been full, or the file was " +
				"damaged or changed later. A missing CR that could have been in it is called maybe not collected.",
			Do: "Collect the CRs that the message names again, as with `oc adm inspect`, and give the result as a further input.",
		},
	}
}
