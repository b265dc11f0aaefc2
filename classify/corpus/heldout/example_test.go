package heldout_test

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/heldout"
)

func Example() {
	documents, err := heldout.Documents("bl-conline") // all layouts, when none is named
	fmt.Println(len(documents), documents[0].Name, documents[0].Type, err)
	// Output: 2 heldout-bl-conline-01 bill_of_lading <nil>
}
