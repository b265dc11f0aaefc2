package webhook_test

import (
	"math"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/webhook"
)

// Invalid members are reported by name, and New panics with the error.
func TestConfig(t *testing.T) {
	for want, config := range map[string]webhook.Config{
		"Timeout":         {Timeout: -1},
		"DialTimeout":     {DialTimeout: -1},
		"TLSTimeout":      {TLSTimeout: -1},
		"HeaderTimeout":   {HeaderTimeout: -1},
		"Rate":            {Rate: -1},
		"Rate must":       {Rate: math.NaN()},
		"Burst":           {Burst: -1},
		"IdlePerEndpoint": {IdlePerEndpoint: -1},
		"Version":         {Version: "1\r\nX: y"},
		"HeaderPrefix":    {HeaderPrefix: "a b"},
		"LegacyHeader":    {LegacyHeader: "a:"},
		"Allow":           {Allow: []netip.Prefix{{}}},
		"Deny":            {Deny: []netip.Prefix{netip.MustParsePrefix("::ffff:10.0.0.0/104")}},
		"Ports":           {Ports: []uint16{0}},
		"Proxy":           {Proxy: &url.URL{Scheme: "ftp", Host: "proxy.example", User: url.UserPassword("u", "canary")}},
		"Proxy must":      {Proxy: &url.URL{Scheme: "http"}},
	} {
		err := config.Validate()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", want, err)
		}
		func() {
			defer func() {
				if got := recover(); got == nil {
					t.Errorf("%s: New takes it", want)
				}
			}()
			webhook.New(config)
		}()
	}
	if err := (webhook.Config{}).Validate(); err != nil {
		t.Error(err)
	}
}

// The documented times.
func TestDefaults(t *testing.T) {
	c := webhook.Config{Rate: 2.5}.WithDefaults()
	if c.Timeout != 15*time.Second || c.DialTimeout != 5*time.Second || c.TLSTimeout != 5*time.Second || c.HeaderTimeout != 10*time.Second || c.Burst != 3 {
		t.Errorf("%+v", c)
	}
}
