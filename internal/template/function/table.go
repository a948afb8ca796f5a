package function

import (
	"fmt"
	"path"
	"reflect"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/text/quantity"
)

// Function is a row of the table: all properties of a template function.
type Function struct {
	Name string

	// Engine: internal/template/render evaluates the function, because it knows the origin of the
	// arguments.
	Engine bool
	// Lazy: the function may skip arguments.
	Lazy bool
	// Absent says what comes of an argument that the CR lacks.
	Absent Absent
	// Mutates: the function changes its first argument, a map, which may put secret data into it.
	Mutates bool
	// OneLine: the result is always one value on one line.
	OneLine bool
	// LooksUp: the function looks up other objects of the input by apiVersion, kind and more.
	LooksUp bool
	// takes is the type that the arguments must have although the Go function accepts any type:
	// "list" or "number"; "" if they may have any type.
	takes string
	// Unsteady is the reason why the result may differ between runs with the same arguments, as
	// the end of a sentence; "" if the result is always the same.
	Unsteady string

	// Most functions read all of their arguments, and their result is at most a few times as
	// large. A function marked shallow reads and produces only elements, without the values nested
	// in them. makes estimates the bytes of a result that may be much larger than the arguments.
	// searches estimates the cost of a search in a text.
	shallow  bool
	makes    func(Call) int
	searches func(Call) int

	least, most int           // number of arguments
	is          any           // Go function; nil for Engine and for functions of sprig
	call        reflect.Value // Go function; invalid for Engine
}

// Absent is the treatment of arguments that the CR lacks.
type Absent int

const (
	// Misses: the function is not called, and its result is absent too. To print it is a finding; a
	// condition or range treats it as nothing.
	Misses Absent = iota
	// Carries: the function takes nil for an absent argument. To print the result is a finding, unless
	// it is used for what else it contains.
	Carries
	// Drops: Misses, but the result has none of the absent values that its arguments carry.
	Drops
	// Copes: the function handles absent arguments, so its result never counts as missing.
	Copes
	// Follows: internal/template/render knows what the result is.
	Follows
)

// These are the reasons why results differ from run to run.
const (
	clock    = "reads the clock"
	maybeNow = "uses the present time if it gets none"
	zonesToo = maybeNow + ", and reads the time zones of the machine"
	random   = "returns something random"
)

// unlimited is the largest number of arguments of a variadic function.
const unlimited = 1 << 30

// plain lists the functions of sprig without special properties: for values, lists and maps, text,
// paths, numbers and versions, JSON, time, and cryptography.
const plain = `deepCopy mustDeepCopy
	mustSlice mustHas
	cat abbrev abbrevboth b32dec b32enc b64dec contains ext hasPrefix hasSuffix hello plural substr trimPrefix trimSuffix
	trunc regexQuoteMeta camelcase initials kebabcase nospace snakecase swapcase title untitle wrap
	base clean dir isAbs urlJoin urlParse
	atoi toDecimal semver semverCompare
	mustFromJson
	dateModify date_modify mustDateModify must_date_modify duration unixEpoch
	derivePassword adler32sum sha1sum sha256sum sha512sum buildCustomCert decryptAES`

// rows returns the table. A row may name several functions that share all its properties. A number
// of arguments after a name, such as /2, /2-3, or /2- for two or more, makes it a function of the
// engine. A function of sprig without a row does not exist for templates; this excludes those that
// read the environment or the network.
func rows() []Function {
	return []Function{
		{Name: plain},

		// Choosing, comparing, and reading values.
		{Name: "and/1- or/1-", Lazy: true, Absent: Copes, OneLine: true},
		{Name: "eq/2- ne/2 default/1- coalesce/0- ternary/3 len/1", Absent: Copes, OneLine: true},
		{Name: "dig/3-", Absent: Copes},
		{Name: "index/1- get/2", OneLine: true, Absent: Follows},
		{
			Name:   "first/1 last/1 call/1- include/2 maxListLength/2 minListLength/2",
			Absent: Follows,
		},
		{Name: "lt/2 le/2 gt/2 ge/2 oldCR/0 inputFiles/1"},
		{Name: "list/0- tuple/0- dict/0-", Absent: Carries},
		{Name: "lookupCR/4 lookupCRs/4", LooksUp: true, Absent: Follows},
		{Name: "not", Absent: Copes, OneLine: true, shallow: true, is: Empty},
		{Name: "hasKey", Absent: Copes, OneLine: true, shallow: true},
		{Name: "empty all any kindIs kindOf typeIs typeIsLike typeOf", Absent: Copes, shallow: true},
		{Name: "has deepEqual", Absent: Copes},

		// Lists and maps.
		{Name: "set unset", Mutates: true, shallow: true, Absent: Carries},
		{Name: "merge mergeOverwrite mustMerge mustMergeOverwrite", Mutates: true, Absent: Carries},
		{Name: "keys", shallow: true, is: keys}, // sprig's keys and values have no order
		{Name: "values", shallow: true, is: values},
		{
			Name:    "append push mustAppend mustPush prepend mustPrepend",
			shallow: true,
			Absent:  Carries,
		},
		{Name: "compact mustCompact", shallow: true, Absent: Drops},
		{
			Name: "pick omit pluck concat mustFirst mustLast rest mustRest initial mustInitial reverse mustReverse chunk " +
				"mustChunk",
			shallow: true,
		},
		{Name: "slice", shallow: true, is: slice},
		{Name: "sortAlpha toStrings", takes: "list"},
		{Name: "uniq mustUniq", is: uniq}, // sprig's uniq is slow
		{Name: "without mustWithout", searches: compareCost},
		{Name: "until seq", makes: sequenceSize},
		{Name: "untilStep", makes: func(c Call) int { return sequence(c.number(0), c.number(1), c.number(2)) }},

		// Text.
		{Name: "print", Absent: Carries, is: fmt.Sprint},
		{Name: "println", Absent: Carries, is: fmt.Sprintln},
		{
			Name:   "printf",
			Absent: Carries,
			is:     printf,
			makes:  func(c Call) int { return saturatedSum(c.size.Bytes, formattedSize(c)) },
		},
		{Name: "osBase", is: path.Base}, // sprig's functions for paths of the machine depend on its system
		{Name: "osClean", is: path.Clean},
		{Name: "osDir", is: path.Dir},
		{Name: "osExt", is: path.Ext},
		{Name: "osIsAbs", is: path.IsAbs},
		{Name: "html", is: template.HTMLEscaper},
		{Name: "js", is: template.JSEscaper},
		{Name: "urlquery", is: template.URLQueryEscaper},
		{Name: "quote squote toString trim b64enc lower upper", OneLine: true},
		{Name: "trimAll trimall", searches: trimCost},
		{Name: "repeat", makes: func(c Call) int { return saturatedSum(0, c.number(0), len(c.text(1))) }},
		{
			Name:  "indent nindent",
			makes: func(c Call) int { return saturatedSum(c.size.Bytes, c.number(0), c.size.Lines+1) },
		},
		{
			Name: "wrapWith",
			makes: func(c Call) int {
				return saturatedSum(c.size.Bytes, len(c.text(2))/max(c.number(0), 1)+1,
					len(c.text(1)))
			},
		},
		{
			Name: "replace",
			makes: func(c Call) int {
				return saturatedSum(c.size.Bytes, strings.Count(c.text(2), c.text(0)),
					len(c.text(1)))
			},
		},
		{
			Name:  "join",
			takes: "list",
			makes: func(c Call) int { return saturatedSum(c.size.Bytes, c.size.Nodes, len(c.text(0))) },
		},
		{
			Name:  "split splitList",
			makes: func(c Call) int { return partsSize(c.text(1), strings.Count(c.text(1), c.text(0))+1) },
		},
		{
			Name:  "splitn",
			makes: func(c Call) int { return partsSize(c.text(2), min(max(c.number(1), 0), len(c.text(2))+1)) },
		},
		{Name: "regexMatch mustRegexMatch regexFind mustRegexFind", searches: matchCost},
		{
			Name:     "regexFindAll mustRegexFindAll regexSplit mustRegexSplit",
			searches: matchAllCost,
			makes:    func(c Call) int { return partsSize(c.text(1), matches(c.text(0), c.text(1), 0)+1) },
		},
		{Name: "regexReplaceAll mustRegexReplaceAll", searches: matchAllCost, makes: func(c Call) int {
			return saturatedSum(
				replacedSize(c), strings.Count(c.text(2), "$"), len(c.text(1)),
			) // each $ may insert the groups of all matches
		}},
		{Name: "regexReplaceAllLiteral mustRegexReplaceAllLiteral", searches: matchAllCost, makes: replacedSize},

		// Numbers and versions.
		{Name: "int int64 float64", OneLine: true, takes: "number"}, // an error quotes text that is not a number
		{
			Name:  "add add1 add1f addf biggest ceil div divf floor max maxf min minf mod mul mulf round sub subf",
			takes: "number",
		},
		{Name: "cpuSetSize", OneLine: true, is: cpuSetSize},
		{Name: "cpuSetsOverlap", is: onCPUSets(quantity.CPUs.Overlap)},
		{Name: "cpuSetsEqual", is: onCPUSets(quantity.CPUs.Equal)},
		{Name: "quantityCompare", OneLine: true, is: quantityCompare},
		{Name: "quantityEqual", is: quantityEqual},

		// Conversions known from Helm.
		{Name: "toYaml", Absent: Carries, is: toYaml, makes: printedSize},
		{Name: "fromYaml", is: fromYaml},
		{Name: "fromYamlArray", is: fromYamlArray},
		{Name: "toJson", Absent: Carries, OneLine: true, is: toJSON},
		{Name: "mustToJson toRawJson mustToRawJson", Absent: Carries},
		{Name: "fromJson", is: fromJSON},
		{Name: "fromJsonArray", is: fromJSONArray},
		{Name: "toToml", is: toTOML, makes: printedSize},
		{Name: "toPrettyJson mustToPrettyJson", Absent: Carries, makes: printedSize},

		// Time. Our own functions replace those of sprig that use the time zone of the machine.
		{Name: "ago", Unsteady: clock},
		{Name: "now", Unsteady: clock, is: now},
		{Name: "date", Unsteady: maybeNow, is: func(layout string, v any) string { return inZone(layout, v, "UTC") }},
		{Name: "htmlDate", Unsteady: maybeNow, is: func(v any) string { return inZone(time.DateOnly, v, "UTC") }},
		{Name: "durationRound", Unsteady: maybeNow},
		{Name: "dateInZone date_in_zone", Unsteady: zonesToo, is: inZone},
		{
			Name: "htmlDateInZone", Unsteady: zonesToo,
			is: func(v any, zone string) string { return inZone(time.DateOnly, v, zone) },
		},
		{Name: "toDate", is: toDate},
		{Name: "mustToDate", is: mustToDate},

		// Random values.
		{
			Name:     "randAlphaNum randAlpha randAscii randNumeric randBytes",
			Unsteady: random,
			makes:    func(c Call) int { return saturatedSum(0, 8, c.number(0)) },
		},
		{
			Name: "randInt uuidv4 encryptAES shuffle bcrypt htpasswd genPrivateKey genCA genSelfSignedCert genSignedCert " +
				"genCAWithKey genSelfSignedCertWithKey genSignedCertWithKey",
			Unsteady: random,
		},

		// Findings on the object.
		{Name: "fail", is: func(message string) (string, error) { return "", &Failure{Message: message} }},
		{Name: "violation/2-3 note/2-3", OneLine: true, Absent: Follows},
		{
			Name: "doNotMatch",
			is:   func(reason string) (string, error) { return "", &Failure{Message: reason, Refuses: true} },
		},
	}
}

// Failure is the error of a function that reports a finding on the object, or of doNotMatch.
type Failure struct {
	Message string
	Refuses bool // the error is of doNotMatch, which ends the execution
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Table returns the functions by name. It is safe for concurrent use.
func Table() map[string]*Function {
	sprigs := sprig.TxtFuncMap()
	all := map[string]*Function{}
	for _, row := range rows() {
		for entry := range strings.FieldsSeq(row.Name) {
			f := row
			var arguments string
			f.Name, arguments, f.Engine = strings.Cut(entry, "/")
			if f.is == nil && !f.Engine {
				f.is = sprigs[f.Name]
			}
			if f.is != nil {
				f.setCall(reflect.ValueOf(f.is))
			} else {
				f.setCount(arguments)
			}
			all[f.Name] = &f
		}
	}
	return all
}

// setCount sets the number of arguments: 2, 2-3, or 2- for two or more.
func (f *Function) setCount(arguments string) {
	least, most, isRange := strings.Cut(arguments, "-")
	f.least, _ = strconv.Atoi(least) // the tests call each function
	f.most = f.least
	if isRange {
		f.most = unlimited
		if most != "" {
			f.most, _ = strconv.Atoi(most)
		}
	}
}

// Of returns a Function for a Go function that is a value in a template, such as a method.
func Of(name string, call reflect.Value) *Function {
	f := &Function{Name: name}
	f.setCall(call)
	return f
}

func (f *Function) setCall(call reflect.Value) {
	f.call = call
	f.least, f.most = call.Type().NumIn(), call.Type().NumIn()
	if call.Type().IsVariadic() {
		f.least, f.most = f.least-1, unlimited
	}
}

// TakesExpression reports whether the first argument is a regular expression.
func (f *Function) TakesExpression() bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimPrefix(f.Name, "must")), "regex") && f.Name != "regexQuoteMeta"
}

// Takes returns the type of an argument: "string", "map", "list" or "number", for a decoder
// "string of JSON" or of another format; "" for any type.
func (f *Function) Takes(i int) string {
	if format, decodes := strings.CutPrefix(strings.ToUpper(strings.TrimPrefix(f.Name, "must")), "FROM"); decodes {
		return "string of " + strings.TrimSuffix(format, "ARRAY")
	}
	if f.Engine || f.call.Type().NumIn() == 0 {
		return ""
	}
	switch kind := f.param(i).Kind(); kind {
	case reflect.String, reflect.Map:
		return kind.String()
	case reflect.Interface:
		return f.takes
	}
	return ""
}

// CheckCount returns an error if the function does not take this number of arguments.
func (f *Function) CheckCount(arguments int) error {
	switch {
	case arguments >= f.least && arguments <= f.most:
		return nil
	case f.most == unlimited:
		return fmt.Errorf(
			"%s needs at least %s and got %d", f.Name, finding.Plural(f.least, "argument", "arguments"), arguments,
		)
	}
	return fmt.Errorf("%s needs %s and got %d", f.Name, finding.Plural(f.least, "argument", "arguments"), arguments)
}
