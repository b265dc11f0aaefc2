package table

import (
	"crypto/sha1"
	"encoding/binary"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// NamedID returns the ID for a natural key in the namespace of a resource type: a
// UUID of version 5.
func NamedID(typ, key string) store.ID {
	space, ok := namespaces.Load(typ)
	if !ok {
		space, _ = namespaces.LoadOrStore(typ, uuid.NewSHA1(namespace, []byte(typ)))
	}
	// Like uuid.NewSHA1, without its allocations: an update computes dozens.
	text := make([]byte, 0, 256)
	id := space.(store.ID)
	text = append(append(text, id[:]...), key...)
	sum := sha1.Sum(text)
	copy(id[:], sum[:])
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

// TimedID is a NamedID that begins with a time, as a UUID of version 7 does, and is one of
// version 8. IDs of one time are neighbours in an index, and later ones come after them, so an
// update of a large account writes them into one page at its end. It suits records that
// nobody finds by their key. The time is cut to milliseconds.
func TimedID(typ, key string, at time.Time) store.ID {
	id := NamedID(typ, key)
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(id[:6], ms[2:])
	id[6] = id[6]&0x0f | 0x80
	return id
}

// namespaces are the UUIDs of the resource types.
var namespaces sync.Map // string -> store.ID

// namespace is the root of every ID that is derived from a key. It must never
// change: clients store these IDs.
var namespace = uuid.MustParse("6f1c2a52-6a0e-5b0b-9a43-3d7d8e0c5f10")
