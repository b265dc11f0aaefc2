// Package netblock compares addresses of clients by their network.
package netblock

import "net/netip"

// Of returns the key of limits by address: the address itself or, because a client of
// IPv6 usually controls a whole network, the first address of its /64. Zones and the
// IPv6 form of an IPv4 address do not count. The zero Addr is its own key.
func Of(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return a
	}
	network, err := a.Prefix(64)
	if err != nil { // not for an IPv6 address
		return a
	}
	return network.Addr()
}

// Contain reports whether one of the networks contains an address.
func Contain(networks []netip.Prefix, a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, n := range networks {
		if n.Contains(a) {
			return true
		}
	}
	return false
}
