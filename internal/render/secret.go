package render

import (
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/tree"
)

// What is secret goes along with values: the data of a Secret is, and so is what functions make of it, so that neither a message
// nor the expected value of another CR tells it. What a template decides on the grounds of a secret is not followed.

// concealed is what a message says in the place of one that may hold secret data.
const concealed = "(hidden, because it may hold secret data; --show-secrets shows it)"

// guarded returns the guard of a value: that which its origin gave it, or else that which it shows itself.
func (x value) guarded() tree.Guard {
	if x.guard == tree.Open {
		return tree.GuardOf(x.v)
	}
	return x.guard
}

// within is the guard of what is taken out of a value that functions made.
func (x value) within() tree.Guard {
	if x.guard == tree.Hidden {
		return tree.Hidden
	}
	return tree.Open
}

// secretive reports whether printing the value, or handing it to a function, could tell secret data.
func (x value) secretive() bool {
	g := x.guarded()
	switch s, isText := x.v.(string); {
	case g == tree.Hidden:
		return true
	case isText:
		return tree.HoldsSecrets(s)
	case g == tree.Open:
		return false
	}
	_, found := tree.Conceal(x.v, g, func(any) any { return nil })
	return found
}

// anySecretive reports whether one of some values is.
func anySecretive(args []value) bool {
	for _, a := range args {
		if a.secretive() {
			return true
		}
	}
	return false
}

// hides reports whether a value is secret, and is not to be shown.
func (x *exec) hides(v value) bool { return !x.clear && (x.stained || v.secretive()) }

// stain takes notice of a call that puts secret data into a map, which can be reached in many ways.
func (x *exec) stain(f function, args []value) {
	if f.mutates && len(args) > 1 && anySecretive(args[1:]) {
		x.stained = true
	}
}

// conceal takes the text out of an error, a refusal or a failure.
func conceal(err error) error {
	var refused *Refused
	switch _, failed := asFailure(err); {
	case failed:
		return &failure{message: concealed}
	case errors.As(err, &refused):
		return &Refused{Reason: concealed, At: refused.At}
	}
	return errors.New(concealed)
}

// discreet is err, or what may be shown of it: it comes from a call with these arguments.
func (x *exec) discreet(err error, args []value) error {
	if err == nil || x.clear || !x.stained && !anySecretive(args) && !tree.HoldsSecrets(err.Error()) {
		return err
	}
	return conceal(err)
}

// made gives what a function made of some values its guard. What is true or false tells next to nothing.
func made(result value, from value, args []value) value {
	if _, isBool := result.v.(bool); isBool || result.v == nil {
		return result
	}
	if from.within() == tree.Hidden || anySecretive(args) {
		result.guard = tree.Hidden
	}
	return result
}

// shownKeys returns which keys of a rendering may be shown although a template made them of secret data: those that the object has
// itself, because they are shown there, and those of the Secrets that were looked up, of which only the values are secret. Nil where
// all may be.
func (x *exec) shownKeys(object map[string]any) func(key string) bool {
	if x.clear {
		return nil
	}
	keys := sync.OnceValue(func() map[string]bool { // hardly any template asks
		all := tree.ShownKeys(object)
		for _, o := range x.secrets {
			maps.Copy(all, tree.ShownKeys(o))
		}
		return all
	})
	return func(key string) bool { return keys()[key] }
}

// secretKey reports whether a key, whose value begins at an offset, was printed from something secret.
func (l *layer) secretKey(k *manifest.Node, value int) bool {
	if l.shown == nil {
		return false
	}
	end := max(value, l.end(k, len(l.a.text)))
	for i := l.firstSpan(k.Offset); i < len(l.a.spans) && l.a.spans[i].start < end; i++ {
		if s := l.a.spans[i]; s.start < s.end && l.out.prints[s.print].secret {
			return true
		}
	}
	return false
}

// conceal returns what stands in the place of a secret key: the same for the same key.
func (l *layer) conceal(key string) string {
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
