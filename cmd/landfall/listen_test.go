package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/webhook/signature"
)

// The receiver accepts deliveries signed with either secret, detects repeats, and
// reports why it refuses.
func TestListen(t *testing.T) {
	t.Parallel()
	first, second := signature.NewSecret(), signature.NewSecret()
	listen := exec.Command(binary, "listen", "--addr", "127.0.0.1:0", "--secret", first, "--secret", second)
	var out lockedBuffer
	listen.Stdout, listen.Stderr, listen.Env = &out, &out, environment()
	if err := listen.Start(); err != nil {
		t.Fatal(err)
	}
	defer listen.Process.Kill()
	line := regexp.MustCompile(`(?m)^landfall: listening on (http://\S+)$`)
	eventually(t, 15*time.Second, func() error {
		if !line.MatchString(out.String()) {
			return syscall.EAGAIN
		}
		return nil
	})
	url := line.FindStringSubmatch(out.String())[1]

	const body = `{"data":{"attributes":{"event":"container.created"},"relationships":{"reference_object":{"data":{"type":"container_created_event","id":"E1"}}}}}`
	for _, c := range []struct {
		secret, id string
		status     int
		says       string
	}{
		{first, "N1", 204, "container.created  container_created_event E1  N1  new"},
		{second, "N2", 204, "container_created_event E1  N2  new"},
		{first, "N1", 204, "N1  seen before"},
		{signature.NewSecret(), "N3", 401, "no signature matches"},
	} {
		now := time.Now()
		value, err := signature.Header(c.id, now, []byte(body), c.secret)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(signature.IDHeader, c.id)
		r.Header.Set(signature.TimestampHeader, signature.Timestamp(now))
		r.Header.Set(signature.SignatureHeader, value)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", c.id, res.StatusCode, c.status)
		}
		eventually(t, 5*time.Second, func() error { // it comes through a pipe
			if !strings.Contains(out.String(), c.says) {
				return fmt.Errorf("%s: nothing of %q:\n%s", c.id, c.says, out.String())
			}
			return nil
		})
	}
	if err := listen.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := listen.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	r := run(t, "listen", "--addr", "127.0.0.1:0", "--secret", "sesame")
	if r.refused(t, 2, "--secret: secret 1"); strings.Contains(r.stderr, "sesame") {
		t.Errorf("it shows the secret: %s", r.stderr)
	}
	run(t, "listen").refused(t, 2, "--secret")
}
