package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// flags are the flags of one command. A value comes from the command line, the
// environment, the configuration file or the default, in this order of precedence.
type flags struct {
	*flag.FlagSet
	command command
	config  *string  // path of the configuration file; nil if the command has none
	needed  []string // flags that must have a value
	// carriers receives the carriers of the configuration file. Nil for commands
	// that need none.
	carriers *carriers
}

var errHelp = flag.ErrHelp

func newFlags(c command) *flags {
	f := &flags{FlagSet: flag.NewFlagSet(c.name, flag.ContinueOnError), command: c}
	f.SetOutput(io.Discard) // main reports errors, on one line
	return f
}

// database declares --db and --config, for all commands that open the database.
func (f *flags) database() *string {
	f.config = f.String("config", "", "JSON `FILE` with the settings of serve: {\"db\": \"landfall.db\"}")
	return f.String("db", "landfall.db", "database `FILE`, or postgres://...")
}

// account declares --account, which is required.
func (f *flags) account() *string {
	return f.need("account", "`NAME` of the account")
}

// need declares a required flag.
func (f *flags) need(name, usage string) *string {
	f.needed = append(f.needed, name)
	return f.String(name, "", usage+"; required")
}

// given reports whether a flag was set on the command line, in the environment or
// in the file.
func (f *flags) given(name string) (found bool) {
	f.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}

// parse reads args, then the environment, then the configuration file, and returns
// the operands. Flags may come before and after operands.
func (f *flags) parse(args []string, getenv func(string) string) ([]string, error) {
	operands, err := f.arguments(args)
	if err != nil {
		return nil, err
	}
	onLine := map[string]bool{}
	f.Visit(func(g *flag.Flag) { onLine[g.Name] = true })
	var fault error
	f.VisitAll(func(g *flag.Flag) {
		// An empty variable counts as not set, as is usual in compose files and
		// unit files.
		value := getenv(variable(g.Name))
		if value == "" || onLine[g.Name] || fault != nil {
			return
		}
		if err := f.Set(g.Name, value); err != nil {
			if err.Error() == "parse error" {
				err = errors.New("the value " + valueForm(g))
			}
			fault = usageErrorf("%s=%q: %v", variable(g.Name), value, err)
		}
	})
	if fault != nil {
		return nil, fault
	}
	if f.config != nil && *f.config != "" {
		if err := f.file(*f.config); err != nil {
			return nil, err
		}
	}
	for _, name := range f.needed {
		if g := f.Lookup(name); g.Value.String() == "" {
			arg, _ := flag.UnquoteUsage(g)
			return nil, usageErrorf("--%s %s is missing", name, arg)
		}
	}
	return operands, f.checkOperands(operands)
}

// arguments parses the command line.
func (f *flags) arguments(args []string) (operands []string, err error) {
	for {
		if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, errHelp
		} else if err != nil {
			return nil, f.flagFault(err)
		}
		rest := f.Args()
		if len(rest) == 0 {
			return operands, nil
		}
		if read := len(args) - len(rest); read > 0 && args[read-1] == "--" {
			return append(operands, rest...), nil
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
}

// flagDashes turns -flag into --flag in the messages of package flag, as in the
// help.
var flagDashes = strings.NewReplacer("flag -", "flag --", "defined: -", "defined: --", "argument: -", "argument: --")

// checkOperands checks the number of operands.
func (f *flags) checkOperands(operands []string) error {
	want := f.command.operands
	switch {
	case want == "" && len(operands) > 0:
		return usageErrorf("%s takes no argument: %q", f.command.name, operands[0])
	case want != "" && len(operands) == 0:
		return usageErrorf("%s needs %s", f.command.name, want)
	case want != "" && !strings.HasSuffix(want, "...") && len(operands) > 1:
		return usageErrorf("%s takes one %s: %q", f.command.name, want, operands[1])
	}
	return nil
}

// variable returns the environment variable of a flag.
func variable(flag string) string {
	return "LANDFALL_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// file sets the flags that are not set yet from a configuration file. Its members
// are named like the flags of serve; another command uses those that it has too.
func (f *flags) file(path string) error {
	members, err := readConfig(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--config: there is no file %s: set it to the path of the configuration, or leave it out", path)
	}
	if err != nil {
		return fmt.Errorf("config %s: %w", path, err)
	}
	all := newFlags(serveCommand)
	serveCommand.declare(all)
	for _, m := range members {
		// Checked even if it is not used, so that errors show at once.
		if m.name == "carriers" {
			list, err := parseCarriers(m.text)
			if err != nil {
				return fmt.Errorf("config %s: %w", path, err)
			}
			if f.carriers != nil {
				*f.carriers = list
			}
			continue
		}
		if all.Lookup(m.name) == nil || m.name == "config" {
			return fmt.Errorf("config %s: unknown setting %q%s (settings are named like the flags of serve)", path, m.name, didYouMean(m.name, all.names("")))
		}
		if err := all.Set(m.name, m.value); err != nil {
			return fmt.Errorf("config %s: %s: %w", path, m.name, err)
		}
		if f.Lookup(m.name) != nil && !f.given(m.name) {
			if err := f.Set(m.name, m.value); err != nil {
				return fmt.Errorf("config %s: %s: %w", path, m.name, err)
			}
		}
	}
	return nil
}

// setting is a member of a configuration file: a scalar as the text of a flag, or
// the JSON of an object.
type setting struct {
	name, value string
	text        json.RawMessage
}

func readConfig(path string) ([]setting, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err) // the caller reports the path
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, cause(err)
	}
	members, err := parseConfig(text)
	return members, jsonPlace(text, err)
}

// parseConfig returns the members of a configuration file.
func parseConfig(text []byte) ([]setting, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New(`it is not a JSON object, such as {"addr": "127.0.0.1:8080"}`)
	}
	var members []setting
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := setting{name: name.(string)}
		if slices.ContainsFunc(members, func(other setting) bool { return other.name == m.name }) {
			return nil, fmt.Errorf("%s is set twice", m.name)
		}
		if err := d.Decode(&m.text); err != nil {
			return nil, err
		}
		if m.name != "carriers" {
			if m.value, err = scalar(m.text); err != nil {
				return nil, fmt.Errorf("%s %w", m.name, err)
			}
		}
		members = append(members, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is data after the JSON object")
	}
	return members, nil
}

// scalar converts a JSON value to the text of a flag.
func scalar(text json.RawMessage) (string, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	value, err := d.Token()
	if err != nil {
		return "", err
	}
	switch v := value.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	}
	return "", errors.New("must be a string, a number, true or false")
}

// limit is a number of requests per minute; 0 means no limit.
type limit int

const maxLimit = 1_000_000

func (l *limit) String() string { return strconv.Itoa(int(*l)) }

func (l *limit) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxLimit {
		return fmt.Errorf("a limit is a whole number from 0 (no limit) to %d", maxLimit)
	}
	*l = limit(n)
	return nil
}

// size is a number of bytes; 0 means none.
type size int64

// units are the units of sizes, largest first.
var units = []struct {
	name  string
	bytes size
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

const maxSize = 1 << 40

func (n *size) String() string {
	for _, u := range units {
		if *n >= u.bytes && *n%u.bytes == 0 {
			return strconv.FormatInt(int64(*n/u.bytes), 10) + u.name
		}
	}
	return "0"
}

func (n *size) Set(s string) error {
	for _, u := range units {
		digits, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		count, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || count < 0 || count > int64(maxSize/u.bytes) {
			break
		}
		*n = size(count) * u.bytes
		return nil
	}
	return errors.New("a size is a number of bytes, or has a unit such as 64MiB; 0 means none")
}

// help prints the help of the command.
func (f *flags) help(w io.Writer) {
	c := f.command
	hasFlags, placeholder := false, ""
	f.VisitAll(func(*flag.Flag) { hasFlags, placeholder = true, " [flags]" })
	fmt.Fprintf(w, "usage: %s\n\n", strings.Join(strings.Fields("landfall "+c.name+placeholder+" "+c.operands), " "))
	fmt.Fprintf(w, "%s%s.\n", strings.ToUpper(c.about[:1]), c.about[1:])
	if c.details != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.details))
	}
	if !hasFlags {
		return
	}
	fmt.Fprint(w, "\nflags:\n")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer table.Flush()
	f.VisitAll(func(g *flag.Flag) {
		arg, text := flag.UnquoteUsage(g)
		if text = strings.TrimSpace(text); g.DefValue != "" && g.DefValue != "false" {
			text += " (default " + g.DefValue + ")"
		}
		fmt.Fprintf(table, "  %s\t%s\n  \t%s\n", strings.TrimSpace("--"+g.Name+" "+arg), text, variable(g.Name))
	})
}
