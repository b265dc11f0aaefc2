//go:build cgo

package sqlite

import "maps"

// issuedRids are the last rids that were issued in committed batches of a connection,
// so that an insert need not look for the last record of its table. They hold until
// another connection changes the file.
type issuedRids struct {
	last    map[seqKey]int64
	version int64 // the file's data version that they are of
	checked bool  // that it still has this version, in the current batch
}

// maxIssuedRids bounds issuedRids.last.
const maxIssuedRids = 1 << 16

// begin begins a batch. One that runs alone may change rows and numbers in any way.
func (i *issuedRids) begin(alone bool) {
	i.checked = false
	if alone {
		i.forget()
	}
}

func (i *issuedRids) forget() { clear(i.last) }

// add keeps what a committed batch has issued.
func (i *issuedRids) add(issued map[seqKey]int64) {
	if len(issued) == 0 {
		return
	}
	if i.last == nil || len(i.last) > maxIssuedRids {
		i.last = map[seqKey]int64{}
	}
	maps.Copy(i.last, issued)
}

// lastIssued returns the last rid that was issued in a kind and an account, if it is
// known. It is called in a transaction that holds the write lock.
func (c *conn) lastIssued(key seqKey) (rid int64, ok bool, err error) {
	if !c.issued.checked {
		// It differs if another connection has committed a change.
		version, _, err := c.queryInt("PRAGMA data_version")
		if err != nil {
			return 0, false, err
		}
		if version != c.issued.version {
			c.issued.forget()
		}
		c.issued.version, c.issued.checked = version, true
	}
	rid, ok = c.issued.last[key]
	return rid, ok, nil
}
