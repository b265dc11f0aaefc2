package main

import (
	"crypto/md5"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// proxySite is what a proxy of a test serves: the recipe of docs/operating.md, with the
// server and the certificate of the test.
type proxySite struct {
	directory, server, certificate, key string
}

func TestBehindNginx(t *testing.T) {
	t.Parallel()
	nginx := findProgram("nginx", "/usr/sbin/nginx") // Debian puts it where only root's PATH looks
	if nginx == "" {
		t.Skip("nginx is not installed: its test is left out")
	}
	testBehindProxy(t, func(t *testing.T, site proxySite, address string) *exec.Cmd {
		t.Helper()
		return exec.Command(nginx, "-p", site.directory, "-e", "stderr", "-c", site.nginxFile(t, address))
	})
}

func TestBehindCaddy(t *testing.T) {
	t.Parallel()
	caddy := findProgram("caddy")
	if caddy == "" {
		t.Skip("caddy is not installed: its test is left out")
	}
	testBehindProxy(t, func(t *testing.T, site proxySite, address string) *exec.Cmd {
		t.Helper()
		cmd := exec.Command(caddy, "run", "--config", site.caddyFile(t, address), "--adapter", "caddyfile")
		cmd.Env = environment("HOME="+site.directory, "XDG_CONFIG_HOME="+site.directory, "XDG_DATA_HOME="+site.directory)
		return cmd
	})
}

// Behind a proxy, as docs/operating.md sets it up, 50 clients at addresses of their own
// send 1,000 requests over HTTPS. All links, upload URLs and download URLs begin with
// what the clients see, and each failure counts for the address of its client, also
// where the client forges the header.
//
// Seen to fail: without --trust-proxy.
func testBehindProxy(t *testing.T, proxy func(t *testing.T, site proxySite, address string) *exec.Cmd) {
	t.Helper()
	p := start(t, nil, "--trust-proxy", "127.0.0.1", "--rate-default", "0", "--rate-create", "0")
	site := proxySite{directory: t.TempDir(), server: strings.TrimSuffix(strings.TrimPrefix(p.base, "http://"), "/v2")}
	var pool *x509.CertPool
	site.certificate, site.key, pool = newCertificate(t, site.directory, publicName)
	address := freeAddress(t)
	startProxy(t, proxy(t, site, address), address)
	const clients = 50
	var calling sync.WaitGroup
	for n := range clients {
		calling.Go(func() {
			// Any address of the network 127.0.0.0/8 is this machine.
			c := &proxyClient{t: t, key: p.key, forged: fmt.Sprintf("203.0.113.%d", n), http: httpsClient(address, fmt.Sprintf("127.0.1.%d", n+1), pool)}
			defer c.http.CloseIdleConnections()
			c.twentyRequests(n)
		})
	}
	calling.Wait()
	log := ""
	eventually(t, 15*time.Second, func() error { // it comes through a pipe
		log = strings.Join(p.lines(), "\n")
		if n := strings.Count(log, "authentication failed"); n < clients {
			return fmt.Errorf("%d lines about failures, want one of each client:\n%s", n, log)
		}
		return nil
	})
	for n := range clients {
		if line := fmt.Sprintf(`msg="authentication failed" address=127.0.1.%d `, n+1); strings.Count(log, line) != 1 {
			t.Errorf("%d lines with %s", strings.Count(log, line), line)
		}
	}

	// The failures of one client are not those of its neighbour.
	wrong := &proxyClient{t: t, key: "lf_wrong", http: httpsClient(address, "127.0.1.1", pool)}
	for range 100 {
		wrong.want(http.StatusUnauthorized, http.MethodGet, "/v2/shipments", "")
	}
	wrong.want(http.StatusTooManyRequests, http.MethodGet, "/v2/shipments", "")
	wrong.http = httpsClient(address, "127.0.1.2", pool)
	wrong.want(http.StatusUnauthorized, http.MethodGet, "/v2/shipments", "")
}

// Links begin with --public-url, whatever the request says.
func TestPublicURL(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "--public-url", "https://"+publicName+"/")
	status, body, err := p.call(p.key, http.MethodGet, "/parties", "")
	if err != nil || status != http.StatusOK || !strings.Contains(string(body), `"self":"https://`+publicName+`/v2/parties?`) {
		t.Errorf("%d %v %s", status, err, body)
	}
}

// twentyRequests uploads and downloads a document, lists, and fails once.
func (c *proxyClient) twentyRequests(n int) {
	const origin = "https://" + publicName
	content := fmt.Sprintf("the document of client %d", n)
	sum := md5.Sum([]byte(content))
	var upload struct {
		SignedID     string `json:"signed_id"`
		DirectUpload struct {
			URL     string
			Headers map[string]string
		} `json:"direct_upload"`
	}
	c.read(&upload, c.want(http.StatusOK, http.MethodPost, "/v2/direct_uploads", fmt.Sprintf(
		`{"blob":{"filename":"a.txt","content_type":"text/plain","byte_size":%d,"checksum":%q}}`, len(content), base64.StdEncoding.EncodeToString(sum[:]))))
	path, ok := strings.CutPrefix(upload.DirectUpload.URL, origin)
	if !ok {
		c.t.Errorf("the upload URL is %s", upload.DirectUpload.URL)
		return
	}
	c.want(http.StatusNoContent, http.MethodPut, path, content, upload.DirectUpload.Headers)
	var made struct{ Data resource }
	c.read(&made, c.want(http.StatusCreated, http.MethodPost, "/v2/documents", fmt.Sprintf(
		`{"data":{"type":"document","attributes":{"name":"a.txt","attached_document":%q}}}`, upload.SignedID)))
	var download struct {
		URL string `json:"download_url"`
	}
	c.read(&download, c.want(http.StatusOK, http.MethodGet, "/v2/documents/"+made.Data.ID+"/download_url", ""))
	if path, ok = strings.CutPrefix(download.URL, origin); !ok {
		c.t.Errorf("the download URL is %s", download.URL)
		return
	}
	if got := c.want(http.StatusOK, http.MethodGet, path, ""); string(got) != content {
		c.t.Errorf("downloaded %q, want %q", got, content)
	}
	for i := range 14 {
		var list struct{ Links struct{ Self, First string } }
		path := fmt.Sprintf("/v2/documents?page[number]=%d&page[size]=5", i+1)
		c.read(&list, c.want(http.StatusOK, http.MethodGet, path, ""))
		if list.Links.Self != origin+path || !strings.HasPrefix(list.Links.First, origin+"/v2/documents?") {
			c.t.Errorf("the links of %s are %+v", path, list.Links)
		}
	}
	c.key = "lf_wrong"
	c.want(http.StatusUnauthorized, http.MethodGet, "/v2/shipments", "")
}

func (c *proxyClient) read(to any, body []byte) {
	if err := json.Unmarshal(body, to); err != nil {
		c.t.Errorf("%v in %s", err, body)
	}
}

// findProgram returns the path of the first of some programs that is installed, or "".
func findProgram(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// recipe returns the recipe of docs/operating.md for a proxy, in which values are
// replaced.
func (s proxySite) recipe(t *testing.T, proxy string, values ...string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```" + proxy + "\n(.*?)```").FindSubmatch(text)
	if found == nil {
		t.Fatalf("docs/operating.md has no recipe for %s", proxy)
	}
	recipe := string(found[1])
	for i := 0; i < len(values); i += 2 {
		if !strings.Contains(recipe, values[i]) {
			t.Fatalf("the recipe for %s has no %q", proxy, values[i])
		}
		recipe = strings.Replace(recipe, values[i], values[i+1], 1)
	}
	return recipe
}

func (s proxySite) write(t *testing.T, name, config string) (file string) {
	t.Helper()
	file = filepath.Join(s.directory, name)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func (s proxySite) nginxFile(t *testing.T, address string) string {
	t.Helper()
	config := "daemon off;\npid nginx.pid;\nerror_log stderr;\nworker_processes 1;\nevents {}\nhttp {\naccess_log off;\n"
	if os.Getuid() == 0 {
		config = "user root;\n" + config // the directory of the test is closed to others
	}
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		config += name + "_temp_path " + filepath.Join(s.directory, name) + ";\n"
	}
	return s.write(t, "nginx.conf", config+s.recipe(t, "nginx",
		"127.0.0.1:8080", s.server,
		"listen 443 ", "listen "+address+" ",
		"/etc/ssl/tracking.example.com/fullchain.pem", s.certificate,
		"/etc/ssl/tracking.example.com/privkey.pem", s.key,
	)+"}\n")
}

func (s proxySite) caddyFile(t *testing.T, address string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	config := "{\nadmin off\nauto_https disable_redirects\ndefault_bind " + host + "\nhttps_port " + port + "\n}\n"
	return s.write(t, "Caddyfile", config+s.recipe(t, "caddy",
		"127.0.0.1:8080", s.server,
		"{\n", "{\ntls "+s.certificate+" "+s.key+"\n", // in place of a certificate from an authority
	))
}

// startProxy runs a proxy until the end of the test, and waits until it listens.
func startProxy(t *testing.T, cmd *exec.Cmd, address string) {
	t.Helper()
	var output lockedBuffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // it ends its workers too
		<-ended
	})
	eventually(t, 15*time.Second, func() error {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended with %v: %s", cmd.Path, err, output.String())
		default:
		}
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err
	})
}
