// Package calendartest checks calendars with libical, the library of many calendar programs.
// Only tests use it.
package calendartest

import (
	"bytes"
	_ "embed"
	"errors"
	"os/exec"
	"regexp"
	"testing"
)

//go:embed validate.py
var script string

// missing is the exit code of the script where there is no libical.
const missing = 3

// Validate fails the test if libical finds an error in an iCalendar object. It prints a line
// where python3 or libical is not installed.
func Validate(t *testing.T, calendar []byte) {
	t.Helper()
	if problem, ok := Check(t, calendar); ok && problem != "" {
		t.Errorf("libical finds an error:\n%s", problem)
	}
}

// Check returns what libical finds, empty for nothing; ok is false where it is not installed.
func Check(t *testing.T, calendar []byte) (problem string, ok bool) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "python3", "-c", script)
	c.Stdin = bytes.NewReader(calendar)
	out, err := c.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return "", true
	case errors.Is(err, exec.ErrNotFound) || errors.As(err, &ended) && ended.ExitCode() == missing:
		t.Log("LEFT OUT: libical does not check the calendar: python3 or libical.so.3 is missing (Debian: python3 libical3)")
		return "", false
	}
	return summary(out), true
}

var faulty = regexp.MustCompile(`(?m)^X-LIC-ERROR.*(\r?\n .*)*`)

// summary is the errors that libical has written into the calendar, or all of its output.
func summary(out []byte) string {
	if found := faulty.FindAll(out, -1); len(found) > 0 {
		return string(bytes.Join(found, []byte("\n")))
	}
	return string(out)
}
