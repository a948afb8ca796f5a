package render

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/secret"
)

// Each value carries its secrecy: the data of a Secret is secret, and so is what a function makes
// from it, so that neither a message nor the expected value of another CR shows it. A Secret is
// recognised when it is read, as the object or by a lookup, and stays secret even if a function
// changes the map. A branch that depends on a secret value does not make its output secret.

// hiddenMessage replaces a message that may contain secret data.
const hiddenMessage = "(hidden, because it may hold secret data; --show-secrets shows it)"

// object returns the value of the object for which the template is executed.
func (x *Execution) object(object any) Value {
	v := x.fromInput(object)
	v.at = root()
	return v
}

// fromInput returns a value of the input with its scope.
func (x *Execution) fromInput(v any) Value {
	scope := secret.Of(v).With(x.Searched)
	if x.Template.Mutates && !scope.IsObject() && scope.Holds(v) {
		scope = scope.Values() // the template may change the maps that show which values are secret
	}
	return Value{V: v, Input: true, pure: true, source: x.Source, scope: scope}
}

// known is a cached property of a map or list of the input. The reference to the container keeps
// its address from being reused.
type known struct {
	container any
	holds     bool         // it contains secret data
	elements  secret.Scope // for a list: whether its elements are the lines of a text that contains a Secret
}

// remember returns the cached properties of a map or list. It calls find the first time.
func remember(all *map[[2]uintptr]known, container any, find func() known) known {
	rv := reflect.ValueOf(container)
	at := [2]uintptr{rv.Pointer(), uintptr(rv.Len())}
	k, ok := (*all)[at]
	if !ok {
		if *all == nil {
			*all = map[[2]uintptr]known{}
		}
		k = find()
		k.container = container
		(*all)[at] = k
	}
	return k
}

// lines returns a list with its scope adjusted: if the elements are the lines of a text that
// contains a Secret, each element is secret.
func (x *Execution) lines(list Value) Value {
	l, _ := list.V.([]any)
	if x.hooks != nil {
		return list // it has no secret data
	}
	if list.isText() {
		list.scope = list.scope.With(x.Searched)
	}
	if len(l) >= 2 {
		list.scope = list.scope.Or(
			remember(&x.listed, list.V, func() known { return known{elements: list.scope.Elements(l)} }).elements,
		)
	}
	return list
}

// within returns the scope of a part of a text or of a function's result.
func (x Value) within() secret.Scope {
	if x.scope.IsWhole() || x.isText() && x.scope.Holds(x.V) {
		return secret.Whole()
	}
	return secret.Scope{}
}

// isText reports whether a value is a string, whose elements are bytes.
func (x Value) isText() bool { return x.V != nil && reflect.TypeOf(x.V).Kind() == reflect.String }

// holdsSecret reports whether printing the value, or passing it to a function, could reveal secret
// data. A container that a function made already has its scope; a container of the input is
// searched once.
func (x *Execution) holdsSecret(v Value) bool {
	switch v.V.(type) {
	case map[string]any, []any: // secret data that is added later sets Execution.stained
		return v.scope.IsWhole() || v.pure && reflect.ValueOf(v.V).Len() > 0 &&
			remember(&x.looked, v.V, func() known { return known{holds: v.scope.Holds(v.V)} }).holds
	}
	return v.scope.With(x.Searched).Holds(v.V)
}

// anySecret reports whether one of the values contains secret data.
func (x *Execution) anySecret(args []Value) bool { return slices.ContainsFunc(args, x.holdsSecret) }

// redacts reports whether a value may contain secret data that must not be shown.
func (x *Execution) redacts(v Value) bool { return !x.ShowSecrets && (x.stained || x.holdsSecret(v)) }

// redacted returns the error of a call with these arguments. It hides the message if that may
// contain secret data.
func (x *Execution) redacted(err error, args []Value) error {
	if x.ShowSecrets || !x.stained && !x.anySecret(args) && !x.Searched.In(err.Error()) {
		return err
	}
	var said *function.Failure
	if errors.As(err, &said) {
		return &function.Failure{Message: hiddenMessage, Refuses: said.Refuses}
	}
	return errors.New(hiddenMessage)
}

// derived returns the result of a function with its scope: the result is secret if an argument is.
// A boolean reveals almost nothing, so it is never secret.
func (x *Execution) derived(result Value, from Value, args []Value) Value {
	if _, isBool := result.V.(bool); isBool || result.V == nil || x.hooks != nil {
		return result
	}
	result.scope = result.scope.With(x.Searched)
	if from.within().IsWhole() || x.anySecret(args) {
		result.scope = secret.Whole()
	}
	return result
}

// shownKeys returns which keys of a rendering may be shown although they were made from secret
// data: the object's own keys, because they are shown anyway, and the keys of looked-up Secrets,
// because only their values are secret. nil means all keys.
func (x *Execution) shownKeys(object map[string]any) func(key string) bool {
	if x.ShowSecrets {
		return nil
	}
	keys := sync.OnceValue(func() map[string]bool { // rarely needed
		all := secret.ShownKeys(object)
		for _, o := range x.secrets {
			maps.Copy(all, secret.ShownKeys(o))
		}
		return all
	})
	return func(key string) bool { return keys()[key] }
}

// secretKey reports whether a part of a key was printed from secret data. value is the offset of the
// key's value.
func (l *builder) secretKey(k *kubeyaml.Node, value int) bool {
	if l.shown == nil {
		return false
	}
	end := k.EndIn(l.a.text)
	if k.Style == kubeyaml.Plain && !strings.HasPrefix(l.a.text[k.Offset:], k.Text) {
		end = value // the key has several lines
	}
	for i := l.firstSpan(k.Offset); i < len(l.a.spans) && l.a.spans[i].start < end; i++ {
		if s := l.a.spans[i]; s.start < s.end && l.out.Prints[s.print].secret {
			return true
		}
	}
	return false
}

// redacted returns the replacement of a secret key, always the same for the same key.
func (l *builder) redacted(key string) string {
	if l.shown(key) {
		return key
	}
	if name, known := l.hidden[key]; known {
		return name
	}
	if l.hidden == nil {
		l.hidden = map[string]string{}
	}
	l.hidden[key] = fmt.Sprintf("(hidden key %d)", len(l.hidden)+1)
	return l.hidden[key]
}
