package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"
)

// parseServe parses the flags of serve and returns the values of some of them.
func parseServe(args []string, env map[string]string) (map[string]string, error) {
	f := newFlags(serveCommand)
	serveCommand.declare(f)
	_, err := f.parse(args, func(name string) string { return env[name] })
	values := map[string]string{}
	for _, name := range []string{"addr", "db", "demo", "sandbox", "rate-default", "rate-create", "cache", "refresh-every", "stop-after-silence"} {
		values[name] = f.Lookup(name).Value.String()
	}
	return values, err
}

func TestPrecedence(t *testing.T) {
	file := write(t, "landfall.json", `{"addr": "file:1", "db": "file.db", "rate-default": 7, "sandbox": true, "stop-after-silence": "720h"}`)
	for _, c := range []struct {
		name string
		args []string
		env  map[string]string
		want map[string]string
	}{
		{"defaults", nil, nil, map[string]string{"addr": "127.0.0.1:8080", "db": "landfall.db", "rate-default": "100", "sandbox": "false", "cache": "64MiB", "refresh-every": "6h0m0s", "stop-after-silence": "0s"}},
		{"no cache", []string{"--cache", "0"}, nil, map[string]string{"cache": "0"}},
		{"sizes", []string{"--cache", "1536 KiB"}, map[string]string{"LANDFALL_CACHE": "1GiB"}, map[string]string{"cache": "1536KiB"}},
		{"size in bytes", nil, map[string]string{"LANDFALL_CACHE": "1073741824"}, map[string]string{"cache": "1GiB"}},
		{"file", []string{"--config", file}, nil, map[string]string{"addr": "file:1", "db": "file.db", "rate-default": "7", "sandbox": "true", "rate-create": "100", "stop-after-silence": "720h0m0s"}},
		{"file named by the environment", nil, map[string]string{"LANDFALL_CONFIG": file}, map[string]string{"addr": "file:1"}},
		{"environment before file", []string{"--config", file},
			map[string]string{"LANDFALL_ADDR": "env:2", "LANDFALL_SANDBOX": "false", "LANDFALL_RATE_DEFAULT": "8"},
			map[string]string{"addr": "env:2", "db": "file.db", "sandbox": "false", "rate-default": "8"}},
		{"flag before both", []string{"--config", file, "--addr", "flag:3", "-rate-default=0"},
			map[string]string{"LANDFALL_ADDR": "env:2", "LANDFALL_RATE_DEFAULT": "8"},
			map[string]string{"addr": "flag:3", "db": "file.db", "rate-default": "0"}},
		{"a flag that says the default", []string{"--config", file, "--db", "landfall.db"}, nil, map[string]string{"db": "landfall.db"}},
		{"an empty variable is none", []string{"--config", file}, map[string]string{"LANDFALL_DB": ""}, map[string]string{"db": "file.db"}},
	} {
		got, err := parseServe(c.args, c.env)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for name, want := range c.want {
			if got[name] != want {
				t.Errorf("%s: %s is %q, want %q", c.name, name, got[name], want)
			}
		}
	}
}

func TestConfigFileOfOtherCommands(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	file := write(t, "landfall.json", `{"db": "`+db+`", "rate-default": 5}`)
	must(t, "keys", "create", "--account", "acme", "--config", file)
	if r := runWith(t, "", []string{"LANDFALL_DB=" + db}, "accounts", "list"); r.code != 0 || !strings.Contains(r.stdout, "acme") {
		t.Errorf("exit %d: %s%s", r.code, r.stdout, r.stderr)
	}
	key := must(t, "keys", "create", "--account", "default", "--config", file)
	p := start(t, []string{"LANDFALL_CONFIG=" + file, "LANDFALL_RATE_DEFAULT=1"})
	p.list(key, "/shipments")
	if status, _, err := p.call(key, "GET", "/shipments", ""); status != 429 {
		t.Errorf("the environment's limit does not hold: %d %v", status, err)
	}
}

func TestConfigRefused(t *testing.T) {
	t.Parallel()
	for text, words := range map[string]string{
		``:                           "not a JSON object",
		`[]`:                         "not a JSON object",
		`{"addr": "a:1"`:             "EOF",
		`{"addr": "a:1"} {}`:         "data after",
		`{"adr": "a:1"}`:             `"adr"`,
		`{"config": "other.json"}`:   `"config"`,
		`{"db": "a", "db": "b"}`:     "twice",
		`{"rate-default": -1}`:       "rate-default",
		`{"rate-default": 1.5}`:      "rate-default",
		`{"sandbox": "perhaps"}`:     "sandbox",
		`{"addr": ["127.0.0.1:80"]}`: "addr",
		`{"addr": null}`:             "addr",
	} {
		file := write(t, "landfall.json", text)
		run(t, "serve", "--config", file, "--db", newDB(t)).refused(t, 1, file, words)
	}
	run(t, "serve", "--config", "no-such-file", "--db", newDB(t)).refused(t, 1, "no-such-file", "there is no file")
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		env  string
		word string
	}{
		{nil, "", "no command given"},
		{[]string{"sail"}, "", `"sail"`},
		{[]string{"keys"}, "", "keys create, keys list, keys rotate, keys revoke"},
		{[]string{"keys", "steal"}, "", "keys create"},
		{[]string{"serve", "--prot", "1"}, "", "--prot"},
		{[]string{"serve", "now"}, "", `"now"`},
		{[]string{"serve", "--addr", "8080"}, "", `"8080"`},
		{[]string{"serve", "--rate-create", "-1"}, "", "--rate-create"},
		{[]string{"serve", "--rate-create", "many"}, "", `"many"`},
		{[]string{"serve", "--cache", "much"}, "", `"much"`},
		{[]string{"serve", "--cache", "-1MiB"}, "", `"-1MiB"`},
		{[]string{"serve", "--cache", "1048577MiB"}, "", "--cache"},
		{[]string{"serve", "--trust-proxy", "caddy"}, "", `"caddy" is not a network`},
		{[]string{"serve", "--trust-proxy", "10.0.0.0/8,10.1.2.3/8"}, "", "write 10.0.0.0/8 for the network, or 10.1.2.3 for the address"},
		{[]string{"serve", "--max-connections", "-1"}, "", "--max-connections: -1"},
		{[]string{"serve", "--memory", "1MiB"}, "", "--memory: 1MiB is too little: use at least 128MiB"},
		{[]string{"serve", "--body-memory", "15MiB"}, "", "--body-memory: 15MiB is less than the largest body"},
		{[]string{"serve", "--tls-cert", "a.pem"}, "", "--tls-cert needs --tls-key"},
		{[]string{"serve", "--tls-key", "a.pem"}, "", "--tls-key needs --tls-cert"},
		{[]string{"serve", "--tls-cert", "a.pem", "--tls-key", "b.pem", "--acme-hosts", "a.example"}, "", "exclude each other"},
		{[]string{"serve", "--acme-hosts", "*.example.com"}, "", "without a wildcard"},
		{[]string{"serve", "--acme-hosts", "192.0.2.1"}, "", "is not a host name"},
		{[]string{"serve", "--acme-hosts", "a.example", "--acme-directory", "http://a"}, "", "is not an https URL"},
		{[]string{"serve", "--acme-email", "a@example.com"}, "", "need --acme-hosts"},
		{[]string{"serve", "--http-addr", ":80"}, "", "it needs --tls-cert or --acme-hosts"},
		{[]string{"serve", "--admin-addr", "9090"}, "", "--admin-addr"},
		{[]string{"serve", "--public-url", "freight.example.com"}, "", "such as https://tracking.example.com"},
		{[]string{"serve", "--public-url", "https://fr\u00e4ight.example"}, "", "xn--"},
		{[]string{"serve", "--public-url", "https://example.com/v2"}, "", "write https://example.com"},
		{[]string{"serve", "--oidc-client-id", "a"}, "", "--oidc-issuer is missing"},
		{[]string{"serve", "--oidc-issuer", "https://login.example.com"}, "", "--roles is missing"},
		{[]string{"serve", "--oidc-issuer", "https://login.example.com", "--roles", "*=show"}, "", "no client ID"},
		{[]string{"serve", "--oidc-issuer", "http://login.example.com", "--oidc-client-id", "a", "--roles", "*=show"}, "", "is not a URL such as https://"},
		{[]string{"serve", "--roles", "clerks"}, "", `"clerks" is not a role`},
		{[]string{"serve", "--roles", "cn=a,ou=b=show; c=fly"}, "", `"fly" of the role "c"`},
		{[]string{"serve", "--user-header", "X-User", "--roles", "*=show"}, "", "--trust-proxy is missing"},
		{[]string{"serve", "--user-header", "X User", "--trust-proxy", "127.0.0.1", "--roles", "*=show"}, "", "is not the name of a header"},
		{[]string{"serve", "--roles-header", "X-Groups"}, "", "--user-header is missing"},
		{[]string{"serve", "--user-header", "X-User", "--trust-proxy", "127.0.0.1", "--oidc-issuer", "https://login.example.com", "--oidc-client-id", "a", "--roles", "*=show"}, "", "choose one"},
		{[]string{"serve"}, "LANDFALL_RATE_INFER=lots", "LANDFALL_RATE_INFER"},
		{[]string{"serve"}, "LANDFALL_DEMO=perhaps", "LANDFALL_DEMO"},
		{[]string{"keys", "create"}, "", "--account"},
		{[]string{"keys", "create", "--account", "a", "--permissions", "show,fly"}, "", `"fly"`},
		{[]string{"keys", "create", "--account", "a", "--limit", "default"}, "", `"default"`},
		{[]string{"keys", "create", "--account", "a", "--limit", "default=0"}, "", `"default=0"`},
		{[]string{"keys", "create", "--account", "a", "--limit", "default=1,default=2"}, "", "twice"},
		{[]string{"keys", "create", "--account", "a", "--limit", "speed=1"}, "", `"speed=1"`},
		{[]string{"keys", "revoke"}, "", "ID"},
		{[]string{"keys", "revoke", "7"}, "", `"7"`},
		{[]string{"users", "create", "--account", "a"}, "", "--email"},
		{[]string{"import", "--account", "a"}, "", "FILE"},
		{[]string{"import", "x.json"}, "", "--account"},
		{[]string{"import", "--account", "a", "--format", "xml", "x"}, "", `"xml"`},
		{[]string{"backup", "a", "b"}, "", `"b"`},
		{[]string{"simulate-carrier", "--addr", "9090"}, "", `"9090"`},
		{[]string{"simulate-carrier", "--shipments", "0"}, "", "--shipments"},
		{[]string{"simulate-carrier", "--faults", "NaN"}, "", "--faults"},
		{[]string{"simulate-carrier", "--disorder", "-0.1"}, "", "--disorder"},
		{[]string{"simulate-carrier", "--speed", "0.5"}, "", "--speed"},
		{[]string{"simulate-carrier", "--spread", "-1s"}, "", "--spread"},
	} {
		var stdout, stderr bytes.Buffer
		p := &program{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, getenv: func(name string) string {
			if value, ok := strings.CutPrefix(c.env, name+"="); ok {
				return value
			}
			return ""
		}}
		// None of them may open a database.
		t.Chdir(t.TempDir())
		code := p.main(c.args)
		(result{stdout.String(), stderr.String(), code}).refused(t, 2, c.word, "(see landfall help")
		if files, _ := os.ReadDir("."); len(files) > 0 {
			t.Errorf("%v wrote %v", c.args, files)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, c := range commands() {
		f := newFlags(c)
		c.declare(f)
		var inHelp, afterFlag bytes.Buffer
		f.help(&inHelp)
		p := &program{stdout: &afterFlag, getenv: func(string) string { return "" }}
		if code := p.main(append(strings.Fields(c.name), "--help")); code != 0 || afterFlag.String() != inHelp.String() {
			t.Errorf("%s --help: exit %d: %s", c.name, code, afterFlag.String())
		}
		if !strings.HasPrefix(inHelp.String(), "usage: landfall "+c.name) {
			t.Errorf("%s: %s", c.name, inHelp.String())
		}
	}
}

// TestHelpIsAligned: in the list of commands, and in the flags of a command, all
// texts begin in the same column.
func TestHelpIsAligned(t *testing.T) {
	var list bytes.Buffer
	if code := (&program{stdout: &list}).main([]string{"help"}); code != 0 {
		t.Fatalf("exit %d", code)
	}
	for _, c := range commands() {
		if at := strings.Index(list.String(), "  "+c.about+"\n"); at < 0 {
			t.Errorf("the list shows %s out of line", c.name)
		}
		f := newFlags(c)
		c.declare(f)
		var help bytes.Buffer
		f.help(&help)
		_, flags, _ := strings.Cut(help.String(), "\nflags:\n")
		column := strings.Index(flags, "LANDFALL_")
		if column >= 0 {
			column -= strings.LastIndex(flags[:column], "\n") + 1
		}
		for line := range strings.Lines(flags) {
			if before := line[:min(column, len(line))]; !strings.HasSuffix(before, "  ") {
				t.Errorf("%s shows out of line: %s", c.name, line)
			}
		}
	}
}

func TestFlagsAfterOperands(t *testing.T) {
	for _, c := range []struct {
		args, want string
	}{
		{"--account a x y --scac MAEU", "x y"},
		{"x --account a -", "x -"},
		{"--account a -- --odd-name -", "--odd-name -"},
	} {
		f := newFlags(importCommand)
		importCommand.declare(f)
		operands, err := f.parse(strings.Fields(c.args), func(string) string { return "" })
		if got := strings.Join(operands, " "); err != nil || got != c.want || f.Lookup("account").Value.String() != "a" {
			t.Errorf("%s: %q %v", c.args, got, err)
		}
	}
}

func TestDatabaseRefused(t *testing.T) {
	t.Parallel()
	t.Run("everybody may write to the directory", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		db := filepath.Join(dir, "landfall.db")
		run(t, "serve", "--addr", "127.0.0.1:0", "--db", db).refused(t, 1, dir, "everybody")
		run(t, "keys", "create", "--account", "a", "--db", db).refused(t, 1, dir, "everybody")
		if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil { // as /tmp is
			t.Fatal(err)
		}
		must(t, "keys", "create", "--account", "a", "--db", db)
		if err := os.Chmod(db, 0o666); err != nil {
			t.Fatal(err)
		}
		run(t, "serve", "--addr", "127.0.0.1:0", "--db", db).refused(t, 1, db, "everybody")
	})
	t.Run("no directory", func(t *testing.T) {
		run(t, "serve", "--db", filepath.Join(t.TempDir(), "none", "landfall.db")).refused(t, 1, "none")
	})
	for name, c := range map[string]struct{ statement, word string }{
		"written by a newer program": {"INSERT INTO schema_migrations VALUES (9999, '9999_future.sql', 'x', '2030-01-01T00:00:00Z'); UPDATE meta SET value = 9999 WHERE name = 'oldest_schema'", "newer"},
		"failed migration":           {"DELETE FROM schema_migrations WHERE version = 2", "migration 0002"}, // what it makes is there
		"edited migration":           {"UPDATE schema_migrations SET sha256 = 'x' WHERE version = 1", "migration"},
	} {
		t.Run(name, func(t *testing.T) {
			db := newDB(t)
			must(t, "keys", "create", "--account", "a", "--db", db)
			change(t, db, c.statement)
			run(t, "serve", "--addr", "127.0.0.1:0", "--db", db).refused(t, 1, db, c.word)
			run(t, "accounts", "list", "--db", db).refused(t, 1, db, c.word)
		})
	}
	t.Run("not a database", func(t *testing.T) {
		db := write(t, "landfall.db", strings.Repeat("This is no database. ", 100))
		run(t, "serve", "--addr", "127.0.0.1:0", "--db", db).refused(t, 1, db)
	})
	t.Run("another program's database", func(t *testing.T) {
		db := newDB(t)
		change(t, db, "CREATE TABLE songs (title TEXT)")
		run(t, "serve", "--addr", "127.0.0.1:0", "--db", db).refused(t, 1, db, "another program")
	})
}

func change(t *testing.T, db, statement string) {
	t.Helper()
	c, err := sql.Open("sqlite3", db)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
