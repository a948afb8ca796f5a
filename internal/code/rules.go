package code

// ruleEntries explains the codes of broken component rules.
func ruleEntries() []Entry {
	return []Entry{
		{
			Code:  RuleMissing,
			Title: "required CRs are missing",
			Cause: "No CR of the input matches a template that its component requires, be it always (allOf, Required) or because other " +
				"CRs of the component are there (allOrNoneOf, Optional).",
			Do: "Apply the CR to the cluster. Where a nearest CR is named, it is probably the one that was meant, under another name or in " +
				"another namespace: rename it, or pair it with the template in a diff config.",
		},
		{
			Code:  RuleForbidden,
			Title: "CRs are present that should not be",
			Cause: "The reference lists the template under noneOf, and a CR of the input matches it.",
			Do:    "Remove the CR from the cluster. The description of the component usually tells why.",
		},
		{
			Code:  RuleOneRequired,
			Title: "one of several CRs is required, and none is there",
			Cause: "The component is a choice (oneOf), and no CR of the input matches any of its templates.",
			Do:    "Choose one of the templates that are listed and apply it.",
		},
		{
			Code:  RuleExclusive,
			Title: "only one of several CRs may be there",
			Cause: "The component is a choice (oneOf or anyOneOf), and CRs of the input match more than one of its templates.",
			Do:    "Keep the one that is wanted and remove the others.",
		},
		{
			Code:  RuleNotGathered,
			Title: "a required CR is missing, or was not collected",
			Cause: "The input is a support archive that holds nothing at all of this API group and kind. Either the cluster has none, or " +
				"the collector does not gather the kind. Or the file that the CR would be in, by its path, could not be read or holds no CR.",
			Do: "Collect the kind with the command that the summary ends with (`oc adm inspect …`), and give both archives as inputs.",
		},
	}
}
