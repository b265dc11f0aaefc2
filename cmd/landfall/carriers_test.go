package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
)

// allSettings has every setting of a carrier.
const allSettings = `{"MAEU": {
	"url": "https://api.carrier.example/tnt", "allow_http": true, "source": "maersk", "api_version": "2",
	"event_types": ["TRANSPORT", "EQUIPMENT"], "page_limit": 50, "sort": "eventCreatedDateTime:ASC",
	"oauth2": {"token_url": "https://login.carrier.example/token", "client_id": "us", "client_secret": {"env": "MAERSK_SECRET"},
		"scopes": ["tnt"], "audience": "tracking"},
	"headers": {"X-Api-Key": {"env": "MAERSK_KEY"}},
	"request_timeout": "10s", "timeout": "30s", "patience": "1s", "requests_per_second": 2.5, "burst": 3, "concurrency": 2,
	"max_body": "8MiB", "max_answer": 1048576, "max_pages": 7, "refresh_every": "1h",
	"callbacks": [{"name": "maersk", "account": "acme", "secrets": [{"env": "MAERSK_CALLBACK"}], "tokens": [{"env": "MAERSK_TOKEN"}],
		"subscription_ids": ["3f1d"]}]
}}`

func TestCarriersAreRead(t *testing.T) {
	all, err := parseCarriers(json.RawMessage(allSettings))
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"MAERSK_SECRET": "hush\n", "MAERSK_KEY": "key-1"}
	c, err := all["MAEU"].config("MAEU", func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	if c.SCAC != "MAEU" || c.BaseURL != "https://api.carrier.example/tnt" || !c.AllowHTTP || c.Source != "maersk" || c.APIVersion != "2" ||
		strings.Join(c.EventTypes, " ") != "TRANSPORT EQUIPMENT" || c.PageLimit != 50 || c.Sort != "eventCreatedDateTime:ASC" {
		t.Errorf("%+v", c)
	}
	if c.RequestTimeout != 10*time.Second || c.Timeout != 30*time.Second || c.Patience != time.Second || c.RequestsPerSecond != 2.5 ||
		c.Burst != 3 || c.Concurrency != 2 || c.MaxBody != 8<<20 || c.MaxAnswer != 1<<20 || c.MaxPages != 7 {
		t.Errorf("%+v", c)
	}
	if string(c.Headers["X-Api-Key"]) != "key-1" {
		t.Error("the key was not read")
	}
	if o := c.OAuth; string(o.ClientSecret) != "hush" || o.TokenURL != "https://login.carrier.example/token" || o.ClientID != "us" ||
		strings.Join(o.Scopes, " ") != "tnt" || o.Audience != "tracking" {
		t.Errorf("%+v", c.OAuth)
	}
	if c := all["MAEU"]; time.Duration(c.RefreshEvery) != time.Hour || len(c.Callbacks) != 1 || c.Callbacks[0].Name != "maersk" ||
		c.Callbacks[0].Account != "acme" || c.Callbacks[0].Secrets[0].env != "MAERSK_CALLBACK" || c.Callbacks[0].Subscriptions[0] != "3f1d" {
		t.Errorf("%+v", all["MAEU"])
	}
}

// TestCarriersRefused: each error names the path of the member, and never repeats a
// possible secret.
func TestCarriersRefused(t *testing.T) {
	with := func(members string) string {
		return `{"MAEU": {"url": "https://api.carrier.example", ` + members + `}}`
	}
	for text, want := range map[string]string{
		`[]`:                    "carriers must be an object",
		`{"MAEU": 7}`:           "carriers.MAEU must be an object",
		`{"MAEU": {}}`:          "carriers.MAEU.url is missing",
		`{"XXXX": {"url":"u"}}`: "carriers.XXXX: no shipping line",
		`{"MEDU": {"url":"u"}}`: "carriers.MEDU: use the SCAC MSCU for MSC",
		`{"MAEU": {"url":"u"}, "MAEU": {"url":"u"}}`:     "carriers.MAEU is set twice",
		with(`"colour": "red"`):                          "carriers.MAEU.colour: unknown setting",
		with(`"url": "twice"`):                           "carriers.MAEU.url is set twice",
		with(`"burst": "many"`):                          "carriers.MAEU.burst must be a whole number",
		with(`"burst": null`):                            "carriers.MAEU.burst must be a whole number",
		with(`"timeout": "soon"`):                        "carriers.MAEU.timeout must be a time span",
		with(`"timeout": 20`):                            "carriers.MAEU.timeout must be a time span",
		with(`"timeout": "-1s"`):                         "carriers.MAEU.timeout must be a time span",
		with(`"max_body": "large"`):                      "carriers.MAEU.max_body a size is",
		with(`"event_types": "TRANSPORT"`):               "carriers.MAEU.event_types must be an array",
		with(`"event_types": [1]`):                       "carriers.MAEU.event_types[0] must be a string",
		with(`"headers": {"X-Api-Key": "hush-hush"}`):    `carriers.MAEU.headers.X-Api-Key must be {"env"`,
		with(`"headers": {"K": {"env":"A","file":"B"}}`): `carriers.MAEU.headers.K must be {"env"`,
		with(`"headers": {"K": {"value":"hush-hush"}}`):  `carriers.MAEU.headers.K must be {"env"`,
		with(`"oauth2": {}`):                             "carriers.MAEU.oauth2 needs",
		with(`"oauth2": {"token_url":"https://x.example","client_id":"us","client_secret":"hush-hush"}`): `carriers.MAEU.oauth2.client_secret must be {"env"`,
		with(`"callbacks": [{"secrets": [{"env":"A"}]}]`):                                                "carriers.MAEU.callbacks[0].name is missing",
		with(`"callbacks": [{"name":"a"}]`):                                                              "carriers.MAEU.callbacks[0] has neither secrets nor tokens",
		with(`"callbacks": [{"name":"a","secrets":["hush-hush"]}]`):                                      `carriers.MAEU.callbacks[0].secrets[0] must be {"env"`,
	} {
		_, err := parseCarriers(json.RawMessage(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s:\n%v, want %s", text, err, want)
		}
	}
}

// TestCarriersFaultsAtTheStart: errors that show only when the server starts use
// the names in the file.
func TestCarriersFaultsAtTheStart(t *testing.T) {
	empty := write(t, "empty", "\n")
	for members, want := range map[string]string{
		`"url": "ftp://carrier.example"`:                                                                                              "carriers.MAEU: url must be a URL",
		`"url": "http://carrier.example"`:                                                                                             "carriers.MAEU: url is plain http",
		`"url": "https://c.example", "event_types": ["SAIL"]`:                                                                         "carriers.MAEU: event_types has",
		`"url": "https://c.example", "burst": -1`:                                                                                     "carriers.MAEU: burst is negative",
		`"url": "https://c.example", "headers": {"K": {"env": "NOT_SET"}}`:                                                            "carriers.MAEU.headers.K: the environment variable NOT_SET is not set",
		`"url": "https://c.example", "headers": {"K": {"file": "` + empty + `"}}`:                                                     "carriers.MAEU.headers.K: " + empty + " is empty",
		`"url": "https://c.example", "headers": {"K": {"file": "/none/such"}}`:                                                        "carriers.MAEU.headers.K: open /none/such",
		`"url": "https://c.example", "headers": {"a b": {"env": "SET"}}`:                                                              "carriers.MAEU: headers has",
		`"url": "https://c.example", "oauth2": {"token_url": "http://c.example", "client_id": "us", "client_secret": {"env": "SET"}}`: "carriers.MAEU: oauth2.token_url is plain http",
	} {
		all, err := parseCarriers(json.RawMessage(`{"MAEU": {` + members + `}}`))
		if err != nil {
			t.Fatalf("%s: %v", members, err)
		}
		_, err = all.sources(func(name string) string { return map[string]string{"SET": "hush-hush"}[name] })
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s:\n%v, want %s", members, err, want)
		}
	}
}

// TestCallbacksFaultsAtTheStart: an invalid callback is reported by its path,
// before the database is opened.
func TestCallbacksFaultsAtTheStart(t *testing.T) {
	env := map[string]string{"FINE": "c2l4dGVlbiBieXRlcyBhcmUgZW5vdWdo", "SHORT": "aGVsbG8=", "PLAIN": "hush-hush, not base64"}
	for callbacks, want := range map[string]string{
		`{"name": "a", "secrets": [{"env": "PLAIN"}]}`:                                             "carriers.MAEU.callbacks[0]: its secrets[0]: the secret is not base64",
		`{"name": "a", "secrets": [{"env": "FINE"}, {"env": "SHORT"}]}`:                            "carriers.MAEU.callbacks[0]: its secrets[1]: the secret has 5 bytes",
		`{"name": "a", "tokens": [{"env": "SHORT"}]}`:                                              "carriers.MAEU.callbacks[0]: its tokens[0] has 8 characters",
		`{"name": "a/b", "secrets": [{"env": "FINE"}]}`:                                            "carriers.MAEU.callbacks[0]: its name must be",
		`{"name": "a", "secrets": [{"env": "FINE"}]}, {"name": "a", "secrets": [{"env": "FINE"}]}`: "carriers.MAEU.callbacks[1]: it has the same name as carriers.MAEU.callbacks[0]",
		`{"name": "of-hapag", "secrets": [{"env": "FINE"}]}`:                                       "carriers.MAEU.callbacks[0]: it has the same name as carriers.HLCU.callbacks[0]",
	} {
		all, err := parseCarriers(json.RawMessage(`{"HLCU": {"url": "https://h.example", "callbacks": [{"name": "of-hapag", "secrets": [{"env": "FINE"}]}]},
			"MAEU": {"url": "https://c.example", "callbacks": [` + callbacks + `]}}`))
		if err != nil {
			t.Fatalf("%s: %v", callbacks, err)
		}
		_, err = all.deliveries(func(name string) string { return env[name] })
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s:\n%v, want %s", callbacks, err, want)
		}
	}
}

// TestSourceTimeout: a carrier has its configured time.
func TestSourceTimeout(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`{}`: time.Minute,
		`{"MAEU": {"url": "u", "timeout": "20s"}}`:                                       time.Minute,
		`{"MAEU": {"url": "u", "timeout": "5m"}, "HLCU": {"url": "u", "timeout": "2m"}}`: 5*time.Minute + 10*time.Second,
	} {
		all, err := parseCarriers(json.RawMessage(text))
		if got := all.sourceTimeout(); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestSecretFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte(" key-1 \r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := (secret{file: path}).read(nil); err != nil || got != "key-1" {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(path, make([]byte, maxSecret+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (secret{file: path}).read(nil); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v", err)
	}
}

// TestPacedAnswers: refresh_every replaces the schedule, but not what the carrier
// asked for.
func TestPacedAnswers(t *testing.T) {
	for _, c := range []struct{ next, want time.Duration }{{0, time.Minute}, {time.Hour, time.Hour}} {
		answer, err := fixedInterval{answering{c.next}, time.Minute}.Track(t.Context(), tracking.SourceQuery{})
		if err != nil || answer.Next != c.want {
			t.Errorf("%v: %v, %v", c.next, answer.Next, err)
		}
	}
}

// answering is a source whose answers are valid for a fixed time.
type answering struct{ next time.Duration }

func (a answering) Track(context.Context, tracking.SourceQuery) (tracking.Answer, error) {
	return tracking.Answer{Next: a.next}, nil
}
