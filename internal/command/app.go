package command

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"
)

// UsageError is an error about an option's value.
type UsageError struct{ Err error }

// Error is that of what is wrong.
func (e UsageError) Error() string { return e.Err.Error() }

// Execute sets the options of a command line and runs the command. A UsageError is about the value of an option; every other error is
// the command's.
func (c *Command) Execute(ctx context.Context, program string, l Line) error {
	var wrong error
	app := &cli.App{
		Name: program, HideVersion: true, HideHelp: true, HideHelpCommand: true, Writer: io.Discard, ErrWriter: io.Discard,
		Action:         func(at *cli.Context) error { return c.Run(at.Context, l) },
		ExitErrHandler: func(*cli.Context, error) {}, // the caller decides about the exit status
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			if wrong != nil {
				err = wrong
			}
			return UsageError{err}
		},
	}
	for _, o := range c.Every() {
		app.Flags = append(app.Flags, &cli.GenericFlag{Name: o.Name, Value: &setting{o, &wrong}})
	}
	args := []string{program}
	for _, v := range l.values {
		args = append(args, "--"+v[0]+"="+v[1])
	}
	return app.RunContext(ctx, append(append(args, "--"), l.Args...))
}

// setting takes the values of an option where the library hands them out. The library puts words of its own around an error, so what
// was wrong first is kept beside.
type setting struct {
	option Option
	wrong  *error
}

// Set is that of flag.Value.
func (s *setting) Set(text string) error {
	err := s.option.set(text)
	if err != nil && *s.wrong == nil {
		*s.wrong = err
	}
	return err
}

// String is that of flag.Value.
func (s *setting) String() string { return "" }
