package main

import (
	"fmt"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/mail"
)

// mailSettings say how e-mails are sent to users. Without a server none are sent.
type mailSettings struct {
	server, from, returnPath string
	passwordFile             string
	plain                    bool
	perHour                  int
	ready                    *mail.Sender // set by check; nil for none
}

const mailPasswordVariable = "LANDFALL_SMTP_PASSWORD"

// declareServer declares the flags about the server.
func (m *mailSettings) declareServer(f *flags) {
	f.StringVar(&m.server, "smtp", "", "`URL` of the mail server that takes e-mails to users: smtp://USER@HOST:587 with STARTTLS, or smtps://USER@HOST:465; by default none are sent")
	f.StringVar(&m.passwordFile, "smtp-password-file", "", "`FILE` with the password at the mail server; by default "+mailPasswordVariable+" has it")
	f.BoolVar(&m.plain, "smtp-allow-plain", false, "send without TLS if the mail server offers none: for one on this machine")
	f.StringVar(&m.from, "mail-from", "", "`ADDRESS` of the sender, also with a name: 'Landfall <landfall@example.com>'")
	f.StringVar(&m.returnPath, "mail-return-path", "", "`ADDRESS` that e-mails come back to; by default that of --mail-from")
}

// declare declares the flags of a server.
func (m *mailSettings) declare(f *flags) {
	m.declareServer(f)
	f.IntVar(&m.perHour, "mails-per-hour", 12, "`N` alerts that a user gets by e-mail in an hour; the next one has what happens meanwhile")
}

// sender returns what sends e-mails; nil without --smtp.
func (m *mailSettings) sender(getenv func(string) string, public string) (*mail.Sender, error) {
	if m.server == "" {
		if m.from != "" || m.returnPath != "" || m.passwordFile != "" {
			return nil, usageErrorf("--smtp is missing: --mail-from, --mail-return-path and --smtp-password-file need it")
		}
		return nil, nil //nolint:nilnil // no e-mails
	}
	if m.from == "" {
		return nil, usageErrorf("--mail-from is missing: e-mails need a sender")
	}
	if public == "" {
		return nil, usageErrorf("--public-url is missing: e-mails have links to the server")
	}
	password, err := m.password(getenv)
	if err != nil {
		return nil, err
	}
	s, err := mail.New(mail.Config{
		Server: m.server, Password: password, From: m.from, ReturnPath: m.returnPath, PublicURL: public, AllowPlain: m.plain, Version: release(),
	})
	if err != nil {
		return nil, usageErrorf("--smtp, --mail-from, --mail-return-path: %v", err)
	}
	return s, nil
}

func (m *mailSettings) password(getenv func(string) string) (string, error) {
	if m.passwordFile == "" && getenv(mailPasswordVariable) == "" { // a server that asks for none
		return "", nil
	}
	place := secret{file: m.passwordFile}
	if m.passwordFile == "" {
		place.env = mailPasswordVariable
	}
	text, err := place.read(getenv)
	if err != nil {
		return "", fmt.Errorf("--smtp-password-file: %w", err)
	}
	return text, nil
}

// check reads the settings before anything is opened. dashboard: the server has pages for people.
func (m *mailSettings) check(p *program, public string, dashboard bool) (err error) {
	switch m.ready, err = m.sender(p.getenv, public); {
	case err != nil || m.ready == nil:
		return err
	case !dashboard:
		return usageErrorf("--smtp: --dashboard is off, where users choose and end their e-mails")
	case m.perHour < 1:
		return usageErrorf("--mails-per-hour: %d is not a number from 1 on", m.perHour)
	}
	return nil
}

// configure sets what the engine sends with.
func (m *mailSettings) configure(config *tracking.Config) {
	if m.ready != nil {
		config.Mailer, config.MailsPerHour = m.ready, m.perHour
	}
}
