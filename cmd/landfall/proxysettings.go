package main

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// proxySettings say what stands between the clients and the server.
type proxySettings struct {
	trusted networkList
	public  publicURL
}

// declare declares the flags.
func (p *proxySettings) declare(f *flags) {
	f.Var(&p.trusted, "trust-proxy", "`LIST` of the networks of proxies in front of the server, such as 127.0.0.1,10.0.0.0/8: their X-Forwarded headers count")
	f.Var(&p.public, "public-url", "`URL` under which clients reach the server, such as https://tracking.example.com, for links; by default what a trusted proxy forwards, or else that of the request")
}

// networkList is a list of networks: 10.0.0.0/8,2001:db8::/32. A single address is a
// network too.
type networkList []netip.Prefix

func (l *networkList) String() string {
	words := make([]string, len(*l))
	for i, n := range *l {
		if words[i] = n.String(); n.IsSingleIP() {
			words[i] = n.Addr().String()
		}
	}
	return strings.Join(words, ",")
}

func (l *networkList) Set(s string) error {
	var list networkList
	for word := range strings.SplitSeq(s, ",") {
		n, err := parseNetwork(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		list = append(list, n)
	}
	*l = list
	return nil
}

// parseNetwork reads a network, or an address as a network of its own. Bits after the
// prefix are an error: 10.1.2.3/8 is more than its author may think.
func parseNetwork(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	n, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return n, fmt.Errorf("%q is not a network: write addresses and networks as 127.0.0.1,10.0.0.0/8,2001:db8::/32", s)
	case n != n.Masked():
		return n, fmt.Errorf("%q has bits after its prefix: write %s for the network, or %s for the address", s, n.Masked(), n.Addr())
	}
	return n, nil
}

// hostCharacters are those of a host with a port, IPv6 addresses included.
const hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]"

// publicURL is a scheme and a host.
type publicURL string

func (p *publicURL) String() string { return string(*p) }

func (p *publicURL) Set(s string) error {
	s = strings.TrimSuffix(s, "/")
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return fmt.Errorf("write the scheme and the host, such as https://tracking.example.com")
	case strings.ContainsFunc(u.Host, func(r rune) bool { return !strings.ContainsRune(hostCharacters, r) }):
		return fmt.Errorf("the host %q has other characters than letters, digits, hyphens and dots: write an international name in its xn-- form", u.Host)
	case s != u.Scheme+"://"+u.Host:
		return fmt.Errorf("it has more than a scheme and a host: write %s://%s", u.Scheme, u.Host)
	}
	*p = publicURL(s)
	return nil
}
