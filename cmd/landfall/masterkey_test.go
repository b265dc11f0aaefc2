package main

import (
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aKey and anotherKey are two master keys.
var (
	aKey       = strings.Repeat("0123456789abcdef", 4)
	anotherKey = base64.StdEncoding.EncodeToString([]byte("thirty-three bytes of no secrecy!"))
)

func TestDecodeKey(t *testing.T) {
	t.Parallel()
	raw := make([]byte, 33)
	for i := range raw {
		raw[i] = byte(255 - i) // + and / in base64
	}
	for _, text := range []string{
		hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), " " + hex.EncodeToString(raw) + "\n",
		base64.StdEncoding.EncodeToString(raw), base64.RawStdEncoding.EncodeToString(raw),
		base64.URLEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw),
	} {
		if key, err := decodeKey(text); err != nil || string(key) != string(raw) {
			t.Errorf("%q: %x %v", text, key, err)
		}
	}
	for text, words := range map[string]string{
		"":        "is empty",
		" \n":     "is empty",
		aKey[:62]: "has 31 bytes",
		base64.StdEncoding.EncodeToString(raw[:31]): "has 31 bytes",
		"correct horse battery staple":              "neither base64 nor hex",
		aKey + "!":                                  "neither base64 nor hex",
	} {
		_, err := decodeKey(text)
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v, want %q", text, err, words)
		}
		if text := strings.TrimSpace(text); err != nil && text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("the error shows the key: %v", err)
		}
	}
}

// The first start creates the key and logs it; later starts use it.
func TestKeyFileIsMadeOnce(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	p.stop()
	path := db + ".key"
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if logs := p.logs(); strings.Count(logs, path) != 1 || strings.Contains(logs, strings.TrimSpace(string(before))) {
		t.Errorf("it must say where the key is, once, and not what it is: %s", logs)
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(db, link); err != nil {
		t.Fatal(err)
	}
	again := serve(t, link) // the file that it leads to counts
	again.stop()
	if logs := again.logs(); strings.Contains(logs, "master key") {
		t.Errorf("said again: %s", logs)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the key changed: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(db), "*.new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Two processes that start on a new database have one key.
func TestKeyFileOfTheFirst(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "landfall.db.key")
	if err := createKeyFile(path); err != nil {
		t.Fatal(err)
	}
	first, err := readKeyFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := createKeyFile(path); !os.IsExist(err) {
		t.Errorf("made again: %v", err)
	}
	if again, err := readKeyFile(path); err != nil || string(again) != string(first) {
		t.Errorf("another key: %v", err)
	}
}

// A wrong key is refused in one line that does not show it, and the database is not
// changed.
func TestMasterKeyRefused(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	serve := func(env ...string) result {
		return runWith(t, "", env, "serve", "--addr", "127.0.0.1:0", "--db", db)
	}
	for value, words := range map[string]string{
		"": "is empty", "no key!": "neither base64 nor hex", aKey[:40]: "has 20 bytes",
	} {
		r := serve("LANDFALL_MASTER_KEY=" + value)
		r.refused(t, 1, "LANDFALL_MASTER_KEY", words, "at least 32")
		if value != "" && strings.Contains(r.stderr, value) {
			t.Errorf("it shows the key: %s", r.stderr)
		}
	}
	serve("LANDFALL_OLD_MASTER_KEYS="+aKey+",,").refused(t, 1, "LANDFALL_OLD_MASTER_KEYS", "key 2 is empty")
	if _, err := os.Stat(db); err == nil {
		t.Error("a database was made with a wrong key")
	}

	start(t, []string{"LANDFALL_MASTER_KEY=" + aKey}, "--db", db).stop()
	serve("LANDFALL_MASTER_KEY="+anotherKey).refused(t, 1, "LANDFALL_MASTER_KEY is not the key", db, "LANDFALL_OLD_MASTER_KEYS")
	for range 2 { // the key that it makes is not left there, to be taken for the right one
		serve().refused(t, 1, "a master key that is not here", db+".key")
	}
	if err := os.WriteFile(db+".key", []byte(anotherKey), 0o600); err != nil {
		t.Fatal(err)
	}
	serve().refused(t, 1, "the key in "+db+".key is not the one", db)

	// A change of the key: the old one decrypts until everything is encrypted with
	// the new one.
	start(t, []string{"LANDFALL_MASTER_KEY=" + anotherKey, "LANDFALL_OLD_MASTER_KEYS=" + aKey}, "--db", db).stop()
	start(t, []string{"LANDFALL_MASTER_KEY=" + anotherKey}, "--db", db).stop()
	start(t, nil, "--db", db).stop() // the file has the same by now
}

func TestKeyFileRefused(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	must(t, "keys", "create", "--account", "a", "--db", db)
	path := db + ".key"
	for _, c := range []struct {
		text  string
		mode  os.FileMode
		words string
	}{
		{aKey, 0o640, "chmod 600"},
		{aKey, 0o604, "chmod 600"},
		{"", 0o600, "is empty"},
		{aKey[:20], 0o600, "has 10 bytes"},
		{"{}", 0o600, "neither base64 nor hex"},
		{strings.Repeat("!", 1<<20), 0o600, "neither base64 nor hex"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		chmod(t, path, c.mode)
		run(t, "serve", "--addr", "127.0.0.1:0", "--db", db).refused(t, 1, path, c.words)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, "serve", "--addr", "127.0.0.1:0", "--db", db).refused(t, 1, path, "not a regular file")
}
