package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/store"
)

// keyCandidate is a master key that a database may be sealed with.
type keyCandidate struct {
	key  []byte
	file string // empty if the key is from the environment
	name string // for messages: "LANDFALL_MASTER_KEY"
}

// keyCandidates returns the keys of the environment, and those of the files that exist.
// required, unless empty, must exist.
func (p *program) keyCandidates(required string, files ...string) (list []keyCandidate, err error) {
	keys, err := p.masterKeys()
	if err != nil {
		return nil, err
	}
	if keys.current != nil {
		list = append(list, keyCandidate{key: keys.current, name: masterKeyVariable})
	}
	if required != "" {
		files = append(files, required)
	}
	for _, file := range files {
		key, err := readKeyFile(file)
		if errors.Is(err, fs.ErrNotExist) && file != required {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, keyCandidate{key, file, file})
	}
	for i, key := range keys.old {
		list = append(list, keyCandidate{key: key, name: fmt.Sprintf("%s, key %d", oldMasterKeysVariable, i+1)})
	}
	return list, nil
}

// seal says what the secrets of a database are encrypted with.
type seal int

const (
	unsealed        seal = iota // no server has used it
	sealedBy                    // one of the candidates
	sealedElsewhere             // none of them
)

// sealingKey returns the candidate that a server on the database needs. It changes
// nothing.
func sealingKey(s tracking.Store, candidates []keyCandidate) (seal, keyCandidate, error) {
	unknown := keyCandidate{key: newMasterKey()} // shows whether there is something to open
	for _, c := range append(candidates, unknown) {
		tr, err := tracking.New(tracking.Config{Store: unwritten{s}, MasterKey: c.key})
		switch {
		case err == nil:
			return sealedBy, c, tr.Close()
		case errors.Is(err, errUnwritten):
			return unsealed, c, nil
		case !errors.Is(err, tracking.ErrMasterKey):
			return unsealed, c, err
		}
	}
	return sealedElsewhere, unknown, nil
}

// unwritten is a store that is neither written to nor closed.
type unwritten struct{ tracking.Store }

var errUnwritten = errors.New("the store is not written to")

func (unwritten) Update(context.Context, tracking.AccountID, func(store.RecordTx) error) error {
	return errUnwritten
}

func (unwritten) Close() error { return nil }
