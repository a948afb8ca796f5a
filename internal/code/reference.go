package code

// referenceEntries explains the codes of references.
func referenceEntries() []Entry {
	return []Entry{
		{
			Code:  RefNotFound,
			Title: "there is no reference at the given place",
			Cause: "REFERENCE does not exist, is a file that is neither a metadata file, nor a CR, nor an archive, or holds several references. " +
				"The two arguments may have been swapped: the reference comes first.",
			Do: "Name the folder that holds metadata.yaml, the metadata file itself, or an archive of one. A folder without any metadata file is " +
				"read as a reference in the annotations format, or of plain CRs.",
		},
		{
			Code:  RefEmpty,
			Title: "the reference has no template",
			Cause: "The metadata lists no template in any component, or a folder without a metadata file holds no CR.",
			Do:    "Check that the path names the reference and not a folder above or below it.",
		},
		{
			Code:  RefSyntax,
			Title: "the metadata file is not valid YAML",
			Cause: "Wrong indentation, a tab, or an unclosed quote.",
			Do:    "Correct the line that the message names. The fault may stand a line or two above it.",
		},
		{
			Code:  RefAPIVersion,
			Title: "the metadata file has an unknown apiVersion",
			Cause: "The reference was written for a format that this version of the tool does not know. It knows v1, which is also meant where " +
				"apiVersion is absent, and v2.",
			Do: "Correct the apiVersion, or get a newer version of the tool.",
		},
		{
			Code:  RefUnknownKey,
			Title: "the format has no such key",
			Cause: "The key is misspelt or stands on the wrong level. Such keys are errors where one that does nothing would weaken the reference; " +
				"in the template entries of the v2 format they are warnings.",
			Do: "Correct or remove the key at the line that the message names.",
		},
		{
			Code:  RefDuplicateKey,
			Title: "a key stands twice in one mapping",
			Cause: "Usually a copy that was pasted and not renamed. It is a warning: the last one counts, the others are without effect.",
			Do:    "Delete all but one.",
		},
		{
			Code:  RefType,
			Title: "a value has the wrong type",
			Cause: "A list stands where a mapping or a text must be, or the other way round; a missing `- ` is the usual reason.",
			Do:    "Correct the value at the line that the message names.",
		},
		{
			Code:  RefNoName,
			Title: "a part or component has no name",
			Cause: "The report groups what it found by part and component. Without a `name` it is called \"\". It is a warning.",
			Do:    "Add the name.",
		},
		{
			Code:  RefDuplicateName,
			Title: "two parts, or two components of one part, share a name",
			Cause: "Usually a copy that was pasted and not renamed. The report and `--component` cannot tell the two apart. It is a warning: each " +
				"has its own rule.",
			Do: "Rename one of them, or join them.",
		},
		{
			Code:  RefNoRule,
			Title: "a component has no rule",
			Cause: "In the v2 format a component holds its templates below one of allOf, allOrNoneOf, anyOf, noneOf, oneOf and anyOneOf; this one " +
				"has none of them.",
			Do: "Add the rule that is meant. `anyOf` never reports a missing CR.",
		},
		{
			Code:  RefManyRules,
			Title: "a component has more than one rule",
			Cause: "In the v2 format a component has exactly one of allOf, allOrNoneOf, anyOf, noneOf, oneOf and anyOneOf.",
			Do:    "Split the component into one for each rule.",
		},
		{
			Code:  RefComponentType,
			Alarm: true,
			Title: "a component's type is neither Required nor Optional",
			Cause: "In the v1 format `type` says whether the component's required templates must be there always (Required), or only if one of " +
				"them is (Optional). With any other word the templates are compared but never missed.",
			Do: "Write one of the two.",
		},
		{
			Code:  RefNoPath,
			Title: "a template entry has no path",
			Cause: "The entry of the metadata file has a description or a config, but does not say which file it is about.",
			Do:    "Add `path`, relative to the metadata file.",
		},
		{
			Code:  RefTemplateMissing,
			Title: "a template's file does not exist",
			Cause: "The path is misspelt, the file was moved, or the reference was copied without it. Paths are relative to the metadata file, " +
				"and upper and lower case count.",
			Do: "Correct the path or restore the file.",
		},
		{
			Code:  RefTemplateTwice,
			Title: "a template is listed twice",
			Cause: "The same path stands in two places of the metadata file. A CR that matches it is compared once, as the first entry says, and " +
				"counts for the rules of both components.",
			Do: "Nothing, if the rules of both components are meant to count the CR. Otherwise delete one of the entries.",
		},
		{
			Code:  RefTemplateParse,
			Title: "a template does not parse",
			Cause: "The template language of Go found a fault: an `if` without `end`, an unknown function, or a brace too few. Functions that read " +
				"the environment or the network do not exist here.",
			Do: "Correct the line that the message names. There are the functions of sprig without those that read the environment or the network, and those that docs/references.md names.",
		},
		{
			Code:  RefTemplateNoKind,
			Title: "a template's kind cannot be known",
			Cause: "The kind is what decides which CRs a template is for, and here it comes out of the template language in a way that only a CR " +
				"could tell.",
			Do: "Write the kind literally.",
		},
		{
			Code:  RefTemplateYAML,
			Title: "a template does not yield one YAML mapping",
			Cause: "The text of the template is no valid YAML, is empty, or holds several documents.",
			Do:    "Correct the template; a reference has one CR per file.",
		},
		{
			Code:  RefFunctionFile,
			Title: "a template function file is missing or does not parse",
			Cause: "A file of `templateFunctionFiles` does not exist, or the template language of Go found a fault in it.",
			Do:    "Correct the path or the line that the message names. Such a file holds blocks of `{{ define \"name\" }}` … `{{ end }}`.",
		},
		{
			Code:  RefOmitUnknown,
			Alarm: true,
			Title: "a list of fields to omit does not exist",
			Cause: "`defaultOmitRef`, a template's `fieldsToOmitRefs`, or an `include` names a list that `fieldsToOmit.items` does not have. " +
				"In the v1 format it is an error; in v2 it is a warning, and the name stands for no field.",
			Do: "Correct the name, or add the list. The built-in list is called `cluster-compare-built-in`.",
		},
		{
			Code:  RefOmitCircle,
			Title: "lists of fields to omit include each other in a circle",
			Cause: "A list includes another that includes the first one again, directly or by way of others. The message spells the circle out.",
			Do:    "Remove one of the `include` entries.",
		},
		{
			Code:  RefOmitReserved,
			Title: "the built-in list of fields to omit is redefined",
			Cause: "`cluster-compare-built-in` is the name of the list that the tool brings along, and it cannot be replaced. It is a warning: the " +
				"list of the file is ignored.",
			Do: "Give the list another name, include the built-in one if its fields are wanted too, and make it the `defaultOmitRef`.",
		},
		{
			Code:  RefOmitEntry,
			Title: "an entry of fieldsToOmit cannot be used",
			Cause: "An entry has a `pathToKey`, with `isPrefix` if it is wanted, or an `include`; this one has neither.",
			Do:    "Give it one of the two. In the v1 format there is no `include`.",
		},
		{
			Code:  RefPathToKey,
			Title: "a pathToKey cannot be read",
			Cause: "It is empty, has an unclosed quote, or a quote inside a key. Keys are separated by dots, and a key that contains a dot stands in " +
				"double quotes: `metadata.annotations.\"example.com/note\"`.",
			Do: "Correct the path. The paths that a report prints have the same form and can be pasted.",
		},
		{
			Code:  RefInlineUnknown,
			Title: "an unknown inline diff function",
			Cause: "`inlineDiffFunc` knows `regex` and `capturegroups`.",
			Do:    "Write one of the two.",
		},
		{
			Code:  RefInlinePath,
			Title: "the path of an inline diff function is not in the template",
			Cause: "A `perField` entry names a field that the template does not have, or one that is no text.",
			Do:    "Correct the pathToKey. It leads to the text in the template that holds the expression.",
		},
		{
			Code:  RefInlineRegexp,
			Title: "the expression of an inline diff function does not compile",
			Cause: "The text in the template is not a regular expression as Go understands it. Named groups are written `(?<name>…)`; there is no " +
				"looking ahead or behind.",
			Do: "Correct the expression in the template.",
		},
		{
			Code:  RefAnnotation,
			Title: "the attributes annotation is not valid",
			Cause: "The annotation `reference-config.openshift.io/attributes` has to hold a JSON object whose keys are `part-of`, " +
				"`component-name` and `required`.",
			Do: "Correct the JSON. A comma after the last entry is the usual fault.",
		},
		{
			Code:  RefOverlap,
			Title: "several templates meet the same CRs",
			Cause: "The fixed fields of the templates do not tell them apart. It is a warning: each is compared, and the one with the smallest " +
				"difference is taken.",
			Do: "Nothing, if they are meant as alternatives. Else fix the name or the namespace in the templates.",
		},
		{
			Code:  RefNoType,
			Alarm: true,
			Title: "a component without type never reports a missing CR",
			Cause: "In the v1 format a component that has neither `type: Required` nor `type: Optional` is compared, but its templates are never " +
				"missed. It is a warning.",
			Do: "Add the type.",
		},
		{
			Code:  RefPathOutside,
			Title: "a path leads out of the reference",
			Cause: "A path of the metadata file is absolute or climbs above the reference with `..`, by itself or through a symbolic link.",
			Do:    "Move the file into the reference and correct the path.",
		},
		{
			Code:  RefUnreadable,
			Title: "a file of the reference cannot be read",
			Cause: "The user who runs the tool may not read it, it is a folder, or the archive that holds the reference is damaged.",
			Do:    "Make the file readable, or get the reference again.",
		},
		{
			Code:  RefVersionOnly,
			Title: "the key belongs to another version of the format",
			Cause: "`allOf` and the other rule keys, `include` and `perField` are of the v2 format; `type`, `requiredTemplates` and " +
				"`optionalTemplates` are of v1.",
			Do: "Set `apiVersion` to the version that is meant, or write the key that this version has for it.",
		},
		{
			Code:  RefUnsteady,
			Title: "a template calls a function whose result differs from run to run",
			Cause: "The function asks the clock, makes up random values, or goes by the time zone of the machine, so that the same input can " +
				"have another result tomorrow or elsewhere. It is a warning: such functions are called all the same.",
			Do: "Take the call out of the template. What cannot be known beforehand is better left to the CR, or described by an " +
				"`inlineDiffFunc`.",
		},
		{
			Code:  RefKeyCase,
			Title: "a key is written in another letter case",
			Cause: "The key differs from one of the format by upper and lower case only, such as `Parts` or `pathTokey`, or a v1 `type` does. It is " +
				"a warning: the key is read as the one that is meant. Where that one stands beside it, that one counts.",
			Do: "Write it as the format does.",
		},
		{
			Code:  RefNoEffect,
			Title: "something has no effect where it stands",
			Cause: "The format has no such key in a template's entry, its `config`, `perField` or an override; or a part lists no component, or a " +
				"component has a second rule without a template. It is a warning: what is there is ignored.",
			Do: "Correct the key, or delete it.",
		},
		{
			Code:  RefSecondDocument,
			Alarm: true,
			Title: "what follows the first YAML document of a file is ignored",
			Cause: "A metadata file, a diff config, a file of overrides, and a template that the metadata lists hold one document each. A line of " +
				"`---` begins another one, which is not read.",
			Do: "Move it into a file of its own, or delete the `---`.",
		},
		{
			Code:  RefNumber,
			Title: "a number, true or false stands where text is meant",
			Cause: "YAML reads text such as `4.10` or `true` that is not in quotes as something else. It is a warning: the value is read as the text " +
				"that the message shows, which may be another one than was written.",
			Do: "Put it in quotes.",
		},
		{
			Code:  RefOddPath,
			Title: "a pathToKey may not mean what its author meant",
			Cause: "It has an empty key, a space beside a key, or a bracket. It is a warning: keys stand between dots and are taken as they are, so " +
				"that `items[0]` is one key of that name and `labels.` ends with an empty key.",
			Do: "Write an element of a list as a number, `items.0`, and put a key that is really empty or has such characters in double quotes.",
		},
		{
			Code:  RefPassedOver,
			Title: "a file of the reference is no CR",
			Cause: "A folder without a metadata file is a reference of CRs, and this file, or a document or item of it, is valid but has no " +
				"kind, or is of a kind that no cluster stores, such as a Kustomization. It is a warning: it is passed over.",
			Do: "Nothing, if it is none. Else give it its apiVersion and kind, or a name that ends in .yaml or .json.",
		},
		{
			Code:  RefLiteral,
			Title: "a file of the reference is no template and is taken as it is",
			Cause: "It has double braces, as the rules of alerts do, which are not in the template language of Go. Where a folder has no " +
				"metadata file and the CR no attributes, it is taken literally. It is a warning.",
			Do: "Nothing, if it is a plain CR. If it is meant to be a template, correct the fault that the message names.",
		},
		{
			Code:  RefUndefined,
			Title: "a template calls another one that is not defined",
			Cause: "The name after `template` or `include` is misspelt, or the file that defines it is not listed in `templateFunctionFiles`. Inside a " +
				"condition it is a warning, because it may never be called.",
			Do: "Correct the name, or list the file.",
		},
		{
			Code:  RefInlineGroup,
			Title: "a capture group is malformed",
			Cause: "A group of a `capturegroups` text has no proper name, is not closed, or does not compile as an expression of Go. It is a " +
				"warning: the group is read as text, which the CR must have as it stands.",
			Do: "Correct the group at the line and column of the text that the message names. Groups are written `(?<name>…)`; there is no " +
				"looking ahead or behind.",
		},
	}
}
