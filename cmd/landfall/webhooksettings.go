package main

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
)

// webhookSettings are how, and where to, webhooks are sent; the defaults are the
// engine's.
type webhookSettings struct {
	// private lets them be sent to http and to the operator's own networks.
	private bool
	// rate is how many attempts go to one endpoint in a second; 0 for no limit.
	rate     float64
	noLegacy bool
	// ips are what GET /webhooks/ips tells the firewalls of receivers.
	ips      addressList
	delivery tracking.DeliverySettings
}

const (
	maxWebhookWorkers   = 10_000
	minWebhookRetention = 5 * 24 * time.Hour
)

// declare adds its flags, which the configuration file may hold too.
func (w *webhookSettings) declare(f *flags) {
	f.BoolVar(&w.private, "allow-private-webhooks", false, "let webhooks be sent to http URLs, to this machine and to private networks, on any port")
	f.IntVar(&w.delivery.Workers, "webhook-workers", 64, "`N` deliveries of webhooks at one time")
	f.IntVar(&w.delivery.PerEndpoint, "webhook-per-endpoint", 4, "`N` deliveries to one endpoint at one time")
	f.Float64Var(&w.rate, "webhook-rate", 0, "`N` deliveries to one endpoint in a second; 0 for no limit")
	f.DurationVar(&w.delivery.Retention, "webhook-retention", 30*24*time.Hour, "`DURATION` for which notifications and their attempts are kept; at least 120h, 5 days")
	f.Var(&w.ips, "webhook-ips", "`LIST` of the addresses that deliveries come from, as GET /v2/webhooks/ips shows it")
	f.BoolVar(&w.noLegacy, "no-legacy-signature", false, "leave out the header X-T49-Webhook-Signature")
	f.BoolVar(&w.delivery.KeepFailing, "keep-failing-webhooks", false, "leave webhooks active whose every delivery has failed for 5 days")
}

// check says which of them is wrong, before anything is opened.
func (w *webhookSettings) check() error {
	switch {
	case w.delivery.Workers < 1 || w.delivery.Workers > maxWebhookWorkers:
		return badUsage("--webhook-workers: %d is not a number from 1 to %d", w.delivery.Workers, maxWebhookWorkers)
	case w.delivery.PerEndpoint < 1 || w.delivery.PerEndpoint > maxWebhookWorkers:
		return badUsage("--webhook-per-endpoint: %d is not a number from 1 to %d", w.delivery.PerEndpoint, maxWebhookWorkers)
	case !(w.rate >= 0 && w.rate <= maxLimit): // NaN too
		return badUsage("--webhook-rate: %g is not a number from 0, for no limit, to %d", w.rate, maxLimit)
	case w.delivery.Retention < minWebhookRetention:
		return badUsage("--webhook-retention: %s is less than %s, 5 days: a notification may be pending for 4", w.delivery.Retention, minWebhookRetention)
	}
	return nil
}

// config says it to what sends.
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
			return fmt.Errorf("%q is no IP address: a list is written as 203.0.113.7,2001:db8::7", word)
		}
		list = append(list, a)
	}
	*l = list
	return nil
}
