package code

// 1xxx: usage and input.
const (
	Usage             Code = "VT1001" // bad usage
	InputNotFound     Code = "VT1002" // an input does not exist or cannot be opened
	InputUnreadable   Code = "VT1003" // a file or folder of the input cannot be read
	InputNoObjects    Code = "VT1004" // the input holds no Kubernetes object
	DocumentBroken    Code = "VT1005" // YAML or JSON that should hold objects does not parse
	ArchiveBroken     Code = "VT1006" // an archive is truncated or corrupt
	ArchiveNotRead    Code = "VT1007" // an archive inside the input was not opened
	CopiesDiffer      Code = "VT1008" // the same object several times with different content
	LinkSkipped       Code = "VT1009" // a link leads out of the input or in a circle
	UnsafeName        Code = "VT1010" // an archive entry's name is absolute or leaves the archive
	ObjectWithoutName Code = "VT1011" // an object has no name
	DiffConfigBroken  Code = "VT1012" // the diff config cannot be used
	OverridesBroken   Code = "VT1013" // the overrides file cannot be used
	OverrideUnused    Code = "VT1014" // an override that no object used
	OverrideExpired   Code = "VT1015" // an override past its date
	ManualPairUnknown Code = "VT1016" // a manual pair names no template
	ManualPairUnused  Code = "VT1017" // a manual pair names no object of the input
	ComponentUnknown  Code = "VT1018" // --component names no component
	WrappedNotRead    Code = "VT1019" // objects wrapped in another object were not looked into
	OutputFailed      Code = "VT1020" // the report could not be written
	Interrupted       Code = "VT1021" // the run was ended before everything was read and compared
	KeyTwice          Code = "VT1022" // warning: a key stands twice in an object, the last one counts
	NotAccepted       Code = "VT1023" // a finding was left out of the overrides that were written
	NoTerminal        Code = "VT1024" // --interactive without a terminal to ask on
	ImpactBroken      Code = "VT1025" // a file of impact rules cannot be used
	ReportBroken      Code = "VT1026" // a saved report cannot be used
	OtherReference    Code = "VT1027" // saved reports are of different references
	BaselineBroken    Code = "VT1028" // the baseline cannot be used
	BaselineUnclear   Code = "VT1029" // the baseline does not tell for sure what is new
	WrappedTooDeep    Code = "VT1030" // wrappers in each other, deeper than the limit
	WrappedUnknown    Code = "VT1031" // what a wrapper carries cannot be told to be an object
	WrappedRefused    Code = "VT1032" // warning: a policy says that objects must not be there, or is disabled
	ClusterUnclear    Code = "VT1040" // it cannot be told of which cluster CRs are
	FileBlank         Code = "VT1041" // warning: a file that a collector writes CRs to holds none
	PlaceholdersOpen  Code = "VT1042" // warning: placeholders are compared as text
	ObjectLost        Code = "VT1043" // what says that it is CRs cannot be compared
	CopiesDisagree    Code = "VT1044" // alarm: copies of an object come to different results
	// some CRs could not be collected; a problem where a template looks them up, else a warning
	NotCollected      Code = "VT1045"
	NothingToGenerate Code = "VT1046" // no object is left to make a reference of
	NotGenerated      Code = "VT1047" // an object cannot be made a template
	NoFolder          Code = "VT1048" // the folder for a reference cannot be written
	ClusterLacking    Code = "VT1050" // a cluster of the baseline is not there
	GatheredApart     Code = "VT1051" // alarm: what is given of a cluster was gathered at times far apart
	SelectorIdle      Code = "VT1052" // --cr means no CR that anything is said about
	ComponentLacking  Code = "VT1054" // nothing of a component that the user named is there
	ListBroken        Code = "VT1055" // a list of files cannot be used
	ClusterTwice      Code = "VT1056" // alarm: saved reports are of the same cluster
	NoSchema          Code = "VT1061" // nothing that --crds names holds a schema
)

// 2xxx: the reference.
const (
	RefNotFound        Code = "VT2001" // no reference at the given place
	RefEmpty           Code = "VT2002" // the reference has no template
	RefSyntax          Code = "VT2003" // the metadata file is not valid YAML
	RefAPIVersion      Code = "VT2004" // unknown apiVersion
	RefUnknownKey      Code = "VT2005" // a key that the format does not have
	RefDuplicateKey    Code = "VT2006" // warning: a key stands twice, the last one counts
	RefType            Code = "VT2007" // a value of the wrong type
	RefNoName          Code = "VT2008" // a part or component without a name
	RefDuplicateName   Code = "VT2009" // two parts or two components of one part share a name
	RefNoRule          Code = "VT2010" // a component with no rule key
	RefManyRules       Code = "VT2011" // a component with more than one rule key
	RefComponentType   Code = "VT2012" // a v1 component's type is neither Required nor Optional
	RefNoPath          Code = "VT2013" // a template entry without a path
	RefTemplateMissing Code = "VT2014" // a template's file does not exist
	RefTemplateTwice   Code = "VT2015" // a template is listed twice
	RefTemplateParse   Code = "VT2016" // a template does not parse
	RefTemplateNoKind  Code = "VT2017" // a template's kind cannot be known
	RefTemplateYAML    Code = "VT2018" // a template does not yield one YAML mapping
	RefFunctionFile    Code = "VT2019" // a template function file is missing or does not parse
	RefOmitUnknown     Code = "VT2020" // a list of fields to omit that does not exist
	RefOmitCircle      Code = "VT2021" // lists of fields to omit include each other in a circle
	RefOmitReserved    Code = "VT2022" // the built-in list is redefined
	RefOmitEntry       Code = "VT2023" // an entry of fieldsToOmit is not usable
	RefPathToKey       Code = "VT2024" // a pathToKey cannot be read
	RefInlineUnknown   Code = "VT2025" // an entry of perField does not say how the field is compared
	RefInlinePath      Code = "VT2026" // an inline diff function's path is not in the template
	RefInlineRegexp    Code = "VT2027" // an inline diff function's expression does not compile
	RefAnnotation      Code = "VT2028" // the attributes annotation is not valid JSON
	RefOverlap         Code = "VT2029" // warning: several templates meet the same objects
	RefNoType          Code = "VT2030" // warning: a v1 component without type reports nothing
	RefPathOutside     Code = "VT2031" // a path leads out of the reference
	RefUnreadable      Code = "VT2032" // a file of the reference cannot be read
	RefVersionOnly     Code = "VT2033" // a key that belongs to another version of the format
	RefUnsteady        Code = "VT2034" // warning: a template calls a function whose result differs from run to run
	RefKeyCase         Code = "VT2035" // warning: a key or word in another letter case
	RefNoEffect        Code = "VT2036" // warning: something that has no effect
	RefSecondDocument  Code = "VT2037" // alarm: what follows the first YAML document is ignored
	RefNumber          Code = "VT2038" // warning: a number or true or false where text is meant
	RefOddPath         Code = "VT2039" // warning: a pathToKey that may not mean what its author meant
	RefPassedOver      Code = "VT2040" // warning: a file of a reference without metadata is no CR
	RefLiteral         Code = "VT2041" // warning: a file with braces is no template and is taken as it is
	RefUndefined       Code = "VT2042" // a template calls one that is not defined
	RefSingleBraces    Code = "VT2043" // warning: braces that are not doubled
	RefDefaultReversed Code = "VT2044" // warning: the arguments of default are reversed
	RefHelm            Code = "VT2045" // warning: a template reads what only Helm has
	RefProbeCut        Code = "VT2046" // warning: a template could not be followed to its end
	RefNoNamespace     Code = "VT2047" // warning: a template states no namespace
	RefExact           Code = "VT2048" // warning: extra items of a list of rights are not told as drift
	RefInlineGroup     Code = "VT2050" // warning: a capture group is malformed, and so is text

	RefNever            Code = "VT2051" // no CR can match a template
	RefUnmeetable       Code = "VT2052" // no input can meet the rules
	RefUnusedDefinition Code = "VT2053" // warning: a function file or a definition that nothing calls
	RefReplaced         Code = "VT2054" // warning: a definition that another of its name takes the place of
	RefNoSuchKey        Code = "VT2055" // a key that no CR has
	RefNotText          Code = "VT2056" // a number, true or false in a field of text
	RefUnquoted         Code = "VT2057" // warning: text is printed without quotes and may be read as something else
	RefTemplateKeyTwice Code = "VT2058" // warning: a key stands twice in a template
	RefReadCase         Code = "VT2059" // warning: a template reads a key in another letter case than it writes it
	RefPathNowhere      Code = "VT2060" // warning: a path leads nowhere
	RefBareKey          Code = "VT2061" // warning: a key without a value, with ignore-unspecified-fields
	RefUnlisted         Code = "VT2062" // warning: a file in the folder that no component lists
	RefFailsWithout     Code = "VT2063" // warning: a template fails for a CR that sets nothing
	RefIncompatible     Code = "VT2064" // warning: kube-compare refuses it or reads it otherwise
	RefArguments        Code = "VT2065" // a call with too few or too many arguments, or without one that is needed
	RefRecursion        Code = "VT2066" // a definition calls itself without end
	RefRegexp           Code = "VT2067" // a regular expression in a template does not compile
	RefPatternUnread    Code = "VT2068" // warning: no entry of perField reads the groups of a text

	ValuesBroken  Code = "VT2071" // a values file cannot be used
	ValueMissing  Code = "VT2072" // a template needs a value that is not given
	ValueIdle     Code = "VT2073" // a value has no effect
	RenderRefused Code = "VT2074" // what a template makes of its values does not meet the template
	RenderTwice   Code = "VT2075" // a CR is rendered twice
	RenderSecret  Code = "VT2076" // data of a Secret of the input would go into a rendered CR
	RenderFolder  Code = "VT2077" // a folder cannot be rendered into
	RenderCircle  Code = "VT2078" // CRs look up each other without end

	FixtureNone       Code = "VT2081" // a reference has no fixtures
	FixtureBroken     Code = "VT2082" // the expectation of a fixture cannot be used
	FixtureIncomplete Code = "VT2083" // a fixture has no input or no expectation
	FixtureClusters   Code = "VT2084" // the input of a fixture is of several clusters
	FixtureDiffers    Code = "VT2085" // a fixture does not come to what is expected

	RefClosed Code = "VT2106" // warning: a template's text cannot be looked into
	RefAsIs   Code = "VT2111" // warning: a template's field cannot be compared as perField says
	RefTwice  Code = "VT2112" // warning: two entries of perField say how one field is compared

	RefCodes         Code = "VT2120" // the file of the reference's own codes cannot be used
	RefStatement     Code = "VT2121" // a call of violation or note whose code or path is none
	RefCodeUndefined Code = "VT2122" // warning: a code of the reference's own that its file does not define
	RefCodeUnused    Code = "VT2123" // warning: a code of the reference's own that no template gives

	SchemaBroken    Code = "VT2131" // warning: a definition of a kind cannot be used as a schema
	RefFieldUnknown Code = "VT2132" // a field that the schema of the kind does not have
	RefFieldRefused Code = "VT2133" // a value that the schema of the kind refuses
	RefFieldMissing Code = "VT2134" // warning: a template does not give a field that the schema requires
	RefNotServed    Code = "VT2135" // no CR can have the kind in this version, or is in a namespace
	RefListKeys     Code = "VT2136" // warning: perField does not fit the type of a field, or the keys of a list
)

// 3xxx: rules.
const (
	RuleMissing      Code = "VT3001" // required CRs were not found
	RuleForbidden    Code = "VT3002" // CRs are present that should not be
	RuleOneRequired  Code = "VT3003" // one of several CRs is required and none is there
	RuleExclusive    Code = "VT3004" // only one of several CRs may be there
	RuleNotGathered  Code = "VT3005" // not found, and perhaps not collected
	WrongReference   Code = "VT3006" // alarm: the reference is for another version of the cluster
	PartNotCollected Code = "VT3007" // alarm: nothing that a part requires was collected
)

// 4xxx: the evaluation of one object.
const (
	EvalTemplate      Code = "VT4001" // the template could not be executed on the object
	EvalFail          Code = "VT4002" // the template called fail
	EvalYAML          Code = "VT4003" // what the template printed is not one YAML mapping
	EvalMissingKey    Code = "VT4004" // the template prints a key that the object lacks
	EvalInline        Code = "VT4005" // an inline diff function could not be applied
	EvalInlineGroup   Code = "VT4006" // a group matched different values
	EvalInlineNoMatch Code = "VT4007" // a value does not match its expression
	EvalOverride      Code = "VT4008" // an override could not be applied
	EvalDecode        Code = "VT4009" // the object could not be decoded
	EvalMasked        Code = "VT4010" // the value was masked by the collector
	OverrideObsolete  Code = "VT4030" // an override that the CR does not need any more
	OverrideStale     Code = "VT4031" // an override of what the reference does not say any more
	OverridesMovedOn  Code = "VT4032" // alarm: overrides are stale
	EvalPlaceholder   Code = "VT4040" // the value is a placeholder, or hangs on one
	EvalClosed        Code = "VT4041" // warning: a text is compared as it is, for it cannot be looked into
	FixOpen           Code = "VT4050" // a CR that is to be mended has values that only the user knows
	FixHeld           Code = "VT4051" // a CR that is to be mended is not written, because of what is in it
	EvalOrder         Code = "VT4060" // a list has the same items in another order
	EvalAsIs          Code = "VT4061" // warning: a field is compared as it is, and not as perField says
	EvalExact         Code = "VT4062" // a field has more than the reference states, where that is exact
)

// 5xxx: limits and safety.
const (
	LimitSize     Code = "VT5001" // a file is larger than the limit
	LimitDepth    Code = "VT5002" // archives inside archives, deeper than the limit
	LimitSteps    Code = "VT5003" // a template takes too many steps
	LimitOutput   Code = "VT5004" // a template makes too much text
	Internal      Code = "VT5005" // a fault of the tool itself
	LimitUnpacked Code = "VT5006" // archives unpack to more than the limit
	LimitEntries  Code = "VT5007" // archives have more entries than the limit
	LimitArchives Code = "VT5008" // more archives inside an input than the limit
	LimitHeld     Code = "VT5009" // archives inside an archive are larger than what is kept of it
	LimitNesting  Code = "VT5010" // YAML or JSON nested deeper than the limit
	LimitAliases  Code = "VT5011" // YAML aliases repeat more than the limit
	LimitValues   Code = "VT5012" // a document has more values than the limit
	LimitCalls    Code = "VT5013" // templates call each other deeper than the limit
	LimitObjects  Code = "VT5014" // more objects or clusters than the limit
	LimitLine     Code = "VT5015" // a line of the report is longer than the limit
	LimitTime     Code = "VT5016" // alarm: the run took more time than its limit
	LimitMemory   Code = "VT5020" // alarm: the run took more memory than its limit
)
