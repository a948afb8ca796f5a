package celrule

import (
	"context"
	"errors"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"
	"cel.dev/cel-go/interpreter"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
)

// The limits of an API server, in steps of CEL.
const (
	perCall   = 1_000_000
	perObject = 10 * perCall
)

// environment is what all rules have in common: functions, macros and limits.
type environment struct {
	env       *cel.Env
	overloads overloads
}

// newEnvironment builds the environment, which takes a few milliseconds. A failure is a fault of the
// table of functions.
func newEnvironment() *environment {
	const longest = 20_000 // characters of an expression; the longest published ones have 2000
	env, err := cel.NewEnv(
		cel.HomogeneousAggregateLiterals(),
		cel.EagerlyValidateDeclarations(true),
		cel.DefaultUTCTimeZone(true),
		cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(),
		cel.ParserExpressionSizeLimit(longest),
		cel.ExpressionNodeLimit(longest),
		cel.ParserRecursionLimit(100),
		cel.ASTValidators(
			cel.ValidateDurationLiterals(), cel.ValidateTimestampLiterals(),
			cel.ValidateRegexLiterals(), cel.ValidateHomogeneousAggregateLiterals(),
		),
		ext.Strings(ext.StringsVersion(2), ext.StringsMaxPrecision(100)),
		ext.Sets(),
		ext.Lists(ext.ListsVersion(3), ext.ListsMaxRangeSize(100_000)),
		ext.TwoVarComprehensions(),
		cel.Lib(kubernetes{}),
	)
	if err != nil {
		panic(err)
	}
	return &environment{env: env, overloads: overloadsOf(env)}
}

// compiled is a rule that was compiled.
type compiled struct {
	crdschema.Rule
	usesOld bool
	program cel.Program
	message cel.Program // nil for none
	err     error       // why it cannot be evaluated
}

// compiled returns the rules of a schema, compiled once.
func (r *Rules) compiled(s *crdschema.Schema, root bool) []*compiled {
	found, _ := r.nodes.LoadOrStore(s, sync.OnceValue(func() []*compiled {
		var all []*compiled
		for _, rule := range s.Rules {
			if strings.TrimSpace(rule.Rule) != "" {
				all = append(all, &compiled{Rule: rule})
			}
		}
		kind := r.types.typeOf(s, root)
		for _, one := range all {
			if one.err = errors.New("the type of the values is not known"); kind != nil {
				one.err = one.compile(r.env, r.types, kind)
			}
		}
		return all
	}))
	return found.(func() []*compiled)()
}

// compile compiles a rule for values of a type.
func (one *compiled) compile(base *environment, known *provider, kind *cel.Type) error {
	old := kind
	if one.Rule.OptionalOld {
		old = cel.OptionalType(kind)
	}
	env, err := base.env.Extend(
		cel.CustomTypeProvider(known),
		cel.Variable("self", kind), cel.Variable("oldSelf", old),
	)
	if err != nil {
		return err
	}
	if one.program, one.usesOld, err = base.program(env, one.Rule.Rule, cel.BoolType); err != nil {
		return err
	}
	if one.MessageExpression != "" { // without it, the rule has its other message
		one.message, _, _ = base.program(env, one.MessageExpression, cel.StringType)
	}
	return nil
}

// program compiles an expression of a type, and tells whether it names the earlier state.
func (b *environment) program(env *cel.Env, text string, kind *cel.Type) (p cel.Program, usesOld bool, err error) {
	ast, issues := env.Compile(text)
	if err = issues.Err(); err != nil {
		return nil, false, err
	}
	if !ast.OutputType().IsExactType(kind) {
		return nil, false, errors.New("the result of the expression has another type")
	}
	for _, named := range ast.NativeRep().ReferenceMap() {
		usesOld = usesOld || named.Name == "oldSelf"
	}
	const often = 100 // steps between two looks at the context
	p, err = env.Program(ast,
		cel.EvalOptions(cel.OptTrackCost), cel.OptimizeRegex(constantRegexes()...),
		cel.CostLimit(perCall), cel.CostTracking(costs{}), cel.InterruptCheckFrequency(often),
		cel.CustomDecoratorV2(b.overloads.guard),
	)
	return p, usesOld, err
}

// run evaluates a rule, and returns its cost.
func (one *compiled) run(ctx context.Context, vars map[string]any) (ref.Val, uint64, error) {
	return eval(ctx, one.program, vars)
}

// said evaluates the expression of its message.
func (one *compiled) said(ctx context.Context, vars map[string]any) (ref.Val, uint64, error) {
	return eval(ctx, one.message, vars)
}

func eval(ctx context.Context, p cel.Program, vars map[string]any) (result ref.Val, cost uint64, err error) {
	result, details, err := p.ContextEval(ctx, vars)
	if details == nil || details.ActualCost() == nil {
		return result, perCall, err
	}
	return result, *details.ActualCost(), err
}

// isLimit reports whether an evaluation was stopped because it is too long, or a call too large.
func isLimit(err error) bool {
	var stopped interpreter.EvalCancelledError
	return errors.As(err, &stopped) || errors.Is(err, errTooLarge)
}
