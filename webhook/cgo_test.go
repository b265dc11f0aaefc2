//go:build cgo

package webhook_test

func init() { hasCgo = true }
