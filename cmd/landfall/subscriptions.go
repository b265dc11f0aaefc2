package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/landfallhq/tracking/source/dcsa"
)

// carrierFlags is the carrier of a command, from the configuration file.
type carrierFlags struct {
	scac     *string
	carriers carriers
}

// carrier declares --config and --carrier.
func (f *flags) carrier() *carrierFlags {
	c := &carrierFlags{}
	f.config = f.need("config", "configuration `FILE` of serve with the carrier")
	c.scac = f.need("carrier", "`SCAC` of the shipping line")
	f.carriers = &c.carriers
	return c
}

// subscriptions returns the subscriptions at the carrier.
func (c *carrierFlags) subscriptions(p *program) (*dcsa.Subscriptions, error) {
	set, known := c.carriers[*c.scac]
	if !known {
		return nil, usageErrorf("--carrier: the configuration has no carrier %q", *c.scac)
	}
	config, err := set.config(*c.scac, p.getenv)
	if err != nil {
		return nil, fmt.Errorf("carriers.%s.%w", *c.scac, err)
	}
	client, err := dcsa.New(config)
	if err != nil {
		return nil, fmt.Errorf("carriers.%s: %s", *c.scac, asConfigError(err))
	}
	return client.Subscriptions(), nil
}

// secret returns the first secret of one of the carrier's callbacks, which signs
// deliveries.
func (c *carrierFlags) secret(p *program, name string) ([]byte, error) {
	for i, cb := range c.carriers[*c.scac].Callbacks {
		if cb.Name != name {
			continue
		}
		path := fmt.Sprintf("carriers.%s.callbacks[%d].secrets", *c.scac, i)
		if len(cb.Secrets) == 0 {
			return nil, fmt.Errorf("%s is missing", path)
		}
		text, err := cb.Secrets[0].read(p.getenv)
		if err != nil {
			return nil, fmt.Errorf("%s[0]: %w", path, err)
		}
		secret, err := dcsa.DecodeSecret(text)
		if err != nil {
			return nil, fmt.Errorf("%s[0]: %w", path, err)
		}
		return secret, nil
	}
	return nil, usageErrorf("--callback: %s has no callback %q", *c.scac, name)
}

// subscriptionFlags describes the wanted subscription.
type subscriptionFlags struct {
	*carrierFlags
	callback, server, events *string
	booking, bill            *string
}

func (f *flags) subscription() *subscriptionFlags {
	return &subscriptionFlags{
		carrierFlags: f.carrier(),
		callback:     f.need("callback", "`NAME` of the carrier's callback in the configuration"),
		server:       f.need("server", "public `URL` of this server: https://tracking.example"),
		events:       f.String("events", "", "`LIST` of SHIPMENT, TRANSPORT, EQUIPMENT (default all)"),
		booking:      f.String("booking", "", "only events of the booking with this `NUMBER`"),
		bill:         f.String("bill", "", "only events of the transport document with this `NUMBER`"),
	}
}

func (o *subscriptionFlags) subscription(id string) dcsa.Subscription {
	sub := dcsa.Subscription{
		ID:                         id,
		CallbackURL:                strings.TrimSuffix(*o.server, "/") + dcsa.CallbackPath + *o.callback,
		CarrierBookingReference:    *o.booking,
		TransportDocumentReference: *o.bill,
	}
	if *o.events != "" {
		sub.EventTypes = strings.Split(*o.events, ",")
	}
	return sub
}

// subscriptionHelp is part of the help of two commands.
const subscriptionHelp = `
The carrier delivers events to the named callback of the configuration, signed
with the first of its secrets. Start the server with that configuration first.
Prints the ID of the subscription on a line.`

var subscriptionsCreate = command{
	name:    "subscriptions create",
	about:   "subscribe to the events of a carrier",
	details: subscriptionHelp,
	declare: func(f *flags) action {
		o := f.subscription()
		return func(ctx context.Context, p *program, _ []string) error { return o.renew(ctx, p, "") }
	},
}

var subscriptionsRenew = command{
	name:     "subscriptions renew",
	operands: "ID",
	about:    "update a subscription at a carrier, or create it again",
	details: subscriptionHelp + `
The ID is a new one if the carrier had dropped the subscription.`,
	declare: func(f *flags) action {
		o := f.subscription()
		return func(ctx context.Context, p *program, ids []string) error { return o.renew(ctx, p, ids[0]) }
	},
}

// renew creates or updates the subscription.
func (o *subscriptionFlags) renew(ctx context.Context, p *program, id string) error {
	subs, err := o.subscriptions(p)
	if err != nil {
		return err
	}
	secret, err := o.secret(p, *o.callback)
	if err != nil {
		return err
	}
	sub, err := subs.Renew(ctx, o.subscription(id), secret)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, sub.ID)
	return nil
}

var subscriptionsSecret = command{
	name:     "subscriptions secret",
	operands: "ID",
	about:    "set the secret of a subscription to that in the configuration",
	details: `
To change a secret, add the new one before the old one in the configuration and
restart the server, which then accepts both. Run this command, and then remove
the old one.`,
	declare: func(f *flags) action {
		c := f.carrier()
		callback := f.need("callback", "`NAME` of the carrier's callback in the configuration")
		return func(ctx context.Context, p *program, ids []string) error {
			subs, err := c.subscriptions(p)
			if err != nil {
				return err
			}
			secret, err := c.secret(p, *callback)
			if err != nil {
				return err
			}
			return subs.SetSecret(ctx, ids[0], secret)
		}
	},
}

var subscriptionsList = command{
	name:  "subscriptions list",
	about: "list the subscriptions at a carrier",
	declare: func(f *flags) action {
		c := f.carrier()
		return func(ctx context.Context, p *program, _ []string) error {
			subs, err := c.subscriptions(p)
			if err != nil {
				return err
			}
			list, err := subs.List(ctx)
			if err != nil {
				return err
			}
			return printSubscriptions(p.stdout, list)
		}
	},
}

func printSubscriptions(w io.Writer, list []dcsa.Subscription) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tCALLBACK\tEVENTS\tNUMBER")
	for _, s := range list {
		number := strings.Join(strings.Fields(strings.Join([]string{s.CarrierBookingReference, s.TransportDocumentReference, s.EquipmentReference}, " ")), ",")
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.ID, s.CallbackURL, strings.Join(s.EventTypes, ","), number)
	}
	return t.Flush()
}

var subscriptionsDelete = command{
	name:     "subscriptions delete",
	operands: "ID...",
	about:    "end subscriptions at a carrier",
	declare: func(f *flags) action {
		c := f.carrier()
		return func(ctx context.Context, p *program, ids []string) error {
			subs, err := c.subscriptions(p)
			if err != nil {
				return err
			}
			for _, id := range ids {
				if err := subs.Delete(ctx, id); err != nil {
					return fmt.Errorf("%s: %w", id, err)
				}
			}
			return nil
		}
	},
}
