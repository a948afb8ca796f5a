package code

// objectEntries explains the codes of the evaluation of one object.
func objectEntries() []Entry {
	return []Entry{
		{
			Code:  EvalTemplate,
			Title: "the template could not be executed on a CR",
			Cause: "A function of the template refused its arguments, for example because the CR holds text where the template expects a " +
				"list. Every other CR was compared.",
			Do: "The message names the template and the line. Correct the CR if its value is wrong, else the template: it should cope with " +
				"every value that the API allows.",
		},
		{
			Code:  EvalFail,
			Title: "the reference's own check refuses a value",
			Cause: "The template checks what the user wrote, with `fail`, `maxListLength` or the like, and the check does not hold. The " +
				"message is the reference's.",
			Do: "Change the CR as the message says.",
		},
		{
			Code:  EvalYAML,
			Title: "what the template printed is not one YAML mapping",
			Cause: "With the values of this CR the template yields text that does not parse, or more than one document: a value with a line " +
				"break or a colon that is printed without `quote` or `toYaml`, or a wrong `indent`.",
			Do: "Correct the template at the place that the message names.",
		},
		{
			Code:  EvalMissingKey,
			Title: "the CR lacks a mandatory field",
			Cause: "The template prints a field that the user has to set, and the CR does not have it.",
			Do: "Set the field in the CR. If it is meant to be optional, the reference should ask for it inside an `if` or `with`, or through " +
				"`default`.",
		},
		{
			Code:  EvalInline,
			Title: "an inline diff function could not be applied",
			Cause: "With the values of this CR the template has no text at the path of the function, or its expression does not compile.",
			Do:    "Correct the template, or the pathToKey in the template's `perField`.",
		},
		{
			Code:  EvalInlineGroup,
			Title: "a named group matched different values",
			Cause: "Groups of one name must match the same text wherever they stand in one CR, and here they did not.",
			Do:    "Make the values that the message names agree in the CR. If they may differ, the reference should name the groups differently.",
		},
		{
			Code:  EvalInlineNoMatch,
			Title: "a value does not match the reference's expression",
			Cause: "The reference allows every value that its regular expression describes, and the CR's value is none of them.",
			Do:    "Change the value in the CR so that it matches the expression, which stands on the reference's side of the difference.",
		},
		{
			Code:  EvalOverride,
			Title: "an override could not be applied",
			Cause: "The patch does not fit the rendered template, such as an rfc6902 operation on a path that is not there, or the " +
				"override's template yields no `type` and `patch`.",
			Do: "Correct the patch. It is applied to what the template yields for this CR, not to the CR.",
		},
		{
			Code:  EvalDecode,
			Title: "a CR could not be decoded",
			Cause: "The CR was found and its identity is known, but its content cannot be read as a Kubernetes object, such as an unknown " +
				"anchor or a list where a mapping must be.",
			Do: "Repair the file at the line that the message names, or gather it again.",
		},
		{
			Code:  EvalMasked,
			Title: "the value was masked by the collector",
			Cause: "The support archive holds a placeholder where the cluster has a value, as collectors write for secrets. What the cluster " +
				"has is unknown, so it is no drift.",
			Do: "Look at the value on the cluster itself if it matters.",
		},
		{
			Code:  OverrideObsolete,
			Title: "an override is not needed any more",
			Cause: "The CR agrees with the reference, without the override, in every field that the override's patch changes: the CR or the " +
				"reference was mended, or the patch changes nothing. So the override was not applied.",
			Do: "Delete the override.",
		},
	}
}
