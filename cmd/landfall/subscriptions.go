package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/landfallhq/tracking/source/dcsa"
)

// carrierOf is a carrier of the configuration file that a command speaks to.
type carrierOf struct {
	scac     *string
	carriers carriers
}

// carrier declares --config and --carrier.
func (f *flags) carrier() *carrierOf {
	c := &carrierOf{}
	f.config = f.need("config", "JSON `FILE` of serve that has the carrier")
	c.scac = f.need("carrier", "`SCAC` of the shipping line")
	f.carriers = &c.carriers
	return c
}

// subscriptions returns what manages the subscriptions at the carrier.
func (c *carrierOf) subscriptions(p *program) (*dcsa.Subscriptions, error) {
	set, known := c.carriers[*c.scac]
	if !known {
		return nil, badUsage("--carrier: the configuration has no carrier %q", *c.scac)
	}
	config, err := set.config(*c.scac, p.getenv)
	if err != nil {
		return nil, fmt.Errorf("carriers.%s.%w", *c.scac, err)
	}
	client, err := dcsa.New(config)
	if err != nil {
		return nil, fmt.Errorf("carriers.%s: %s", *c.scac, inFile(err))
	}
	return client.Subscriptions(), nil
}

// secret returns the first secret of one of the carrier's callbacks: the one
// that deliveries are to be signed with.
func (c *carrierOf) secret(p *program, name string) ([]byte, error) {
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
	return nil, badUsage("--callback: %s has no callback %q", *c.scac, name)
}

// order is a subscription as the flags want it.
type order struct {
	*carrierOf
	callback, server, events *string
	booking, bill            *string
}

func (f *flags) order() *order {
	return &order{
		carrierOf: f.carrier(),
		callback:  f.need("callback", "`NAME` of the carrier's callback in the configuration"),
		server:    f.need("server", "`URL` at which the carrier reaches this server: https://tracking.example"),
		events:    f.String("events", "", "`LIST` of SHIPMENT, TRANSPORT, EQUIPMENT; all when it is not given"),
		booking:   f.String("booking", "", "`NUMBER` of a booking: its events alone"),
		bill:      f.String("bill", "", "`NUMBER` of a transport document: its events alone"),
	}
}

func (o *order) subscription(id string) dcsa.Subscription {
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

// subscriptionHelp is told with the commands that order.
const subscriptionHelp = `
The deliveries come to the callback of that name, which the configuration has
under the carrier, signed with the first of its secrets: the server should know
it already. The subscription's ID is printed alone on a line.`

var subscriptionsCreate = command{
	name:    "subscriptions create",
	about:   "have a carrier deliver its events",
	details: subscriptionHelp,
	declare: func(f *flags) action {
		o := f.order()
		return func(ctx context.Context, p *program, _ []string) error { return o.renew(ctx, p, "") }
	},
}

var subscriptionsRenew = command{
	name:     "subscriptions renew",
	operands: "ID",
	about:    "make sure that a carrier still has a subscription, as it is wanted now",
	details: subscriptionHelp + ` It is
another one than before where the carrier had dropped the subscription.`,
	declare: func(f *flags) action {
		o := f.order()
		return func(ctx context.Context, p *program, ids []string) error { return o.renew(ctx, p, ids[0]) }
	},
}

// renew makes the subscription, or makes sure of it.
func (o *order) renew(ctx context.Context, p *program, id string) error {
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
	about:    "give a subscription the secret that the configuration has now",
	details: `
To change a secret, put the new one before the old one in the configuration and
start the server again: it accepts both. After this command, take the old one
out.`,
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
	about:    "have a carrier deliver no longer",
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
