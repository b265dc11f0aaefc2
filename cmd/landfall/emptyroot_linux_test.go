package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A released binary needs nothing but itself: it serves in a root directory in which
// there is no other file. LANDFALL_STATIC names the binary, and LANDFALL_EMULATOR a
// static qemu if it is for another machine.
//
// Seen to fail: with a binary that is linked dynamically.
func TestEmptyRoot(t *testing.T) {
	static := os.Getenv("LANDFALL_STATIC")
	if static == "" {
		t.Skip("LANDFALL_STATIC is not set: bash .ci/run release builds a binary and runs this test")
	}
	root := emptyRoot(t, static)
	says := inRoot(t, root, "version")
	if !strings.HasPrefix(says, "landfall ") {
		t.Errorf("version: %s", says)
	}
	t.Log(strings.TrimSpace(says))

	// The reader of PDFs is a child process of the same binary.
	if err := os.WriteFile(filepath.Join(root, "notice.pdf"), arrivalNotice(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := inRoot(t, root, "documents", "classify", "notice.pdf"); !strings.Contains(got, "arrival_notice") || !strings.Contains(got, "MEDUX1234567") {
		t.Errorf("a PDF: %s", got)
	}

	p := startCommand(t, rootCommand(root, "serve", "--addr", "127.0.0.1:0", "--demo", "--db", "landfall.db"))
	if got := getStatus(t, strings.TrimSuffix(p.base, "/v2")+"/readyz"); got != http.StatusOK {
		t.Errorf("/readyz: %d", got)
	}
	var voyages document
	eventually(t, time.Minute, func() error {
		if voyages = p.list(p.key, "/shipments?include=containers&page[size]=5"); len(voyages.Data) < 5 || len(voyages.Included) < 5 {
			return fmt.Errorf("%d shipments, %d containers", len(voyages.Data), len(voyages.Included))
		}
		return nil
	})
	for _, shipment := range voyages.Data { // without zones, the times of ports have none
		if zone, _ := shipment.Attributes["pod_timezone"].(string); !strings.Contains(zone, "/") {
			t.Errorf("pod_timezone is %q", zone)
		}
	}
	p.stop()
}

// emptyRoot makes a directory with the binary alone, and a link in place of what Go
// asks /proc for: the path of the program.
func emptyRoot(t *testing.T, static string) string {
	t.Helper()
	root := t.TempDir()
	content, err := os.ReadFile(static)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "landfall"), content, 0o700); err != nil {
		t.Fatal(err)
	}
	self := filepath.Join(root, "proc", "self")
	if err := os.MkdirAll(self, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/landfall", filepath.Join(self, "exe")); err != nil {
		t.Fatal(err)
	}
	return root
}

// inRoot runs the program to its end and returns what it prints.
func inRoot(t *testing.T, root string, args ...string) string {
	t.Helper()
	out, err := rootCommand(root, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("landfall %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// rootCommand runs the program in its root directory, without any variable. In a user
// namespace that needs no privileges, and an emulator is registered in it alone: the
// kernel also uses it for the children of the program.
func rootCommand(root string, args ...string) *exec.Cmd {
	const run = `exec env -i "$(command -v chroot)" "$0" /landfall "$@"`
	script := run
	if emulator := os.Getenv("LANDFALL_EMULATOR"); emulator != "" {
		script = `mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && printf %s '` + arm64Format + emulator + `:F' >/proc/sys/fs/binfmt_misc/register && ` + run
	}
	cmd := exec.Command("unshare", append([]string{"--user", "--map-root-user", "--mount", "sh", "-c", script, root}, args...)...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}
	return cmd
}

// arm64Format registers the files that an emulator of arm64 is for: ELF, 64 bits,
// little endian, executable, machine 183.
const arm64Format = `:landfall:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00` +
	`:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:`

// arrivalNotice returns a PDF of one page.
func arrivalNotice() []byte {
	const text = "BT /F1 12 Tf 16 TL 50 780 Td (ARRIVAL NOTICE) Tj T* (Master B/L No: MEDUX1234567) Tj T* (Last Free Day: 2026-12-05) Tj ET"
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(text), text),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
	}
	file, table := []byte("%PDF-1.4\n"), fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", len(file))
		file = fmt.Appendf(file, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	return fmt.Appendf(file, "%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table, len(objects)+1, len(file))
}
