package main

import (
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/source/dcsa/simulator"
)

// TestSubscriptions runs the commands of a subscription from its creation to its
// deletion.
func TestSubscriptions(t *testing.T) {
	t.Parallel()
	carrier, err := simulator.New(simulator.Config{Shipments: 1})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(carrier)
	defer server.Close()
	file := write(t, "landfall.json", fmt.Sprintf(`{"carriers": {"TEST": {"url": %q, "callbacks": [
		{"name": "trial", "secrets": [{"env": "CALLBACK_SECRET"}]}, {"name": "notices", "tokens": [{"env": "CALLBACK_SECRET"}]}]}}}`, server.URL))
	env := []string{"CALLBACK_SECRET=" + base64.StdEncoding.EncodeToString([]byte("what only these two know"))}
	do := func(env []string, name string, args ...string) result {
		t.Helper()
		return runWith(t, "", env, append([]string{"subscriptions", name, "--config", file, "--carrier", "TEST"}, args...)...)
	}
	fine := func(name string, args ...string) string {
		t.Helper()
		r := do(env, name, args...)
		if r.code != 0 {
			t.Fatalf("%s: exit %d: %s", name, r.code, r.stderr)
		}
		return strings.TrimSpace(r.stdout)
	}
	to := []string{"--callback", "trial", "--server", "https://us.example/"}

	id := fine("create", append(to, "--events", "TRANSPORT,EQUIPMENT", "--booking", "LFK7001001")...)
	lines := strings.Split(fine("list"), "\n")
	want := []string{id, "https://us.example/v2/callbacks/dcsa/trial", "TRANSPORT,EQUIPMENT", "LFK7001001"}
	if len(lines) != 2 || strings.Join(strings.Fields(lines[1]), " ") != strings.Join(want, " ") {
		t.Errorf("list: %q, want %q", lines, want)
	}
	if same := fine("renew", append(to, id)...); same != id || strings.Contains(fine("list"), "LFK7001001") {
		t.Errorf("renewed as %s, want %s without the booking", same, id)
	}
	fine("secret", "--callback", "trial", id)
	fine("delete", id)
	if list := fine("list"); strings.Contains(list, id) {
		t.Errorf("after its end: %s", list)
	}
	if other := fine("renew", append(to, id)...); other == id || other == "" {
		t.Errorf("renewed as %q after its end", other)
	}

	do(env, "delete", id).refused(t, 1, id, "404")
	do(nil, "create", to...).refused(t, 1, "carriers.TEST.callbacks[0].secrets[0]", "CALLBACK_SECRET")
	do([]string{"CALLBACK_SECRET=c2hvcnQ="}, "create", to...).refused(t, 1, "5 bytes")
	do(env, "create", "--callback", "other", "--server", "https://us.example").refused(t, 2, "--callback", `"other"`)
	do(env, "create", "--callback", "notices", "--server", "https://us.example").refused(t, 1, "callbacks[1].secrets is missing")
	do(env, "create", "--callback", "trial", "--server", "us.example").refused(t, 1, "callbackUrl")
	do(env, "create").refused(t, 2, "--callback NAME")
	run(t, "subscriptions", "list", "--config", file, "--carrier", "MAEU").refused(t, 2, "--carrier", `"MAEU"`)
}
