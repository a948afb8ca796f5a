package render

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/secret"
)

// What is secret goes along with values: the data of a Secret is, and so is what functions make of
// it, so that neither a message nor the expected value of another CR tells it. What is a Secret is
// settled when it comes in, as the object or by a lookup: no function that changes a map lifts it.
// What a template decides on the grounds of a secret is not followed.

// hiddenMessage stands in the place of a message that may hold secret data.
const hiddenMessage = "(hidden, because it may hold secret data; --show-secrets shows it)"

// object is the value of the object that the template runs on.
func (x *exec) object(object any) value {
	v := x.entered(object)
	v.at = root()
	return v
}

// entered is a value of the input that comes in.
func (x *exec) entered(v any) value {
	scope := x.origin.Of
	if x.t.Mutates {
		scope = x.origin.Add
	}
	return value{v: v, input: true, pure: true, source: x.source, scope: scope(v).With(x.search)}
}

// known is what was found out about a map or list of the input. Keeping it sees to it that no other
// comes to stand at its address.
type known struct {
	container any
	holds     bool         // it holds something secret
	elements  secret.Scope // of a list: whether its elements are the lines of a text that holds a Secret
}

// remember returns what is known of a map or list. Find finds it out the first time.
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

// lines is a list whose elements, where they are the lines of a text that holds a Secret, are
// secret one by one.
func (x *exec) lines(list value) value {
	l, _ := list.v.([]any)
	if list.isText() {
		list.scope = list.scope.With(x.search)
	}
	if len(l) >= 2 {
		list.scope = list.scope.Or(
			remember(&x.listed, list.v, func() known { return known{elements: list.scope.Elements(l)} }).elements,
		)
	}
	return list
}

// within is the scope of what is taken out of a value that functions made, or of a text.
func (x value) within() secret.Scope {
	if x.scope.IsWhole() || x.isText() && x.scope.Holds(x.v) {
		return secret.Whole()
	}
	return secret.Scope{}
}

// isText reports whether a value is text, of which an index takes a byte.
func (x value) isText() bool { return x.v != nil && reflect.TypeOf(x.v).Kind() == reflect.String }

// holdsSecret reports whether printing the value, or handing it to a function, could tell secret
// data. A map or list that functions made has got a scope when it was made; one of the input is
// looked through once.
func (x *exec) holdsSecret(v value) bool {
	switch v.v.(type) {
	case map[string]any, []any: // something secret that is put into it later stains the execution
		return v.scope.IsWhole() || v.pure && reflect.ValueOf(v.v).Len() > 0 &&
			remember(&x.looked, v.v, func() known { return known{holds: v.scope.Holds(v.v)} }).holds
	}
	return v.scope.With(x.search).Holds(v.v)
}

// anySecret reports whether one of some values holds secret data.
func (x *exec) anySecret(args []value) bool { return slices.ContainsFunc(args, x.holdsSecret) }

// redacts reports whether a value holds secret data, or may, and is not to be shown.
func (x *exec) redacts(v value) bool { return !x.clear && (x.stained || x.holdsSecret(v)) }

// redacted is err, or what may be shown of it: it comes from a call with these arguments.
func (x *exec) redacted(err error, args []value) error {
	if x.clear || !x.stained && !x.anySecret(args) && !x.search.In(err.Error()) {
		return err
	}
	var said *function.Failure
	if errors.As(err, &said) {
		return &function.Failure{Message: hiddenMessage, Refuses: said.Refuses}
	}
	return errors.New(hiddenMessage)
}

// derived gives what a function made of some values its scope. What is true or false tells next to
// nothing.
func (x *exec) derived(result value, from value, args []value) value {
	if _, isBool := result.v.(bool); isBool || result.v == nil {
		return result
	}
	result.scope = result.scope.With(x.search)
	if from.within().IsWhole() || x.anySecret(args) {
		result.scope = secret.Whole()
	}
	return result
}

// shownKeys returns which keys of a rendering may be shown although a template made them of secret
// data: those that the object has itself, because they are shown there, and those of the Secrets
// that were looked up, of which only the values are secret. Nil where all may be.
func (x *exec) shownKeys(object map[string]any) func(key string) bool {
	if x.clear {
		return nil
	}
	keys := sync.OnceValue(func() map[string]bool { // hardly any template asks
		all := secret.ShownKeys(object)
		for _, o := range x.secrets {
			maps.Copy(all, secret.ShownKeys(o))
		}
		return all
	})
	return func(key string) bool { return keys()[key] }
}

// secretKey reports whether a key, whose value begins at an offset, was printed from something
// secret.
func (l *layer) secretKey(k *kubeyaml.Node, value int) bool {
	if l.shown == nil {
		return false
	}
	end := max(value, k.EndIn(l.a.text))
	for i := l.firstSpan(k.Offset); i < len(l.a.spans) && l.a.spans[i].start < end; i++ {
		if s := l.a.spans[i]; s.start < s.end && l.out.prints[s.print].secret {
			return true
		}
	}
	return false
}

// redacted returns what stands in the place of a secret key: the same for the same key.
func (l *layer) redacted(key string) string {
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
