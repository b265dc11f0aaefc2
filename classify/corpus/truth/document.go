package truth

// Document is one file of the corpus with its true type and fields.
type Document struct {
	Name   string `json:"name"` // without extension, unique in the corpus
	Part   string `json:"part"` // train, heldout, fresh, or a part of papers such as seen5
	Layout string `json:"layout"`
	Type   string `json:"type"`
	Fields Fields `json:"fields"`
	PDF    []byte `json:"-"`

	// Drawn is a hash of the texts of the pages and of their positions, independent of
	// compression.
	Drawn string `json:"-"`
}

// Fields are the fields of a document or of a member of a list, by name: a string in
// the normal form, a Company, or for a list []Fields.
type Fields map[string]any

// Company is a party as printed: the first line, and those below it.
type Company struct {
	Name    string `json:"name"`
	Address string `json:"address,omitempty"`
}

// Readings are the dates that a printed date can mean, in normal form and order, where nothing
// on the paper decides between them: 05/08/2026 alone. They stand in place of a value.
type Readings []string
