package code

// 1xxx: usage and input.
const (
	Usage             Code = "VT1001" // the command line is not valid
	InputNotFound     Code = "VT1002" // an input does not exist or cannot be opened
	InputUnreadable   Code = "VT1003" // a file or folder of the input cannot be read
	InputNoObjects    Code = "VT1004" // the input contains no Kubernetes object
	DocumentBroken    Code = "VT1005" // a file that should hold CRs is not valid YAML or JSON
	ArchiveBroken     Code = "VT1006" // an archive is truncated or corrupt
	ArchiveNotRead    Code = "VT1007" // an archive inside the input was not opened
	CopiesDiffer      Code = "VT1008" // the input has different copies of a CR
	LinkSkipped       Code = "VT1009" // a symbolic link was not followed
	UnsafeName        Code = "VT1010" // an archive entry has an unsafe name
	ObjectWithoutName Code = "VT1011" // a CR has no name
	DiffConfigBroken  Code = "VT1012" // the diff config cannot be used
	OverridesBroken   Code = "VT1013" // the overrides file cannot be used
	OverrideUnused    Code = "VT1014" // an override was not used
	OverrideExpired   Code = "VT1015" // an override has expired
	ManualPairUnknown Code = "VT1016" // a manual pair names an unknown template
	ManualPairUnused  Code = "VT1017" // a manual pair names no CR of the input
	ComponentUnknown  Code = "VT1018" // no component has this name
	WrappedNotRead    Code = "VT1019" // CRs inside other CRs were not read
	OutputFailed      Code = "VT1020" // the report could not be written
	Interrupted       Code = "VT1021" // the run was interrupted
	KeyTwice          Code = "VT1022" // a CR has the same key more than once
	NotAccepted       Code = "VT1023" // a finding was left out of the overrides
	NoTerminal        Code = "VT1024" // a terminal is needed
	ImpactBroken      Code = "VT1025" // the impact rules cannot be used
	ReportBroken      Code = "VT1026" // a saved report cannot be used
	OtherReference    Code = "VT1027" // saved reports are of different references
	BaselineBroken    Code = "VT1028" // the baseline cannot be used
	BaselineUnclear   Code = "VT1029" // the baseline is incomplete
	WrappedTooDeep    Code = "VT1030" // CRs are wrapped in too many levels
	WrappedUnknown    Code = "VT1031" // a wrapped value is not a CR
	WrappedRefused    Code = "VT1032" // CRs of a policy or patch do not count as present
	ClusterUnclear    Code = "VT1040" // the cluster of some CRs is unclear
	FileBlank         Code = "VT1041" // a file of a support archive holds no CR
	PlaceholdersOpen  Code = "VT1042" // placeholders are compared as text
	ObjectLost        Code = "VT1043" // an incomplete or encrypted CR was not compared
	CopiesDisagree    Code = "VT1044" // copies of a CR give different results
	NotCollected      Code = "VT1045" // CRs could not be collected
	NothingToGenerate Code = "VT1046" // no CR is left to generate a reference from
	NotGenerated      Code = "VT1047" // a CR cannot be made a template
	NoFolder          Code = "VT1048" // the folder for a reference cannot be written
	ClusterLacking    Code = "VT1050" // a cluster of the baseline is not in the input
	GatheredApart     Code = "VT1051" // one cluster was collected at different times
	SelectorIdle      Code = "VT1052" // --cr matches no compared CR
	ComponentLacking  Code = "VT1054" // the input has no CR of a selected component
	ListBroken        Code = "VT1055" // the list of files cannot be used
	ClusterTwice      Code = "VT1056" // saved reports are of the same cluster
	OutputInUse       Code = "VT1057" // an output is a file that the run reads or writes, or one of an input
	LookupUnknown     Code = "VT1058" // CRs that a template looks up may not have been collected
	ChartNotRendered  Code = "VT1059" // templates of a Helm chart were not rendered
	ReferenceInInput  Code = "VT1060" // files of an input belong to a reference or a fix, or an input is inside the reference
	NoSchema          Code = "VT1061" // --crds names no schema
	NotKustomized     Code = "VT1062" // a kustomization changes CRs that were compared
	Enclosed          Code = "VT1063" // CRs inside other documents were not read
	NamedNotRead      Code = "VT1064" // the input names files with CRs that are not in it
	OutputLeft        Code = "VT1065" // an unfinished file of an earlier run is next to an output
	HalfArchive       Code = "VT1066" // a support archive lacks all CRs with, or without, a namespace
)

// 2xxx: the reference.
const (
	RefNotFound        Code = "VT2001" // the reference does not exist
	RefEmpty           Code = "VT2002" // the reference has no template
	RefSyntax          Code = "VT2003" // the metadata file is not valid YAML
	RefAPIVersion      Code = "VT2004" // the metadata file has an unknown apiVersion
	RefUnknownKey      Code = "VT2005" // the format has no such key
	RefDuplicateKey    Code = "VT2006" // a mapping has the same key more than once
	RefType            Code = "VT2007" // a value has the wrong type
	RefNoName          Code = "VT2008" // a part or component has no name
	RefDuplicateName   Code = "VT2009" // two parts, or two components of one part, have the same name
	RefNoRule          Code = "VT2010" // a component has no rule
	RefManyRules       Code = "VT2011" // a component has more than one rule
	RefComponentType   Code = "VT2012" // a component's type is neither Required nor Optional
	RefNoPath          Code = "VT2013" // a template entry has no path
	RefTemplateMissing Code = "VT2014" // a template's file does not exist
	RefTemplateTwice   Code = "VT2015" // a template is listed more than once
	RefTemplateParse   Code = "VT2016" // a template does not parse
	RefTemplateNoKind  Code = "VT2017" // a template's kind is not literal
	RefTemplateYAML    Code = "VT2018" // a template does not print one YAML mapping
	RefFunctionFile    Code = "VT2019" // a template function file is missing or does not parse
	RefOmitUnknown     Code = "VT2020" // a list of fields to omit does not exist
	RefOmitCircle      Code = "VT2021" // lists of fields to omit include each other in a circle
	RefOmitReserved    Code = "VT2022" // the built-in list of fields to omit is redefined
	RefOmitEntry       Code = "VT2023" // an entry of fieldsToOmit cannot be used
	RefPathToKey       Code = "VT2024" // a pathToKey cannot be parsed
	RefInlineUnknown   Code = "VT2025" // an entry of perField does not say how to compare the field
	RefInlinePath      Code = "VT2026" // the path of an inline diff function is not in the template
	RefInlineRegexp    Code = "VT2027" // the expression of an inline diff function does not compile
	RefAnnotation      Code = "VT2028" // the attributes annotation is not valid
	RefOverlap         Code = "VT2029" // several templates match the same CRs
	RefNoType          Code = "VT2030" // a component without type never reports a missing CR
	RefPathOutside     Code = "VT2031" // a path leaves the reference
	RefUnreadable      Code = "VT2032" // a file of the reference cannot be read
	RefVersionOnly     Code = "VT2033" // the key belongs to another version of the format
	RefUnsteady        Code = "VT2034" // a template calls a function whose result changes
	RefKeyCase         Code = "VT2035" // a key has the wrong letter case
	RefNoEffect        Code = "VT2036" // a key, part or rule has no effect
	RefSecondDocument  Code = "VT2037" // a file has more than one YAML document
	RefNumber          Code = "VT2038" // text is not quoted, and YAML reads it as another type
	RefOddPath         Code = "VT2039" // a pathToKey looks wrong
	RefPassedOver      Code = "VT2040" // a file of the reference is not a CR
	RefLiteral         Code = "VT2041" // a file with double braces is not a template
	RefUndefined       Code = "VT2042" // a template calls an undefined template
	RefSingleBraces    Code = "VT2043" // braces of a template are not doubled
	RefDefaultReversed Code = "VT2044" // the arguments of default are reversed
	RefHelm            Code = "VT2045" // a template reads a value that only Helm has
	RefProbeCut        Code = "VT2046" // a template cannot be followed to its end
	RefNoNamespace     Code = "VT2047" // a template for a namespaced kind states no namespace
	RefExact           Code = "VT2048" // extra rights are not reported as drift
	RefComputedName    Code = "VT2049" // the name of a called template is computed
	RefInlineGroup     Code = "VT2050" // a capture group is invalid

	RefNever            Code = "VT2051" // no CR can match a template
	RefUnmeetable       Code = "VT2052" // no input can satisfy the rules
	RefUnusedDefinition Code = "VT2053" // nothing calls a definition
	RefReplaced         Code = "VT2054" // a definition has no effect
	RefNoSuchKey        Code = "VT2055" // a template has a key that no CR has
	RefNotText          Code = "VT2056" // a number or boolean is in a field of text
	RefUnquoted         Code = "VT2057" // text is printed without quotes
	RefTemplateKeyTwice Code = "VT2058" // a template has the same key more than once
	RefReadCase         Code = "VT2059" // a template reads and writes a key in different letter case
	RefPathNowhere      Code = "VT2060" // a path to omit leads nowhere
	RefBareKey          Code = "VT2061" // a key without a value forbids the key
	RefUnlisted         Code = "VT2062" // no component lists a CR in the folder of the reference
	RefFails            Code = "VT2063" // a template fails for CRs
	RefIncompatible     Code = "VT2064" // kube-compare does not support this, or reads it differently
	RefArguments        Code = "VT2065" // a call has the wrong arguments
	RefRecursion        Code = "VT2066" // a definition calls itself without end
	RefRegexp           Code = "VT2067" // a regular expression in a template does not compile
	RefPatternUnread    Code = "VT2068" // capture groups have no entry in perField
	RefDropped          Code = "VT2069" // a duplicate key drops a part of the reference
	RefNotRead          Code = "VT2070" // a file that may hold CRs is not part of the reference

	ValuesBroken  Code = "VT2071" // a values file cannot be used
	ValueMissing  Code = "VT2072" // a template needs a value that is not given
	ValueIdle     Code = "VT2073" // a value has no effect
	RenderRefused Code = "VT2074" // a rendered CR does not agree with its template
	RenderTwice   Code = "VT2075" // a CR is rendered more than once
	RenderSecret  Code = "VT2076" // a rendered CR would contain data of a Secret
	RenderFolder  Code = "VT2077" // a folder cannot be rendered into
	RenderCircle  Code = "VT2078" // CRs look up each other without end

	FixtureNone       Code = "VT2081" // the reference has no fixtures
	FixtureBroken     Code = "VT2082" // the expectation of a fixture cannot be used
	FixtureIncomplete Code = "VT2083" // a fixture has no input or no expectation
	FixtureClusters   Code = "VT2084" // the input of a fixture is of several clusters
	FixtureDiffers    Code = "VT2085" // a fixture does not give the expected result

	RefClosed Code = "VT2106" // an embedded document of a template cannot be parsed
	RefAsIs   Code = "VT2111" // a field of a template cannot be compared as perField says
	RefTwice  Code = "VT2112" // two entries of perField are for one field

	RefCodes         Code = "VT2120" // codes.yaml cannot be used
	RefStatement     Code = "VT2121" // a call of violation or note is not valid
	RefCodeUndefined Code = "VT2122" // a code is not defined in codes.yaml
	RefCodeUnused    Code = "VT2123" // a code is defined but never used

	RefReadElsewhere Code = "VT2091" // a template reads another field than it writes
	RefTextKey       Code = "VT2092" // a key of a label or text is divided
	RefConstant      Code = "VT2093" // a condition is the same for every CR
	RefVariable      Code = "VT2094" // nothing reads a variable
	RefReversed      Code = "VT2095" // the arguments of a search are reversed
	RefOctal         Code = "VT2096" // a number is octal in YAML
	RefLookup        Code = "VT2097" // a lookup can find no CR
	RefSibling       Code = "VT2098" // a name is one letter from that of other templates
	RefLoopIndex     Code = "VT2099" // an entry of perField is for one item of a list that the template repeats
	RefDisagrees     Code = "VT2100" // a source CR disagrees with the reference
	RefStray         Code = "VT2101" // a line of a template is in another place than it seems
	RefAllOmitted    Code = "VT2102" // all that a template states is omitted

	SchemaBroken    Code = "VT2131" // a definition is not usable as a schema
	RefFieldUnknown Code = "VT2132" // a kind does not have the field
	RefFieldRefused Code = "VT2133" // the API server rejects a value
	RefFieldMissing Code = "VT2134" // a template lacks a required field
	RefNotServed    Code = "VT2135" // no CR can have this kind, version or namespace
	RefListKeys     Code = "VT2136" // a list or an entry of perField does not fit the schema
)

// 3xxx: rules.
const (
	RuleMissing      Code = "VT3001" // required CRs were not found
	RuleForbidden    Code = "VT3002" // forbidden CRs are present
	RuleOneRequired  Code = "VT3003" // one of several CRs is required, but none was found
	RuleExclusive    Code = "VT3004" // only one of several CRs is allowed
	RuleNotGathered  Code = "VT3005" // a required CR was not found, but may not have been collected
	WrongReference   Code = "VT3006" // the reference is for another cluster version
	PartNotCollected Code = "VT3007" // no required CR of a part was collected
	RuleUnknown      Code = "VT3008" // CRs that would break a rule may not have been collected
	FewRequired      Code = "VT3009" // few of the required CRs exist
)

// 4xxx: the evaluation of one object.
const (
	EvalTemplate      Code = "VT4001" // a template failed for a CR
	EvalFail          Code = "VT4002" // a check of the reference failed
	EvalYAML          Code = "VT4003" // a template printed invalid YAML
	EvalMissingKey    Code = "VT4004" // the CR lacks a mandatory field
	EvalInline        Code = "VT4005" // an inline diff function could not be applied
	EvalInlineGroup   Code = "VT4006" // a named group matched different values
	EvalInlineNoMatch Code = "VT4007" // a value does not match the reference's expression
	EvalOverride      Code = "VT4008" // an override could not be applied
	EvalDecode        Code = "VT4009" // a CR could not be decoded
	EvalMasked        Code = "VT4010" // the collector masked a value
	OverrideObsolete  Code = "VT4030" // an override is no longer needed
	OverrideStale     Code = "VT4031" // an override is stale
	OverridesMovedOn  Code = "VT4032" // some overrides are stale
	EvalPlaceholder   Code = "VT4040" // a value is a placeholder or depends on one
	EvalClosed        Code = "VT4041" // an embedded document is compared as text
	FixOpen           Code = "VT4050" // --output fix does not know a value of a CR
	FixHeld           Code = "VT4051" // --output fix does not write a CR
	EvalOrder         Code = "VT4060" // a list has the same items in another order
	EvalAsIs          Code = "VT4061" // a field is not compared as perField says
	EvalExact         Code = "VT4062" // a field that must equal the reference exactly has more than it states
	InvalidValue      Code = "VT4071" // the schema of the kind rejects a value
	InvalidMissing    Code = "VT4072" // a field that the schema requires is missing
	InvalidUnknown    Code = "VT4073" // the schema has no such field
	InvalidVersion    Code = "VT4074" // the kind is not served in this version
	Unvalidated       Code = "VT4075" // warning: some kinds have no schema
	ValidateUnknown   Code = "VT4076" // the reference validates a kind that has no schema
	InvalidRule       Code = "VT4077" // a rule of the schema of the kind is broken
	RulesUnevaluated  Code = "VT4078" // warning: some rules of schemas were not evaluated
)

// 5xxx: limits and safety.
const (
	LimitSize     Code = "VT5001" // a file is larger than the limit
	LimitDepth    Code = "VT5002" // archives are nested deeper than the limit
	LimitSteps    Code = "VT5003" // a template takes too many steps
	LimitOutput   Code = "VT5004" // a template makes too much text
	Internal      Code = "VT5005" // internal error
	LimitUnpacked Code = "VT5006" // archives unpack to more than the limit
	LimitEntries  Code = "VT5007" // archives have more entries than the limit
	LimitArchives Code = "VT5008" // an input has more archives inside than the limit
	LimitHeld     Code = "VT5009" // nested archives do not fit in memory
	LimitNesting  Code = "VT5010" // values are nested deeper than the limit
	LimitAliases  Code = "VT5011" // aliases in YAML repeat more values than the limit
	LimitValues   Code = "VT5012" // a document has more values than the limit
	LimitCalls    Code = "VT5013" // templates call each other deeper than the limit
	LimitObjects  Code = "VT5014" // the inputs have more CRs or clusters than the limit
	LimitLine     Code = "VT5015" // a line of the report is longer than the limit
	LimitTime     Code = "VT5016" // the run exceeded its time limit
	LimitMemory   Code = "VT5020" // the run exceeded its memory limit
)
