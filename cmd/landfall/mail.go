package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/mail"
)

var mailTest = command{
	name:     "mail test",
	operands: "ADDRESS",
	about:    "send an example of an alert by e-mail, as serve would with the same flags",
	details: `
Prints the answer of the mail server, or why there was none. Nothing is stored, and the link to
unsubscribe is left out.`,
	declare: func(f *flags) action {
		var settings mailSettings
		settings.declareServer(f)
		public := f.dashboardURL()
		return func(ctx context.Context, p *program, operands []string) error {
			if len(operands) != 1 {
				return usageErrorf("give one address: landfall mail test jane@example.com")
			}
			if settings.server == "" {
				return usageErrorf("--smtp is missing: the URL of the mail server")
			}
			sender, err := settings.sender(p.getenv, string(*public))
			if err != nil {
				return err
			}
			d, err := exampleMail(operands[0])
			if err != nil {
				return err
			}
			if err := sender.Check(d.URL); err != nil {
				return usageErrorf("%q is no e-mail address", operands[0])
			}
			if o := sender.Send(ctx, d); o.Failure != "" {
				return fmt.Errorf("the e-mail was not sent: %s: %s", o.Failure, o.Detail)
			}
			fmt.Fprintf(p.stdout, "the mail server has taken an e-mail to %s\n", operands[0])
			return nil
		}
	},
}

// exampleMail is an alert with the example of an event.
func exampleMail(address string) (tracking.Dispatch, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return tracking.Dispatch{}, err
	}
	body, err := tracking.Describe().ExampleNotification(freight.VesselArrived)
	return tracking.Dispatch{
		ID: id, URL: "mailto:" + address, At: time.Now().UTC(), Body: body,
		Mail: &tracking.MailDispatch{Bodies: [][]byte{body}, Timezone: "Etc/UTC"},
	}, err
}

var mailBounce = command{
	name:  "mail bounce",
	about: "count an e-mail that came back: reads the report of a mail server",
	details: `
Reads one report (RFC 3464) from standard input and counts it for the user who did not get the
e-mail. One that says that there is no such mailbox ends the e-mails to it, and so do five others
within seven days. For the mailbox of --mail-return-path, as an alias of a mail server:

    bounces: "|landfall mail bounce --db /var/lib/landfall/landfall.db"

E-mails that are no such report are ignored, with a line that says so.`,
	declare: func(f *flags) action {
		db := f.database()
		return func(ctx context.Context, p *program, _ []string) error {
			b, err := mail.ReadBounce(p.stdin)
			if errors.Is(err, mail.ErrNoBounce) {
				fmt.Fprintf(p.stdout, "ignored: %v\n", err)
				return nil
			}
			if err != nil {
				return err
			}
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) error {
				err := tr.Mail().RecordBounce(ctx, b.Account, b.Subscription, b.Gone)
				if errors.Is(err, tracking.ErrNotFound) {
					fmt.Fprintln(p.stdout, "ignored: the subscription exists no longer")
					return nil
				}
				if err == nil {
					fmt.Fprintf(p.stdout, "counted: %s for the subscription %s\n", b.Status, b.Subscription)
				}
				return err
			})
		}
	},
}
