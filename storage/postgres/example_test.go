package postgres_test

import (
	"context"
	"fmt"
	"os"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/storage/postgres"
)

// The engine on PostgreSQL: the same two lines as on any store.
func Example() {
	db, err := storage.Open("postgres://landfall@db.example/landfall") // the program imports storage/postgres
	if err != nil {
		fmt.Println(err)
		return
	}
	tracker, err := tracking.New(tracking.Config{Store: db})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tracker.Close()
}

// With settings, and a URL that is not in the source.
func ExampleOpen() {
	db, err := postgres.Open(context.Background(), os.Getenv("DATABASE_URL"), postgres.Options{MaxConns: 32})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
}

// What a new version would do to the schema, before it is installed.
func ExamplePending() {
	pending, err := postgres.Pending(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range pending {
		fmt.Println(m.Name)
	}
}
