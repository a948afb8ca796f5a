package function

import (
	"errors"
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
	// Unknown says what a probe makes of a call. No row lacks it.
	Unknown Unknown
	// Keeps: a text in an argument is also in the result, or decoded in it.
	Keeps bool
	// Mutates: the function changes its first argument, a map, which may put secret data into it.
	Mutates bool
	// OneLine: the result is always one value on one line.
	OneLine bool
	// LooksUp: the function looks up other objects of the input by apiVersion, kind and more.
	LooksUp bool
	// takes are the types of the arguments, "" for any, if those of the Go function are not enough.
	// The last one also holds for all further arguments.
	takes []string
	// gives is the type of each result, for a function of Engine whose results have only one.
	gives reflect.Type
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
// paths, numbers and versions, time, and cryptography.
const plain = `deepCopy mustDeepCopy
	mustSlice
	cat abbrev abbrevboth b32dec b32enc b64dec ext hello plural substr
	trunc regexQuoteMeta camelcase initials kebabcase nospace snakecase swapcase title untitle wrap
	base clean dir isAbs urlJoin urlParse
	atoi toDecimal semver
	dateModify date_modify mustDateModify must_date_modify duration unixEpoch
	derivePassword adler32sum sha1sum sha256sum sha512sum buildCustomCert decryptAES`

// rows returns the table. A row may name several functions that share all its properties. A number
// of arguments after a name, such as /2, /2-3, or /2- for two or more, makes it a function of the
// engine. A function of sprig without a row does not exist for templates; this excludes those that
// read the environment or the network.
func rows() []Function {
	re := &expressions{}
	return []Function{
		{Name: plain, Unknown: Derives},

		// Choosing, comparing, and reading values.
		{Name: "and/1- or/1-", Lazy: true, Absent: Copes, Unknown: Selects, OneLine: true},
		{Name: "coalesce/0-", Absent: Copes, Unknown: Selects, OneLine: true, Keeps: true},
		{Name: "ternary/3", Absent: Copes, Unknown: Chooses, OneLine: true},
		{Name: "default/1-", Absent: Copes, Unknown: Defaults, OneLine: true, Keeps: true},
		{Name: "eq/2- ne/2", Absent: Copes, Unknown: Equates, OneLine: true},
		{Name: "lt/2 le/2 gt/2 ge/2", Unknown: Orders},
		{Name: "len/1", Absent: Copes, Unknown: Derives, OneLine: true, takes: []string{"list or map or string"},
			gives: reflect.TypeFor[int]()},
		{Name: "dig/3-", Absent: Copes, Unknown: Digs},
		{Name: "index/1- get/2", OneLine: true, Absent: Follows, Unknown: Passes},
		{Name: "first/1 last/1", Absent: Follows, Unknown: Enters},
		{Name: "list/0- tuple/0-", Absent: Carries, Unknown: Passes, Keeps: true},
		{Name: "dict/0-", Absent: Carries, Unknown: Pairs, Keeps: true},
		{Name: "call/1-", Absent: Follows, Unknown: Derives},
		{Name: "include/2", Absent: Follows, Unknown: Includes, Keeps: true},
		{Name: "lookupCR/4 lookupCRs/4", LooksUp: true, Absent: Follows, Unknown: Asks},
		{Name: "oldCR/0 inputFiles/1", Unknown: Asks},
		{Name: "not", Absent: Copes, Unknown: Negates, OneLine: true, shallow: true, is: Empty},
		{Name: "hasKey", Absent: Copes, Unknown: Finds, OneLine: true, shallow: true, takes: []string{""}},
		{Name: "empty all any kindOf typeIs typeIsLike typeOf", Absent: Copes, Unknown: Derives, shallow: true},
		{Name: "kindIs", Absent: Copes, Unknown: Classifies, shallow: true},
		{Name: "has", Absent: Copes, Unknown: Contains, takes: []string{"", "list"}},
		{Name: "mustHas", Unknown: Contains, takes: []string{"", "list"}},
		{Name: "deepEqual", Absent: Copes, Unknown: Derives},

		// Lists and maps.
		{Name: "set", Mutates: true, shallow: true, Absent: Carries, Unknown: Assigns, Keeps: true},
		{Name: "unset", Mutates: true, shallow: true, Absent: Carries, Unknown: Derives},
		{
			Name:    "merge mergeOverwrite mustMerge mustMergeOverwrite",
			Mutates: true,
			Absent:  Carries,
			Unknown: Derives,
			Keeps:   true,
		},
		{Name: "keys", Unknown: Derives, shallow: true, is: keys}, // sprig's keys and values have no order
		{Name: "values", Unknown: Derives, shallow: true, is: values},
		{
			Name:    "append push mustAppend mustPush prepend mustPrepend",
			shallow: true,
			Absent:  Carries,
			Unknown: Extends,
			Keeps:   true,
		},
		{Name: "concat", shallow: true, Unknown: Extends, Keeps: true},
		{Name: "compact mustCompact", Absent: Drops, Unknown: Derives, shallow: true},
		{
			Name: "pick omit pluck mustFirst mustLast rest mustRest initial mustInitial reverse mustReverse chunk " +
				"mustChunk",
			Unknown: Derives,
			shallow: true,
		},
		{Name: "slice", Unknown: Derives, shallow: true, is: slice},
		{Name: "sortAlpha toStrings", Unknown: Derives, takes: []string{"list"}},
		{Name: "uniq mustUniq", Unknown: Derives, is: uniq}, // sprig's uniq is slow
		{Name: "without mustWithout", Unknown: Derives, searches: compareCost},
		{Name: "until seq", Unknown: Derives, makes: sequenceSize},
		{
			Name:    "untilStep",
			Unknown: Derives,
			makes:   func(c Call) int { return sequence(c.number(0), c.number(1), c.number(2)) },
		},

		// Text.
		{Name: "print", Absent: Carries, Unknown: Derives, is: fmt.Sprint},
		{Name: "println", Absent: Carries, Unknown: Derives, is: fmt.Sprintln},
		{
			Name:    "printf",
			Unknown: Derives,
			Absent:  Carries,
			is:      printf,
			makes:   func(c Call) int { return saturatedSum(c.size.Bytes, formattedSize(c)) },
		},
		// sprig's functions for paths of the machine depend on its system.
		{Name: "osBase", Unknown: Derives, is: path.Base},
		{Name: "osClean", Unknown: Derives, is: path.Clean},
		{Name: "osDir", Unknown: Derives, is: path.Dir},
		{Name: "osExt", Unknown: Derives, is: path.Ext},
		{Name: "osIsAbs", Unknown: Derives, is: path.IsAbs},
		{Name: "html", Unknown: Derives, is: template.HTMLEscaper},
		{Name: "js", Unknown: Derives, is: template.JSEscaper},
		{Name: "urlquery", Unknown: Derives, is: template.URLQueryEscaper},
		{Name: "quote squote toString b64enc lower upper", Unknown: Derives, OneLine: true},
		{Name: "trim", Unknown: Derives, OneLine: true, Keeps: true},
		{Name: "trimPrefix trimSuffix", Unknown: Derives, Keeps: true},
		{Name: "contains hasPrefix hasSuffix semverCompare", Unknown: Compares},
		{Name: "trimAll trimall", Unknown: Derives, searches: trimCost},
		{
			Name:    "repeat",
			Unknown: Derives,
			makes:   func(c Call) int { return saturatedSum(0, c.number(0), len(c.text(1))) },
		},
		{
			Name:    "indent nindent",
			Unknown: Derives,
			Keeps:   true,
			makes:   func(c Call) int { return saturatedSum(c.size.Bytes, c.number(0), c.size.Lines+1) },
		},
		{
			Name:    "wrapWith",
			Unknown: Derives,
			makes: func(c Call) int {
				return saturatedSum(c.size.Bytes, len(c.text(2))/max(c.number(0), 1)+1,
					len(c.text(1)))
			},
		},
		{
			Name:    "replace",
			Unknown: Derives,
			makes: func(c Call) int {
				return saturatedSum(c.size.Bytes, strings.Count(c.text(2), c.text(0)),
					len(c.text(1)))
			},
		},
		{
			Name:    "join",
			Unknown: Derives,
			takes:   []string{"string", "list"},
			makes:   func(c Call) int { return saturatedSum(c.size.Bytes, c.size.Nodes, len(c.text(0))) },
		},
		{
			Name:    "split splitList",
			Unknown: Derives,
			makes:   func(c Call) int { return partsSize(c.text(1), strings.Count(c.text(1), c.text(0))+1) },
		},
		{
			Name:    "splitn",
			Unknown: Derives,
			makes:   func(c Call) int { return partsSize(c.text(2), min(max(c.number(1), 0), len(c.text(2))+1)) },
		},
		{Name: "regexMatch", Unknown: Matches, searches: re.matchCost, is: re.match},
		{Name: "mustRegexMatch", Unknown: Matches, searches: re.matchCost, is: re.mustMatch},
		{Name: "regexFind", Unknown: Compares, searches: re.matchCost, is: re.find},
		{Name: "mustRegexFind", Unknown: Compares, searches: re.matchCost, is: re.mustFind},
		{
			Name:     "regexFindAll mustRegexFindAll regexSplit mustRegexSplit",
			Unknown:  Derives,
			searches: re.matchAllCost,
			makes:    func(c Call) int { return partsSize(c.text(1), matches(c.text(0), c.text(1), 0)+1) },
		},
		{Name: "regexReplaceAll", Unknown: Derives, searches: re.matchAllCost, makes: insertedSize, is: re.replaceAll},
		{Name: "mustRegexReplaceAll", Unknown: Derives, searches: re.matchAllCost, makes: insertedSize, is: re.mustReplaceAll},
		{
			Name:     "regexReplaceAllLiteral mustRegexReplaceAllLiteral",
			Unknown:  Derives,
			searches: re.matchAllCost,
			makes:    replacedSize,
		},

		// Numbers and versions.
		// An error quotes text that is not a number.
		{Name: "int int64 float64", Absent: Carries, Unknown: Derives, OneLine: true, takes: []string{"number"}},
		{
			Name:    "add add1 add1f addf biggest ceil div divf floor max maxf min minf mod mul mulf round sub subf",
			Absent:  Carries,
			Unknown: Derives,
			takes:   []string{"number"},
		},
		{
			Name: "cpuSetSize", Absent: Carries, Unknown: Derives, OneLine: true, takes: []string{"string"},
			is: cpuSetSize,
		},
		{Name: "cpuSetsOverlap", Unknown: Compares, is: onCPUSets(quantity.CPUs.Overlap)},
		{Name: "cpuSetsEqual", Unknown: Compares, is: onCPUSets(quantity.CPUs.Equal)},
		{Name: "quantityCompare", Unknown: Compares, OneLine: true, is: quantityCompare},
		{Name: "quantityEqual", Unknown: Compares, is: quantityEqual},

		// Conversions known from Helm.
		{Name: "toYaml", Absent: Carries, Unknown: Derives, Keeps: true, is: toYaml, makes: printedSize},
		{Name: "fromYaml", Unknown: Derives, Keeps: true, takes: []string{"string of YAML"}, is: fromYaml},
		{Name: "fromYamlArray", Unknown: Derives, Keeps: true, takes: []string{"string of YAML"}, is: fromYamlArray},
		{Name: "toJson", Absent: Carries, Unknown: Derives, OneLine: true, is: toJSON},
		{Name: "mustToJson toRawJson mustToRawJson", Absent: Carries, Unknown: Derives},
		{Name: "fromJson", Unknown: Derives, Keeps: true, takes: []string{"string of JSON"}, is: fromJSON},
		{Name: "fromJsonArray", Unknown: Derives, Keeps: true, takes: []string{"string of JSON"}, is: fromJSONArray},
		{Name: "mustFromJson", Unknown: Derives, Keeps: true, takes: []string{"string of JSON"}},
		{Name: "toToml", Unknown: Derives, is: toTOML, makes: printedSize},
		{Name: "toPrettyJson mustToPrettyJson", Absent: Carries, Unknown: Derives, makes: printedSize},

		// Time. Our own functions replace those of sprig that use the time zone of the machine.
		{Name: "ago", Unknown: Derives, Unsteady: clock},
		{Name: "now", Unknown: Derives, Unsteady: clock, is: now},
		{
			Name: "date", Unknown: Derives, Unsteady: maybeNow,
			is: func(layout string, v any) string { return inZone(layout, v, "UTC") },
		},
		{
			Name: "htmlDate", Unknown: Derives, Unsteady: maybeNow,
			is: func(v any) string { return inZone(time.DateOnly, v, "UTC") },
		},
		{Name: "durationRound", Unknown: Derives, Unsteady: maybeNow},
		{Name: "dateInZone date_in_zone", Unknown: Derives, Unsteady: zonesToo, is: inZone},
		{
			Name: "htmlDateInZone", Unknown: Derives, Unsteady: zonesToo,
			is: func(v any, zone string) string { return inZone(time.DateOnly, v, zone) },
		},
		{Name: "toDate", Unknown: Derives, is: toDate},
		{Name: "mustToDate", Unknown: Derives, is: mustToDate},

		// Random values.
		{
			Name:     "randAlphaNum randAlpha randAscii randNumeric randBytes",
			Unknown:  Derives,
			Unsteady: random,
			makes:    func(c Call) int { return saturatedSum(0, 8, c.number(0)) },
		},
		{
			Name: "randInt uuidv4 encryptAES shuffle bcrypt htpasswd genPrivateKey genCA genSelfSignedCert genSignedCert " +
				"genCAWithKey genSelfSignedCertWithKey genSignedCertWithKey",
			Unknown:  Derives,
			Unsteady: random,
		},

		// Findings on the object.
		{Name: "maxListLength/2 minListLength/2", Absent: Follows, Unknown: Limits, takes: []string{"", "list"}},
		{
			Name:    "fail",
			Unknown: Reports,
			is:      func(message string) (string, error) { return "", &Failure{Message: message} },
		},
		{Name: "violation/2-3", OneLine: true, Absent: Follows, Unknown: Reports},
		{Name: "note/2-3", OneLine: true, Absent: Follows, Unknown: Remarks},
		{
			Name:    "doNotMatch",
			Unknown: Reports,
			is:      func(reason string) (string, error) { return "", &Failure{Message: reason, Refuses: true} },
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
			switch {
			case f.Engine:
				f.setCount(arguments)
			case f.is == nil: // a mistake in the table, which TestEveryRowIsComplete names
				f.setCall(reflect.ValueOf(func(...any) (any, error) { return nil, errors.New("it has no Go function") }))
			default:
				f.setCall(reflect.ValueOf(f.is))
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

// Takes returns the types of an argument that the function can use, such as "string", "list or map" or
// "string of JSON"; "" for any type.
func (f *Function) Takes(i int) string {
	if f.takes != nil {
		return f.takes[min(i, len(f.takes)-1)]
	}
	if !f.Engine && f.call.Type().NumIn() > 0 {
		if kind := f.param(i).Kind(); kind == reflect.String || kind == reflect.Map {
			return kind.String()
		}
	}
	return ""
}

// Result returns the type of each result; nil if results have several.
func (f *Function) Result() reflect.Type {
	if f.Engine {
		return f.gives
	}
	if t := f.call.Type().Out(0); t.Kind() != reflect.Interface {
		return t
	}
	return nil
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
