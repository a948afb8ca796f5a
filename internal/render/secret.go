package render

import (
	"errors"

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

// conceal takes the text out of an error, a refusal or a failure.
func conceal(err error) error {
	var refused *Refused
	switch _, failed := asFailure(err); {
	case failed:
		return &failure{concealed}
	case errors.As(err, &refused):
		return &Refused{Reason: concealed, At: refused.At}
	}
	return errors.New(concealed)
}

// discreet is err, or what may be shown of it: it comes from a call with these arguments.
func (x *exec) discreet(err error, args []value) error {
	if err == nil || x.clear || !anySecretive(args) && !tree.HoldsSecrets(err.Error()) {
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
