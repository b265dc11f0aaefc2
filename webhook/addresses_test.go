package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
)

// closed are hosts that must be blocked.
var closed = []string{
	// This machine.
	"127.0.0.1", "127.0.0.53", "127.255.255.254", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F000001", "0x7f.0.0.1",
	"0x7f.1", "0177.0.0.1", "017700000001", "00000177.0.0.1", "0x7f.0.0.0x1", "127.0.0.01",
	"%31%32%37.0.0.1", "127%2e0.0.1", "①②⑦.0.0.1", "127。0。0。1", "１２７.0.0.1",
	"[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::127.0.0.1]", "[::1%25lo]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
	"localhost", "LOCALHOST", "LocalHost",
	"0.0.0.0", "0", "0x0", "0.0", "0.1.2.3", "[::]", "[0::0]", "[::ffff:0.0.0.0]",
	// IPv4 in IPv6, as gateways and tunnels use it.
	"[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::7f00:1]",
	"[2002:7f00:1::]", "[2002:a00:1::1]", "[2001:0:7f00:1::]",
	// Private networks.
	"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.0.1", "192.168.255.254", "3232235777", "0xc0a80101",
	"0300.0250.1.1", "192.168.257", "10.1", "100.64.0.1", "100.127.255.254", "[::ffff:10.0.0.1]", "[::ffff:c0a8:1]",
	"[fc00::1]", "[fd12:3456:789a::1]", "[fec0::1]", "[fe80::1]", "[fe80::1%25eth0]", "169.254.0.1",
	// Metadata addresses of clouds.
	"169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]",
	"[64:ff9b::a9fe:a9fe]", "169.254.170.2", "[fd00:ec2::254]", "[fd20:ce::254]", "100.100.100.200", "192.0.0.192", "168.63.129.16",
	// Reserved for other purposes.
	"192.0.0.1", "192.0.2.1", "192.88.99.1", "192.175.48.1", "198.18.0.1", "198.19.255.254", "198.51.100.1", "203.0.113.1",
	"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "4294967295", "[ff02::1]", "[ff05::2]", "[2001:db8::1]",
	"[3fff::1]", "[100::1]", "[5f00::1]", "[4000::1]", "[::2]", "[2001:2::1]", "[2001:10::1]", "[2620:4f:8000::1]",
}

// closedNames are those that need a name server.
var closedNames = []string{
	"127.0.0.1.", "169.254.169.254.", "2130706433.", "1.2.3.4.5", "127.0.0.1.1", "256.256.256.256", "0x", "1.2.3.0x",
	"localhost.", "app.localhost", "localhost.localdomain", "printer.local", "metadata.google.internal", "metadata", "router",
	"nas.home.arpa", "receiver.example.", "-a.example", "a-.example", "a..example", ".example", "a b.example", "a%00b.example", "a%0d%0ab.example",
	"bücher.example", "receiver.example%2f", "receiver%2eexample%3a80%40x", strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 130) + "example",
	"[receiver.example]", "[8.8.8.8]", "[::ffff:8.8.8.8]", "[2606:4700::1111%25eth0]", "8.8.8.8%25eth0", "*.example", "a,b.example",
}

// refusedURLs are invalid apart from their host.
var refusedURLs = map[string]string{ // to the code of the refusal
	"":                                                         "invalid",
	"receiver.example":                                         "invalid",
	"//receiver.example/":                                      "invalid",
	"https:receiver.example":                                   "invalid",
	"https://":                                                 "invalid",
	"https:///hooks":                                           "invalid",
	"https://?x":                                               "invalid",
	"http://receiver.example/":                                 "invalid",
	"HTTP://receiver.example/":                                 "invalid",
	"ftp://receiver.example/":                                  "invalid",
	"file:///etc/passwd":                                       "invalid",
	"gopher://receiver.example:80/":                            "invalid",
	"javascript:alert(1)":                                      "invalid",
	"unix:///run/x.sock":                                       "invalid",
	" https://receiver.example/":                               "invalid",
	"https://receiver.example/\r\nX: y":                        "invalid",
	"https://receiver.example/\x00":                            "invalid",
	"https://receiver.example/%zz":                             "invalid",
	"https://127.0.0.1\\@x.example/":                           "invalid",
	"https://[::1/":                                            "invalid",
	"https://u@receiver.example/":                              "credentials",
	"https://u:p@receiver.example/":                            "credentials",
	"https://@receiver.example/":                               "credentials",
	"https://8.8.8.8@127.0.0.1/":                               "credentials",
	"https://x.example:443@127.0.0.1/":                         "credentials",
	"https://x.example%2f@127.0.0.1/":                          "credentials",
	"https://receiver.example/#a":                              "fragment",
	"https://receiver.example/#":                               "fragment",
	"https://receiver.example:22/":                             "port",
	"https://receiver.example:8443/":                           "port",
	"https://8.8.8.8:6379/":                                    "port",
	"https://receiver.example:0/":                              "port",
	"https://receiver.example:00443/":                          "port",
	"https://receiver.example:65536/":                          "port",
	"https://receiver.example:4431/":                           "port",
	"https://receiver.example:-1/":                             "invalid",
	"https://receiver.example:443x/":                           "invalid",
	"https://receiver.example:https/":                          "invalid",
	"https://receiver.example/" + strings.Repeat("x", 2048-24): "too_long",
}

func TestCheckRefuses(t *testing.T) {
	n := webhook.New(webhook.Config{})
	for _, host := range slices.Concat(closed, closedNames) {
		for _, url := range []string{"https://" + host + "/hooks", "https://" + host + ":443", "https://" + host + ":80?x"} {
			if err := n.Check(url); err == nil {
				t.Errorf("%s is allowed", url)
			}
		}
	}
	for url, want := range refusedURLs {
		err := n.Check(url)
		var refused *tracking.Error
		if !errors.As(err, &refused) || refused.Code != want || refused.Field != "url" || refused.Kind != tracking.Invalid || refused.Detail == "" {
			t.Errorf("%.80q: %v, want %s", url, err, want)
		}
	}
}

func TestCheckAllows(t *testing.T) {
	inside := webhook.Config{AllowHTTP: true, AllowPrivate: true}
	some := webhook.Config{Allow: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("169.254.169.254/32")}, Ports: []uint16{8443}}
	but := webhook.Config{Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, Deny: []netip.Prefix{netip.MustParsePrefix("10.2.0.0/16"), netip.MustParsePrefix("8.8.4.0/24")}}
	for _, row := range []struct {
		config webhook.Config
		url    string
		ok     bool
	}{
		{webhook.Config{}, "https://receiver.example/hooks?a=b", true},
		{webhook.Config{}, "https://receiver.example", true},
		{webhook.Config{}, "HTTPS://Receiver.Example:443/", true},
		{webhook.Config{}, "https://receiver.example:80/", true},
		{webhook.Config{}, "https://xn--bcher-kva.example/", true},
		{webhook.Config{}, "https://a_b.c-d.example/", true},
		{webhook.Config{}, "https://1password.example/", true},
		{webhook.Config{}, "https://0x7f.example/", true},
		{webhook.Config{}, "https://8.8.8.8/", true},
		{webhook.Config{}, "https://[2606:4700::1111]/", true},
		{webhook.Config{}, "https://[2606:4700::1111]:443/", true},
		{webhook.Config{}, "https://receiver.example/" + strings.Repeat("x", 2048-25), true},
		{webhook.Config{AllowHTTP: true}, "http://receiver.example/", true},
		{webhook.Config{AllowHTTP: true}, "http://127.0.0.1/", false},
		{inside, "http://127.0.0.1:8090/", true},
		{inside, "http://localhost:8090/", true},
		{inside, "http://receiver:8090/", true},
		{inside, "http://[::1]:8090/", true},
		{inside, "http://[fd12::1]:8090/", true},
		{inside, "https://10.1.2.3/", true},
		{inside, "http://8.8.8.8:8090/", false}, // what is open on any port is private
		{inside, "http://169.254.169.254/", false},
		{inside, "http://169.254.170.2/", false},
		{inside, "http://[fd00:ec2::254]/", false},
		{inside, "http://100.100.100.200/", false},
		{inside, "http://0.0.0.0:8090/", false},
		{inside, "http://2130706433:8090/", false},
		{inside, "http://[::ffff:127.0.0.1]:8090/", false},
		{some, "https://10.1.2.3/", true},
		{some, "https://10.1.2.3:8443/", true},
		{some, "https://10.1.2.3:8444/", false},
		{some, "https://10.2.0.1/", false},
		{some, "https://169.254.169.254/", true},
		{some, "https://169.254.169.253/", false},
		{some, "https://hooks.internal/", true},
		{but, "https://10.1.0.1/", true},
		{but, "https://10.2.0.1/", false},
		{but, "https://8.8.4.4/", false},
	} {
		if err := webhook.New(row.config).Check(row.url); (err == nil) != row.ok {
			t.Errorf("%+v: %.80s: %v", row.config, row.url, err)
		}
	}
}

// verdict is the result of sending to a host, from a separate process.
type verdict struct{ Host, Failure, RemoteIP string }

const childVariable = "LANDFALL_WEBHOOK_CHILD"

// child is the role of this binary for TestAddresses and TestEnvironment, started
// again because GODEBUG and proxy variables are read at the start.
func child(which string) int {
	var run func() any
	switch which {
	case "addresses":
		run = func() any { return sendToAll() }
	case "environment":
		run = func() any { return sendPastProxies() }
	}
	if err := json.NewEncoder(os.Stdout).Encode(run()); err != nil {
		return 1
	}
	return 0
}

// again starts this binary again, and reads its results.
func again(t *testing.T, which string, found any, env ...string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), append(env, childVariable+"="+which)...)
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, found)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// allSent has the guard's result for every host.
type allSent struct {
	Verdicts []verdict
	Dialled  []string // the addresses that it let through
}

// sendToAll sends to every closed host and an open one, without Check. Nothing is
// connected: addresses that pass the guard are recorded.
func sendToAll() allSent {
	var all allSent
	n := webhook.NewInLab(webhook.Config{}, webhook.Lab{Resolver: resolver(nowhere), Dialled: func(to netip.AddrPort) error {
		all.Dialled = append(all.Dialled, to.String())
		return errors.New("no connections here")
	}})
	for _, host := range append(slices.Clone(closed), "8.8.8.8") {
		out := n.SendUnchecked(context.Background(), dispatch("http://"+host+"/"))
		all.Verdicts = append(all.Verdicts, verdict{host, out.Failure, out.RemoteIP})
	}
	return all
}

// hasCgo reports whether this binary can use the system's resolver.
var hasCgo bool

// The guard alone, without Check, blocks all closed hosts, with either resolver:
// Go's, which takes odd spellings of addresses for names, or the system's, which
// takes them for addresses.
func TestAddresses(t *testing.T) {
	if len(closed) < 60 {
		t.Fatalf("%d forms", len(closed))
	}
	// These show which resolver was used.
	odd := []string{"2130706433", "0x7f.1", "0177.0.0.1", "0xa9fea9fe"}
	for mode, want := range map[string]string{"go": tracking.FailDNS, "cgo": tracking.FailBlocked} {
		if mode == "cgo" && !hasCgo {
			t.Log("built without cgo: the system's resolver is not tried")
			continue
		}
		var all allSent
		again(t, "addresses", &all, "GODEBUG=netdns="+mode)
		if !slices.Equal(all.Dialled, []string{"8.8.8.8:80"}) {
			t.Errorf("%s: dialled %v, want the open one alone", mode, all.Dialled)
		}
		blocked := 0
		for _, v := range all.Verdicts[:len(closed)] {
			if v.RemoteIP != "" || v.Failure != tracking.FailBlocked && v.Failure != tracking.FailDNS {
				t.Errorf("%s: %+v", mode, v)
			}
			if v.Failure == tracking.FailBlocked {
				blocked++
			}
			if slices.Contains(odd, v.Host) && v.Failure != want {
				t.Errorf("%s: %+v, want %s: is it the resolver that was asked for?", mode, v, want)
			}
		}
		t.Logf("%s: %d of %d hosts blocked, the others not resolved, 0 dialled", mode, blocked, len(closed))
	}
}

// A name is checked again when it is dialled, and each of several addresses
// separately.
func TestRebinding(t *testing.T) {
	public, private := netip.MustParseAddr("93.184.215.14"), netip.MustParseAddr("127.0.0.1")
	var asked, arrived atomic.Int64
	s := serve(t, func(http.ResponseWriter, *http.Request) { arrived.Add(1) })
	port := s.Listener.Addr().(*net.TCPAddr).Port
	var dialled []netip.Addr
	lab := webhook.Lab{
		Resolver: resolver(func(name string) []netip.Addr {
			if strings.HasPrefix(name, "both.") {
				return []netip.Addr{private, public}
			}
			if asked.Add(1) <= 2 { // A and AAAA of the first look
				return []netip.Addr{public}
			}
			return []netip.Addr{private}
		}),
		Dialled: func(to netip.AddrPort) error {
			dialled = append(dialled, to.Addr())
			return errors.New("no connections here")
		},
	}
	n := newNotifier(t, webhook.Config{AllowHTTP: true, Ports: []uint16{uint16(port)}}, lab)
	url := fmt.Sprintf("http://rebinding.example:%d/", port)
	if err := n.Check(url); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{tracking.FailConnect, tracking.FailBlocked, tracking.FailBlocked} {
		if out := n.Send(context.Background(), dispatch(url)); out.Failure != want {
			t.Errorf("attempt %d: %+v, want %s", i+1, out, want)
		}
	}
	n.Send(context.Background(), dispatch(fmt.Sprintf("http://both.example:%d/", port)))
	if !slices.Equal(dialled, []netip.Addr{public, public}) || arrived.Load() > 0 {
		t.Errorf("dialled %v, %d requests arrived", dialled, arrived.Load())
	}
}

// Nothing is reported about a blocked address, whether literal or resolved.
func TestBlockedTellsNothing(t *testing.T) {
	n := newNotifier(t, webhook.Config{AllowHTTP: true}, webhook.Lab{Resolver: resolver(here)})
	for _, url := range []string{"http://intranet.example/", "http://127.0.0.1/"} {
		out := n.Send(context.Background(), dispatch(url))
		if out.Failure != tracking.FailBlocked || out.Detail != "The address is not one that webhooks are sent to." {
			t.Errorf("%+v", out)
		}
		out.Failure, out.Detail, out.Total = "", "", 0
		if fmt.Sprint(out) != fmt.Sprint(tracking.Outcome{}) {
			t.Errorf("%s: %+v", url, out)
		}
	}
}

// sendPastProxies sends to the address of the proxy, by another name.
func sendPastProxies() int {
	n := webhook.NewInLab(local, webhook.Lab{Resolver: resolver(here)})
	_, port, _ := strings.Cut(strings.TrimPrefix(os.Getenv("HTTP_PROXY"), "http://"), ":")
	return n.Send(context.Background(), dispatch("http://receiver.example:"+port+"/")).Status
}

// Proxy variables in the environment are ignored.
func TestEnvironment(t *testing.T) {
	var proxied, direct atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.IsAbs() {
			proxied.Add(1)
		} else {
			direct.Add(1)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	var status int
	again(t, "environment", &status, "HTTP_PROXY="+s.URL, "http_proxy="+s.URL, "ALL_PROXY="+s.URL, "NO_PROXY=", "no_proxy=")
	if status != http.StatusNoContent || proxied.Load() != 0 || direct.Load() != 1 {
		t.Errorf("%d, %d by the proxy, %d directly", status, proxied.Load(), direct.Load())
	}
}

// A configured proxy is used, although its address is private.
func TestProxy(t *testing.T) {
	hosts := make(chan string, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hosts <- r.URL.String()
		w.WriteHeader(http.StatusNoContent)
	})
	config := webhook.Config{AllowHTTP: true}
	var err error
	if config.Proxy, err = url.Parse(s.URL); err != nil {
		t.Fatal(err)
	}
	n := newNotifier(t, config, webhook.Lab{Resolver: resolver(nowhere)})
	if out := n.Send(context.Background(), dispatch("http://receiver.example/hooks")); out.Status != http.StatusNoContent {
		t.Errorf("%+v", out)
	}
	if host := <-hosts; host != "http://receiver.example/hooks" {
		t.Errorf("the proxy is asked for %s", host)
	}
	if out := n.Send(context.Background(), dispatch("http://10.0.0.1/")); out.Failure != tracking.FailBlocked {
		t.Errorf("a private address by the proxy: %+v", out)
	}
}
