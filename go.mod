module github.com/landfallhq/tracking

go 1.25.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/jmoiron/sqlx v1.4.0 // indirect
	github.com/mattn/go-sqlite3 v1.14.52 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
