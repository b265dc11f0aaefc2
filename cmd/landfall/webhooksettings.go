package main

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
)

// webhookSettings are the settings of webhook deliveries. The defaults are those of
// the engine.
type webhookSettings struct {
	// private allows http URLs and private networks.
	private bool
	// rate is the number of attempts per endpoint and second; 0 means no limit.
	rate     float64
	noLegacy bool
	// ips are the addresses in GET /webhooks/ips, for the firewalls of receivers.
	ips      addressList
	delivery tracking.DeliverySettings
}

const (
	maxWebhookWorkers   = 10_000
	minWebhookRetention = 5 * 24 * time.Hour
)

// declare declares the flags.
func (w *webhookSettings) declare(f *flags) {
	f.BoolVar(&w.private, "allow-private-webhooks", false, "allow webhooks to http URLs, to this machine and to private networks, on any port")
	f.IntVar(&w.delivery.Workers, "webhook-workers", 64, "`N` concurrent webhook deliveries")
	f.IntVar(&w.delivery.PerEndpoint, "webhook-per-endpoint", 4, "`N` concurrent deliveries to one endpoint")
	f.Float64Var(&w.rate, "webhook-rate", 0, "`N` deliveries per second to one endpoint; 0 means no limit")
	f.DurationVar(&w.delivery.Retention, "webhook-retention", 30*24*time.Hour, "`DURATION` for which notifications and their attempts are kept; at least 120h (5 days)")
	f.Var(&w.ips, "webhook-ips", "`LIST` of the source addresses of deliveries, for GET /v2/webhooks/ips")
	f.BoolVar(&w.noLegacy, "no-legacy-signature", false, "omit the header X-T49-Webhook-Signature")
	f.BoolVar(&w.delivery.KeepFailing, "keep-failing-webhooks", false, "do not deactivate webhooks whose deliveries have all failed for 5 days")
}

// check validates the settings before anything is opened.
func (w *webhookSettings) check() error {
	switch {
	case w.delivery.Workers < 1 || w.delivery.Workers > maxWebhookWorkers:
		return usageErrorf("--webhook-workers: %d is not a number from 1 to %d", w.delivery.Workers, maxWebhookWorkers)
	case w.delivery.PerEndpoint < 1 || w.delivery.PerEndpoint > maxWebhookWorkers:
		return usageErrorf("--webhook-per-endpoint: %d is not a number from 1 to %d", w.delivery.PerEndpoint, maxWebhookWorkers)
	case !(w.rate >= 0 && w.rate <= maxLimit): // NaN too
		return usageErrorf("--webhook-rate: %g is not a number from 0 (no limit) to %d", w.rate, maxLimit)
	case w.delivery.Retention < minWebhookRetention:
		return usageErrorf("--webhook-retention: %s is less than %s (5 days): a notification can be pending for 4 days", w.delivery.Retention, minWebhookRetention)
	}
	return nil
}

// config returns the configuration of the webhook sender.
func (w *webhookSettings) config() webhook.Config {
	c := webhook.Config{
		AllowHTTP: w.private, AllowPrivate: w.private,
		Rate: w.rate, IdlePerEndpoint: w.delivery.PerEndpoint, Version: release(),
	}
	if w.noLegacy {
		c.LegacyHeader = "-"
	}
	return c
}

// addressList is a list of IP addresses: 203.0.113.7,2001:db8::7.
type addressList []netip.Addr

func (l *addressList) String() string {
	words := make([]string, len(*l))
	for i, a := range *l {
		words[i] = a.String()
	}
	return strings.Join(words, ",")
}

func (l *addressList) Set(s string) error {
	var list addressList
	for word := range strings.SplitSeq(s, ",") {
		a, err := netip.ParseAddr(strings.TrimSpace(word))
		if err != nil || a.Zone() != "" {
			return fmt.Errorf("%q is not an IP address: write a list as 203.0.113.7,2001:db8::7", word)
		}
		list = append(list, a)
	}
	*l = list
	return nil
}
