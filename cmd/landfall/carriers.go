package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/source/dcsa"
)

// carriers are the shipping lines that are asked through their DCSA APIs, by SCAC:
// the member "carriers" of the configuration file. docs/carriers.md describes the
// settings.
type carriers map[string]carrier

// carrier configures one shipping line. Members that are left out have the defaults
// of dcsa.Config.
type carrier struct {
	URL               string            `json:"url"`
	AllowHTTP         bool              `json:"allow_http"`
	Source            string            `json:"source"`
	OAuth             *oauth            `json:"oauth2"`
	Headers           map[string]secret `json:"headers"`
	APIVersion        string            `json:"api_version"`
	EventTypes        []string          `json:"event_types"`
	PageLimit         int               `json:"page_limit"`
	Sort              string            `json:"sort"`
	RequestTimeout    duration          `json:"request_timeout"`
	Timeout           duration          `json:"timeout"`
	Patience          duration          `json:"patience"`
	RequestsPerSecond float64           `json:"requests_per_second"`
	Burst             int               `json:"burst"`
	Concurrency       int               `json:"concurrency"`
	MaxBody           size              `json:"max_body"`
	MaxAnswer         size              `json:"max_answer"`
	MaxPages          int               `json:"max_pages"`
	// RefreshEvery replaces the schedule of the engine.
	RefreshEvery duration   `json:"refresh_every"`
	Callbacks    []callback `json:"callbacks"`
}

// oauth configures how tokens are requested.
type oauth struct {
	TokenURL     string   `json:"token_url"`
	ClientID     string   `json:"client_id"`
	ClientSecret secret   `json:"client_secret"`
	Scopes       []string `json:"scopes"`
	Audience     string   `json:"audience"`
}

// callback is an address to which the carrier sends events.
type callback struct {
	Name          string   `json:"name"`
	Account       string   `json:"account"`
	Secrets       []secret `json:"secrets"`
	Tokens        []secret `json:"tokens"`
	Subscriptions []string `json:"subscription_ids"`
}

// secret says where a secret is: in an environment variable or in a file. A
// configuration file is copied, mailed and committed too easily to contain it.
type secret struct{ env, file string }

func (s *secret) UnmarshalJSON(data []byte) error {
	var place struct {
		Env  string `json:"env"`
		File string `json:"file"`
	}
	if err := decodeStrict(data, "", reflect.ValueOf(&place).Elem()); err != nil || (place.Env == "") == (place.File == "") {
		// Without the value, which may be the secret itself.
		return errors.New(`must be {"env": "VARIABLE"} or {"file": "PATH"}: secrets are not allowed in the configuration`)
	}
	s.env, s.file = place.Env, place.File
	return nil
}

// maxSecret bounds the file of a secret, in bytes.
const maxSecret = 64 << 10

// read returns the secret, without surrounding white space.
func (s secret) read(getenv func(string) string) (string, error) {
	if s.env != "" {
		if text := strings.TrimSpace(getenv(s.env)); text != "" {
			return text, nil
		}
		return "", fmt.Errorf("the environment variable %s is not set", s.env)
	}
	file, err := os.Open(s.file)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSecret+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > maxSecret:
		return "", fmt.Errorf("%s is too large for a secret", s.file)
	case len(bytes.TrimSpace(text)) == 0:
		return "", fmt.Errorf("%s is empty", s.file)
	}
	return string(bytes.TrimSpace(text)), nil
}

// duration is a time span, such as "20s".
type duration time.Duration

func (d *duration) UnmarshalJSON(data []byte) error {
	var text string
	err := json.Unmarshal(data, &text)
	span, fault := time.ParseDuration(text)
	if err != nil || fault != nil || span < 0 {
		return errors.New(`must be a time span such as "20s" or "1m30s"`)
	}
	*d = duration(span)
	return nil
}

// UnmarshalJSON reads a size as from a flag.
func (n *size) UnmarshalJSON(data []byte) error { return n.Set(strings.Trim(string(data), `"`)) }

// parseCarriers parses and checks the member "carriers" of the configuration file.
func parseCarriers(text json.RawMessage) (all carriers, err error) {
	if err := decodeStrict(text, "carriers", reflect.ValueOf(&all).Elem()); err != nil {
		return nil, err
	}
	for _, scac := range slices.Sorted(maps.Keys(all)) {
		line, ok := refdata.LineBySCAC(scac)
		switch {
		case scac == tracking.SandboxSCAC:
		case !ok:
			return nil, fmt.Errorf("carriers.%s: no shipping line has this SCAC: use one such as MAEU; GET /v2/shipping_lines lists them", scac)
		case line.SCAC != scac:
			return nil, fmt.Errorf("carriers.%s: use the SCAC %s for %s", scac, line.SCAC, line.ShortName)
		}
		if err := all[scac].check(); err != nil {
			return nil, fmt.Errorf("carriers.%s.%w", scac, err)
		}
	}
	return all, nil
}

// check reports missing members; dcsa.New checks the others.
func (c carrier) check() error {
	if c.URL == "" {
		return errors.New("url is missing")
	}
	if o := c.OAuth; o != nil && (o.TokenURL == "" || o.ClientID == "" || o.ClientSecret == secret{}) {
		return errors.New("oauth2 needs token_url, client_id and client_secret")
	}
	for i, cb := range c.Callbacks {
		switch {
		case cb.Name == "":
			return fmt.Errorf("callbacks[%d].name is missing", i)
		case len(cb.Secrets) == 0 && len(cb.Tokens) == 0:
			return fmt.Errorf("callbacks[%d] has neither secrets nor tokens", i)
		}
	}
	return nil
}

// sources returns the carriers as sources of the engine. Secrets are read once, so
// new ones need a restart of the server.
func (all carriers) sources(getenv func(string) string) (tracking.Sources, error) {
	sources := tracking.Sources{}
	for _, scac := range slices.Sorted(maps.Keys(all)) {
		config, err := all[scac].config(scac, getenv)
		if err != nil {
			return nil, fmt.Errorf("carriers.%s.%w", scac, err)
		}
		client, err := dcsa.New(config)
		if err != nil {
			return nil, fmt.Errorf("carriers.%s: %s", scac, asConfigError(err))
		}
		sources[scac] = client
		if every := time.Duration(all[scac].RefreshEvery); every > 0 {
			sources[scac] = fixedInterval{client, every}
		}
	}
	return sources, nil
}

// sourceTimeout bounds a request to a source: the longest configured timeout of a
// carrier, and time to end properly.
func (all carriers) sourceTimeout() time.Duration {
	longest := time.Minute
	for _, c := range all {
		if c.Timeout > 0 {
			longest = max(longest, time.Duration(c.Timeout)+10*time.Second)
		}
	}
	return longest
}

func (c carrier) config(scac string, getenv func(string) string) (dcsa.Config, error) {
	config := dcsa.Config{
		SCAC: scac, BaseURL: c.URL, AllowHTTP: c.AllowHTTP, Source: c.Source, APIVersion: c.APIVersion,
		EventTypes: c.EventTypes, PageLimit: c.PageLimit, Sort: c.Sort,
		RequestTimeout: time.Duration(c.RequestTimeout), Timeout: time.Duration(c.Timeout), Patience: time.Duration(c.Patience),
		RequestsPerSecond: c.RequestsPerSecond, Burst: c.Burst, Concurrency: c.Concurrency,
		MaxBody: int64(c.MaxBody), MaxAnswer: int64(c.MaxAnswer), MaxPages: c.MaxPages,
	}
	for name, place := range c.Headers {
		text, err := place.read(getenv)
		if err != nil {
			return config, fmt.Errorf("headers.%s: %w", name, err)
		}
		if config.Headers == nil {
			config.Headers = map[string]dcsa.Secret{}
		}
		config.Headers[name] = dcsa.Secret(text)
	}
	if o := c.OAuth; o != nil {
		text, err := o.ClientSecret.read(getenv)
		if err != nil {
			return config, fmt.Errorf("oauth2.client_secret: %w", err)
		}
		config.OAuth = &dcsa.OAuth{
			TokenURL: o.TokenURL, ClientID: o.ClientID, ClientSecret: dcsa.Secret(text), Scopes: o.Scopes, Audience: o.Audience,
		}
	}
	return config, nil
}

// delivery is a configured callback without its Tracker.
type delivery struct {
	dcsa.Callback
	account string
}

// deliveries returns the callbacks of all carriers with their secrets. They are
// checked before the database is opened.
func (all carriers) deliveries(getenv func(string) string) (list []delivery, err error) {
	taken := map[string]string{} // path of the callback with each name
	for _, scac := range slices.Sorted(maps.Keys(all)) {
		for i, cb := range all[scac].Callbacks {
			d := delivery{account: cmp.Or(cb.Account, defaultAccount), Callback: dcsa.Callback{
				Name: cb.Name, SCAC: scac, Source: all[scac].Source, SubscriptionIDs: cb.Subscriptions,
			}}
			path := fmt.Sprintf("carriers.%s.callbacks[%d]", scac, i)
			if d.Secrets, err = readAll(cb.Secrets, path+".secrets", getenv); err != nil {
				return nil, err
			}
			if d.Tokens, err = readAll(cb.Tokens, path+".tokens", getenv); err != nil {
				return nil, err
			}
			if err := d.Check(); err != nil {
				return nil, fmt.Errorf("%s: %s", path, asConfigError(err))
			}
			if earlier := taken[cb.Name]; earlier != "" {
				return nil, fmt.Errorf("%s: it has the same name as %s", path, earlier)
			}
			taken[cb.Name] = path
			list = append(list, d)
		}
	}
	return list, nil
}

// readAll reads a list of secrets.
func readAll(places []secret, path string, getenv func(string) string) (texts []dcsa.Secret, err error) {
	for i, place := range places {
		text, err := place.read(getenv)
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", path, i, err)
		}
		texts = append(texts, dcsa.Secret(text))
	}
	return texts, nil
}

// asConfigError rewrites an error of package dcsa with the member names of the
// configuration file.
func asConfigError(err error) string { return memberNames.Replace(err.Error()) }

var memberNames = strings.NewReplacer(
	"dcsa: Config.", "", "BaseURL", "url", "AllowHTTP", "allow_http", "OAuth.TokenURL", "oauth2.token_url",
	"EventTypes", "event_types", "Headers", "headers", "RequestTimeout", "request_timeout", "Timeout", "timeout",
	"Burst", "burst", "Concurrency", "concurrency", "MaxBody", "max_body", "MaxAnswer", "max_answer", "MaxPages", "max_pages",
	"OAuth", "oauth2", "dcsa: CallbackConfig.", "", "Callbacks", "callbacks", "Secrets", "secrets", "Tokens", "tokens", "Name", "name", "Source", "source",
)

// fixedInterval is a source whose answers are valid for a fixed time.
type fixedInterval struct {
	tracking.Source
	interval time.Duration
}

func (p fixedInterval) Track(ctx context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
	answer, err := p.Source.Track(ctx, q)
	answer.Next = cmp.Or(answer.Next, p.interval)
	return answer, err
}
