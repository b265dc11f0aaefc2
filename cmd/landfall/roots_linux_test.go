package main

import (
	"crypto/x509"
	"os"
	"os/exec"
	"testing"
)

// Root certificates come with the program. Those of the machine count if it has some.
//
// Seen to fail: without x509roots/fallback.
func TestRootCertificates(t *testing.T) {
	t.Parallel()
	if !withoutRoots() { // they are read once in a process
		again := exec.Command(os.Args[0], "-test.run=^TestRootCertificates$")
		again.Env = environment("SSL_CERT_FILE="+noRoots, "SSL_CERT_DIR="+noRoots)
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		t.Fatal(err)
	}
	if pool.Equal(x509.NewCertPool()) {
		t.Error("no root certificates")
	}
}
