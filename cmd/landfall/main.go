// Command landfall is the tracking engine as a program: an HTTP server and the
// operator's commands, which can all be used while the server runs.
//
//	landfall serve --demo
//	landfall keys create --account acme
//	landfall import --account acme --scac MAEU events.json
//
// landfall help lists the commands, landfall COMMAND --help their flags.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	_ "time/tzdata" // time zones do not depend on the machine
	"unicode"

	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/httpserver"

	_ "golang.org/x/crypto/x509roots/fallback" // root certificates, where the machine has none
)

func main() {
	extract.Main() // the program reads PDFs in child processes of itself
	p := &program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, lookupenv: os.LookupEnv}
	for _, w := range misspeltVariables(os.Environ()) {
		fmt.Fprintf(p.stderr, "landfall: %s\n", w)
	}
	os.Exit(p.main(os.Args[1:]))
}

// program is the process as a command sees it.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	lookupenv      func(string) (string, bool)
}

// command is one command of the program.
type command struct {
	// name is one or two words: "serve", "keys create".
	name string
	// operands names the arguments after the flags: "FILE...". Empty if there are
	// none.
	operands string
	// about is one line for the list of commands. details follow it in the help of
	// the command.
	about, details string
	// declare declares the flags and returns the action.
	declare func(*flags) action
}

// action runs a command with its operands.
type action func(ctx context.Context, p *program, operands []string) error

// commands returns all commands, in the order of the help.
func commands() []command {
	return []command{
		serveCommand,
		keysCreate, keysList, keysRotate, keysRevoke,
		usersCreate, usersList, usersSetPassword, usersLink, usersDisable, usersEnable, usersDelete,
		accountsSet, accountsList, accountsClose, accountsReopen, accountsExport, accountsDelete,
		importCommand,
		exportCommand,
		terminalsImport,
		tariffsList, tariffsImport, tariffsExport, chargesCommand, sheetCommand, reportCardCommand,
		exceptionsList, exceptionsSettings,
		backupCommand, restoreCommand, moveCommand,
		checkCommand, doctorCommand, migrateCommand, nodesCommand,
		auditCommand,
		rederiveCommand,
		subscriptionsCreate, subscriptionsList, subscriptionsRenew, subscriptionsSecret, subscriptionsDelete,
		webhooksCreate, webhooksList, webhooksTail, webhooksRotate, webhooksRecover, webhooksDelete,
		eventsCommand,
		mailTest, mailBounce,
		documentsClassify,
		listenCommand, mcpCommand,
		simulateCarrier,
		openAPICommand,
		versionCommand,
	}
}

// usageError is a wrong command line: exit code 2.
type usageError struct {
	text string
	help string // the command whose help to point to, or ""
}

func (e *usageError) Error() string { return e.text }

func usageErrorf(format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...)}
}

// main runs the command that args name and returns the exit code.
func (p *program) main(args []string) int {
	err := p.run(args)
	if err == nil {
		return 0
	}
	text := explained(err)
	var usage *usageError
	if errors.As(err, &usage) {
		text += " (see " + strings.TrimSpace("landfall help "+usage.help) + ")"
	}
	fmt.Fprintf(p.stderr, "landfall: %s\n", text)
	if usage != nil {
		return 2
	}
	return 1
}

// oneLine puts an error on one line: joined errors have several. Unprintable
// characters, which may come from a damaged file, are replaced.
func oneLine(s string) string {
	lines := slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(lines, "; "))
}

func (p *program) run(args []string) error {
	if len(args) == 0 {
		return usageErrorf("no command given")
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return p.help(args[1:])
	case "-version", "--version":
		args = []string{"version"}
	}
	c, rest, err := findCommand(args)
	if err != nil {
		return err
	}
	f := newFlags(c)
	act := c.declare(f)
	operands, err := f.parse(rest, p.getenv)
	if errors.Is(err, errHelp) {
		return p.help(strings.Fields(c.name))
	}
	if err == nil {
		// serve shuts down gracefully; the other commands just end.
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		if err = act(ctx, p, operands); ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = errors.New("interrupted")
		}
	}
	var usage *usageError
	if errors.As(err, &usage) {
		usage.help = c.name
	}
	return err
}

// findCommand returns the command that args begin with, and the arguments after it.
func findCommand(args []string) (command, []string, error) {
	var below []string
	for _, c := range commands() {
		first, second, two := strings.Cut(c.name, " ")
		switch {
		case first != args[0]:
		case !two:
			return c, args[1:], nil
		case len(args) > 1 && second == args[1]:
			return c, args[2:], nil
		default:
			below = append(below, c.name)
		}
	}
	return command{}, nil, unknownCommand(args, below)
}

// help prints the list of commands, or the help of one.
func (p *program) help(about []string) error {
	if len(about) > 0 {
		c, _, err := findCommand(about)
		if err != nil {
			return err
		}
		f := newFlags(c)
		c.declare(f)
		f.help(p.stdout)
		return nil
	}
	fmt.Fprint(p.stdout, "Landfall tracks ocean freight.\n\nusage: landfall COMMAND [flags] [arguments]\n\ncommands:\n")
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(table, "  %s\t%s\n", c.name, c.about)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(p.stdout, `
Every flag can also be set by an environment variable: LANDFALL_DB for --db,
LANDFALL_RATE_DEFAULT for --rate-default. Flags take precedence over the
environment, the environment over the file of --config, and that over defaults.

Run "landfall help COMMAND" for the flags of a command.
`)
	return nil
}

var versionCommand = command{
	name:  "version",
	about: "print the version and build of the program",
	declare: func(*flags) action {
		return func(_ context.Context, p *program, _ []string) error {
			fmt.Fprintln(p.stdout, version())
			return nil
		}
	},
}

// release returns the version alone: v1.2.0.
func release() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}

// revision returns the commit that the program was built from; "unknown" if the build
// does not say.
func revision() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "unknown"
}

// version describes the build: landfall v1.2.0 (1f0c9e2d4b5a, 2026-11-21T10:00:00Z, go1.26.8, linux/amd64).
func version() string {
	details := []string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				details = append(details, s.Value[:min(12, len(s.Value))])
			case s.Key == "vcs.time":
				details = append(details, s.Value)
			case s.Key == "vcs.modified" && s.Value == "true":
				details = append(details, "modified")
			}
		}
	}
	details = append(details, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	return fmt.Sprintf("landfall %s (%s)", release(), strings.Join(details, ", "))
}

var openAPICommand = command{
	name:  "openapi",
	about: "print the OpenAPI 3.1 description of the API",
	details: `A running server serves the same at /v2/openapi.json, without a key. The
description is generated by the program, so it always matches its version.`,
	declare: func(f *flags) action {
		prefix := f.String("prefix", "/v2", "`PREFIX` of all paths")
		return func(_ context.Context, p *program, _ []string) error {
			text, err := httpserver.OpenAPI(*prefix)
			if err != nil {
				return err
			}
			_, err = p.stdout.Write(text)
			return err
		}
	},
}
