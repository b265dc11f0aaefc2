package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// image is what a Dockerfile makes, as far as ours has it: files from a context, and how
// the program is run.
type image struct {
	root, directory, user string
	env, command          []string
}

// build follows a Dockerfile without RUN, which therefore needs no Docker.
func (i *image) build(t *testing.T, file, context string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	i.root = t.TempDir()
	for line := range strings.Lines(string(text)) {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch instruction {
		case "", "#", "ARG", "EXPOSE", "VOLUME":
		case "FROM":
			if rest != "scratch" {
				t.Fatalf("FROM %s", rest)
			}
		case "COPY":
			words := strings.Fields(strings.ReplaceAll(rest, "${TARGETARCH}", "test"))
			from, to := words[len(words)-2], words[len(words)-1]
			if out, err := exec.Command("cp", "-r", filepath.Join(context, from), filepath.Join(i.root, to)).CombinedOutput(); err != nil {
				t.Fatalf("COPY %s: %v: %s", rest, err, out)
			}
		case "ENV":
			i.env = append(i.env, rest)
		case "USER":
			i.user = rest
		case "WORKDIR":
			i.directory = rest
		case "ENTRYPOINT", "CMD":
			var words []string
			if err := json.Unmarshal([]byte(rest), &words); err != nil {
				t.Fatalf("%s %s: %v", instruction, rest, err)
			}
			i.command = append(i.command, words...)
		default:
			t.Fatalf("the test does not know %s", line)
		}
	}
}

// run is the container with more arguments and variables.
func (i *image) run(env []string, args ...string) *exec.Cmd {
	user, group, _ := strings.Cut(i.user, ":")
	options := []string{"--user", "--map-user=" + user, "--map-group=" + group, "--root=" + i.root, "--wd=" + i.directory}
	cmd := exec.Command("unshare", append(append(options, i.command...), args...)...)
	cmd.Env = append(i.env, env...)
	return cmd
}

// The image of deploy/docker is the program alone, and serves as its user. There is no
// Docker in this test: it does what the Dockerfile says.
//
// Seen to fail: without WORKDIR, and without the directory of the database.
func TestImage(t *testing.T) {
	static := os.Getenv("LANDFALL_STATIC")
	if static == "" || os.Getenv("LANDFALL_EMULATOR") != "" {
		t.Skip("LANDFALL_STATIC is not set to a binary for this machine: bash .ci/run release builds one and runs this test")
	}
	context := t.TempDir()
	content, err := os.ReadFile(static)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(context, "landfall-linux-test"), content, 0o755); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(context, "data"), 0o755); err != nil { //nolint:gosec // as a checkout has it
		t.Fatal(err)
	}
	var made image
	made.build(t, "../../deploy/docker/Dockerfile", context)
	p := startCommand(t, made.run([]string{"LANDFALL_ADDR=127.0.0.1:0"}, "--demo"))
	if got := getStatus(t, strings.TrimSuffix(p.base, "/v2")+"/readyz"); got != http.StatusOK {
		t.Errorf("/readyz: %d", got)
	}
	p.stop()
	for _, name := range []string{"landfall.db", "landfall.db.key", "landfall-documents"} {
		if _, err := os.Stat(filepath.Join(made.root, "data", name)); err != nil {
			t.Error(err)
		}
	}
}
