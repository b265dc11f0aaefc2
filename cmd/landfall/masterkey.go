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

// masterKeys encrypt the secrets of webhooks in the database.
type masterKeys struct {
	// current encrypts; the old ones only decrypt what was encrypted with them.
	current []byte
	old     [][]byte
	// file is where the current key is stored; empty if it came from the
	// environment, or is not stored. made: by this process.
	file    string
	created bool
}

const (
	masterKeyVariable     = "LANDFALL_MASTER_KEY"
	oldMasterKeysVariable = "LANDFALL_OLD_MASTER_KEYS"
	// keyBytes is the minimum length of a master key.
	keyBytes = 32
	// maxKeyFile bounds the size of a key file.
	maxKeyFile = 4 << 10
)

// masterKeys reads the keys from the environment. There are no flags for them,
// because command lines are visible to other users.
func (p *program) masterKeys() (k masterKeys, err error) {
	// Empty is not "not set" here: a server that was meant to get a key must not
	// use a key file instead.
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

// decodeKey decodes a key in hex or any form of base64. Its errors do not quote the
// key.
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

// loadOrCreate reads the key from the file next to the database if the environment has
// none, and creates the file if there is none. A database in memory gets a
// temporary key.
func (k *masterKeys) loadOrCreate(db string) (err error) {
	switch {
	case k.current != nil:
		return nil
	case isMemory(db):
		k.current = newMasterKey()
		return nil
	case !isFile(db):
		return fmt.Errorf("%s is not set: all processes on a PostgreSQL database need one master key, which has no file next to a database then; openssl rand -base64 32 prints a new one", masterKeyVariable)
	}
	k.file = keyFile(db)
	if k.current, err = readKeyFile(k.file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err = createKeyFile(k.file); err == nil {
		k.created = true
	} else if !errors.Is(err, fs.ErrExist) { // another process has created it
		return fmt.Errorf("the master key cannot be stored in %s (%w): set %s, or make the file writable", k.file, cause(err), masterKeyVariable)
	}
	k.current, err = readKeyFile(k.file)
	return err
}

// keyFile returns the path of the key file of a database: next to the database
// file, with symbolic links resolved.
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
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 { // the mode does not say who may read there
		return nil, fmt.Errorf("the key file %s can be read by other users: run chmod 600 on it, and replace the key if it may have been read", path)
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

// createKeyFile creates a key file, completely written and synced, or not at all:
// half a key would be useless. It returns fs.ErrExist if the file exists.
func createKeyFile(path string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = io.WriteString(file, base64.StdEncoding.EncodeToString(newMasterKey())+"\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil { // unlike Rename, does not replace a file
		return err
	}
	return syncDirectory(filepath.Dir(path))
}

func syncDirectory(path string) error {
	if runtime.GOOS == "windows" { // directories cannot be synced there
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// cause returns an error without the path, which the caller reports.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// open creates the engine, and closes the store on failure. db is the user's name
// of the store.
func (k *masterKeys) open(db string, config tracking.Config) (*tracking.Tracker, error) {
	if err := k.loadOrCreate(db); err != nil {
		return nil, errors.Join(err, config.Store.Close())
	}
	config.MasterKey, config.OldMasterKeys = k.current, k.old
	tr, err := tracking.New(config)
	if err != nil {
		return nil, errors.Join(k.explain(db, err), config.Store.Close())
	}
	return tr, nil
}

// explain says which key is wrong.
func (k *masterKeys) explain(db string, err error) error {
	switch {
	case !errors.Is(err, tracking.ErrMasterKey):
		return err
	case k.created: // remove it, because it is not the right one
		return errors.Join(fmt.Errorf("the secrets in %s are encrypted with a master key that is not here: restore its key file as %s, or set %s", db, k.file, masterKeyVariable), os.Remove(k.file))
	case k.file != "":
		return fmt.Errorf("the key in %s is not the one that the secrets in %s are encrypted with: restore that key, or set %s", k.file, db, masterKeyVariable)
	}
	return fmt.Errorf("%s is not the key that the secrets in %s are encrypted with: set that key, or add it to %s", masterKeyVariable, db, oldMasterKeysVariable)
}

// logCreated logs that a key file was created.
func (k *masterKeys) logCreated(log *slog.Logger) {
	if k.created {
		log.Warn("created a master key, which encrypts webhook secrets and signs upload links: keep a copy, apart from the backups of the database", "file", k.file)
	}
}
