package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/landfallhq/tracking/store"
)

var (
	errTxClosed = errors.New("postgres: transaction used after its closure has returned")
	// errConflict: PostgreSQL has ended the transaction because of another one, or because
	// a hint was wrong. It can be run again.
	errConflict = errors.New("postgres: ended by a conflict")
)

// wrap returns the error of a statement or connection as one of the contract.
func wrap(err error) error {
	var fault *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault):
		return wrapFault(fault)
	case errors.Is(err, context.Canceled):
		return err
	}
	var config *pgconn.ParseConfigError
	if errors.As(err, &config) {
		return err
	}
	return fmt.Errorf("%w: PostgreSQL: %w", store.ErrUnavailable, err)
}

func wrapFault(fault *pgconn.PgError) error {
	err := fmt.Errorf("PostgreSQL: %w", fault)
	switch fault.Code {
	case "40001", "40P01", // serialization failure, deadlock
		"23505": // the hint that a record is new was wrong: the lock of the account excludes others
		return fmt.Errorf("%w: %w", errConflict, err)
	case "25006", // read-only: the node is a standby
		"55P03", // the lock was not granted in time
		"57014": // the statement took too long
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	// 08: connection. 53: resources, such as a full disk. 57P: shutdown. 58: input and output.
	for _, class := range []string{"08", "53", "57P", "58"} {
		if strings.HasPrefix(fault.Code, class) {
			return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
		}
	}
	return err
}

// wrap is the function wrap for errors of the store's connections; lost says that there is
// no connection any more. When the database may be another one afterwards, such as a
// promoted standby or a restored copy, all connections are replaced, and nothing that was
// read from the former one is used.
func (s *Store) wrap(err error, lost bool) error {
	var fault *pgconn.PgError
	isFault := errors.As(err, &fault)
	if lost || isFault && (fault.Code == "25006" || strings.HasPrefix(fault.Code, "57P")) {
		s.forget()
		s.pool.Reset()
	}
	if !lost && !isFault {
		return fmt.Errorf("postgres: %w", err) // such as a value that cannot be read
	}
	return wrap(err)
}
