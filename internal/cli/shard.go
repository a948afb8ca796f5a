package cli

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// shard is one of count shares of the inputs, so that several processes can each compare one share.
// The zero value has all inputs.
type shard struct{ index, count int }

// Set reads INDEX/COUNT.
func (s *shard) Set(text string) (err error) {
	index, count, _ := strings.Cut(text, "/")
	s.index, err = strconv.Atoi(index)
	if err == nil {
		s.count, err = strconv.Atoi(count)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%q is not INDEX/COUNT; write two numbers, such as 0/4", text)
	case s.count < 1:
		return fmt.Errorf("COUNT is %d; at least 1 is needed", s.count)
	case s.index < 0 || s.index >= s.count:
		return fmt.Errorf("INDEX is %d; with COUNT %d it goes from 0 to %d", s.index, s.count, s.count-1)
	}
	return nil
}

// of returns the inputs of the share. It first replaces globs by their matches and sorts all names,
// so that every process divides the same inputs in the same way.
func (s shard) of(inputs []string) (mine []string, err error) {
	if s.count == 0 {
		return inputs, nil
	}
	all, err := matched(inputs)
	if err != nil {
		return nil, err
	}
	slices.Sort(all)
	for i := s.index; i < len(all); i += s.count {
		mine = append(mine, all[i])
	}
	return mine, nil
}

// empty returns the message that the share has no input.
func (s shard) empty() string {
	return fmt.Sprintf("Shard %d/%d has no input, because there are fewer inputs than shards. Nothing was compared.\n",
		s.index, s.count)
}

// matched returns inputs with globs replaced by their matches. Standard input is an error, because
// other processes do not have it.
func matched(inputs []string) (all []string, err error) {
	for _, input := range inputs {
		if input == stdin {
			return nil, fmt.Errorf("%s: --shard and --report-dir need inputs with names, not standard input", code.Usage)
		}
		found, err := source.Match(input)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", code.InputNotFound, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// savedNames returns for each input the file name of its report in a folder. Two inputs with the
// same name are an error.
func savedNames(dir string, inputs []string) ([]string, error) {
	names, from := make([]string, len(inputs)), map[string]string{}
	for i, input := range inputs {
		names[i] = path.Join(dir, path.Base(path.Clean(input))+".json")
		if other, duplicate := from[names[i]]; duplicate {
			return nil, fmt.Errorf("%s: --report-dir: %s and %s would have the same report, %s",
				code.Usage, other, input, names[i])
		}
		from[names[i]] = input
	}
	return names, nil
}

// compareEach compares each input separately and saves its report, unless it has a report of the
// same reference, options and content. Inputs whose comparison was killed in an earlier run come
// last, so that the others get their reports first.
func (p *program) compareEach(ctx context.Context, o *compareOptions) error {
	all, err := matched(o.read.Inputs)
	if err != nil {
		return err
	}
	if _, err := savedNames(o.reportDir, all); err != nil {
		return err
	}
	mine, err := o.shard.of(all)
	if err != nil {
		return err
	}
	if len(mine) == 0 {
		return p.say(o.shard.empty())
	}
	if err := destination.MakeDir(o.reportDir); err != nil {
		return fmt.Errorf("%s: --report-dir: %w", code.OutputFailed, err)
	}
	names, _ := savedNames(o.reportDir, mine)
	p.use(&o.comparing)
	for _, name := range names {
		if err := cmp.Or(p.inUse.Check(name), p.keep(name)); err != nil {
			return fmt.Errorf("%s: --report-dir: %w", code.OutputInUse, err)
		}
	}
	origins := make([]*finding.Origin, len(mine))
	for i, input := range mine {
		origins[i] = o.originOf(input)
	}
	lacking := withoutReport(names)
	if len(lacking) < len(mine) {
		others, err := p.ofOtherOrigin(ctx, o, names, origins)
		if err != nil {
			return err
		}
		for _, i := range others {
			fmt.Fprintf(p.io.Err, "%s: compared again, because %s has other options, or the input has changed\n", mine[i], names[i])
		}
		lacking = append(others, lacking...)
	}
	kept, saved := len(mine)-len(lacking), 0
	for _, i := range lacking {
		if ctx.Err() != nil {
			return watch.Cause(ctx)
		}
		if err := p.compareOne(ctx, o, mine[i], names[i], origins[i]); err != nil {
			p.printError(err)
			fmt.Fprintf(p.io.Err, "%s: no report\n", mine[i])
			continue
		}
		destination.Clear(names[i])
		saved++
	}
	if saved+kept < len(mine) {
		p.status = exitUnreliable
	}
	return p.say(fmt.Sprintf("%d of %s in %s: %d new, %d from earlier runs. For the verdict: %s report --report-dir %s INPUT...\n",
		saved+kept, finding.Plural(len(mine), "input has a report", "inputs have a report"), o.reportDir, saved, kept, p.name, o.reportDir))
}

// ofOtherOrigin returns the indexes of the saved reports that were made with other options, or of
// an input that has changed. They would be taken for results of this run. A report of another
// reference, or of other content of this one, is an error, which names the report.
func (p *program) ofOtherOrigin(
	ctx context.Context, o *compareOptions, names []string, origins []*finding.Origin,
) (others []int, err error) {
	l, err := p.load(ctx, &o.comparing)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if !isThere(name) {
			continue
		}
		report, err := p.savedReport(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w; delete it to compare its input again", code.ReportBroken, name, err)
		}
		if report.Reference.Hash != l.ref.Hash {
			return nil, fmt.Errorf("%s: %s was made with another reference, or with an earlier version of %s; "+
				"delete the reports of %s to compare their inputs again, or name another folder",
				code.OtherReference, name, o.reference, o.reportDir)
		}
		if !report.Origin.Equal(origins[i]) {
			others = append(others, i)
		}
	}
	return others, nil
}

// withoutReport returns the indexes of the reports that do not exist. Reports that an earlier
// process left unfinished come last.
func withoutReport(names []string) (lacking []int) {
	var interrupted []int
	for i, name := range names {
		switch {
		case isThere(name):
		case destination.Begun(name):
			interrupted = append(interrupted, i)
		default:
			lacking = append(lacking, i)
		}
	}
	return append(lacking, interrupted...)
}

// compareOne compares an input and saves its report, with its origin, in a file. If a limit ends
// the process, the unfinished file stays, so that a later run compares this input last.
func (p *program) compareOne(
	ctx context.Context, all *compareOptions, input, name string, origin *finding.Origin,
) (err error) {
	one := &program{io: p.io, name: p.name, called: p.called, limits: p.limits, followLinks: p.followLinks}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %s", code.Internal, code.Fault(r))
		}
	}()
	o := *all
	o.read.Inputs = []string{input}
	o.shard = shard{}
	o.origin = origin
	o.outputs = nil
	if err := o.addOutput("json=" + name); err != nil {
		return err
	}
	o.completeOutputs()
	exit := func(why error) {
		one.mu.Lock()
		one.unfinished = nil
		one.mu.Unlock()
		one.exit(why)
	}
	ctx, one.watch = watch.Start(ctx, p.limits.Watch(), exit)
	defer one.watch.Stop()
	return one.compare(ctx, &o, one.reported(&o))
}
