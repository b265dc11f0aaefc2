package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/nearest"
)

// didYouMean names the nearest of some words, as the end of a message; empty if none is
// near.
func didYouMean(misspelt string, words []string) string {
	if word, ok := nearest.Word(misspelt, words); ok {
		return ": did you mean " + word + "?"
	}
	return ""
}

// unknownCommand is the error about a first word, or about the second where below has the
// commands of the first.
func unknownCommand(args, below []string) error {
	if strings.HasPrefix(args[0], "-") {
		return usageErrorf("the command comes before its flags: landfall serve %s", args[0])
	}
	if len(below) == 0 {
		var names []string
		for _, c := range commands() {
			first, _, _ := strings.Cut(c.name, " ")
			names = append(names, first)
		}
		return usageErrorf("unknown command %q%s", args[0], didYouMean(args[0], names))
	}
	if len(args) < 2 || strings.HasPrefix(args[1], "-") {
		return usageErrorf("%s needs a subcommand: %s", args[0], strings.Join(below, ", "))
	}
	asked := args[0] + " " + args[1]
	if meant := didYouMean(asked, below); meant != "" {
		return usageErrorf("unknown command %q%s", asked, meant)
	}
	return usageErrorf("unknown command %q; there are %s", asked, strings.Join(below, ", "))
}

// flagFault says what is wrong with a flag, from the error of package flag.
func (f *flags) flagFault(err error) error {
	text := flagDashes.Replace(err.Error())
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: --"); ok {
		return usageErrorf("%s has no flag --%s%s", f.command.name, name, didYouMean("--"+name, f.names("--")))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: --"); ok {
		arg, _ := flag.UnquoteUsage(f.Lookup(name))
		return usageErrorf("--%s needs a value: --%s %s", name, name, arg)
	}
	if parts := wrongValue.FindStringSubmatch(text); parts != nil {
		if g := f.Lookup(parts[2]); g != nil {
			return usageErrorf("--%s: %s %s", parts[2], parts[1], valueForm(g))
		}
	}
	return usageErrorf("%s", text)
}

// wrongValue is the message of package flag about a value of one of its own types.
var wrongValue = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-{1,2}([a-z0-9-]+): parse error$`)

// valueForm says what a flag of package flag takes.
func valueForm(g *flag.Flag) string {
	getter, _ := g.Value.(flag.Getter)
	if getter == nil {
		return "is not valid"
	}
	switch getter.Get().(type) {
	case time.Duration:
		return "is not a duration: write it as 90s, 30m, 6h or 720h (30 days)"
	case bool:
		return "is not true or false"
	case int, float64:
		return "is not a number"
	}
	return "is not valid"
}

// names are the flags, each behind a prefix.
func (f *flags) names(prefix string) (list []string) {
	f.VisitAll(func(g *flag.Flag) { list = append(list, prefix+g.Name) })
	return list
}

// misspeltVariables finds variables of the environment that are nearly settings. Others
// are left alone: supervisors set variables that begin with the name of a service.
func misspeltVariables(environ []string) (warnings []string) {
	known := []string{strings.TrimPrefix(masterKeyVariable, "LANDFALL_"), strings.TrimPrefix(oldMasterKeysVariable, "LANDFALL_"), strings.TrimPrefix(openIDSecretVariable, "LANDFALL_"), strings.TrimPrefix(mailPasswordVariable, "LANDFALL_")}
	for _, c := range commands() {
		f := newFlags(c)
		c.declare(f)
		for _, name := range f.names("") {
			known = append(known, strings.TrimPrefix(variable(name), "LANDFALL_"))
		}
	}
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		rest, ours := strings.CutPrefix(name, "LANDFALL_")
		if !ours || slices.Contains(known, rest) {
			continue
		}
		if word, ok := nearest.Word(rest, known); ok {
			warnings = append(warnings, fmt.Sprintf("warning: no setting has the environment variable %s: did you mean LANDFALL_%s?", name, word))
		}
	}
	return warnings
}

// explained is the message of an error on one line, with advice where there is some.
func explained(err error) string {
	text := oneLine(err.Error())
	if more := advice(err); more != "" {
		text += ": " + more
	}
	return text
}

// advice says what to do about an error that the operator can mend; empty for others.
func advice(err error) string {
	var address *net.AddrError
	var service *net.DNSError
	var fault *tracking.Error
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "another program uses this port: end it, or choose another port"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "this machine does not have the address: use 127.0.0.1, or 0.0.0.0 for all addresses"
	case errors.As(err, &address), errors.As(err, &service):
		return "write HOST:PORT, such as 127.0.0.1:8080"
	case errors.As(err, &fault) && fault.Kind == tracking.NotFound && strings.HasPrefix(fault.Detail, "there is no account "):
		return "landfall accounts list shows the accounts"
	}
	return fileAdvice(err.Error())
}

// fileAdvice says what to do about a message that ends with what the system or SQLite says
// about a file; empty for others.
func fileAdvice(text string) string {
	for _, known := range []struct{ end, advice string }{
		{syscall.ENOENT.Error(), "correct the path"},
		{syscall.EISDIR.Error(), "give the path of a file"},
		{syscall.ENOTDIR.Error(), "give the path of a directory"},
		{syscall.EACCES.Error(), "run the command as the user who owns it, or change its mode"},
		{fs.ErrExist.Error(), "choose another name, or move it away"},
		{"it is a directory, not a file", "give the path of the database in it"},
		{"file is not a database", "give the path of a database, or restore a backup"},
		{"database of another program", "give the path of another file"},
	} {
		if strings.HasSuffix(text, known.end) {
			return known.advice
		}
	}
	return ""
}

// jsonPlace adds the line and column to a syntax error.
func jsonPlace(text []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	before := string(text[:max(0, min(int(syntax.Offset)-1, len(text)))])
	return fmt.Errorf("line %d, column %s: %w", 1+strings.Count(before, "\n"), strconv.Itoa(len(before)-strings.LastIndex(before, "\n")), err)
}
