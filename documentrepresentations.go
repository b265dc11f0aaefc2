package tracking

import (
	"encoding/json"
	"time"
)

// DocumentRepresentation is what one reading found in a document. It is never changed:
// another reading makes another one. It is reached through its document alone.
type DocumentRepresentation struct {
	Meta
	// SchemaVersion is that of the type whose fields were read; empty (null) when
	// the document has no type.
	SchemaVersion string `attr:"schema_version,null"`
	// DocumentType whose fields were read; empty (null) likewise (own).
	DocumentType string `attr:"document_type,null"`
	// Payload has a member for each field that was found; see DocumentFields.
	Payload   json.RawMessage `attr:"payload"`
	CreatedAt time.Time       `attr:"created_at"`
	UpdatedAt time.Time       `attr:"updated_at"`

	Document ID `private:"document"`
}

var documentRepresentations = newKind[DocumentRepresentation]("document_representation", nil, nil, nil)
