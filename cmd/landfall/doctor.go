package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/landfallhq/tracking"
)

var doctorCommand = command{
	name:  "doctor",
	about: "check the setup that serve would use, and say what to do",
	details: `
Takes the flags, the environment and the file of serve, and judges what serve
would meet: files and their modes, the database and its version, the master key,
documents, disk, clock, memory and descriptors, carriers, addresses, proxies, the
certificate, the provider that people sign in at, inactive webhooks, backups, and what was left behind. Prints one
line for each check. The exit code is 1 if something was found.

It changes nothing, and can be used while a server runs. To see that the disk can
be written, it writes a small file next to the database and removes it. Each
carrier is asked for one number that does not exist.

Run it as the user of the server: modes and limits are those of this process.`,
	declare: func(f *flags) action {
		s, db := declareServer(f)
		d := &doctor{server: s}
		format := f.String("format", "text", "`FORMAT` of the report: text or json")
		f.StringVar(&d.backups, "backups", "", "`DIRECTORY` of the backups, to check the age of the newest (default --backup-dir)")
		f.DurationVar(&d.backupAge, "backup-age", 26*time.Hour, "greatest `DURATION` since the newest backup")
		d.free = 1 << 30
		f.Var(&d.free, "free", "least `SIZE` of free disk space")
		return func(ctx context.Context, p *program, _ []string) error {
			if _, _, err := net.SplitHostPort(s.addr); err != nil {
				return usageErrorf("--addr: %q is not HOST:PORT", s.addr)
			}
			if *format != "text" && *format != "json" {
				return usageErrorf("--format: use text or json")
			}
			s.program, s.db = p, *db
			d.backups = cmp.Or(d.backups, s.backups.dir)
			s.log = slog.New(slog.DiscardHandler)
			d.examine(ctx)
			if err := d.print(*format == "json"); err != nil {
				return err
			}
			if n := d.findings(); n > 0 {
				return fmt.Errorf("%d findings", n)
			}
			return nil
		}
	},
}

// doctor is one run of the command.
type doctor struct {
	*server
	backups   string        // directory; empty for none
	backupAge time.Duration // greatest age of the newest
	free      size          // least free space

	running bool // a server has the database open
	results []finding
}

// finding is what a check has found.
type finding struct {
	// Check is the name of the check, such as "key".
	Check string `json:"check"`
	// State is finding, ok, or skipped: the check does not apply, or could not be made.
	State string `json:"state"`
	Text  string `json:"text"`
	// Advice says what to do about a finding; empty for the other states.
	Advice string `json:"advice,omitempty"`
}

// found reports a finding.
func (d *doctor) found(check, advice, format string, args ...any) {
	d.results = slices.DeleteFunc(d.results, func(r finding) bool { return r.Check == check && r.State == "ok" })
	d.results = append(d.results, finding{check, "finding", oneLine(fmt.Sprintf(format, args...)), advice})
}

func (d *doctor) skip(check, format string, args ...any) {
	d.results = append(d.results, finding{Check: check, State: "skipped", Text: oneLine(fmt.Sprintf(format, args...))})
}

// fine reports that all is well, unless the check has found something.
func (d *doctor) fine(check, format string, args ...any) {
	for _, r := range d.results {
		if r.Check == check {
			return
		}
	}
	d.results = append(d.results, finding{Check: check, State: "ok", Text: oneLine(fmt.Sprintf(format, args...))})
}

func (d *doctor) findings() (n int) {
	for _, r := range d.results {
		if r.State == "finding" {
			n++
		}
	}
	return n
}

// examine runs all checks.
func (d *doctor) examine(ctx context.Context) {
	d.checkConfiguration()
	if isFile(d.db) {
		d.checkFiles()
		d.checkDisk()
		d.checkLeftovers()
	} else {
		d.skip("files", "%s is not a file", shown(d.db))
	}
	d.checkBucket(ctx)
	d.checkDatabase(ctx)
	d.checkLimits()
	d.checkClock()
	d.checkProxies()
	d.checkCertificate()
	d.checkServer(ctx)
	d.checkCarriers(ctx)
	d.checkIssuer(ctx)
	d.checkBackups()
}

// checkConfiguration makes the checks that serve makes before it opens anything.
func (d *doctor) checkConfiguration() {
	const check = "settings"
	if _, _, err := d.checkSettings(); err != nil {
		d.found(check, "correct the setting: serve does not start with it", "%v", err)
	}
	keys, err := d.masterKeys()
	if err != nil {
		d.found(check, "correct the variable: serve does not start with it", "%v", err)
	}
	d.keys = keys
	d.fine(check, "flags, environment and file of settings are valid")
}

// print writes the report.
func (d *doctor) print(asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(d.stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(struct {
			Version  string    `json:"version"`
			Findings int       `json:"findings"`
			Checks   []finding `json:"checks"`
		}{version(), d.findings(), d.results})
	}
	table := tabwriter.NewWriter(d.stdout, 0, 0, 2, ' ', 0)
	for _, r := range d.results {
		text := r.Text
		if r.Advice != "" {
			text += ": " + r.Advice
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.State, r.Check, text)
	}
	fmt.Fprintf(table, "%d findings\n", d.findings())
	return table.Flush()
}

// inactive returns the webhooks that the engine has deactivated.
func inactive(list []*tracking.Webhook) (off []*tracking.Webhook) {
	for _, w := range list {
		if w.DeactivatedReason == tracking.DeactivatedGone || w.DeactivatedReason == tracking.DeactivatedFailing {
			off = append(off, w)
		}
	}
	return off
}

// modeOf returns the permissions of a file; ok is false if there is none.
func modeOf(path string) (info os.FileInfo, ok bool) {
	info, err := os.Stat(path)
	return info, err == nil
}
