// Package searoute finds the way of a ship from one place to another along shipping lanes,
// through straits and canals and not over land. All functions are pure.
//
// The lanes are a network of some 9,600 points, 90 KB in the program. It is unpacked when
// the first route is asked for. What sails outside it is not known to it: rivers above
// their ports, the Kiel Canal, the Arctic.
package searoute
