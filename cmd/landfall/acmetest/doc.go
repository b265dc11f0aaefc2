// Package acmetest tests that landfall serve gets its certificates by itself, from
// Pebble, the test server of Let's Encrypt. It has only tests, and is a module of its
// own, so that no other program gets what they need.
package acmetest
