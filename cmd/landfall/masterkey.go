package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/landfallhq/tracking"
)

// masterKeys are what the secrets of webhooks are sealed with in the database.
type masterKeys struct {
	// current seals; the old ones only open what was sealed before it.
	current []byte
	old     [][]byte
	// file is where the current one is kept; empty when it came from the
	// environment, or is kept nowhere. made: by this process.
	file string
	made bool
}

const (
	masterKeyVariable     = "LANDFALL_MASTER_KEY"
	oldMasterKeysVariable = "LANDFALL_OLD_MASTER_KEYS"
	// keyBytes is the least length of a master key.
	keyBytes = 32
	// maxKeyFile is more than any key file holds.
	maxKeyFile = 4 << 10
)

// masterKeys reads those that the environment has. They are no flags: those are
// shown to everybody who lists the processes.
func (p *program) masterKeys() (k masterKeys, err error) {
	// Empty is not "not set" here: whoever meant to give a key would be left with
	// one that a file beside the database tells.
	if text, set := p.lookupenv(masterKeyVariable); set {
		if k.current, err = decodeKey(text); err != nil {
			return k, fmt.Errorf("%s %w", masterKeyVariable, err)
		}
	}
	list, _ := p.lookupenv(oldMasterKeysVariable)
	if list == "" {
		return k, nil
	}
	for i, text := range strings.Split(list, ",") {
		key, err := decodeKey(text)
		if err != nil {
			return k, fmt.Errorf("%s: key %d %w", oldMasterKeysVariable, i+1, err)
		}
		k.old = append(k.old, key)
	}
	return k, nil
}

// decodeKey reads a key, as hex or as base64 in any of its forms. Its errors
// quote nothing.
func decodeKey(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, fmt.Errorf("is empty: a master key is base64 or hex of at least %d bytes", keyBytes)
	}
	key, err := hex.DecodeString(text)
	if err != nil {
		digits := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
		key, err = base64.RawStdEncoding.DecodeString(digits)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("is neither base64 nor hex: a master key is at least %d bytes in one of them", keyBytes)
	case len(key) < keyBytes:
		return nil, fmt.Errorf("has %d bytes: a master key has at least %d, as base64 or hex", len(key), keyBytes)
	}
	return key, nil
}

// complete finds a key for a database where the environment has none: in the file
// beside it, which is made with the first one. A database in memory has a key as
// short-lived as itself.
func (k *masterKeys) complete(db string) (err error) {
	switch {
	case k.current != nil:
		return nil
	case !isFile(db):
		k.current = newMasterKey()
		return nil
	}
	k.file = keyFile(db)
	if k.current, err = readKeyFile(k.file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err = makeKeyFile(k.file); err == nil {
		k.made = true
	} else if !errors.Is(err, fs.ErrExist) { // another process was first
		return fmt.Errorf("the master key cannot be kept in %s (%w): set %s, or make room for it", k.file, cause(err), masterKeyVariable)
	}
	k.current, err = readKeyFile(k.file)
	return err
}

// keyFile is where the key of a database is kept: beside the file, whatever links
// lead to it.
func keyFile(db string) string {
	if path, err := filepath.EvalSymlinks(db); err == nil {
		db = path
	}
	return db + ".key"
}

func newMasterKey() []byte {
	key := make([]byte, keyBytes)
	rand.Read(key) // never fails (crypto/rand)
	return key
}

func readKeyFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("the key file %s cannot be read: %w", path, cause(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the key file %s is not a regular file", path)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 { // there the mode does not say who may read
		return nil, fmt.Errorf("the key file %s can be read by others than its owner: chmod 600 it, and change the key if somebody has", path)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKeyFile))
	if err != nil {
		return nil, fmt.Errorf("the key file %s cannot be read: %w", path, cause(err))
	}
	key, err := decodeKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("the key file %s %w", path, err)
	}
	return key, nil
}

// makeKeyFile makes a key. The file appears whole and on the disk, or not at all:
// half a key would open nothing. fs.ErrExist when there is one by now.
func makeKeyFile(path string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = io.WriteString(file, base64.StdEncoding.EncodeToString(newMasterKey())+"\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil { // unlike Rename replaces nothing
		return err
	}
	return syncDirectory(filepath.Dir(path))
}

func syncDirectory(path string) error {
	if runtime.GOOS == "windows" { // has no such thing
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// cause is an error without the path, which is told anyway.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// open makes the engine on a store that it closes where that fails. db is what
// the user calls the store.
func (k *masterKeys) open(db string, config tracking.Config) (*tracking.Tracker, error) {
	if err := k.complete(db); err != nil {
		return nil, errors.Join(err, config.Store.Close())
	}
	config.MasterKey, config.OldMasterKeys = k.current, k.old
	tr, err := tracking.New(config)
	if err != nil {
		return nil, errors.Join(k.explain(db, err), config.Store.Close())
	}
	return tr, nil
}

// explain says in the words of the program which key is wrong.
func (k *masterKeys) explain(db string, err error) error {
	switch {
	case !errors.Is(err, tracking.ErrMasterKey):
		return err
	case k.made: // it opens nothing, and would be taken for the right one
		return errors.Join(fmt.Errorf("the secrets in %s are sealed with a master key that is not here: put its key file back as %s, or set %s", db, k.file, masterKeyVariable), os.Remove(k.file))
	case k.file != "":
		return fmt.Errorf("the key in %s is not the one that the secrets in %s are sealed with: put that one in its place, or set %s", k.file, db, masterKeyVariable)
	}
	return fmt.Errorf("%s is not the key that the secrets in %s are sealed with: set that one, or name it in %s", masterKeyVariable, db, oldMasterKeysVariable)
}

// say tells once of a key file that was made.
func (k *masterKeys) say(log *slog.Logger) {
	if k.made {
		log.Warn("a master key was made, which the secrets of webhooks are sealed with and uploads signed: keep a copy, apart from the backups of the database", "file", k.file)
	}
}
