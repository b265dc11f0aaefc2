package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/store"
)

// restoreAdvice is what to do about a database that cannot be used.
const restoreAdvice = "restore a backup with its key file (docs/operating.md, Backup), or set --db to another path"

// checkDatabase opens the database for reading alone, and with it the key and the
// webhooks.
func (d *doctor) checkDatabase(ctx context.Context) {
	const check = "database"
	if !isFile(d.db) {
		d.skip(check, "%s is not a file", shown(d.db))
		return
	}
	info, err := os.Stat(d.db)
	keyThere := exists(keyFile(d.db))
	switch {
	case errors.Is(err, fs.ErrNotExist) && keyThere, err == nil && info.Size() == 0 && keyThere:
		d.found(check, restoreAdvice, "%s is missing or empty, and its key file %s is there", d.db, keyFile(d.db))
		return
	case errors.Is(err, fs.ErrNotExist):
		d.fine(check, "there is no %s yet: serve creates it", d.db)
		return
	}
	opened, err := storage.OpenWith(d.db, storage.Options{ReadOnly: true})
	if errors.Is(err, store.ErrReadOnly) {
		d.fine(check, "%v; serve does that: make a backup before", err)
		return
	}
	if err != nil {
		advice := restoreAdvice
		if strings.Contains(err.Error(), "newer program") {
			advice = "use the version of the program that has written it, or a later one"
		}
		d.found(check, advice, "%v", err)
		return
	}
	defer opened.Close()
	d.checkStore(ctx, opened)
}

// checkStore opens the engine on the database and reads what is sealed in it.
func (d *doctor) checkStore(ctx context.Context, opened tracking.Store) {
	const check = "database"
	keys, there := d.keyForReading()
	if keys == nil {
		d.skip(check, "it was not read without its key")
		return
	}
	tr, err := tracking.New(tracking.Config{Store: opened, MasterKey: keys, OldMasterKeys: d.keys.old, Logger: d.log})
	switch {
	case errors.Is(err, tracking.ErrMasterKey) && !there:
		d.found("key", "restore the key file, or set "+masterKeyVariable, "the key file %s is missing, and secrets in %s are encrypted with it", keyFile(d.db), d.db)
		return
	case errors.Is(err, tracking.ErrMasterKey):
		d.found("key", "restore the right key file, or set "+masterKeyVariable, "the master key is not the one that the secrets in %s are encrypted with", d.db)
		return
	case errors.Is(err, store.ErrReadOnly):
		d.fine(check, "%v; serve does that: make a backup before", err)
		return
	case err != nil:
		d.found(check, "use the version of the program that has written it, or restore a backup", "%v", err)
		return
	}
	if s, ok := opened.(interface{ Newer() []string }); ok && len(s.Newer()) > 0 {
		d.found(check, "use the version of the program that has written them, or a later one", "a newer version has stored records of %s, which this one does not change", strings.Join(s.Newer(), ", "))
	}
	accounts, err := tr.Accounts(ctx)
	if err != nil {
		d.found(check, "run landfall check", "the accounts cannot be read: %v", err)
		return
	}
	d.checkWebhooks(ctx, tr, accounts)
	d.fine(check, "%d accounts", len(accounts))
}

// keyForReading returns the master key; nil if it was found to be wrong. If there is no
// key yet, it returns another one, which opens nothing.
func (d *doctor) keyForReading() (key []byte, there bool) {
	if d.keys.current != nil {
		return d.keys.current, true
	}
	path := keyFile(d.db)
	key, err := readKeyFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newMasterKey(), false
	case err != nil:
		d.found("key", "serve does not start with it", "%v", err)
		return nil, true
	}
	return key, true
}

// checkWebhooks reads all webhooks, whose secrets are sealed, and reports those that the
// engine has deactivated.
func (d *doctor) checkWebhooks(ctx context.Context, tr *tracking.Tracker, accounts []*tracking.Account) {
	count := 0
	for _, a := range accounts {
		if !a.ClosedAt.IsZero() {
			continue
		}
		of := tr.For(tracking.Actor{Account: a.Scope(), Permissions: []tracking.Permission{tracking.Show}})
		list, err := everyPage(func(page tracking.Page) ([]*tracking.Webhook, int, error) {
			return of.Webhooks(ctx, tracking.WebhookQuery{}, page)
		})
		if err != nil {
			d.found("key", "add the former key to "+oldMasterKeysVariable, "the secrets of account %q cannot be opened: %v", a.Name, err)
			continue
		}
		count += len(list)
		for _, w := range inactive(list) {
			d.found("webhooks", "repair the endpoint, then set the webhook active; landfall webhooks recover sends what it missed",
				"webhook %s of account %q is inactive since %s (%s)", w.ID, a.Name, formatTime(w.DeactivatedAt), w.DeactivatedReason)
		}
	}
	d.fine("key", "the master key opens the secrets of %d webhooks", count)
	d.fine("webhooks", "%d, none deactivated by failures", count)
}
